// SPDX-License-Identifier: GPL-2.0
/*
 * Walks over a queue of any length. The root lock is released after each
 * LOSSLESS_BATCH packets: other CPUs wait for it, and pauses are sent under it.
 *
 * Meanwhile packets are appended, so a walk ends where the queue ended at its
 * begin. Only the first packet can leave: it has been visited or is the next.
 *
 * One walk parks or drops packets of an ingress that would pause its peer for
 * ever; another counts packets when detection begins.
 */
#include <linux/lossless.h>

#include "../kmod/lossless/deadlock/packet.h"
#include "rcm.h"

/* Flushes the RCM of the queue: packets are in one list. No walk is active. */
static void lossless_walk_begin(struct Qdisc *sch, struct lossless_walk *walk,
				unsigned int prio)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_fifo *fifo = &q->queue[prio].fifo;

	lossless_qdisc_settle(sch);
	lossless_rcm_flush(q, prio);
	*walk = (struct lossless_walk){
		.at = &fifo->head,
		.end = fifo->head ? fifo->tail : &fifo->head,
		.prio = prio,
	};
	q->walk = walk;
	lossless_qdisc_set_slow(q);
}

/*
 * Releases the root lock for a while. False: no packets are left to visit, or
 * they are being dropped.
 */
static bool lossless_walk_on(struct Qdisc *sch, struct lossless_walk *walk)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (walk->at == walk->end)
		return false;
	spin_unlock_bh(qdisc_lock(sch));
	spin_lock_bh(qdisc_lock(sch));
	return q->walk == walk && walk->at != walk->end &&
	       !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state);
}

/* A reset may have ended the walk, and another one begun. */
static void lossless_walk_end(struct Qdisc *sch, struct lossless_walk *walk)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (q->walk != walk)
		return;
	q->walk = NULL;
	lossless_qdisc_set_slow(q);
}

/*
 * Advances the walk past the first packet of @fifo, which is about to leave.
 * Under the root lock.
 */
void lossless_walk_pop(struct lossless_qdisc *q, unsigned int prio,
		       struct lossless_fifo *fifo)
{
	struct lossless_walk *walk = q->walk;
	struct sk_buff *skb = fifo->head;

	if (walk->prio != prio || fifo != &q->queue[prio].fifo)
		return;
	if (walk->at == &skb->next)
		walk->at = &fifo->head;
	else if (walk->at == &fifo->head && walk->at != walk->end && walk->leaves)
		walk->leaves(q, skb, prio);
	if (walk->end == &skb->next)
		walk->end = &fifo->head;
}

static struct sk_buff *lossless_fifo_unlink(struct lossless_fifo *fifo,
					    struct sk_buff **at)
{
	struct sk_buff *skb = *at;

	*at = skb->next;
	if (!*at)
		fifo->tail = at;
	skb_mark_not_on_list(skb);
	return skb;
}

static bool lossless_park(struct lossless_qdisc *q, struct sk_buff *skb,
			  struct lle_relief *relief)
{
	struct lle_charge charge = lossless_queue_charged(skb);
	struct lossless_cb *cb = lossless_cb(skb);

	if (relief->drop ||
	    !lle_break_lossless_park(cb->iport, &charge, q->port))
		return false;
	if (q->queue[relief->prio].rcm)
		lossless_rcm_parked(q, skb, relief->prio);
	cb->iport = NULL;
	cb->flags |= LOSSLESS_CB_PARKED;
	relief->parked_bytes += qdisc_pkt_len(skb);
	return true;
}

/* Visits some packets. Returns false when the pause has ended. */
static noinline bool lossless_relieve_some(struct Qdisc *sch,
					   struct lossless_walk *walk,
					   struct lle_port *ingress,
					   struct lle_relief *relief)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = relief->prio, left = LOSSLESS_BATCH;
	struct sk_buff *skb;

	for (; left && walk->at != walk->end; left--) {
		if (lle_break_lossless_relieved(ingress, relief))
			return false;
		skb = *walk->at;
		if (lossless_cb(skb)->iport != ingress ||
		    lossless_cb_pg(skb) != prio ||
		    lossless_park(q, skb, relief)) {
			walk->at = &skb->next;
			continue;
		}
		relief->dropped_bytes += qdisc_pkt_len(skb);
		if (walk->end == &skb->next)
			walk->end = walk->at;
		lossless_fifo_unlink(&q->queue[prio].fifo, walk->at);
		if (q->queue[prio].rcm)
			lossless_rcm_left(q, skb);
		lossless_qdisc_uncharge(q, skb, prio);
		lossless_qdisc_drop(sch, skb, prio, LLE_DROP_DEADLOCK);
	}
	return true;
}

/*
 * lle_port_ops.relieve; drops packets if the parking is full. Gives up if
 * another walk is active: the deadlock will be declared again. Skips an inactive
 * qdisc: it is about to drop all packets.
 */
void lossless_walk_relieve(struct Qdisc *sch, struct lle_port *ingress,
			   struct lle_relief *relief)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_walk walk;

	spin_lock_bh(qdisc_lock(sch));
	if (q->walk || test_bit(__QDISC_STATE_DEACTIVATED, &sch->state))
		goto out;
	lossless_walk_begin(sch, &walk, relief->prio);
	while (lossless_relieve_some(sch, &walk, ingress, relief) &&
	       lossless_walk_on(sch, &walk))
		;
	lossless_walk_end(sch, &walk);
	if (!q->queue[relief->prio].stats->backlog)
		q->ready &= ~BIT(relief->prio);
out:
	spin_unlock_bh(qdisc_lock(sch));
}

static void lossless_recount_one(struct lossless_qdisc *q,
				 const struct sk_buff *skb, unsigned int prio)
{
	const struct lle_port *iport = lossless_cb(skb)->iport;

	if (iport && lossless_cb_pg(skb) == prio)
		lle_deadlock_packet_recount(iport, prio, qdisc_pkt_len(skb),
					    q->port);
}

static noinline void lossless_recount_some(struct lossless_qdisc *q,
					   struct lossless_walk *walk)
{
	unsigned int left;

	for (left = LOSSLESS_BATCH; left && walk->at != walk->end; left--) {
		lossless_recount_one(q, *walk->at, walk->prio);
		walk->at = &(*walk->at)->next;
	}
}

/*
 * lle_port_ops.recount: queued packets are counted by the walk or as they leave,
 * others on arrival.
 */
void lossless_walk_recount(struct Qdisc *sch, unsigned int prio)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_walk walk;

	spin_lock_bh(qdisc_lock(sch));
	/* another CPU breaks a deadlock here */
	while (q->walk) {
		spin_unlock_bh(qdisc_lock(sch));
		cond_resched();
		spin_lock_bh(qdisc_lock(sch));
	}
	lossless_walk_begin(sch, &walk, prio);
	walk.leaves = lossless_recount_one;
	lle_deadlock_count(q->port, prio);
	do
		lossless_recount_some(q, &walk);
	while (lossless_walk_on(sch, &walk));
	lossless_walk_end(sch, &walk);
	spin_unlock_bh(qdisc_lock(sch));
}
