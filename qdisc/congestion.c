// SPDX-License-Identifier: GPL-2.0
/*
 * Regional congestion mitigation, egress side: isolated packets.
 *
 * A queue has its packets in order, and beside them a queue for each ID and
 * ingress that core/congestion/isolated.c isolates; young packets of each wait
 * in front of the grown ones. Without congestion, only the bytes of each ingress
 * port are counted. Under the root lock.
 */
#include <linux/random.h>

#include "../kmod/lossless/congestion.h"
#include "../kmod/lossless/rx.h"
#include "../kmod/lossless/rx_pause.h"
#include "queue.h"

static u32 lossless_others_bytes(const struct lossless_queue *queue)
{
	return queue->stats->backlog - queue->rcm->core.ids.bytes;
}

/* Number of the first packet of @fifo; @next if there is none */
static u32 lossless_first_seq(const struct lossless_fifo *fifo, u32 next)
{
	return fifo->head ? lossless_cb(fifo->head)->seq : next;
}

static inline void lossless_rcm_others(const struct lossless_queue *queue,
				       struct lle_rcm_others *others)
{
	u32 next = queue->rcm->seq;
	u32 front = lossless_first_seq(&queue->fifo, next);
	u32 back = lossless_first_seq(&queue->rcm->fifo[0], next);

	others->bytes = lossless_others_bytes(queue);
	others->first = (s32)(back - front) < 0 ? back : front;
	others->front = front;
	others->next = next;
}

/**
 * lossless_rcm_find() - find the flow of a packet, and whether it is isolated
 * @q: the qdisc
 * @queue: with RCM, which is busy
 * @skb: the packet; untrusted
 * @iport: its ingress port; NULL: none
 * @way: result
 */
void lossless_rcm_find(struct lossless_qdisc *q, struct lossless_queue *queue,
		       const struct sk_buff *skb, const struct lle_port *iport,
		       struct lossless_way *way)
{
	const struct lle_rcm_params *p = &q->rcm_params;
	struct lle_rcm *core = &queue->rcm->core;

	way->now_ns = ktime_get_ns();
	way->ingress = lossless_ingress(iport);
	lle_rx_flow(skb, &way->flow);
	way->place = lle_las_place(way->flow.flow);
	way->young = lle_las_arrive(&core->las, &p->las, way->place, skb->len,
				    way->now_ns);
	way->id = lle_rcm_find(core, p, &way->flow);
	if (way->id && p->by_dst &&
	    lle_rcm_pass(core, p, way->id, way->place, skb->len,
			 queue->rcm->seq, way->now_ns))
		way->id = 0;
}

/**
 * lossless_rcm_wred_bytes() - get the bytes by which WRED decides on a packet
 * @q: the qdisc
 * @queue: with RCM, which is busy
 * @way: of the packet
 *
 * Return: 0 for an isolated packet, which lossless_rcm_pop() marks, and while
 * lle_rcm_spares() the others. Grown packets do not delay a young one.
 */
u32 lossless_rcm_wred_bytes(const struct lossless_qdisc *q,
			    const struct lossless_queue *queue,
			    const struct lossless_way *way)
{
	const struct lle_rcm *core = &queue->rcm->core;

	if (way->id || lle_rcm_spares(core, &q->rcm_params, way->now_ns))
		return 0;
	return lossless_others_bytes(queue) -
	       (way->young ? core->las.grown_bytes : 0);
}

/* Report @bytes of @iport in an isolated queue. Returns whether it is held. */
static noinline bool lossless_rcm_tell(const struct lossless_qdisc *q,
				       const struct lossless_rcm *rcm,
				       struct lle_port *iport, unsigned int prio,
				       const struct lle_rcm_sub *s, u32 bytes,
				       s8 queues)
{
	struct lle_rcm_change c = {
		.what = q->rcm_params.by_dst ? LLE_RCM_DST : LLE_RCM_FLOW,
		.fb = lle_rcm_degree(&rcm->core, &q->rcm_params, ktime_get_ns()),
		.held = s->told,
		.queues = queues,
		.bytes = bytes,
		.name = rcm->core.ids.id[s->id].name,
	};

	return lle_rcm_changed(iport, prio, q->port, &c);
}

/* Count an isolated packet that comes (@len > 0) or leaves. */
static __always_inline void lossless_rcm_isolated(struct lossless_qdisc *q,
						  struct lossless_rcm *rcm,
						  const struct sk_buff *skb,
						  unsigned int prio,
						  unsigned int sub, s32 len)
{
	struct lle_rcm_sub *s = &rcm->core.ids.sub[sub];
	struct lle_port *iport = lossless_cb(skb)->iport;
	u32 bytes = s->bytes + min(len, 0), all;
	struct lle_port_ingress *in;
	s8 queues = 0;
	bool held;

	if (!iport)
		return;
	in = &iport->ingress[prio];
	all = atomic_add_return(len, &in->isolated_bytes);
	if (bytes == max(len, 0))
		queues = len > 0 ? 1 : -1;
	held = READ_ONCE(in->rcm.class_held);
	/* each packet is counted, but few change the holds */
	if (unlikely(queues ||
		     lle_rcm_holds(&in->rcm.class, all, held) != held ||
		     (q->rcm_params.by_dst &&
		      lle_rcm_holds(&in->rcm.id, bytes, s->told) != s->told)))
		s->told = lossless_rcm_tell(q, rcm, iport, prio, s, bytes,
					    queues);
}

/* Report the bytes of ingress @i for the destination behind this root. */
static noinline void lossless_rcm_tell_root(const struct lossless_qdisc *q,
					    struct lossless_rcm *rcm,
					    struct lle_port *iport,
					    unsigned int prio, unsigned int i)
{
	struct lle_rcm_change c = {
		.what = LLE_RCM_ROOT,
		.fb = lle_rcm_degree(&rcm->core, &q->rcm_params, ktime_get_ns()),
		.held = rcm->root_held & BIT_ULL(i),
		.bytes = rcm->from_bytes[i],
		.name = rcm->root_name[i],
	};

	if (lle_rcm_changed(iport, prio, q->port, &c))
		rcm->root_held |= BIT_ULL(i);
	else
		rcm->root_held &= ~BIT_ULL(i);
}

/* Count bytes of an ingress. A root has its destination held upstream of it. */
static inline void lossless_rcm_count(struct lossless_qdisc *q,
				      struct lossless_rcm *rcm,
				      const struct sk_buff *skb, unsigned int prio,
				      s32 len, bool root, u32 dst)
{
	struct lle_port *iport = lossless_cb(skb)->iport;
	unsigned int i = lossless_ingress(iport);
	bool held;

	rcm->from_bytes[i] += len;
	if (i == LOSSLESS_NOBODY)
		return;
	held = rcm->root_held & BIT_ULL(i);
	if (!held && !root)
		return;
	if (!held)
		rcm->root_name[i] = dst;
	if (unlikely(lle_rcm_holds(&iport->ingress[prio].rcm.root,
				   rcm->from_bytes[i], held) != held))
		lossless_rcm_tell_root(q, rcm, iport, prio, i);
}

/* Append a grown packet that is not isolated. */
static void lossless_rcm_append_back(struct lossless_queue *queue,
				     struct sk_buff *skb)
{
	struct lossless_cb *cb = lossless_cb(skb);

	cb->seq = queue->rcm->seq++;
	lle_rcm_push_back(&queue->rcm->core, cb->place, qdisc_pkt_len(skb));
	lossless_fifo_push(&queue->rcm->fifo[0], skb);
}

/* Move the grown packets that are not isolated behind the young ones. */
static void lossless_rcm_join(struct lossless_queue *queue)
{
	struct lossless_rcm *rcm = queue->rcm;
	struct sk_buff *skb;

	while (rcm->fifo[0].head) {
		skb = lossless_fifo_pop(&rcm->fifo[0]);
		lle_rcm_pop_back(&rcm->core, lossless_cb(skb)->place,
				 qdisc_pkt_len(skb));
		lossless_rcm_append(queue, skb);
	}
}

/**
 * lossless_rcm_push() - queue a packet while RCM is busy
 * @q: the qdisc
 * @skb: the packet; it is admitted, and its cb is filled but for @seq, @came
 *	and @place
 * @way: of the packet
 *
 * The caller counts it in the backlog afterwards.
 */
void lossless_rcm_push(struct lossless_qdisc *q, struct sk_buff *skb,
		       const struct lossless_way *way)
{
	unsigned int prio = lossless_cb(skb)->prio, sub = 0;
	struct lossless_queue *queue = &q->queue[prio];
	const struct lle_rcm_params *p = &q->rcm_params;
	struct lossless_rcm *rcm = queue->rcm;
	u32 len = qdisc_pkt_len(skb), bytes;
	struct lle_rcm_others others;
	unsigned int id = way->id;
	bool young, root = false;
	u32 rnd = 0;

	/* a parked packet is not isolated, so those before it must not be */
	if (unlikely(lossless_cb(skb)->parked) && id) {
		lossless_rcm_flush(q, prio);
		id = 0;
	}
	young = way->young && p->by_dst;
	if (id) {
		lossless_rcm_others(queue, &others);
		sub = lle_rcm_push(&rcm->core, p, id, way->place, way->ingress,
				   young, len, &others);
	}
	bytes = queue->stats->backlog + (sub ? len : 0) - rcm->core.ids.bytes;
	lossless_cb(skb)->place = way->place;
	if (sub) {
		lossless_cb(skb)->came = way->now_ns / LOSSLESS_TICK_NS;
		lossless_fifo_push(young ? &rcm->young[sub] : &rcm->fifo[sub],
				   skb);
		lossless_rcm_isolated(q, rcm, skb, prio, sub, len);
	} else if (way->young || !p->las.limit_bytes) {
		lossless_rcm_append(queue, skb);
	} else {
		lossless_rcm_append_back(queue, skb);
	}
	if (way->ingress != LOSSLESS_NOBODY) {
		u64 identified = rcm->core.stats->identified;

		if (p->crd.sample == LLE_CRD_QCN)
			rnd = get_random_u32();
		if (lle_rcm_arrive(&rcm->core, p, &way->flow, id, len, bytes,
				   way->now_ns, rnd) && !rcm->root_since_ns)
			lossless_rcm_root(q, prio, way->now_ns);
		if (unlikely(rcm->core.stats->identified != identified))
			lle_rcm_note(q->port, prio, rcm->core.crd.fb,
				     rcm->core.ids.count,
				     rcm->core.stats->identified);
		root = !p->by_dst && lle_rcm_is_root(&rcm->core, way->now_ns);
	} else if (p->las.limit_bytes) {
		lle_rcm_watch(&rcm->core, p, bytes, way->now_ns);
	}
	lossless_rcm_count(q, rcm, skb, prio, len, root, way->flow.dst);
	if (rcm->core.busy)
		q->isolating |= BIT(prio);
}

/**
 * lossless_rcm_pick() - choose the packets that queues send next
 * @q: the qdisc
 * @prios: bit p: of queue p, of @q->isolating; they are not empty
 * @now_ns: the time
 * @wake_ns: lowered to the time when to ask again
 *
 * Return: bit p: queue p may send nothing now.
 */
u8 lossless_rcm_pick(struct lossless_qdisc *q, unsigned long prios, u64 now_ns,
		     u64 *wake_ns)
{
	u8 blocked = 0;

	for (; prios; prios &= prios - 1) {
		unsigned int prio = __ffs(prios);
		struct lossless_queue *queue = &q->queue[prio];
		struct lossless_rcm *rcm = queue->rcm;
		struct lle_rcm_others others;

		lossless_rcm_others(queue, &others);
		rcm->next = lle_rcm_next(&rcm->core, &q->rcm_params, &others,
					 now_ns);
		rcm->next_ns = now_ns;
		if (rcm->next == LLE_RCM_WAIT) {
			blocked |= BIT(prio);
			*wake_ns = min(*wake_ns, lle_rcm_wake_ns(&rcm->core));
		}
		if (rcm->root_since_ns && (!rcm->core.busy ||
					   now_ns >= rcm->core.root_until_ns))
			lossless_rcm_root(q, prio, now_ns);
		if (!rcm->core.busy) {
			lossless_rcm_join(queue);
			q->isolating &= ~BIT(prio);
		}
	}
	return blocked;
}

/**
 * lossless_rcm_left() - count a packet that left its queue and is still charged
 * @q: the qdisc
 * @skb: the packet
 */
void lossless_rcm_left(struct lossless_qdisc *q, const struct sk_buff *skb)
{
	unsigned int prio = lossless_cb(skb)->prio;

	lossless_rcm_count(q, q->queue[prio].rcm, skb, prio,
			   -(s32)qdisc_pkt_len(skb), false, 0);
}

/* Mark an isolated packet that leaves at @now_ns and has waited for long. */
static void lossless_rcm_mark(const struct lossless_qdisc *q,
			      struct lossless_queue *queue, struct sk_buff *skb,
			      u64 now_ns)
{
	u32 now = now_ns / LOSSLESS_TICK_NS;
	u64 waited_ns = (u64)(now - lossless_cb(skb)->came) * LOSSLESS_TICK_NS;

	if (waited_ns > q->rcm_params.wait_ns)
		lossless_mark(queue, skb);
}

/**
 * lossless_rcm_pop() - take the next packet of a queue
 * @q: the qdisc
 * @prio: the queue; if RCM is busy there, lossless_rcm_pick() has chosen the
 *	packet
 *
 * A packet that was isolated for long is marked, if WRED may mark: at whichever
 * port it waits, it is part of the congestion, and that lasts.
 *
 * Return: the packet, still charged.
 */
struct sk_buff *lossless_rcm_pop(struct lossless_qdisc *q, unsigned int prio)
{
	struct lossless_queue *queue = &q->queue[prio];
	struct lossless_rcm *rcm = queue->rcm;
	unsigned int next = q->isolating & BIT(prio) ? rcm->next : 0;
	struct lossless_fifo *fifo = lossless_rcm_fifo(queue, next);
	unsigned int sub = next == LLE_RCM_BACK ? 0 : next;
	bool young = fifo != &rcm->fifo[sub];
	struct sk_buff *skb;
	u32 len;

	skb = lossless_fifo_pop(fifo);
	len = qdisc_pkt_len(skb);
	if (sub && queue->wred.ecn)
		lossless_rcm_mark(q, queue, skb, rcm->next_ns);
	if (sub)
		lossless_rcm_isolated(q, rcm, skb, prio, sub, -(s32)len);
	if (q->isolating & BIT(prio)) {
		lle_rcm_sent(&rcm->core, &q->rcm_params, sub, young,
			     lossless_cb(skb)->place, len);
		if (rcm->root_since_ns && queue->stats->backlog == len)
			lossless_rcm_root(q, prio, ktime_get_ns());
	}
	if (queue->stats->backlog == len)
		q->ready &= ~BIT(prio);
	lossless_rcm_left(q, skb);
	return skb;
}

/**
 * lossless_rcm_parked() - count a queued packet as parked
 * @q: the qdisc
 * @skb: the packet, of a queue that was flushed; it still has its port
 * @prio: its priority
 */
void lossless_rcm_parked(struct lossless_qdisc *q, const struct sk_buff *skb,
			 unsigned int prio)
{
	struct lossless_rcm *rcm = q->queue[prio].rcm;
	u32 len = qdisc_pkt_len(skb);

	lossless_rcm_count(q, rcm, skb, prio, -(s32)len, false, 0);
	rcm->from_bytes[LOSSLESS_NOBODY] += len;
}

/* Move the packets of a list of queue @sub behind the others. */
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
		lossless_rcm_isolated(q, rcm, skb, prio, sub, -(s32)len);
		lle_rcm_ids_pop(&rcm->core.ids, sub, young, len);
		lossless_rcm_append(queue, skb);
	}
}

/**
 * lossless_rcm_flush() - end isolation and LAS in a queue
 * @q: the qdisc
 * @prio: the queue; without RCM, nothing is done
 *
 * Isolated packets go behind the others. Those of a flow that are among the
 * others arrived before its isolated ones, so no flow is reordered. If a
 * neighbour still wants a destination held, its next notification says so.
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
	lle_rcm_init(&rcm->core, &q->rcm_params, rcm->core.stats);
	q->isolating &= ~BIT(prio);
}

/**
 * lossless_rcm_let_go() - release the destination of a root upstream
 * @q: the qdisc
 * @prio: the queue; without RCM, nothing is done
 *
 * Each ingress that has it held has packets in the queue: such a hold ends at
 * the latest with the last of them.
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
		unsigned int i = lossless_ingress(iport);
		struct lle_rcm_change c = {
			.what = LLE_RCM_ROOT,
			.held = true,
			.name = rcm->root_name[i % LLE_MAX_PORTS],
		};

		if (i == LOSSLESS_NOBODY || !(rcm->root_held & BIT_ULL(i)))
			continue;
		lle_rcm_changed(iport, prio, q->port, &c);
		rcm->root_held &= ~BIT_ULL(i);
	}
}

/**
 * lossless_hear() - act on a congestion notification, as lle_port_ops.hear
 * @sch: the qdisc
 * @cn: the notification; untrusted
 *
 * Context: softirq, RCU. Return: false: it is ignored.
 */
bool lossless_hear(struct Qdisc *sch, const struct lle_cn *cn)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_rcm *rcm;
	bool heard = false;

	spin_lock(qdisc_lock(sch));
	rcm = q->queue[cn->prio].rcm;
	if (rcm && !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state))
		heard = lle_rcm_hear(&rcm->core, &q->rcm_params, cn,
				     ktime_get_ns());
	if (heard && rcm->core.busy)
		q->isolating |= BIT(cn->prio);
	spin_unlock(qdisc_lock(sch));

	if (heard)
		__netif_schedule(sch);
	return heard;
}

/**
 * lossless_path() - describe the path of a flow, as lle_port_ops.path
 * @sch: the qdisc
 * @prio: the priority
 * @flow: the flow
 * @path: result; all 0 before
 *
 * Context: softirq, RCU.
 */
void lossless_path(struct Qdisc *sch, unsigned int prio,
		   const struct lle_flow *flow, struct lle_sar_path *path)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	const struct lossless_queue *queue = &q->queue[prio];
	u64 now_ns;

	spin_lock(qdisc_lock(sch));
	now_ns = ktime_get_ns();
	if (queue->rcm && !test_bit(__QDISC_STATE_DEACTIVATED, &sch->state)) {
		lle_rcm_path(&queue->rcm->core, &q->rcm_params, flow,
			     lossless_others_bytes(queue), now_ns, path);
		path->paused = lle_port_paused(q->port, now_ns) & BIT(prio);
	}
	spin_unlock(qdisc_lock(sch));
}
