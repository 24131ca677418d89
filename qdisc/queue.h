/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_QUEUE_H
#define LLE_QUEUE_H

#include <linux/skbuff.h>
#include <net/pkt_sched.h>

#include "../kmod/core/buffer/wred.h"
#include "../kmod/core/congestion/rcm.h"
#include "../kmod/core/sched/link.h"
#include "../kmod/core/sched/sched.h"
#include "../kmod/lossless/admit.h"
#include "../kmod/lossless/deadlock/park.h"
#include "../kmod/lossless/types/port.h"

/* In the priority's place: a frame of ours, charged to nobody. */
#define LOSSLESS_CONTROL	LLE_NUM_PRIO

/* Messages that may wait for the link. */
#define LOSSLESS_MESSAGES	256

/* How exactly is known since when a packet waits; 2^32 of them are 18 minutes. */
#define LOSSLESS_TICK_NS	256

/**
 * struct lossless_cb - what the qdisc notes in a packet
 * @iport: queued: the port it came by, NULL if this host made it or it is parked
 * @deliver_ns: on the wire: when it arrives at the other end
 * @prio: its priority, or LOSSLESS_CONTROL
 * @parked: queued: it is charged to nobody, see lle_port_park()
 * @place: queued, and isolated: its flow's, see lle_mice_place()
 * @seq: queued, of a queue with RCM and not isolated: its number there
 * @came: queued, and isolated: since when, in units of LOSSLESS_TICK_NS
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
	u16 place;
	union {
		u32 seq;
		u32 came;
	};
};

/**
 * struct lossless_way - where an arriving packet goes in a queue whose RCM is busy
 * @now_ns: the time
 * @flow: whose it is
 * @place: of the flow, see lle_mice_place()
 * @id: that is isolated; 0: none
 * @ingress: number of the port it came by, or LOSSLESS_NOBODY
 */
struct lossless_way {
	u64 now_ns;
	struct lle_flow flow;
	u16 place;
	u16 id;
	u8 ingress;
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

/* In an ingress's place: the host itself, or a packet that is parked. */
#define LOSSLESS_NOBODY		(LLE_RCM_INGRESSES - 1)

/**
 * struct lossless_rcm - regional congestion mitigation of one priority
 * @core: who is isolated, and who may send
 * @next: queue of @core that sends next, as lle_rcm_next() has said
 * @next_ns: when that was
 * @seq: number that the next packet gets that is not isolated
 * @from_bytes: bytes that wait, by the ingress they have come by
 * @root_held: bit i: ingress i has this port's destination held upstream
 * @root_name: that destination
 * @fifo: packets of the queues of @core
 * @root_since_ns: since when the port is the root of a region; 0: it is none
 * @root_identified: of @core.stats then
 */
struct lossless_rcm {
	struct lle_rcm core;
	u32 next;
	u64 next_ns;
	u32 seq;
	u32 from_bytes[LLE_RCM_INGRESSES];
	u64 root_held;
	u32 root_name[LLE_MAX_PORTS];
	struct lossless_fifo fifo[LLE_RCM_SUBS + 1];
	u64 root_since_ns;
	u64 root_identified;
};

/**
 * struct lossless_queue - queue of one priority
 * @fifo: its packets, but for those that are isolated
 * @wred: its WRED
 * @stats: what it has, and has done; the port's, to be seen by all
 * @rcm: regional congestion mitigation; NULL: none
 */
struct lossless_queue {
	struct lossless_fifo fifo;
	struct lle_port_egress *stats;
	struct lle_wred_params wred;
	struct lossless_rcm *rcm;
} ____cacheline_aligned;

/**
 * struct lossless_qdisc - private part of the qdisc; under its root lock unless
 *	said otherwise
 * @port: the port of the device
 * @limit_bytes: bytes queued over which arrivals without PFC are dropped;
 *	U32_MAX: none
 * @local_bytes: bytes queued that the host itself has made
 * @ready: bit p: @queue[p] is not empty
 * @isolating: bit p: RCM of @queue[p] has to be asked what it sends
 * @queue: by priority
 * @rcm_params: parameters of RCM
 * @sched: scheduler
 * @sched_params: its parameters
 * @link: emulated link
 * @link_params: its parameters
 * @delay_ns: its propagation time; 0: packets are handed over as they are sent
 * @wire: packets that are on it
 * @wire_bytes: their bytes, without our own frames
 * @kick: empty frame for the next pause
 * @messages: frames of ours that say something
 * @num_messages: how many, up to LOSSLESS_MESSAGES
 * @watchdog: runs the qdisc when something becomes due
 * @update: configuration of @port until the qdisc is at the root; NULL: it holds.
 *	RTNL
 * @clear_max: high-water marks are to begin anew then; RTNL
 */
struct lossless_qdisc {
	struct lle_port *port;
	u32 limit_bytes;
	u32 local_bytes;
	u8 ready;
	u8 isolating;
	struct lossless_queue queue[LLE_NUM_PRIO];
	struct lle_rcm_params rcm_params;
	struct lle_sched sched;
	struct lle_sched_params sched_params;
	struct lle_link link;
	struct lle_link_params link_params;
	u64 delay_ns;
	struct lossless_fifo wire;
	u32 wire_bytes;
	struct sk_buff *kick;
	struct lossless_fifo messages;
	unsigned int num_messages;
	struct qdisc_watchdog watchdog;
	struct lle_port_update *update;
	bool clear_max;
};

/* Has RCM to look at a packet of @len bytes that comes to a queue? */
static inline bool lossless_rcm_looks(const struct lossless_qdisc *q,
				      const struct lossless_queue *queue, u32 len)
{
	return queue->rcm &&
	       !lle_rcm_is_idle(&queue->rcm->core, &q->rcm_params,
				queue->stats->backlog + len);
}

static inline struct lossless_cb *lossless_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct lossless_cb));
	return (struct lossless_cb *)qdisc_skb_cb(skb)->data;
}

/* Number of the port a packet came by, or LOSSLESS_NOBODY. */
static inline unsigned int lossless_ingress(const struct lle_port *iport)
{
	return iport && iport->slot < LLE_MAX_PORTS ? iport->slot :
						      LOSSLESS_NOBODY;
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

/* Append all of @from, which is not empty. */
static inline void lossless_fifo_splice(struct lossless_fifo *fifo,
					const struct lossless_fifo *from)
{
	struct sk_buff **tail = fifo->head ? fifo->tail : &fifo->head;

	*tail = from->head;
	fifo->tail = from->tail;
}

/* A packet that is not isolated goes to the end of a queue with RCM. */
static inline void lossless_rcm_append(struct lossless_queue *queue,
				       struct sk_buff *skb)
{
	lossless_cb(skb)->seq = queue->rcm->seq++;
	lossless_fifo_push(&queue->fifo, skb);
}

/* Bytes that wait and came by the port that a packet did. */
static inline u32 *lossless_rcm_from(struct lossless_rcm *rcm,
				     const struct sk_buff *skb)
{
	return &rcm->from_bytes[lossless_ingress(lossless_cb(skb)->iport)];
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
void lossless_mark(struct lossless_queue *queue, struct sk_buff *skb);

/* dequeue.c */
struct sk_buff *lossless_dequeue(struct Qdisc *sch);
void lossless_reset(struct Qdisc *sch);

/* congestion_config.c */
int lossless_rcm_alloc(const struct lle_port_params *params,
		       struct lossless_rcm **rcm);
void lossless_rcm_free(struct lossless_rcm **rcm);
void lossless_rcm_commit(struct lossless_qdisc *q,
			 const struct lle_port_params *params,
			 struct lossless_rcm **rcm);

void lossless_rcm_retune(struct Qdisc *sch);

/* congestion.c */
void lossless_rcm_find(struct lossless_qdisc *q, struct lossless_queue *queue,
		       const struct sk_buff *skb, const struct lle_port *iport,
		       struct lossless_way *way);
u32 lossless_rcm_wred_bytes(const struct lossless_qdisc *q,
			    const struct lossless_queue *queue,
			    const struct lossless_way *way);
void lossless_rcm_push(struct lossless_qdisc *q, struct sk_buff *skb,
		       const struct lossless_way *way);
u8 lossless_rcm_pick(struct lossless_qdisc *q, unsigned long prios, u64 now_ns,
		     u64 *wake_ns);
struct sk_buff *lossless_rcm_pop(struct lossless_qdisc *q, unsigned int prio);
void lossless_rcm_left(struct lossless_qdisc *q, const struct sk_buff *skb);
void lossless_rcm_parked(struct lossless_qdisc *q, const struct sk_buff *skb,
			 unsigned int prio);
void lossless_rcm_flush(struct lossless_qdisc *q, unsigned int prio);
void lossless_rcm_let_go(struct lossless_qdisc *q, unsigned int prio);
bool lossless_hear(struct Qdisc *sch, const struct lle_cn *cn);
void lossless_path(struct Qdisc *sch, unsigned int prio,
		   const struct lle_flow *flow, struct lle_sar_path *path);

/* congestion_show.c */
void lossless_rcm_root(struct lossless_qdisc *q, unsigned int prio, u64 now_ns);
int lossless_put_rcm(struct sk_buff *skb, const struct lossless_qdisc *q,
		     unsigned long prios);
int lossless_congestion(struct Qdisc *sch, unsigned int prio,
			struct lle_congestion *c, struct lle_congested *ids);

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
