// SPDX-License-Identifier: GPL-2.0
/*
 * Parks or drops queued packets of an ingress port that would otherwise pause
 * its peer for ever.
 */
#include "queue.h"

/* Unlink the packet at @at from the queue. */
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
	struct lossless_cb *cb = lossless_cb(skb);
	u32 len = qdisc_pkt_len(skb);

	if (relief->drop ||
	    !lle_port_park(cb->iport, relief->prio, len, q->port))
		return false;
	if (q->queue[relief->prio].rcm)
		lossless_rcm_parked(q, skb, relief->prio);
	cb->iport = NULL;
	cb->flags |= LOSSLESS_CB_PARKED;
	relief->parked_bytes += len;
	return true;
}

/**
 * lossless_relieve() - park or drop packets, as lle_port_ops.relieve
 * @sch: the qdisc
 * @ingress: the port that is to be relieved
 * @relief: the pause, and how to end it; packets without room in the parking
 *	are dropped
 *
 * A qdisc that is not active is left alone: it is about to drop all packets.
 *
 * Context: softirq, RCU.
 */
void lossless_relieve(struct Qdisc *sch, struct lle_port *ingress,
		      struct lle_relief *relief)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_fifo *fifo = &q->queue[relief->prio].fifo;
	unsigned int prio = relief->prio;
	struct sk_buff **at = &fifo->head;

	spin_lock(qdisc_lock(sch));
	if (test_bit(__QDISC_STATE_DEACTIVATED, &sch->state))
		goto out;
	lossless_rcm_flush(q, prio);
	while (*at && !lle_port_relieved(ingress, relief)) {
		struct sk_buff *skb = *at;

		if (lossless_cb(skb)->iport != ingress ||
		    lossless_park(q, skb, relief)) {
			at = &skb->next;
			continue;
		}
		relief->dropped_bytes += qdisc_pkt_len(skb);
		lossless_fifo_unlink(fifo, at);
		if (q->queue[prio].rcm)
			lossless_rcm_left(q, skb);
		lossless_uncharge(q, skb, prio);
		lossless_drop_queued(sch, skb, prio, LLE_DROP_DEADLOCK);
	}
	if (!fifo->head)
		q->ready &= ~BIT(prio);
out:
	spin_unlock(qdisc_lock(sch));
}
