// SPDX-License-Identifier: GPL-2.0
/* What waits in queues: how much of it has come by which port; and it is counted anew. */
#include <linux/lossless.h>

#include "queue.h"

/* The entry of a port, the last one of @n first: packets often come in rows. */
static struct lle_waiting *lossless_waiting_find(struct lle_waiting *waiting,
						 unsigned int n, u32 ifindex)
{
	while (n--)
		if (waiting[n].ifindex == ifindex)
			return &waiting[n];
	return NULL;
}

/**
 * lossless_waiting() - lle_port_ops.waiting
 * @sch: the qdisc
 * @prio: the priority
 * @waiting: set to who waits, LLE_NUM_WAITING at most; all 0 before
 *
 * Looks at the first LLE_QUEUE_LOOK packets only, as nobody can send meanwhile.
 * Packets of more ports than there is room for are not counted.
 *
 * Context: RTNL. Return: number of entries of @waiting.
 */
unsigned int lossless_waiting(struct Qdisc *sch, unsigned int prio,
			      struct lle_waiting *waiting)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int left = LLE_QUEUE_LOOK, n = 0;
	const struct sk_buff *skb;

	sch_tree_lock(sch);
	for (skb = q->queue[prio].fifo.head; skb && left; skb = skb->next) {
		const struct lle_port *iport = lossless_cb(skb)->iport;
		u32 ifindex = iport ? iport->ifindex : 0;
		struct lle_waiting *w;

		left--;
		w = lossless_waiting_find(waiting, n, ifindex);
		if (!w) {
			if (n == LLE_NUM_WAITING)
				continue;
			w = &waiting[n++];
			w->ifindex = ifindex;
		}
		w->packets++;
		w->bytes += qdisc_pkt_len(skb);
	}
	sch_tree_unlock(sch);
	return n;
}

/**
 * lossless_recount() - lle_port_ops.recount
 * @sch: the qdisc
 *
 * Context: RTNL, under the root lock.
 */
void lossless_recount(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	const struct sk_buff *skb;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		for (skb = q->queue[p].fifo.head; skb; skb = skb->next) {
			const struct lle_port *iport = lossless_cb(skb)->iport;

			if (iport)
				lle_port_recount(iport, p, qdisc_pkt_len(skb),
						 q->port);
		}
}
