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
#include "../kmod/lossless/deadlock/deadlock.h"
#include "../kmod/lossless/gso.h"
#include "../kmod/lossless/types/port.h"

/* Priority of a frame made by the port, not charged */
#define LOSSLESS_CONTROL	LLE_NUM_PRIO

/* Queued packets dropped or visited per hold of the root lock */
#define LOSSLESS_BATCH		64

/* Most pieces of a cut packet: 64 KB of TCP with the default MSS of 536 */
#define LOSSLESS_SEGMENTS	128

/* Results of enqueue steps, besides drop reasons */
#define LOSSLESS_ADMITTED	(-1)
#define LOSSLESS_COUNTED	(-2)	/* to be dropped, counted already */
#define LOSSLESS_MARK		(-3)	/* to be marked once it is admitted */

/* Unit of waiting times; 2^32 units are 18 minutes */
#define LOSSLESS_TICK_NS	256

/* Flags of a packet, and the shift of its priority group in them */
#define LOSSLESS_CB_PARKED	BIT(0) /* queued, see lle_break_lossless_park() */
#define LOSSLESS_CB_GSO		BIT(1)	/* GSO packet */
#define LOSSLESS_CB_COPY	BIT(2)	/* copy for a monitor */
#define LOSSLESS_CB_SOCKET	BIT(3)	/* segment from a socket of this host */
#define LOSSLESS_CB_PG		5

/**
 * struct lossless_cb - control block of a packet in the qdisc
 * @iport: queued: its ingress port; NULL: none, or parked
 * @deliver_ns: on the wire: arrival time at the other end
 * @seq: queued, with RCM, not isolated: its number in the queue
 * @came: queued, isolated: arrival time in units of LOSSLESS_TICK_NS
 * @place: queued, isolated or grown: place of its flow, see lle_las_place()
 * @prio: its queue, or LOSSLESS_CONTROL
 * @flags: LOSSLESS_CB_*, and its priority group
 *
 * qdisc_pkt_len() has its bytes on the link.
 */
struct lossless_cb {
	union {
		struct lle_port *iport;
		u64 deliver_ns;
	};
	union {
		u32 seq;
		u32 came;
	};
	u16 place;
	u8 prio;
	u8 flags;
};

/**
 * struct lossless_fifo - packets in order
 * @head: first packet
 * @tail: link of the next packet; valid if @head is not NULL
 */
struct lossless_fifo {
	struct sk_buff *head;
	struct sk_buff **tail;
};

struct lossless_qdisc;
struct lossless_rcm;

/* Ingress of packets of the host, and of parked packets */
#define LOSSLESS_NOBODY		(LLE_RCM_INGRESSES - 1)

/**
 * struct lossless_queue - queue of one priority
 * @fifo: packets not isolated; with busy RCM, the front ones, see struct
 *	lle_rcm_others
 * @wred: its WRED
 * @stats: its counters, which are the port's
 * @rcm: regional congestion mitigation, or NULL
 */
struct lossless_queue {
	struct lossless_fifo fifo;
	struct lle_port_egress *stats;
	struct lle_wred_params wred;
	struct lossless_rcm *rcm;
} ____cacheline_aligned;

/**
 * struct lossless_walk - walk over a queue's packets, in several lock holds
 * @at: link of the packet to be visited next
 * @end: link of the first packet that is not visited
 * @leaves: called for an unvisited packet that leaves; may be NULL
 * @prio: the queue
 *
 * Packets isolated meanwhile are not visited.
 */
struct lossless_walk {
	struct sk_buff **at;
	struct sk_buff **end;
	void (*leaves)(struct lossless_qdisc *q, const struct sk_buff *skb,
		       unsigned int prio);
	u8 prio;
};

/**
 * struct lossless_qdisc - private part of the qdisc; under its root lock
 * @port: the port of the device
 * @limit_bytes: queued bytes above which arrivals without PFC are dropped;
 *	U32_MAX: unlimited
 * @local_memory: memory of queued packets of this host, or without ingress port
 * @copy_memory: memory of queued copies
 * @express: packet at an idle port, neither queued nor charged: takes the link
 *	at once unless that is busy; or NULL
 * @backlog: bytes of all packets in the qdisc, see lossless_tell_backlog()
 * @counted: part of @backlog in the qdisc's own counter
 * @ready: bit p: @queue[p] is not empty
 * @isolating: bit p: RCM chooses what @queue[p] sends
 * @slow: LOSSLESS_SLOW_*
 * @special: LOSSLESS_SPECIAL_*
 * @whole: GSO packets are queued and sent whole, if not too long
 * @ahead: the device delays packets, see %LLE_WIRE_KIND
 * @queue: by priority
 * @rcm_params: parameters of RCM
 * @sched: scheduler
 * @sched_params: its parameters
 * @link: emulated link
 * @link_params: its parameters
 * @delay_ns: its propagation time; 0: no wire
 * @wire: packets on the wire
 * @wire_bytes: their bytes, without frames made by the port
 * @refused: a frame made by the port and refused by the device
 * @walk: the current walk over a queue; LOSSLESS_SLOW_WALK
 * @num_tx: TX queues that packets may name after a shrink; LOSSLESS_SLOW_SHRUNK
 * @kept: packets kept by a reset, missing in the qdisc's own length
 * @watchdog: runs the qdisc at a due time
 * @update: configuration of @port until the qdisc is at the root; NULL: in
 *	force. RTNL
 * @clear_max: reset high-water marks then; RTNL
 * @stab_warned: logged that its size table is not used
 */
struct lossless_qdisc {
	/* written by each packet, and what it reads nearby */
	struct lle_port *port;
	u32 local_memory;
	u8 ready;
	u8 isolating;
	u8 slow;
	u8 special;
	bool whole;
	bool ahead;
	u32 backlog;
	struct sk_buff *express;
	struct lle_link link;
	struct lle_link_params link_params;
	u32 limit_bytes;
	u32 counted;
	struct lossless_queue queue[LLE_NUM_PRIO];
	struct lle_rcm_params rcm_params;
	struct lle_sched sched;
	struct lle_sched_params sched_params;
	u64 delay_ns;
	struct lossless_fifo wire;
	u32 wire_bytes;
	u32 copy_memory;
	struct sk_buff *refused;
	struct lossless_walk *walk;
	u16 num_tx;
	u32 kept;
	struct qdisc_watchdog watchdog;
	struct lle_port_update *update;
	bool clear_max;
	bool stab_warned;
};

/*
 * Reasons to leave the short path of enqueue. WRED: marks at empty queues; RCM:
 * looks at a frame that is alone
 */
#define LOSSLESS_SPECIAL_LIMIT	BIT(0)
#define LOSSLESS_SPECIAL_RCM	BIT(1)
#define LOSSLESS_SPECIAL_WRED	BIT(2)

/* Reasons to leave the short path of dequeue */
#define LOSSLESS_SLOW_WIRE	BIT(0)
#define LOSSLESS_SLOW_REFUSED	BIT(1)
#define LOSSLESS_SLOW_WALK	BIT(2)
#define LOSSLESS_SLOW_SHRUNK	BIT(3)
#define LOSSLESS_SLOW_LEAVING	BIT(4)

/* Updates @q->slow; call after each change of its conditions. */
static inline void lossless_qdisc_set_slow(struct lossless_qdisc *q)
{
	q->slow = (q->delay_ns || q->wire.head ? LOSSLESS_SLOW_WIRE : 0) |
		  (q->slow & LOSSLESS_SLOW_LEAVING) |
		  (q->refused ? LOSSLESS_SLOW_REFUSED : 0) |
		  (q->walk ? LOSSLESS_SLOW_WALK : 0) |
		  (q->num_tx ? LOSSLESS_SLOW_SHRUNK : 0);
}

static inline struct lossless_cb *lossless_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct lossless_cb));
	return (struct lossless_cb *)qdisc_skb_cb(skb)->data;
}

/* Packets on the link */
static inline u32 lossless_cb_packets(const struct sk_buff *skb)
{
	return unlikely(lossless_cb(skb)->flags & LOSSLESS_CB_GSO) ?
		       lle_gso_packets(skb) : 1;
}

static inline unsigned int lossless_queue_slot(const struct lle_port *iport)
{
	/* a port without a slot has LLE_MAX_PORTS */
	static_assert(LOSSLESS_NOBODY == LLE_MAX_PORTS);

	return iport ? iport->slot : LOSSLESS_NOBODY;
}

/* Counts a frame made by the port as queued; it is not charged. */
static inline void lossless_qdisc_add_control(struct Qdisc *sch,
					      struct sk_buff *skb)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	lle_skb_set_pkt_len(skb, skb->len);
	lossless_cb(skb)->prio = LOSSLESS_CONTROL;
	lossless_cb(skb)->flags = 0;
	q->backlog += skb->len;
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

static inline unsigned int lossless_cb_pg(const struct sk_buff *skb)
{
	return lossless_cb(skb)->flags >> LOSSLESS_CB_PG;
}

/* Charge of a queued packet, without its packets */
static __always_inline struct lle_charge
lossless_queue_charged(const struct sk_buff *skb)
{
	return (struct lle_charge){
		.pg = lossless_cb_pg(skb),
		.queue = lossless_cb(skb)->prio,
		.bytes = qdisc_pkt_len(skb),
	};
}

static inline void lossless_qdisc_uncharge(struct lossless_qdisc *q,
					   struct sk_buff *skb,
					   unsigned int prio)
{
	const struct lossless_cb *cb = lossless_cb(skb);
	u32 len = qdisc_pkt_len(skb);

	q->queue[prio].stats->backlog -= len;
	if (likely(cb->iport)) {
		struct lle_charge charge = lossless_queue_charged(skb);

		q->queue[prio].stats->memory.bytes -= skb->truesize;
		lle_admit_release(cb->iport, &charge, q->port);
	} else if (unlikely(cb->flags & LOSSLESS_CB_PARKED)) {
		q->queue[prio].stats->memory.bytes -= skb->truesize;
		lle_break_lossless_unpark(q->port, len);
	} else if (unlikely(cb->flags & LOSSLESS_CB_COPY)) {
		q->copy_memory -= skb->truesize;
	} else {
		q->local_memory -= skb->truesize;
	}
}

/*
 * Drops a queued packet. It is freed in a softirq, without the root lock: the
 * allocator may take back hundreds of pages at once.
 */
static inline void lossless_qdisc_drop(struct Qdisc *sch, struct sk_buff *skb,
				       unsigned int prio,
				       enum lle_drop_reason reason)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	u32 packets = lossless_cb_packets(skb);

	lle_admit_drop(q->port, prio, reason, qdisc_pkt_len(skb), packets);
	q->backlog -= qdisc_pkt_len(skb);
	qdisc_qlen_dec(sch);
	sch->qstats.drops += packets;
	dev_kfree_skb_irq(skb);
}

/* mark.c */
void lossless_mark(struct lossless_queue *queue, struct sk_buff *skb);
int lossless_mark_decide(struct lossless_qdisc *q, struct lossless_queue *queue,
			 struct sk_buff *skb, u32 bytes);
void lossless_mark_leaving(struct lossless_qdisc *q,
			   struct lossless_queue *queue, struct sk_buff *skb);
void lossless_mark_waited(const struct lossless_qdisc *q,
			  struct lossless_queue *queue, struct sk_buff *skb,
			  u64 now_ns);

/* enqueue.c */
int lossless_enqueue(struct sk_buff *skb, struct Qdisc *sch,
		     struct sk_buff **to_free);
void lossless_enqueue_express(struct Qdisc *sch);

/* Queues the express packet. Call before examining the queues. Root lock. */
static inline void lossless_qdisc_settle(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (unlikely(q->express))
		lossless_enqueue_express(sch);
}

/* dequeue.c */
struct sk_buff *lossless_dequeue(struct Qdisc *sch);
struct sk_buff *lossless_dequeue_own(struct Qdisc *sch);
void lossless_dequeue_reset(struct Qdisc *sch);

/* tx_queues.c */
void lossless_tx_queues_change(struct Qdisc *sch, unsigned int num_tx);
void lossless_tx_queues_keep(struct Qdisc *sch);
void lossless_tx_queues_renumber(struct Qdisc *sch, struct sk_buff *skb);

/* own.c */
unsigned int lossless_own_due(struct lle_port *port, u64 now_ns, u64 *wake_ns);
struct sk_buff *lossless_own_write(struct Qdisc *sch, unsigned int due,
				   u64 now_ns, u64 *wake_ns);
struct sk_buff *lossless_own_message(struct Qdisc *sch);
void lossless_own_requeue(struct Qdisc *sch, struct sk_buff *skb);

static inline bool lossless_qdisc_has_message(const struct lossless_qdisc *q)
{
	return READ_ONCE(q->port->attention.own) || q->refused;
}

/* walk.c */
void lossless_walk_relieve(struct Qdisc *sch, struct lle_port *ingress,
			   struct lle_relief *relief);
void lossless_walk_recount(struct Qdisc *sch, unsigned int prio);
void lossless_walk_pop(struct lossless_qdisc *q, unsigned int prio,
		       struct lossless_fifo *fifo);

/* waiting.c */
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
