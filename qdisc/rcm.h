/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regional congestion mitigation, egress side: what the packet path calls. All
 * of it under the root lock, and only for queues with RCM.
 *
 *	arrives		lossless_rcm_looks(), lossless_rcm_find(): its place,
 *			and the bytes by which WRED decides
 *	is queued	lossless_rcm_push(); lossless_rcm_append_plain() if
 *			RCM need not look at it
 *	is chosen	lossless_rcm_pick(), lossless_rcm_head()
 *	leaves		lossless_rcm_pop(), lossless_rcm_send();
 *			lossless_rcm_leave_plain() while RCM does not choose
 *	ends		lossless_rcm_flush(): nothing is isolated;
 *			lossless_rcm_let_go(): nothing is held upstream
 *	neighbour	lossless_rcm_receive(), lossless_rcm_path()
 *
 * The buffer's account is not its business: a packet is charged before it is
 * queued, and released after it has left.
 */
#ifndef LLE_QDISC_RCM_H
#define LLE_QDISC_RCM_H

#include <linux/random.h>

#include "../kmod/core/congestion/rcm_packet.h"
#include "../kmod/lossless/rx.h"
#include "queue.h"

/**
 * struct lossless_way - place of an arriving packet in a queue with busy RCM
 * @now_ns: the time
 * @dst: number of its destination
 * @name: lle_rcm_packet_name() of its flow
 * @place: place of the flow, see lle_las_place()
 * @id: its isolated ID; 0: not isolated
 * @young: it is young, see las.c
 * @ingress: slot of its ingress port, or LOSSLESS_NOBODY
 */
struct lossless_way {
	u64 now_ns;
	u32 dst;
	u32 name;
	u16 place;
	u16 id;
	bool young;
	u8 ingress;
};

/**
 * struct lossless_rcm - regional congestion mitigation of one priority
 * @core: isolated IDs, and the window
 * @next: queue of @core to send next, from lle_rcm_packet_next()
 * @next_ns: time of that choice
 * @seq: number of the next packet that is not isolated
 * @from_bytes: queued bytes, by ingress; valid if the port faces a host
 * @root_held: bit i: this port's destination is held upstream of ingress i
 * @root_name: by ingress: number of that destination
 * @fifo: packets of the queues of @core, except those in @young. Queue 0: grown
 *	packets that are not isolated
 * @young: young packets of the queues of @core
 * @root_since_ns: start of the region with this root; 0: not a root
 * @root_identified: identified of @core.stats at that time
 * @noted: identified of @core.stats when last traced
 */
struct lossless_rcm {
	struct lle_rcm core;
	u32 next;
	u64 next_ns;
	u32 seq;
	u32 from_bytes[LLE_RCM_INGRESSES];
	u64 root_held;
	u32 root_name[LLE_MAX_PORTS];
	struct lossless_fifo fifo[LLE_RCM_SUBS + 1];
	struct lossless_fifo young[LLE_RCM_SUBS + 1];
	u64 root_since_ns;
	u64 root_identified;
	u64 noted;
};

/* rcm_config.c */
int lossless_rcm_config_alloc(const struct lle_port_params *params,
			      struct lossless_rcm **rcm);
void lossless_rcm_config_free(struct lossless_rcm **rcm);
void lossless_rcm_config_commit(struct lossless_qdisc *q,
				const struct lle_port_params *params,
				struct lossless_rcm **rcm);
void lossless_rcm_config_retune(struct Qdisc *sch);

/* rcm.c */
u8 lossless_rcm_pick(struct lossless_qdisc *q, unsigned long prios, u64 now_ns,
		     u64 *wake_ns);
struct sk_buff *lossless_rcm_pop(struct lossless_qdisc *q, unsigned int prio);
struct sk_buff *lossless_rcm_send(struct lossless_qdisc *q, unsigned int prio,
				  u64 now_ns, u64 *wake_ns);
void lossless_rcm_left(struct lossless_qdisc *q, const struct sk_buff *skb);
void lossless_rcm_parked(struct lossless_qdisc *q, const struct sk_buff *skb,
			 unsigned int prio);
void lossless_rcm_flush(struct lossless_qdisc *q, unsigned int prio);
void lossless_rcm_let_go(struct lossless_qdisc *q, unsigned int prio);
bool lossless_rcm_receive(struct Qdisc *sch, const struct lle_cn *cn);
void lossless_rcm_path(struct Qdisc *sch, unsigned int prio,
		       const struct lle_flow *flow, struct lle_sar_path *path);
bool lossless_rcm_report(const struct lossless_qdisc *q,
			 const struct lossless_rcm *rcm, struct lle_port *iport,
			 unsigned int prio, const struct lle_rcm_sub *s, u32 bytes,
			 s8 queues);
void lossless_rcm_report_root(const struct lossless_qdisc *q,
			      struct lossless_rcm *rcm, struct lle_port *iport,
			      unsigned int prio, unsigned int i);
void lossless_rcm_found(struct lossless_qdisc *q, unsigned int prio, u64 now_ns);

/* rcm_show.c */
int lossless_rcm_show_put(struct sk_buff *skb, const struct lossless_qdisc *q,
			  unsigned long prios);
int lossless_rcm_show(struct Qdisc *sch, unsigned int prio,
		      struct lle_congestion *c, struct lle_congested *ids);

/* Must RCM see a packet of @len bytes that reaches a queue? */
static inline bool lossless_rcm_looks(const struct lossless_qdisc *q,
				      const struct lossless_queue *queue, u32 len)
{
	return queue->rcm &&
	       !lle_rcm_is_idle(&queue->rcm->core, &q->rcm_params,
				queue->stats->backlog + len);
}

static inline void lossless_rcm_append(struct lossless_queue *queue,
				       struct sk_buff *skb)
{
	lossless_cb(skb)->seq = queue->rcm->seq++;
	lossless_fifo_push(&queue->fifo, skb);
}

/* List of the packet chosen by lle_rcm_packet_next() */
static inline struct lossless_fifo *
lossless_rcm_fifo(struct lossless_queue *queue, unsigned int next)
{
	struct lossless_rcm *rcm = queue->rcm;

	if (!next)
		return &queue->fifo;
	if (next == LLE_RCM_BACK)
		return &rcm->fifo[0];
	return rcm->young[next].head ? &rcm->young[next] : &rcm->fifo[next];
}

/* Counter of queued bytes of the packet's ingress port */
static inline u32 *lossless_rcm_from(struct lossless_rcm *rcm,
				     const struct sk_buff *skb)
{
	return &rcm->from_bytes[lossless_queue_slot(lossless_cb(skb)->iport)];
}

static inline void lossless_rcm_append_plain(struct lossless_queue *queue,
					     struct sk_buff *skb, u32 len)
{
	lossless_rcm_append(queue, skb);
	*lossless_rcm_from(queue->rcm, skb) += len;
}

/* A packet leaves the front, which RCM did not choose. */
static inline void lossless_rcm_leave_plain(struct lossless_queue *queue,
					    const struct sk_buff *skb)
{
	*lossless_rcm_from(queue->rcm, skb) -= qdisc_pkt_len(skb);
}

/* Does RCM choose the packet that a queue sends, or count it upstream? */
static inline bool lossless_rcm_chooses(const struct lossless_qdisc *q,
					unsigned int prio)
{
	const struct lossless_rcm *rcm = q->queue[prio].rcm;

	return rcm && (q->isolating & BIT(prio) || rcm->root_held);
}

/* The packet chosen by lossless_rcm_pick() */
static inline const struct sk_buff *
lossless_rcm_head(struct lossless_queue *queue)
{
	return lossless_rcm_fifo(queue, queue->rcm->next)->head;
}

static inline u32 lossless_rcm_others_bytes(const struct lossless_queue *queue)
{
	return queue->stats->backlog - queue->rcm->core.ids.bytes;
}

/* Number of the first packet of @fifo, or @next */
static inline u32 lossless_rcm_first_seq(const struct lossless_fifo *fifo,
					 u32 next)
{
	return fifo->head ? lossless_cb(fifo->head)->seq : next;
}

static inline void lossless_rcm_others(const struct lossless_queue *queue,
				       struct lle_rcm_others *others)
{
	u32 next = queue->rcm->seq;
	u32 front = lossless_rcm_first_seq(&queue->fifo, next);
	u32 back = lossless_rcm_first_seq(&queue->rcm->fifo[0], next);

	others->bytes = lossless_rcm_others_bytes(queue);
	others->first = (s32)(back - front) < 0 ? back : front;
	others->front = front;
	others->next = next;
}

/* Finds flow and isolation of @skb (untrusted). */
static __always_inline void lossless_rcm_find_way(const struct lossless_qdisc *q,
						  struct lossless_rcm *rcm,
						  const struct sk_buff *skb,
						  struct lossless_way *way)
{
	const struct lle_rcm_params *p = &q->rcm_params;
	struct lle_rcm *core = &rcm->core;
	struct lle_flow flow;

	way->now_ns = ktime_get_ns();
	way->ingress = lossless_queue_slot(lossless_cb(skb)->iport);
	lle_rx_flow(skb, &flow);
	way->dst = flow.dst;
	way->name = lle_rcm_packet_name(p, &flow);
	way->id = lle_rcm_packet_find(core, way->name);
	way->place = lle_las_place(flow.flow);
	way->young = true;
	if (!lle_rcm_packet_ages(p))
		return;
	way->young = lle_las_arrive(&core->las, &p->las, way->place, skb->len,
				    way->now_ns);
	if (way->id && p->by_dst &&
	    lle_rcm_packet_pass(core, p, way->id, way->place, skb->len,
				rcm->seq, way->now_ns))
		way->id = 0;
}

/*
 * Finds the place of an arriving packet. Returns the bytes by which WRED decides:
 * none for isolated packets, which lossless_rcm_pop() marks, and while
 * lle_rcm_spares() the others; for a young packet without grown ones, which do
 * not delay it.
 */
static __always_inline u32 lossless_rcm_find(const struct lossless_qdisc *q,
					     const struct lossless_queue *queue,
					     const struct sk_buff *skb,
					     struct lossless_way *way)
{
	const struct lle_rcm *core = &queue->rcm->core;

	lossless_rcm_find_way(q, queue->rcm, skb, way);
	if (way->id || lle_rcm_spares(core, &q->rcm_params, way->now_ns))
		return 0;
	return lossless_rcm_others_bytes(queue) -
	       (way->young ? core->las.grown_bytes : 0);
}

/*
 * Counts @len bytes of isolated queue @s at its ingress port, which may be
 * NULL. @comes: just appended; otherwise about to leave. Few packets change the
 * holds of the upstream neighbour.
 */
static __always_inline void
lossless_rcm_isolated(const struct lossless_qdisc *q, struct lossless_rcm *rcm,
		      struct lle_port *iport, unsigned int prio,
		      struct lle_rcm_sub *s, u32 len, bool comes)
{
	u32 bytes = comes ? s->bytes : s->bytes - len, all;
	struct lle_port_ingress *in;
	s8 queues = 0;

	if (unlikely(!iport))
		return;
	in = &iport->ingress[prio];
	all = atomic_add_return(comes ? len : -len, &in->isolated_bytes);
	if (bytes == (comes ? len : 0))
		queues = comes ? 1 : -1;
	if (unlikely(queues ||
		     lle_hold_changes(&in->rcm.class, all,
				      READ_ONCE(in->rcm.class_held)) ||
		     (q->rcm_params.by_dst &&
		      lle_hold_changes(&in->rcm.id, bytes, s->asked))))
		s->asked = lossless_rcm_report(q, rcm, iport, prio, s, bytes,
					       queues);
}

/*
 * Counts @len bytes of an ingress, which may be NULL, at a host-facing port;
 * negative: bytes that left. A @root has its destination @dst held upstream of
 * each ingress.
 */
static inline void lossless_rcm_count(const struct lossless_qdisc *q,
				      struct lossless_rcm *rcm,
				      struct lle_port *iport, unsigned int prio,
				      s32 len, bool root, u32 dst)
{
	unsigned int i = lossless_queue_slot(iport);
	bool held;

	rcm->from_bytes[i] += len;
	if (i == LOSSLESS_NOBODY)
		return;
	held = rcm->root_held & BIT_ULL(i);
	if (!held && !root)
		return;
	if (!held)
		rcm->root_name[i] = dst;
	if (unlikely(lle_hold_changes(&iport->ingress[prio].rcm.root,
				      rcm->from_bytes[i], held)))
		lossless_rcm_report_root(q, rcm, iport, prio, i);
}

static inline void lossless_rcm_uncount(const struct lossless_qdisc *q,
					struct lossless_rcm *rcm,
					struct lle_port *iport,
					unsigned int prio, u32 len)
{
	if (!q->rcm_params.by_dst)
		lossless_rcm_count(q, rcm, iport, prio, -(s32)len, false, 0);
}

static inline void lossless_rcm_append_back(struct lossless_rcm *rcm,
					    struct sk_buff *skb, u32 len)
{
	lossless_cb(skb)->seq = rcm->seq++;
	lle_rcm_packet_push_back(&rcm->core, lossless_cb(skb)->place, len);
	lossless_fifo_push(&rcm->fifo[0], skb);
}

/* Appends a packet to the isolated queue of @way; false: no queue is free. */
static inline bool lossless_rcm_isolate(struct lossless_qdisc *q,
					struct lossless_queue *queue,
					struct sk_buff *skb,
					struct lle_port *iport,
					unsigned int prio, u32 len,
					const struct lossless_way *way)
{
	const struct lle_rcm_params *p = &q->rcm_params;
	struct lossless_rcm *rcm = queue->rcm;
	bool young = way->young && p->by_dst;
	struct lle_rcm_others others;
	unsigned int sub;

	lossless_rcm_others(queue, &others);
	sub = lle_rcm_packet_push(&rcm->core, p, way->id, way->place,
				  way->ingress, young, len, &others);
	if (unlikely(!sub))
		return false;
	lossless_cb(skb)->came = way->now_ns / LOSSLESS_TICK_NS;
	lossless_fifo_push(young ? &rcm->young[sub] : &rcm->fifo[sub], skb);
	lossless_rcm_isolated(q, rcm, iport, prio, &rcm->core.ids.sub[sub], len,
			      true);
	return true;
}

/* The cb of @skb lacks @seq, @came and @place. The caller adds the backlog. */
static __always_inline void
lossless_rcm_push(struct lossless_qdisc *q, struct lossless_queue *queue,
		  struct sk_buff *skb, u32 len, const struct lossless_way *way)
{
	const struct lle_rcm_params *p = &q->rcm_params;
	struct lle_port *iport = lossless_cb(skb)->iport;
	unsigned int prio = lossless_cb(skb)->prio;
	struct lossless_rcm *rcm = queue->rcm;
	unsigned int id = way->id;
	bool root = false;
	u32 bytes;

	lossless_cb(skb)->place = way->place;
	/* a parked packet is not isolated, so packets before it must not be */
	if (unlikely(lossless_cb(skb)->flags & LOSSLESS_CB_PARKED) && id) {
		lossless_rcm_flush(q, prio);
		id = 0;
	}
	bytes = lossless_rcm_others_bytes(queue);
	if (!id || !lossless_rcm_isolate(q, queue, skb, iport, prio, len, way)) {
		if (way->young || !p->las.limit_bytes)
			lossless_rcm_append(queue, skb);
		else
			lossless_rcm_append_back(rcm, skb, len);
	}
	if (likely(way->ingress != LOSSLESS_NOBODY)) {
		if (lle_rcm_packet_arrive(&rcm->core, p, way->name, id, len,
					  bytes, way->now_ns))
			lossless_rcm_found(q, prio, way->now_ns);
		root = !p->by_dst && lle_rcm_is_root(&rcm->core, way->now_ns);
	} else if (p->las.limit_bytes) {
		lle_rcm_packet_watch(&rcm->core, p, bytes, way->now_ns);
	}
	if (!p->by_dst)
		lossless_rcm_count(q, rcm, iport, prio, len, root, way->dst);
	if (likely(rcm->core.busy))
		q->isolating |= BIT(prio);
}

#endif /* LLE_QDISC_RCM_H */
