// SPDX-License-Identifier: GPL-2.0
/*
 * Walks over a queue of any length. The root lock is released after each
 * LOSSLESS_BATCH packets: other CPUs wait for it, and pauses are sent under it.
 *
 * Meanwhile packets are appended, so a walk ends where the queue ended at its
 * begin. Only the first packet can leave: it has been visited or is the next.
 */
#include "rcm.h"

/**
 * lossless_walk_begin() - begin a walk over the packets of a queue
 * @sch: the qdisc
 * @walk: the walk; valid until lossless_walk_end()
 * @prio: the queue; its RCM is flushed, so that packets are in one list
 * Context: under the root lock; no other walk is active.
 */
void lossless_walk_begin(struct Qdisc *sch, struct lossless_walk *walk,
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

/**
 * lossless_walk_on() - release the root lock for a while
 * @sch: the qdisc
 * @walk: the walk, after LOSSLESS_BATCH packets
 * Context: under the root lock.
 * Return: false: no packets are left to visit, or they are being dropped.
 */
bool lossless_walk_on(struct Qdisc *sch, struct lossless_walk *walk)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (walk->at == walk->end)
		return false;
	spin_unlock_bh(qdisc_lock(sch));
	spin_lock_bh(qdisc_lock(sch));
	return q->walk == walk && walk->at != walk->end &&
	       !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state);
}

/**
 * lossless_walk_end() - end a walk
 * @sch: the qdisc
 * @walk: the walk; a reset may have ended it, and another one begun
 * Context: under the root lock.
 */
void lossless_walk_end(struct Qdisc *sch, struct lossless_walk *walk)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (q->walk != walk)
		return;
	q->walk = NULL;
	lossless_qdisc_set_slow(q);
}

/**
 * lossless_walk_pop() - advance the walk past a packet about to leave
 * @q: the qdisc, with an active walk
 * @prio: the queue that it leaves
 * @fifo: its list, with the packet at the head
 * Context: under the root lock.
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
