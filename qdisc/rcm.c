// SPDX-License-Identifier: GPL-2.0
/*
 * Regional congestion mitigation, egress side: isolated packets.
 *
 * A queue is a list in order, and one list for each isolated ID and ingress
 * (core/congestion/isolated.c) with young packets before grown ones. Without
 * congestion, only bytes by ingress port are counted. Under the root lock.
 */
#include "../kmod/lossless/congestion.h"
#include "../kmod/lossless/event.h"
#include "../kmod/lossless/rx_pause.h"
#include "../kmod/lossless/trace.h"
#include "rcm.h"

/*
 * Reports a change of @s, an isolated queue with packets of @iport: @bytes wait
 * in it now; @queues: as lle_rcm_change.queues. True: the upstream neighbour is
 * to hold it.
 */
bool lossless_rcm_report(const struct lossless_qdisc *q,
			 const struct lossless_rcm *rcm, struct lle_port *iport,
			 unsigned int prio, const struct lle_rcm_sub *s, u32 bytes,
			 s8 queues)
{
	struct lle_rcm_change c = {
		.what = q->rcm_params.by_dst ? LLE_RCM_DST : LLE_RCM_FLOW,
		.fb = lle_rcm_degree(&rcm->core, &q->rcm_params, ktime_get_ns()),
		.held = s->asked,
		.queues = queues,
		.bytes = bytes,
		.name = rcm->core.ids.id[s->id].name,
	};

	return lle_congestion_changed(iport, prio, q->port, &c);
}

/* Reports bytes from @iport, slot @i, for the destination behind this root. */
void lossless_rcm_report_root(const struct lossless_qdisc *q,
			      struct lossless_rcm *rcm, struct lle_port *iport,
			      unsigned int prio, unsigned int i)
{
	struct lle_rcm_change c = {
		.what = LLE_RCM_ROOT,
		.fb = lle_rcm_degree(&rcm->core, &q->rcm_params, ktime_get_ns()),
		.held = rcm->root_held & BIT_ULL(i),
		.bytes = rcm->from_bytes[i],
		.name = rcm->root_name[i],
	};

	if (lle_congestion_changed(iport, prio, q->port, &c))
		rcm->root_held |= BIT_ULL(i);
	else
		rcm->root_held &= ~BIT_ULL(i);
}

/*
 * Begins or ends a region with this port as its root. It lasts from the first
 * F_b > 0 until F_b stays 0 for a while, or the queue is empty.
 */
static void lossless_rcm_root(struct lossless_qdisc *q, unsigned int prio,
			      u64 now_ns)
{
	struct lossless_rcm *rcm = q->queue[prio].rcm;
	struct lle_rcm_stats *stats = rcm->core.stats;
	u64 since_ns = rcm->root_since_ns;

	if (!since_ns) {
		stats->regions++;
		rcm->root_since_ns = now_ns;
		rcm->root_identified = stats->identified;
		lle_event_root(q->port, prio, true, now_ns, now_ns, 0);
		return;
	}
	stats->root_ns += now_ns - since_ns;
	rcm->root_since_ns = 0;
	lle_event_root(q->port, prio, false, since_ns, now_ns,
		       stats->identified - rcm->root_identified);
}

/* Records that an arrival indicates congestion. */
void lossless_rcm_found(struct lossless_qdisc *q, unsigned int prio, u64 now_ns)
{
	struct lossless_rcm *rcm = q->queue[prio].rcm;
	const struct lle_rcm *core = &rcm->core;

	if (!rcm->root_since_ns)
		lossless_rcm_root(q, prio, now_ns);
	if (core->stats->identified != rcm->noted)
		trace_lle_congested(q->port, prio, core->crd.fb,
				    core->ids.count, core->stats->identified);
	rcm->noted = core->stats->identified;
}

static void lossless_rcm_join(struct lossless_queue *queue)
{
	struct lossless_rcm *rcm = queue->rcm;
	struct sk_buff *skb;

	while (rcm->fifo[0].head) {
		skb = lossless_fifo_pop(&rcm->fifo[0]);
		lle_rcm_packet_pop_back(&rcm->core, lossless_cb(skb)->place,
					qdisc_pkt_len(skb));
		lossless_rcm_append(queue, skb);
	}
}

/*
 * As lle_rcm_packet_next(), for @prio of @q->isolating; lowers @wake_ns on
 * WAIT.
 */
static __always_inline unsigned int lossless_rcm_choose(struct lossless_qdisc *q,
							unsigned int prio,
							u64 now_ns,
							u64 *wake_ns)
{
	struct lossless_queue *queue = &q->queue[prio];
	struct lossless_rcm *rcm = queue->rcm;
	struct lle_rcm_others others;
	unsigned int next;

	lossless_rcm_others(queue, &others);
	next = lle_rcm_packet_next(&rcm->core, &q->rcm_params, &others, now_ns);
	if (unlikely(next == LLE_RCM_WAIT))
		*wake_ns = min(*wake_ns, lle_rcm_wake_ns(&rcm->core));
	if (unlikely(rcm->root_since_ns &&
		     (!rcm->core.busy || now_ns >= rcm->core.root_until_ns)))
		lossless_rcm_root(q, prio, now_ns);
	if (unlikely(!rcm->core.busy)) {
		lossless_rcm_join(queue);
		q->isolating &= ~BIT(prio);
	}
	return next;
}

/*
 * Chooses the packets that @prios, queues of @q->isolating with packets, send
 * next. Lowers @wake_ns to the time of the next try. Returns bit p: queue p may
 * send nothing now.
 */
u8 lossless_rcm_pick(struct lossless_qdisc *q, unsigned long prios, u64 now_ns,
		     u64 *wake_ns)
{
	u8 blocked = 0;

	for (; prios; prios &= prios - 1) {
		unsigned int prio = __ffs(prios);
		struct lossless_rcm *rcm = q->queue[prio].rcm;

		rcm->next = lossless_rcm_choose(q, prio, now_ns, wake_ns);
		rcm->next_ns = now_ns;
		if (rcm->next == LLE_RCM_WAIT)
			blocked |= BIT(prio);
	}
	return blocked;
}

/* Counts a packet that left its queue, still charged. */
void lossless_rcm_left(struct lossless_qdisc *q, const struct sk_buff *skb)
{
	unsigned int prio = lossless_cb(skb)->prio;

	lossless_rcm_uncount(q, q->queue[prio].rcm, lossless_cb(skb)->iport,
			     prio, qdisc_pkt_len(skb));
}

/*
 * Takes the packet chosen by lle_rcm_packet_next() at @now_ns; still charged.
 */
static __always_inline struct sk_buff *
lossless_rcm_take(struct lossless_qdisc *q, unsigned int prio, unsigned int next,
		  u64 now_ns)
{
	struct lossless_queue *queue = &q->queue[prio];
	struct lossless_fifo *fifo = lossless_rcm_fifo(queue, next);
	unsigned int sub = next == LLE_RCM_BACK ? 0 : next;
	struct lossless_rcm *rcm = queue->rcm;
	bool young = fifo != &rcm->fifo[sub];
	struct lle_port *iport;
	struct sk_buff *skb;
	u32 len;

	if (unlikely(q->walk))
		lossless_walk_pop(q, prio, fifo);
	skb = lossless_fifo_pop(fifo);
	iport = lossless_cb(skb)->iport;
	len = qdisc_pkt_len(skb);
	if (sub && queue->wred.ecn)
		lossless_mark_waited(q, queue, skb, now_ns);
	if (sub)
		lossless_rcm_isolated(q, rcm, iport, prio,
				      &rcm->core.ids.sub[sub], len, false);
	if (likely(q->isolating & BIT(prio))) {
		lle_rcm_packet_sent(&rcm->core, &q->rcm_params, sub, young,
				    lossless_cb(skb)->place, len);
		if (rcm->root_since_ns && queue->stats->backlog == len)
			lossless_rcm_root(q, prio, now_ns);
	}
	if (queue->stats->backlog == len)
		q->ready &= ~BIT(prio);
	lossless_rcm_uncount(q, rcm, iport, prio, len);
	return skb;
}

/*
 * Takes the next packet of a queue, still charged; if RCM is busy, the one that
 * lossless_rcm_pick() has chosen. Marks a packet isolated for long, if WRED may
 * mark: at any port, it is part of a congestion that lasts.
 */
struct sk_buff *lossless_rcm_pop(struct lossless_qdisc *q, unsigned int prio)
{
	const struct lossless_rcm *rcm = q->queue[prio].rcm;

	return lossless_rcm_take(q, prio,
				 q->isolating & BIT(prio) ? rcm->next : 0,
				 rcm->next_ns);
}

/*
 * Chooses and takes the next packet of the only queue, which is in
 * @q->isolating. Still charged; NULL: lowers @wake_ns to the time of the next
 * try.
 */
struct sk_buff *lossless_rcm_send(struct lossless_qdisc *q, unsigned int prio,
				  u64 now_ns, u64 *wake_ns)
{
	unsigned int next = lossless_rcm_choose(q, prio, now_ns, wake_ns);

	return likely(next != LLE_RCM_WAIT) ?
		       lossless_rcm_take(q, prio, next, now_ns) : NULL;
}

/* Counts a packet of a flushed queue, which still has its port, as parked. */
void lossless_rcm_parked(struct lossless_qdisc *q, const struct sk_buff *skb,
			 unsigned int prio)
{
	struct lossless_rcm *rcm = q->queue[prio].rcm;
	u32 len = qdisc_pkt_len(skb);

	lossless_rcm_uncount(q, rcm, lossless_cb(skb)->iport, prio, len);
	rcm->from_bytes[LOSSLESS_NOBODY] += len;
}

/* Moves the packets of a list of queue @sub behind the others. */
static void lossless_rcm_return(struct lossless_qdisc *q, unsigned int prio,
				unsigned int sub, bool young)
{
	struct lossless_queue *queue = &q->queue[prio];
	struct lossless_rcm *rcm = queue->rcm;
	struct lossless_fifo *fifo = young ? &rcm->young[sub] : &rcm->fifo[sub];
	struct sk_buff *skb;

	while (fifo->head) {
		u32 len = qdisc_pkt_len(fifo->head);

		skb = lossless_fifo_pop(fifo);
		lossless_rcm_isolated(q, rcm, lossless_cb(skb)->iport, prio,
				      &rcm->core.ids.sub[sub], len, false);
		lle_isolated_pop(&rcm->core.ids, sub, young, len);
		lossless_rcm_append(queue, skb);
	}
}

/*
 * Ends isolation and LAS in a queue; no-op without RCM. Appends isolated
 * packets: the others of their flows are older, so no flow is reordered. The
 * next notification renews a hold still wanted by a neighbour.
 */
void lossless_rcm_flush(struct lossless_qdisc *q, unsigned int prio)
{
	struct lossless_queue *queue = &q->queue[prio];
	struct lossless_rcm *rcm = queue->rcm;
	unsigned int sub;

	if (!rcm || !rcm->core.busy)
		return;
	if (rcm->root_since_ns)
		lossless_rcm_root(q, prio, ktime_get_ns());
	lossless_rcm_join(queue);
	for (sub = 1; sub <= LLE_RCM_SUBS && rcm->core.ids.bytes; sub++) {
		lossless_rcm_return(q, prio, sub, true);
		lossless_rcm_return(q, prio, sub, false);
	}
	lle_rcm_init(&rcm->core, rcm->core.stats);
	q->isolating &= ~BIT(prio);
}

/*
 * Releases the destination of a root upstream; no-op without RCM. Each holding
 * ingress has packets in the queue: a hold ends with the last of them at the
 * latest.
 */
void lossless_rcm_let_go(struct lossless_qdisc *q, unsigned int prio)
{
	struct lossless_queue *queue = &q->queue[prio];
	struct lossless_rcm *rcm = queue->rcm;
	const struct sk_buff *skb;

	if (!rcm)
		return;
	for (skb = queue->fifo.head; skb && rcm->root_held; skb = skb->next) {
		struct lle_port *iport = lossless_cb(skb)->iport;
		unsigned int i = lossless_queue_slot(iport);
		struct lle_rcm_change c = {
			.what = LLE_RCM_ROOT,
			.held = true,
			.name = rcm->root_name[i % LLE_MAX_PORTS],
		};

		if (i == LOSSLESS_NOBODY || !(rcm->root_held & BIT_ULL(i)))
			continue;
		lle_congestion_changed(iport, prio, q->port, &c);
		rcm->root_held &= ~BIT_ULL(i);
	}
}

/* lle_port_ops.receive; @cn is untrusted */
bool lossless_rcm_receive(struct Qdisc *sch, const struct lle_cn *cn)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_rcm *rcm;
	bool accepted = false;

	spin_lock(qdisc_lock(sch));
	rcm = q->queue[cn->prio].rcm;
	if (rcm && !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state))
		accepted = lle_rcm_receive(&rcm->core, &q->rcm_params, cn,
					   ktime_get_ns());
	if (accepted && rcm->core.busy)
		q->isolating |= BIT(cn->prio);
	spin_unlock(qdisc_lock(sch));

	if (accepted)
		__netif_schedule(sch);
	return accepted;
}

/* lle_port_ops.path */
void lossless_rcm_path(struct Qdisc *sch, unsigned int prio,
		       const struct lle_flow *flow, struct lle_sar_path *path)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	const struct lossless_queue *queue = &q->queue[prio];
	u64 now_ns;

	spin_lock(qdisc_lock(sch));
	now_ns = ktime_get_ns();
	if (queue->rcm && !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state)) {
		lle_rcm_path(&queue->rcm->core, &q->rcm_params, flow,
			     lossless_rcm_others_bytes(queue), now_ns, path);
		path->paused = lle_rx_pause_active(q->port, now_ns) & BIT(prio);
	}
	spin_unlock(qdisc_lock(sch));
}
