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
	struct lle_charge charge = lossless_charged(skb);
	struct lossless_cb *cb = lossless_cb(skb);

	if (relief->drop || !lle_port_park(cb->iport, &charge, q->port))
		return false;
	if (q->queue[relief->prio].rcm)
		lossless_rcm_parked(q, skb, relief->prio);
	cb->iport = NULL;
	cb->flags |= LOSSLESS_CB_PARKED;
	relief->parked_bytes += qdisc_pkt_len(skb);
	return true;
}

/* Look at some packets. Return: whether there are others to look at. */
static bool lossless_relieve_some(struct Qdisc *sch, struct lle_port *ingress,
				  struct lle_relief *relief)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = relief->prio, left = LOSSLESS_BATCH;
	struct sk_buff *skb;

	while ((skb = *q->relieved)) {
		if (!left-- || lle_port_relieved(ingress, relief))
			break;
		if (lossless_cb(skb)->iport != ingress ||
		    lossless_pg(skb) != prio ||
		    lossless_park(q, skb, relief)) {
			q->relieved = &skb->next;
			continue;
		}
		relief->dropped_bytes += qdisc_pkt_len(skb);
		lossless_fifo_unlink(&q->queue[prio].fifo, q->relieved);
		if (q->queue[prio].rcm)
			lossless_rcm_left(q, skb);
		lossless_uncharge(q, skb, prio);
		lossless_drop_queued(sch, skb, prio, LLE_DROP_DEADLOCK);
	}
	return *q->relieved && !lle_port_relieved(ingress, relief);
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
 * The root lock is released after each LOSSLESS_BATCH packets. Packets are sent
 * and come meanwhile; @relieved of the qdisc is where to go on.
 *
 * Context: softirq, RCU.
 */
void lossless_relieve(struct Qdisc *sch, struct lle_port *ingress,
		      struct lle_relief *relief)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_fifo *fifo = &q->queue[relief->prio].fifo;
	bool more;

	spin_lock(qdisc_lock(sch));
	lossless_settle(sch);
	/* another CPU is at work here; this deadlock will be declared again */
	if (q->relieved)
		goto out;
	lossless_rcm_flush(q, relief->prio);
	q->relieved = &fifo->head;
	lossless_set_slow(q);
	do {
		more = q->relieved &&
		       !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state) &&
		       lossless_relieve_some(sch, ingress, relief);
		if (!more)
			break;
		spin_unlock(qdisc_lock(sch));
		spin_lock(qdisc_lock(sch));
	} while (more);
	q->relieved = NULL;
	lossless_set_slow(q);
	if (!fifo->head)
		q->ready &= ~BIT(relief->prio);
out:
	spin_unlock(qdisc_lock(sch));
}
