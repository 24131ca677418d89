// SPDX-License-Identifier: GPL-2.0
/* Parks or drops packets of an ingress that would pause its peer for ever. */
#include "rcm.h"

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

/**
 * lossless_relieve() - park or drop packets, as lle_port_ops.relieve
 * @sch: the qdisc
 * @ingress: the port to be relieved
 * @relief: the pause and the means; packets are dropped if the parking is full
 *
 * Gives up if another walk is active: the deadlock will be declared again.
 * Skips an inactive qdisc: it is about to drop all packets.
 * Context: softirq, RCU.
 */
void lossless_relieve(struct Qdisc *sch, struct lle_port *ingress,
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
