/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_WIRE_H
#define LLE_WIRE_H

#include <linux/netdevice.h>
#include <linux/pkt_sch_lossless.h>
#include <linux/skbuff.h>

struct lle_port;
struct lle_port_params;
struct lle_port_rx_stats;
struct wire;
struct wire_frame;
struct wire_ring;

#define WIRE_NEXT	16

/* Memory that frames of an end need; hints only */
struct wire_warm {
	const struct wire *other;
	const struct net_device *peer;	/* device of @other */
	const void *peer_address;	/* address of @peer */
	struct Qdisc *qdisc;
	const struct lle_port *port;	/* or NULL */
	const struct lle_port_params *params;
	const struct lle_port_rx_stats *rx_stats;
	const void *rx_data;	/* data of its device's rx handler */
	const struct wire *next[WIRE_NEXT];	/* by last byte */
};

/* An end of a wire */
struct wire {
	u32 end;	/* its number */
	u32 part;	/* its part, from 1: the first group of its device */
	u64 delay_ns;	/* minimum time of a frame */
	struct net_device *dev;
	struct wire_warm warm;	/* for prefetching */
};

/* Control block of a frame that is under way */
struct wire_cb {
	const struct wire *to;	/* the receiving end */
	u32 tie;	/* its place among the frames of the same nanosecond */
	u32 bytes;	/* of the sender's qdisc; 0: it made the frame */
	u8 prio;	/* priority that it accounts them to */
};

static inline struct wire_cb *wire_cb(struct sk_buff *skb)
{
	return (struct wire_cb *)skb->cb;
}

static inline const struct wire *wire_to(const struct sk_buff *skb)
{
	return ((const struct wire_cb *)skb->cb)->to;
}

/* main.c: ends */
struct wire_cb wire_cb_of(const struct sk_buff *skb, const struct wire *to);
void wire_not_sent(const struct wire_cb *cb);
struct wire *wire_find(u32 end);
void wire_know_all(void);

/* under_way.c: frames under way */
bool wire_under_way_ended(u64 now_ns);
void wire_under_way_init(void);
void wire_under_way_exit(void);
void wire_under_way_add(struct sk_buff *skb);
void wire_under_way_forget(const struct wire *wire);
void wire_under_way_run(u64 start_ns, u64 end_ns);

/* warm.c: prefetching */
void wire_warm_know(struct wire *wire);
void wire_warm_forget(const struct wire *wire);
void wire_warm_learn(const struct sk_buff *skb, const struct wire *out);
void wire_warm_frame(const struct sk_buff *skb);
void wire_warm_in(const struct sk_buff *skb);
void wire_warm_next_out(const struct sk_buff *skb);
void wire_warm_out(const struct sk_buff *skb);

/* part.c: other parts of the network */
bool wire_is_here(const struct wire *wire);
bool wire_part_is(unsigned int number);
int wire_part_init(void);
void wire_part_exit(void);
void wire_part_cut(const struct wire *wire, const struct wire *other);
u64 wire_part_start(u64 start_ns, u64 end_ns);
void wire_part_now(u64 now_ns);
u64 wire_part_wait(u64 now_ns, u64 idle_ns);
void wire_part_send(struct sk_buff *skb, const struct wire_cb *cb, u64 arrival_ns);
void wire_part_tell(const void *data, u32 len, u32 at);

/* note.c: messages between processes of all parts */
int wire_note_init(unsigned int parts);
void wire_note_exit(void);
void wire_note_receive(unsigned int from, const struct wire_ring *ring, u64 at,
		       const struct wire_frame *f);

#endif /* LLE_WIRE_H */
