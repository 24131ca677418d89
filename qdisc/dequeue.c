// SPDX-License-Identifier: GPL-2.0
/*
 * Packet path out of the qdisc: scheduler, emulated link, emulated wire.
 *
 *	queues --sched--> link (rate) --> wire (delay) --> device
 *	pauses ---------/
 *
 * A packet leaves the shared buffer when it takes the link. Pauses precede all
 * data and are never paused, but do not interrupt a frame. Runs under the root
 * lock of the egress port.
 */
#include "../kmod/lossless/ingress.h"
#include "../kmod/lossless/rx_pause.h"
#include "../kmod/lossless/tx.h"
#include "rcm.h"

static inline struct sk_buff *lossless_popped(struct lossless_qdisc *q,
					      struct sk_buff *skb,
					      unsigned int prio)
{
	if (!q->queue[prio].fifo.head && likely(!(q->isolating & BIT(prio))))
		q->ready &= ~BIT(prio);
	lossless_qdisc_uncharge(q, skb, prio);
	return skb;
}

static inline struct sk_buff *lossless_pop(struct lossless_qdisc *q,
					   unsigned int prio)
{
	struct lossless_queue *queue = &q->queue[prio];
	struct sk_buff *skb;

	if (unlikely(q->walk))
		lossless_walk_pop(q, prio, &queue->fifo);
	skb = lossless_fifo_pop(&queue->fifo);
	if (unlikely(queue->rcm))
		lossless_rcm_leave_plain(queue, skb);
	return lossless_popped(q, skb, prio);
}

/* Takes the next packet of a queue, chosen by lossless_rcm_pick(). */
static struct sk_buff *lossless_pop_any(struct lossless_qdisc *q,
					unsigned int prio)
{
	if (lossless_rcm_chooses(q, prio))
		return lossless_popped(q, lossless_rcm_pop(q, prio), prio);
	return lossless_pop(q, prio);
}

static const struct sk_buff *lossless_head(struct lossless_qdisc *q,
					   unsigned int prio)
{
	struct lossless_queue *queue = &q->queue[prio];

	if (q->isolating & BIT(prio))
		return lossless_rcm_head(queue);
	return queue->fifo.head;
}

static noinline unsigned int lossless_pick(struct Qdisc *sch, u8 ready)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u32 head_bytes[LLE_NUM_PRIO];
	unsigned long left = ready;
	unsigned int prio;

	if (q->sched_params.strict < q->sched_params.bands)
		for_each_set_bit(prio, &left, LLE_NUM_PRIO)
			head_bytes[prio] =
				qdisc_pkt_len(lossless_head(q, prio));
	return lle_sched_pick(&q->sched, &q->sched_params, ready, head_bytes);
}

static __always_inline unsigned int lossless_choose(struct Qdisc *sch,
						    unsigned int ready)
{
	return ready & (ready - 1) ? lossless_pick(sch, ready) : __ffs(ready);
}

/* Passes a frame to the device. @packets: on the link */
static __always_inline struct sk_buff *
lossless_hand_over(struct Qdisc *sch, struct sk_buff *skb, u32 packets)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	lle_ingress_unmark(skb);
	q->backlog -= qdisc_pkt_len(skb);
	qdisc_qlen_dec(sch);
	_bstats_update(&sch->bstats, qdisc_pkt_len(skb), packets);
	return skb;
}

static __always_inline struct sk_buff *
lossless_deliver_packet(struct Qdisc *sch, struct sk_buff *skb, u32 packets)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lle_port_egress *stats = q->queue[lossless_cb(skb)->prio].stats;

	stats->packets += packets;
	stats->bytes += qdisc_pkt_len(skb);
	return lossless_hand_over(sch, skb, packets);
}

static struct sk_buff *lossless_deliver(struct Qdisc *sch, struct sk_buff *skb)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (unlikely(q->num_tx))
		lossless_tx_queues_renumber(sch, skb);
	if (lossless_cb(skb)->prio != LOSSLESS_CONTROL)
		return lossless_deliver_packet(sch, skb,
					       lossless_cb_packets(skb));
	return lossless_hand_over(sch, skb, 1);
}

/* The link has sent the packet: orphan it, as a NIC does. */
static void lossless_wire_push(struct lossless_qdisc *q, struct sk_buff *skb,
			       u64 sent_ns)
{
	skb_orphan(skb);
	lossless_cb(skb)->deliver_ns = sent_ns + q->delay_ns;
	if (lossless_cb(skb)->prio != LOSSLESS_CONTROL)
		q->wire_bytes += qdisc_pkt_len(skb);
	lossless_fifo_push(&q->wire, skb);
}

/* The device delays packets: pass it on now, with its arrival time. */
static struct sk_buff *lossless_send_ahead(struct Qdisc *sch, struct sk_buff *skb,
					   u64 sent_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	skb_orphan(skb);
	skb = lossless_deliver(sch, skb);
	skb->tstamp = sent_ns + q->delay_ns;
	return skb;
}

/*
 * A packet on a long wire has left the CPU's caches when it arrives. Fetch it
 * when its predecessor arrives, and the memory it points to when its timer is
 * set.
 */
static inline void lossless_wire_prefetch(const struct lossless_qdisc *q)
{
	const char *skb = (const char *)q->wire.head;
	unsigned int at;

	if (!skb)
		return;
	for (at = 0; at < sizeof(struct sk_buff); at += L1_CACHE_BYTES)
		prefetch(skb + at);
}

static struct sk_buff *lossless_wire_pop(struct lossless_qdisc *q)
{
	struct sk_buff *skb = lossless_fifo_pop(&q->wire);

	if (lossless_cb(skb)->prio != LOSSLESS_CONTROL)
		q->wire_bytes -= qdisc_pkt_len(skb);
	if (!q->wire.head)
		lossless_qdisc_set_slow(q);
	lossless_wire_prefetch(q);
	return skb;
}

/*
 * Drops packets in a storm; in several calls, as other CPUs want the root lock.
 * Returns the priorities with packets left, which must not send.
 */
static noinline u8 lossless_discard(struct Qdisc *sch, unsigned long prios)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio, left = LOSSLESS_BATCH;

	for_each_set_bit(prio, &prios, LLE_NUM_PRIO) {
		lossless_rcm_flush(q, prio);
		for (; left && q->queue[prio].fifo.head; left--)
			lossless_qdisc_drop(sch, lossless_pop_any(q, prio), prio,
					    LLE_DROP_STORM);
	}
	return q->ready & prios;
}

/* @ready: queues that may send; RCM may choose. NULL: @wake_ns is lowered. */
static noinline struct sk_buff *lossless_take(struct Qdisc *sch,
					      unsigned int ready, u64 now_ns,
					      u64 *wake_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int isolating = ready & q->isolating, prio;
	struct sk_buff *skb;

	if (isolating && !(ready & (ready - 1))) {
		prio = __ffs(ready);
		skb = lossless_rcm_send(q, prio, now_ns, wake_ns);
		return skb ? lossless_popped(q, skb, prio) : NULL;
	}
	if (isolating)
		ready &= ~lossless_rcm_pick(q, isolating, now_ns, wake_ns);
	if (!ready)
		return NULL;
	prio = lossless_choose(sch, ready);
	skb = lossless_pop_any(q, prio);
	if (unlikely(q->slow & LOSSLESS_SLOW_LEAVING))
		lossless_mark_leaving(q, &q->queue[prio], skb);
	return skb;
}

/* @own: only a frame of the port. NULL: @wake_ns is the time to look again. */
static struct sk_buff *lossless_next(struct Qdisc *sch, u64 now_ns, bool own,
				     u64 *wake_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lle_port *port = q->port;
	u8 paused, discarded = 0;
	unsigned int ready, due = 0;
	struct sk_buff *skb;

	*wake_ns = U64_MAX;
	if (unlikely(lle_port_talks(port)))
		due = lossless_own_due(port, now_ns, wake_ns);

	if (unlikely(q->ready & READ_ONCE(port->attention.discard)))
		discarded = lossless_discard(sch, q->ready &
					     READ_ONCE(port->attention.discard));
	/* continue at once, after CPUs that wait for the lock */
	if (unlikely(discarded))
		*wake_ns = now_ns;
	paused = lle_rx_pause_active(port, now_ns);
	ready = q->ready & ~paused & ~discarded;
	if (unlikely(q->ready & paused))
		*wake_ns = min(*wake_ns,
			       lle_rx_pause_next_expiry(port, q->ready));

	if (!ready && !due && likely(!lossless_qdisc_has_message(q))) {
		lle_link_idle(&q->link);
		return NULL;
	}
	if (!lle_link_ready(&q->link, &q->link_params, now_ns)) {
		*wake_ns = min(*wake_ns, q->link.free_ns);
		return NULL;
	}

	if (unlikely(due)) {
		skb = lossless_own_write(sch, due, now_ns, wake_ns);
		if (skb)
			return skb;
	}
	if (unlikely(lossless_qdisc_has_message(q))) {
		skb = lossless_own_message(sch);
		if (skb)
			return skb;
	}
	if (own)
		return NULL;
	/* only for a packet that is sent, not whenever the link is busy */
	skb = lossless_take(sch, ready, now_ns, wake_ns);
	if (unlikely(!skb))
		lle_link_idle(&q->link);
	return skb;
}

/* Sends a packet or sets the timer. @own: frames of the port, not the wire. */
static struct sk_buff *lossless_transmit_any(struct Qdisc *sch, bool own)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u64 now_ns = ktime_get_ns(), wake_ns, sent_ns;
	struct sk_buff *skb;

	while ((skb = lossless_next(sch, now_ns, own, &wake_ns))) {
		sent_ns = lle_link_send(&q->link, &q->link_params,
					qdisc_pkt_len(skb),
					lossless_cb_packets(skb), now_ns);
		if (!q->delay_ns && !q->wire.head)
			return lossless_deliver(sch, skb);
		if (q->ahead)
			return lossless_send_ahead(sch, skb, sent_ns);
		lossless_wire_push(q, skb, sent_ns);
	}

	if (q->wire.head) {
		u64 due_ns = lossless_cb(q->wire.head)->deliver_ns;

		if (!own && now_ns >= due_ns)
			return lossless_deliver(sch, lossless_wire_pop(q));
		wake_ns = min(wake_ns, due_ns);
		prefetch(skb_shinfo(q->wire.head));
		prefetch(q->wire.head->data);
	}
	if (wake_ns != U64_MAX)
		qdisc_watchdog_schedule_ns(&q->watchdog, wake_ns);
	return NULL;
}

static noinline struct sk_buff *lossless_transmit_all(struct Qdisc *sch)
{
	/*
	 * Read want after net_tx_action() has cleared SCHED: an earlier kick
	 * only finds it set. See lle_tx_kick().
	 */
	smp_mb__after_atomic();
	lossless_qdisc_settle(sch);
	return lossless_transmit_any(sch, false);
}

/* lle_port_ops.next_own */
struct sk_buff *lossless_dequeue_own(struct Qdisc *sch)
{
	return lossless_transmit_any(sch, true);
}

/*
 * Nothing to send. A kick that found the qdisc scheduled relies on this
 * dequeue, which may have read before it: look again, see lle_tx_kick().
 */
static struct sk_buff *lossless_rest(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	lle_link_idle(&q->link);
	smp_mb__after_atomic();	/* after clear_bit() of net_tx_action() */
	if (unlikely(READ_ONCE(q->port->attention.any)))
		return lossless_transmit_all(sch);
	return NULL;
}

/* Sends the packet that arrived at an idle port, unless the link is busy. */
static noinline struct sk_buff *lossless_send_express(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb = q->express;
	u32 len = lle_port_skb_bytes(skb);
	struct lle_port_egress *stats;
	u64 now_ns;

	if (q->link_params.rate) {
		now_ns = ktime_get_ns();
		if (unlikely(!lle_link_ready(&q->link, &q->link_params, now_ns))) {
			lossless_enqueue_express(sch);
			qdisc_watchdog_schedule_ns(&q->watchdog, q->link.free_ns);
			return NULL;
		}
		lle_link_send(&q->link, &q->link_params, len, 1, now_ns);
	}
	q->express = NULL;
	stats = q->queue[lossless_cb(skb)->prio].stats;
	stats->packets++;
	stats->bytes += len;
	lle_skb_set_pkt_len(skb, len);
	lle_ingress_unmark(skb);
	qdisc_qlen_dec(sch);
	_bstats_update(&sch->bstats, len, 1);
	return skb;
}

static struct sk_buff *lossless_send_queued(struct Qdisc *sch,
					    struct sk_buff *skb, u64 now_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u32 packets = lossless_cb_packets(skb);

	lle_link_send(&q->link, &q->link_params, qdisc_pkt_len(skb), packets,
		      now_ns);
	return lossless_deliver_packet(sch, skb, packets);
}

static noinline struct sk_buff *lossless_transmit_isolated(struct Qdisc *sch,
							   u64 now_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u64 wake_ns = U64_MAX;
	struct sk_buff *skb;

	skb = lossless_take(sch, q->ready, now_ns, &wake_ns);
	if (likely(skb))
		return lossless_send_queued(sch, skb, now_ns);
	if (wake_ns != U64_MAX)
		qdisc_watchdog_schedule_ns(&q->watchdog, wake_ns);
	return lossless_rest(sch);
}

static noinline struct sk_buff *lossless_transmit(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u64 now_ns = ktime_get_ns();

	if (unlikely(!lle_link_ready(&q->link, &q->link_params, now_ns))) {
		qdisc_watchdog_schedule_ns(&q->watchdog, q->link.free_ns);
		return NULL;
	}
	if (unlikely(q->ready & q->isolating))
		return lossless_transmit_isolated(sch, now_ns);
	return lossless_send_queued(sch,
				    lossless_pop_any(q, lossless_choose(sch, q->ready)),
				    now_ns);
}

/* Qdisc_ops.dequeue */
struct sk_buff *lossless_dequeue(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (unlikely(READ_ONCE(q->port->attention.any) || q->slow))
		return lossless_transmit_all(sch);
	if (q->express)
		return lossless_send_express(sch);
	if (q->ready)
		return lossless_transmit(sch);
	return lossless_rest(sch);
}

/*
 * Qdisc_ops.reset: drops all queued packets, but keeps packets and pauses if
 * only the number of TX queues has shrunk. Runs several times in the life of a
 * qdisc, with or without its root lock, but never concurrently with enqueue or
 * dequeue. Ingress ports of dropped packets resume their peers; the port's
 * pauses stay. The caller clears the qdisc's own length and backlog.
 */
void lossless_dequeue_reset(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb;
	unsigned int prio;

	/* also called after init() has failed */
	if (!q->port)
		return;
	if (q->num_tx && !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state)) {
		lossless_tx_queues_keep(sch);
		return;
	}

	qdisc_watchdog_cancel(&q->watchdog);
	lle_link_idle(&q->link);

	rcu_read_lock_bh();
	lossless_qdisc_settle(sch);
	for (prio = 0; prio < LLE_NUM_PRIO; prio++) {
		lossless_rcm_flush(q, prio);
		lossless_rcm_let_go(q, prio);
		while (q->queue[prio].fifo.head) {
			skb = lossless_pop(q, prio);
			lle_admit_drop(q->port, prio, LLE_DROP_PURGE,
				       qdisc_pkt_len(skb), lossless_cb_packets(skb));
			kfree_skb(skb);
		}
	}
	lle_tx_purge(q->port);
	WRITE_ONCE(q->port->flushed, false);
	kfree_skb(q->refused);
	q->refused = NULL;
	q->walk = NULL;
	q->num_tx = 0;
	q->kept = 0;
	lossless_qdisc_set_slow(q);
	while (q->wire.head) {
		skb = lossless_wire_pop(q);
		prio = lossless_cb(skb)->prio;
		if (prio != LOSSLESS_CONTROL)
			lle_admit_drop(q->port, prio, LLE_DROP_PURGE,
				       qdisc_pkt_len(skb), lossless_cb_packets(skb));
		kfree_skb(skb);
	}
	rcu_read_unlock_bh();

	q->backlog = 0;
	q->counted = 0;
}
