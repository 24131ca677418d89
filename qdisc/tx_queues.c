// SPDX-License-Identifier: GPL-2.0
/*
 * A device gets fewer TX queues. The stack announces it, then resets the qdisc:
 * packets may name a removed TX queue. The qdisc keeps and renumbers them.
 */
#include <net/pkt_sched.h>

#include "queue.h"

/*
 * Qdisc_ops.change_real_num_tx: the device still has the old number of queues.
 * Queued packets may name a removed one; the stack would drop all by reset().
 */
void lossless_tx_queues_change(struct Qdisc *sch, unsigned int num_tx)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	sch_tree_lock(sch);
	q->num_tx = num_tx;
	lossless_qdisc_set_slow(q);
	sch_tree_unlock(sch);
}

/* Counts packets about to be freed by the stack; it may have cut one. */
static void lossless_keep_not(struct lossless_qdisc *q,
			      const struct sk_buff_head *requeued)
{
	const struct sk_buff *skb;

	skb_queue_walk(requeued, skb) {
		struct lle_gso gso = { 1, lle_port_skb_bytes(skb) };

		if (lossless_cb(skb)->prio == LOSSLESS_CONTROL)
			continue;
		if (skb_is_gso(skb))
			lle_gso_count(skb, 0, &gso);
		lle_admit_drop(q->port, lossless_cb(skb)->prio, LLE_DROP_PURGE,
			       gso.bytes, gso.packets);
	}
}

/*
 * Keeps the packets of a qdisc that the stack resets, and that stays in use. The
 * stack frees packets that it requeued itself, then sets the length to 0.
 */
void lossless_tx_queues_keep(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u32 requeued = skb_queue_len(&sch->gso_skb) +
		       skb_queue_len(&sch->skb_bad_txq);

	lossless_keep_not(q, &sch->gso_skb);
	lossless_keep_not(q, &sch->skb_bad_txq);
	if (sch->q.qlen > requeued)
		q->kept += sch->q.qlen - requeued;
	q->counted = 0;
	__netif_schedule(sch);
}

/*
 * Chooses another TX queue for a packet that leaves a device that had more of
 * them. Under the root lock.
 */
void lossless_tx_queues_renumber(struct Qdisc *sch, struct sk_buff *skb)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u16 queue = skb_get_queue_mapping(skb);

	if (queue >= q->num_tx)
		skb_set_queue_mapping(skb, queue % q->num_tx);
	sch->q.qlen += q->kept;
	q->kept = 0;
	/* all packets of that time have left */
	if (!q->ready && !q->wire.head) {
		q->num_tx = 0;
		lossless_qdisc_set_slow(q);
	}
}
