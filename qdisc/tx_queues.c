// SPDX-License-Identifier: GPL-2.0
/*
 * A device that gets fewer TX queues.
 *
 * The stack says so first, and resets the qdisc afterwards, as packets may name a
 * TX queue that is gone. The qdisc keeps them, and gives them another one.
 */
#include <net/pkt_sched.h>

#include "queue.h"

/**
 * lossless_change_real_num_tx() - note a new number of TX queues, as
 *	Qdisc_ops.change_real_num_tx
 * @sch: the qdisc
 * @num_tx: the number; the device still has the old one
 *
 * Packets in the queues may have been meant for a TX queue that goes. The stack
 * would drop them all, by reset(), as it cannot know where they are.
 *
 * Context: RTNL.
 */
void lossless_change_real_num_tx(struct Qdisc *sch, unsigned int num_tx)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	sch_tree_lock(sch);
	q->num_tx = num_tx;
	lossless_set_slow(q);
	sch_tree_unlock(sch);
}

/* Count packets that the stack is about to free; it may have cut one of them. */
static void lossless_keep_not(struct lossless_qdisc *q,
			      const struct sk_buff_head *requeued)
{
	const struct sk_buff *skb;

	skb_queue_walk(requeued, skb) {
		struct lle_gso gso = { 1, lle_skb_bytes(skb) };

		if (lossless_cb(skb)->prio == LOSSLESS_CONTROL)
			continue;
		if (skb_is_gso(skb))
			lle_gso_count(skb, 0, &gso);
		lle_port_drop(q->port, lossless_cb(skb)->prio, LLE_DROP_PURGE,
			      gso.bytes, gso.packets);
	}
}

/**
 * lossless_keep() - keep the packets of a qdisc that the stack resets
 * @sch: the qdisc, which goes on
 *
 * The stack frees the packets that it has requeued itself, and sets the length to 0
 * afterwards.
 */
void lossless_keep(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u32 requeued = skb_queue_len(&sch->gso_skb) +
		       skb_queue_len(&sch->skb_bad_txq);

	lossless_keep_not(q, &sch->gso_skb);
	lossless_keep_not(q, &sch->skb_bad_txq);
	if (sch->q.qlen > requeued)
		q->kept += sch->q.qlen - requeued;
	q->told = 0;
	__netif_schedule(sch);
}

/**
 * lossless_renumber() - choose another TX queue for a packet that leaves
 * @sch: the qdisc; its device has had more of them
 * @skb: the packet
 *
 * Context: under the root lock.
 */
void lossless_renumber(struct Qdisc *sch, struct sk_buff *skb)
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
		lossless_set_slow(q);
	}
}
