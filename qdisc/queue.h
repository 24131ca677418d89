/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_QUEUE_H
#define LLE_QUEUE_H

#include <linux/skbuff.h>
#include <net/pkt_sched.h>

#include "../kmod/core/link.h"
#include "../kmod/core/sched.h"
#include "../kmod/core/wred.h"
#include "../kmod/port.h"

/* In the priority's place: a frame of ours, charged to nobody. */
#define LOSSLESS_CONTROL	LLE_NUM_PRIO

/* Messages that may wait for the link. */
#define LOSSLESS_MESSAGES	256

/**
 * struct lossless_cb - what the qdisc notes in a packet
 * @iport: queued: the port it came by, NULL if this host made it or it is parked
 * @deliver_ns: on the wire: when it arrives at the other end
 * @prio: its priority, or LOSSLESS_CONTROL
 * @parked: queued: it is charged to nobody, see lle_port_park()
 *
 * The bytes it is accounted with are qdisc_pkt_len().
 */
struct lossless_cb {
	union {
		struct lle_port *iport;
		u64 deliver_ns;
	};
	u8 prio;
	bool parked;
};

/**
 * struct lossless_fifo - packets in order
 * @head: first
 * @tail: where the next goes; valid if @head is not NULL
 */
struct lossless_fifo {
	struct sk_buff *head;
	struct sk_buff **tail;
};

/**
 * struct lossless_queue - queue of one priority
 * @fifo: its packets
 * @wred: its WRED
 * @stats: what it has, and has done; the port's, to be seen by all
 */
struct lossless_queue {
	struct lossless_fifo fifo;
	struct lle_port_egress *stats;
	struct lle_wred_params wred;
} ____cacheline_aligned;

/**
 * struct lossless_qdisc - private part of the qdisc; under its root lock unless
 *	said otherwise
 * @port: the port of the device
 * @limit_bytes: bytes queued over which arrivals without PFC are dropped;
 *	U32_MAX: none
 * @local_bytes: bytes queued that the host itself has made
 * @ready: bit p: @queue[p] is not empty
 * @queue: by priority
 * @sched: scheduler
 * @sched_params: its parameters
 * @link: emulated link
 * @link_params: its parameters
 * @delay_ns: its propagation time; 0: packets are handed over as they are sent
 * @wire: packets that are on it
 * @wire_bytes: their bytes, without our own frames
 * @carrier: empty frame for the next pause
 * @messages: frames of ours that say something
 * @num_messages: how many, up to LOSSLESS_MESSAGES
 * @watchdog: runs the qdisc when something becomes due
 */
struct lossless_qdisc {
	struct lle_port *port;
	u32 limit_bytes;
	u32 local_bytes;
	u8 ready;
	struct lossless_queue queue[LLE_NUM_PRIO];
	struct lle_sched sched;
	struct lle_sched_params sched_params;
	struct lle_link link;
	struct lle_link_params link_params;
	u64 delay_ns;
	struct lossless_fifo wire;
	u32 wire_bytes;
	struct sk_buff *carrier;
	struct lossless_fifo messages;
	unsigned int num_messages;
	struct qdisc_watchdog watchdog;
};

static inline struct lossless_cb *lossless_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct lossless_cb));
	return (struct lossless_cb *)qdisc_skb_cb(skb)->data;
}

/* A frame of ours is from now on in the qdisc, and charged to nobody. */
static inline void lossless_control(struct Qdisc *sch, struct sk_buff *skb)
{
	lle_skb_set_pkt_len(skb, skb->len);
	lossless_cb(skb)->prio = LOSSLESS_CONTROL;
	qdisc_qstats_backlog_inc(sch, skb);
	qdisc_qlen_inc(sch);
}

static inline void lossless_fifo_push(struct lossless_fifo *fifo,
				      struct sk_buff *skb)
{
	struct sk_buff **tail = fifo->head ? fifo->tail : &fifo->head;

	skb->next = NULL;
	*tail = skb;
	fifo->tail = &skb->next;
}

static inline struct sk_buff *lossless_fifo_pop(struct lossless_fifo *fifo)
{
	struct sk_buff *skb = fifo->head;

	fifo->head = skb->next;
	skb_mark_not_on_list(skb);
	return skb;
}

/* A packet has left its queue: nobody is charged for it any more. */
static inline void lossless_uncharge(struct lossless_qdisc *q,
				     struct sk_buff *skb, unsigned int prio)
{
	const struct lossless_cb *cb = lossless_cb(skb);
	u32 len = qdisc_pkt_len(skb);

	q->queue[prio].stats->backlog -= len;
	if (likely(cb->iport))
		lle_port_release(cb->iport, prio, len, q->port);
	else if (unlikely(cb->parked))
		lle_port_unpark(q->port, len);
	else
		q->local_bytes -= len;
}

/* A packet that was queued is dropped by the qdisc itself. */
static inline void lossless_drop_queued(struct Qdisc *sch, struct sk_buff *skb,
					unsigned int prio,
					enum lle_drop_reason reason)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	lle_port_drop(q->port, prio, reason, qdisc_pkt_len(skb));
	qdisc_qstats_backlog_dec(sch, skb);
	qdisc_qlen_dec(sch);
	qdisc_qstats_drop(sch);
	kfree_skb(skb);
}

/* enqueue.c */
int lossless_enqueue(struct sk_buff *skb, struct Qdisc *sch,
		     struct sk_buff **to_free);

/* dequeue.c */
struct sk_buff *lossless_dequeue(struct Qdisc *sch);
void lossless_reset(struct Qdisc *sch);

/* relieve.c */
void lossless_relieve(struct Qdisc *sch, struct lle_port *ingress,
		      struct lle_relief *relief);

/* waiting.c */
void lossless_recount(struct Qdisc *sch);
unsigned int lossless_waiting(struct Qdisc *sch, unsigned int prio,
			      struct lle_waiting *waiting);

/* dump.c */
int lossless_dump(struct Qdisc *sch, struct sk_buff *skb);
int lossless_dump_stats(struct Qdisc *sch, struct gnet_dump *d);
int lossless_dump_class(struct Qdisc *sch, unsigned long cl,
			struct sk_buff *skb, struct tcmsg *tcm);
int lossless_dump_class_stats(struct Qdisc *sch, unsigned long cl,
			      struct gnet_dump *d);

#endif /* LLE_QUEUE_H */
