// SPDX-License-Identifier: GPL-2.0
/* Lists queued packets by ingress port; counts them when detection begins. */
#include <linux/lossless.h>

#include "../kmod/lossless/deadlock/packet.h"
#include "rcm.h"

static const struct lossless_fifo *
lossless_waiting_fifo(const struct lossless_queue *queue, unsigned int n)
{
	if (!n--)
		return &queue->fifo;
	if (!queue->rcm || n >= 2 * ARRAY_SIZE(queue->rcm->fifo))
		return NULL;
	return n % 2 ? &queue->rcm->young[n / 2] : &queue->rcm->fifo[n / 2];
}

/* Finds the entry of a port, last one first: packets often come in runs. */
static struct lle_waiting *lossless_waiting_find(struct lle_waiting *waiting,
						 unsigned int n, u32 ifindex)
{
	while (n--)
		if (waiting[n].ifindex == ifindex)
			return &waiting[n];
	return NULL;
}

static void lossless_waiting_add(struct lle_waiting *waiting, unsigned int *n,
				 const struct sk_buff *skb)
{
	const struct lle_port *iport = lossless_cb(skb)->iport;
	u32 ifindex = iport ? iport->ifindex : 0;
	struct lle_waiting *w;

	w = lossless_waiting_find(waiting, *n, ifindex);
	if (!w) {
		if (*n == LOSSLESS_NUM_WAITING)
			return;
		w = &waiting[(*n)++];
		w->ifindex = ifindex;
	}
	w->packets += lossless_cb_packets(skb);
	w->bytes += qdisc_pkt_len(skb);
}

/**
 * lossless_waiting() - list queued packets by port, as lle_port_ops.waiting
 * @sch: the qdisc
 * @prio: the priority
 * @waiting: result, at most LOSSLESS_NUM_WAITING entries; all 0 before
 *
 * Visits only the first LOSSLESS_QUEUE_LOOK packets, as nothing is sent
 * meanwhile. Omits ports beyond LOSSLESS_NUM_WAITING.
 * Context: RTNL. Return: number of entries of @waiting.
 */
unsigned int lossless_waiting(struct Qdisc *sch, unsigned int prio,
			      struct lle_waiting *waiting)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int left = LOSSLESS_QUEUE_LOOK, list, n = 0;
	const struct lossless_fifo *fifo;
	const struct sk_buff *skb;

	sch_tree_lock(sch);
	lossless_qdisc_settle(sch);
	for (list = 0; (fifo = lossless_waiting_fifo(&q->queue[prio], list));
	     list++)
		for (skb = fifo->head; skb && left; skb = skb->next, left--)
			lossless_waiting_add(waiting, &n, skb);
	sch_tree_unlock(sch);
	return n;
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

/**
 * lossless_waiting_recount() - count queued packets, as lle_port_ops.recount
 * @sch: the qdisc
 * @prio: the queue
 *
 * Queued packets are counted by the walk or as they leave, others on arrival.
 * Context: RTNL.
 */
void lossless_waiting_recount(struct Qdisc *sch, unsigned int prio)
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
