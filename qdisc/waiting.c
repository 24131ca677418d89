// SPDX-License-Identifier: GPL-2.0
/* Lists queued packets by ingress port. */
#include <linux/lossless.h>

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

/*
 * lle_port_ops.waiting: visits only the first LOSSLESS_QUEUE_LOOK packets, as
 * nothing is sent meanwhile, and omits ports beyond LOSSLESS_NUM_WAITING.
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
