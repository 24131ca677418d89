// SPDX-License-Identifier: GPL-2.0
/*
 * The packet path into a queue: segment, classify, WRED, limit, shared buffer.
 * Runs under the root lock of the egress port.
 *
 * All bytes are counted as on the wire. A GSO packet is segmented first, or it is
 * queued whole and counts as its segments: it needs their bytes of the buffer,
 * and one decision of WRED is for all of them.
 */
#include <net/gso.h>

#include "../kmod/lossless/classify.h"
#include "../kmod/lossless/ingress.h"
#include "../kmod/lossless/reaction.h"
#include "../kmod/lossless/rx.h"
#include "../kmod/lossless/watchdog.h"
#include "congestion_path.h"

/* @bytes: length of the queue by which to decide */
static inline int lossless_wred(struct lossless_qdisc *q,
				struct lossless_queue *queue,
				struct sk_buff *skb, u32 bytes)
{
	if (likely(bytes < queue->wred.idle_bytes))
		return LOSSLESS_ADMITTED;
	return lossless_wred_decide(q, queue, skb, bytes);
}

/* A lossless priority is limited by its pauses, not by this. */
static inline int lossless_limit(struct Qdisc *sch, unsigned int prio, u32 len)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (likely(q->limit_bytes == U32_MAX) ||
	    q->backlog - q->wire_bytes + len <= q->limit_bytes ||
	    READ_ONCE(q->port->pfc_en) & BIT(prio))
		return LOSSLESS_ADMITTED;
	return LLE_DROP_LIMIT;
}

/*
 * Account for the memory of a packet. It is that of the switch's buffer, but for packets
 * without an ingress port.
 */
static __always_inline void lossless_occupy(struct lossless_qdisc *q,
					    struct lossless_queue *queue,
					    const struct sk_buff *skb)
{
	const struct lossless_cb *cb = lossless_cb(skb);
	struct lle_sb_memory *memory = &queue->stats->memory;

	if (likely(cb->iport || cb->flags & LOSSLESS_CB_PARKED)) {
		memory->bytes += skb->truesize;
		if (unlikely(lle_sb_memory_is_news(memory)))
			lle_port_know_memory(q->port, memory);
	} else if (cb->flags & LOSSLESS_CB_COPY) {
		q->copy_memory += skb->truesize;
	} else {
		q->local_memory += skb->truesize;
	}
}

/* @way: NULL: without RCM, or RCM has nothing to do. @rcm: there may be RCM */
static __always_inline void
lossless_push(struct lossless_qdisc *q, struct lossless_queue *queue,
	      struct sk_buff *skb, unsigned int prio, u32 len,
	      const struct lossless_way *way, bool rcm)
{
	struct lle_port_egress *stats = queue->stats;

	if (way) {
		lossless_rcm_push(q, queue, skb, lossless_cb(skb)->iport, prio,
				  len, way);
	} else if (rcm && queue->rcm) {
		lossless_rcm_append(queue, skb);
		*lossless_rcm_from(queue->rcm, skb) += len;
	} else {
		lossless_fifo_push(&queue->fifo, skb);
	}
	lossless_occupy(q, queue, skb);
	stats->backlog += len;
	if (stats->backlog > READ_ONCE(stats->backlog_max))
		WRITE_ONCE(stats->backlog_max, stats->backlog);
}

/*
 * A packet without an ingress port. One of the host itself waits in the host's
 * memory, as it would before a NIC: the buffer of its socket bounds it, and one of
 * a lossy priority, or of no socket, twice the size of the switch's buffer. Copies
 * for monitors get an eighth of that: they must not take it from others.
 */
static noinline int lossless_charge_local(struct lossless_qdisc *q,
					  struct sk_buff *skb, unsigned int prio)
{
	u64 limit = 2 * READ_ONCE(q->port->sw->sb.size);
	const struct lossless_cb *cb = lossless_cb(skb);

	if (cb->flags & LOSSLESS_CB_COPY)
		return q->copy_memory + skb->truesize > limit / 8 ?
			       LLE_DROP_COPY : LOSSLESS_ADMITTED;
	if (q->local_memory + skb->truesize > limit &&
	    !((skb->sk || cb->flags & LOSSLESS_CB_SOCKET) &&
	      READ_ONCE(q->port->pfc_en) & BIT(prio)))
		return LLE_DROP_LIMIT;
	return LOSSLESS_ADMITTED;
}

/* Charge a packet to its ingress port's share of the buffer. */
static __always_inline int lossless_charge(struct lossless_qdisc *q,
					   struct sk_buff *skb,
					   unsigned int prio, u32 len,
					   u32 packets)
{
	struct lossless_cb *cb = lossless_cb(skb);
	struct lle_charge charge = {
		.pg = lossless_pg(skb),
		.queue = prio,
		.packets = packets,
		.bytes = len,
	};

	if (!cb->iport)
		return lossless_charge_local(q, skb, prio);
	switch (lle_port_admit(cb->iport, &charge, q->port)) {
	case LLE_ADMITTED:
		break;
	case LLE_PARKED:
		cb->flags |= LOSSLESS_CB_PARKED;
		cb->iport = NULL;
		break;
	case LLE_DROPPED:
		return LOSSLESS_COUNTED;
	}
	return LOSSLESS_ADMITTED;
}

/* Bytes of a packet on the link. Those of a GSO packet have been set. */
static inline u32 lossless_bytes(const struct sk_buff *skb)
{
	return skb_is_gso(skb) ? qdisc_pkt_len(skb) : lle_skb_bytes(skb);
}

static noinline int lossless_refuse(struct sk_buff *skb, struct Qdisc *sch,
				    struct sk_buff **to_free, unsigned int prio,
				    int reason)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u32 packets = lle_gso_packets(skb);

	if (reason != LOSSLESS_COUNTED)
		lle_port_drop(q->port, prio, reason, lossless_bytes(skb),
			      packets);
	sch->qstats.drops += packets;
	__qdisc_drop(skb, to_free);
	return NET_XMIT_DROP;
}

/* Note in its cb where a packet came from, and where it goes. */
static __always_inline void lossless_note(struct sk_buff *skb,
					  struct lle_port *iport,
					  unsigned int pg, unsigned int prio,
					  unsigned int flags)
{
	struct lossless_cb *cb = lossless_cb(skb);

	cb->iport = iport;
	cb->prio = prio;
	cb->flags = pg << LOSSLESS_CB_PG | flags;
}

/*
 * The rest of the path, of a packet with a note. @way: NULL: without RCM, or RCM
 * has nothing to do. @rcm: there may be RCM. @plain: the port needs no attention,
 * there is no limit, and it is no GSO packet.
 */
static __always_inline int
lossless_enqueue_to(struct sk_buff *skb, struct Qdisc *sch,
		    struct sk_buff **to_free, const struct lossless_way *way,
		    bool rcm, bool plain)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = lossless_cb(skb)->prio;
	struct lossless_queue *queue = &q->queue[prio];
	struct lle_port *port = q->port;
	u32 len = plain ? lle_skb_bytes(skb) : lossless_bytes(skb);
	bool gso = !plain && skb_is_gso(skb);
	int wred, reason;

	wred = lossless_wred(q, queue, skb,
			     way ? lossless_rcm_wred_bytes(q, queue, way) :
				   queue->stats->backlog);
	reason = wred == LOSSLESS_MARK ? LOSSLESS_ADMITTED : wred;
	if (!plain && READ_ONCE(port->attention.discard) & BIT(prio))
		reason = LLE_DROP_STORM;
	else if (!plain && reason == LOSSLESS_ADMITTED)
		reason = lossless_limit(sch, prio, len);
	if (likely(reason == LOSSLESS_ADMITTED))
		reason = lossless_charge(q, skb, prio, len,
					 gso ? lle_gso_packets(skb) : 1);
	if (unlikely(reason != LOSSLESS_ADMITTED))
		return lossless_refuse(skb, sch, to_free, prio, reason);
	/*
	 * Across veth a packet still belongs to its sender's socket, and a fabric
	 * cannot congest if the switch's queue throttles the senders.
	 */
	if (unlikely(skb->destructor) && lossless_cb(skb)->iport)
		skb_orphan(skb);
	if (unlikely(wred == LOSSLESS_MARK))
		lossless_mark(queue, skb);

	lle_skb_set_pkt_len(skb, len);
	if (gso)
		lossless_cb(skb)->flags |= LOSSLESS_CB_GSO;
	lossless_push(q, queue, skb, prio, len, way, rcm);
	if (!plain && READ_ONCE(port->attention.paused) & ~q->ready & BIT(prio))
		lle_watchdog_waits(port, prio);
	q->ready |= BIT(prio);
	q->backlog += len;
	qdisc_qlen_inc(sch);
	return NET_XMIT_SUCCESS;
}

/* RCM looks at the packet. */
static __always_inline int
lossless_enqueue_looked(struct sk_buff *skb, struct Qdisc *sch,
			struct sk_buff **to_free, bool plain)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_way way;

	lossless_rcm_find(q, q->queue[lossless_cb(skb)->prio].rcm, skb,
			  lossless_cb(skb)->iport, &way);
	return lossless_enqueue_to(skb, sch, to_free, &way, true, plain);
}

static noinline int lossless_enqueue_looked_any(struct sk_buff *skb,
						struct Qdisc *sch,
						struct sk_buff **to_free)
{
	return lossless_enqueue_looked(skb, sch, to_free, false);
}

static noinline int lossless_enqueue_looked_plain(struct sk_buff *skb,
						  struct Qdisc *sch,
						  struct sk_buff **to_free)
{
	return lossless_enqueue_looked(skb, sch, to_free, true);
}

/*
 * Identify a packet that arrived at a port of the switch, if mark and skb_iif
 * agree, or that a socket of this host has sent: all but few. The mark has
 * its priority group, the header that leaves its queue: @queue, or -1: not read yet.
 * False: it is another one.
 */
static __always_inline bool
lossless_identify_as(const struct lossless_qdisc *q,
		     const struct lle_port_params *params, struct sk_buff *skb,
		     int queue)
{
	struct lle_port *iport = lle_ingress_marked(skb);
	unsigned int pg;

	if (iport) {
		if (unlikely(!lle_ingress_agrees(iport, q->port, skb)))
			return false;
		pg = lle_ingress_prio(skb);
	} else {
		if (unlikely(skb->skb_iif))
			return false;
		pg = skb->priority % LLE_NUM_PRIO;
	}
	if (queue < 0)
		queue = lle_classify_any(params, skb, ETH_HLEN, pg);
	lossless_note(skb, iport, iport ? pg : queue, queue, 0);
	return true;
}

static __always_inline bool lossless_identify(const struct lossless_qdisc *q,
					      struct sk_buff *skb)
{
	const struct lle_port_params *params =
		rcu_dereference_bh(q->port->params);

	return lossless_identify_as(q, params, skb,
				    lle_classify_short(params, skb, ETH_HLEN));
}

/*
 * Identify any other packet. False: it is gone, and @result is that of enqueue. A
 * monitor must not obey copies of frames that were for this switch.
 */
static noinline bool lossless_identify_other(struct sk_buff *skb,
					     struct Qdisc *sch,
					     struct sk_buff **to_free,
					     int *result)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = skb->priority % LLE_NUM_PRIO, flags = 0;
	struct lle_port *iport;

	switch (lle_ingress_find(q->port, skb, &iport)) {
	case LLE_ORIGIN_ARRIVED:
		prio = lle_ingress_prio(skb);
		break;
	case LLE_ORIGIN_COPY:
		flags = LOSSLESS_CB_COPY;
		if (!lle_rx_is_control(skb))
			break;
		*result = lossless_refuse(skb, sch, to_free, prio,
					  LLE_DROP_COPY);
		return false;
	case LLE_ORIGIN_OTHER:
		break;
	case LLE_ORIGIN_GONE:
		*result = NET_XMIT_SUCCESS;
		return false;
	case LLE_ORIGIN_DISCARD:
		*result = qdisc_drop(skb, sch, to_free);
		return false;
	}
	lossless_note(skb, iport, prio,
		      lle_classify(rcu_dereference_bh(q->port->params), skb,
				   ETH_HLEN, prio), flags);
	return true;
}

static int lossless_enqueue_pieces(struct sk_buff *skb, struct Qdisc *sch,
				   struct sk_buff **to_free, bool whole);

/*
 * Any packet that is identified. The bytes of a GSO packet have been set; one that
 * is no longer than a frame need not be cut.
 */
static noinline int lossless_enqueue_any(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_queue *queue = &q->queue[lossless_cb(skb)->prio];

	if (likely(!lossless_rcm_looks(q, queue, lle_skb_bytes(skb))))
		return lossless_enqueue_to(skb, sch, to_free, NULL, true, false);
	if (lossless_bytes(skb) <= lle_port_frame(q->port))
		return lossless_enqueue_looked_any(skb, sch, to_free);
	return lossless_enqueue_pieces(skb, sch, to_free, false);
}

static noinline int lossless_enqueue_other(struct sk_buff *skb,
					   struct Qdisc *sch,
					   struct sk_buff **to_free)
{
	int result;

	lossless_settle(sch);
	if (!lossless_identify_other(skb, sch, to_free, &result))
		return result;
	return lossless_enqueue_any(skb, sch, to_free);
}

/*
 * A packet of a port that needs no attention and has no limit. @rcm: there may be
 * RCM.
 */
static __always_inline int lossless_enqueue_plain(struct sk_buff *skb,
						  struct Qdisc *sch,
						  struct sk_buff **to_free,
						  bool rcm)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (unlikely(!lossless_identify(q, skb)))
		return lossless_enqueue_other(skb, sch, to_free);
	if (rcm && unlikely(lossless_rcm_looks(q, &q->queue[lossless_cb(skb)->prio],
					       lle_skb_bytes(skb))))
		return lossless_enqueue_looked_plain(skb, sch, to_free);
	return lossless_enqueue_to(skb, sch, to_free, NULL, rcm, true);
}

static noinline int lossless_enqueue_rcm(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	return lossless_enqueue_plain(skb, sch, to_free, true);
}

static __always_inline int lossless_express(struct sk_buff *skb,
					    struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	q->express = skb;
	qdisc_qlen_inc(sch);
	return NET_XMIT_SUCCESS;
}

/* Does a packet have to pass the queue, though that is empty? */
static inline bool lossless_must_wait(const struct lossless_qdisc *q,
				      const struct sk_buff *skb)
{
	const struct lossless_queue *queue = &q->queue[lossless_cb(skb)->prio];
	u32 len = lle_skb_bytes(skb);

	return len > q->limit_bytes || lossless_rcm_looks(q, queue, len) ||
	       (queue->rcm && queue->rcm->root_held);
}

/* A packet of a port that needs no attention, and no other waits */
static noinline int lossless_enqueue_alone(struct sk_buff *skb,
					   struct Qdisc *sch,
					   struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (unlikely(!lossless_identify(q, skb)))
		return lossless_enqueue_other(skb, sch, to_free);
	if (q->special && lossless_must_wait(q, skb))
		return lossless_enqueue_any(skb, sch, to_free);
	if (skb->destructor && lossless_cb(skb)->iport)
		skb_orphan(skb);
	return lossless_express(skb, sch);
}

static noinline int lossless_enqueue_special(struct sk_buff *skb,
					     struct Qdisc *sch,
					     struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	bool attention = READ_ONCE(q->port->attention.any);

	if (!attention && !q->ready && !q->express &&
	    !(q->special & LOSSLESS_SPECIAL_WRED))
		return lossless_enqueue_alone(skb, sch, to_free);
	lossless_settle(sch);
	if (!attention && !(q->special & LOSSLESS_SPECIAL_LIMIT))
		return lossless_enqueue_rcm(skb, sch, to_free);
	if (likely(lossless_identify(q, skb)))
		return lossless_enqueue_any(skb, sch, to_free);
	return lossless_enqueue_other(skb, sch, to_free);
}

/* A packet behind others */
static noinline int lossless_enqueue_behind(struct sk_buff *skb,
					    struct Qdisc *sch,
					    struct sk_buff **to_free)
{
	lossless_settle(sch);
	return lossless_enqueue_plain(skb, sch, to_free, false);
}

/*
 * A packet of a port that needs no attention. If no other waits, it takes the link
 * at once, if that is free, and never occupies the buffer. The short path calls no
 * function, and saves no register.
 */
static noinline int lossless_enqueue_fast(struct sk_buff *skb, struct Qdisc *sch,
					  struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	const struct lle_port_params *params =
		rcu_dereference_bh(q->port->params);
	int queue;

	if (unlikely(q->ready || q->express))
		return lossless_enqueue_behind(skb, sch, to_free);
	queue = lle_classify_short(params, skb, ETH_HLEN);
	if (unlikely(queue < 0 || !lossless_identify_as(q, params, skb, queue) ||
		     (skb->destructor && lossless_cb(skb)->iport)))
		return lossless_enqueue_alone(skb, sch, to_free);
	return lossless_express(skb, sch);
}

/**
 * lossless_queue_express() - queue the packet that was to take the link at once
 * @sch: the qdisc; it has such a packet
 *
 * Its sender does not get to know it if it is dropped.
 *
 * Context: under the root lock.
 */
void lossless_queue_express(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb = q->express, *to_free = NULL;

	q->express = NULL;
	qdisc_qlen_dec(sch);
	lossless_enqueue_any(skb, sch, &to_free);
	kfree_skb_list(to_free);
}

/* A packet, on the short path if it may take that. */
static __always_inline int lossless_enqueue_one(struct sk_buff *skb,
						struct Qdisc *sch,
						struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (unlikely(READ_ONCE(q->port->attention.any) || q->special))
		return lossless_enqueue_special(skb, sch, to_free);
	return lossless_enqueue_fast(skb, sch, to_free);
}

/* A segment, which has the note of its packet */
static inline int lossless_enqueue_segment(struct sk_buff *skb,
					   struct Qdisc *sch,
					   struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (unlikely(READ_ONCE(q->port->attention.any) || q->special ||
		     skb_is_gso(skb)))
		return lossless_enqueue_any(skb, sch, to_free);
	return lossless_enqueue_to(skb, sch, to_free, NULL, false, true);
}

/* A piece of @size times as many segments: it is a GSO packet again. */
static void lossless_note_piece(struct sk_buff *skb, unsigned int type,
				unsigned int size)
{
	struct skb_shared_info *info = skb_shinfo(skb);
	struct lle_gso gso;

	info->gso_type = type;
	info->gso_size = size;
	lle_gso_count(skb, 0, &gso);
	info->gso_segs = gso.packets;
	if (gso.packets == 1)
		skb_gso_reset(skb);
	else
		lle_skb_set_pkt_len(skb, gso.bytes);
}

/* Cut a GSO packet into pieces of @each segments. */
static struct sk_buff *lossless_cut(struct sk_buff *skb, unsigned int each)
{
	netdev_features_t features = netif_skb_features(skb) & ~NETIF_F_GSO_MASK;
	unsigned int size = skb_shinfo(skb)->gso_size;
	unsigned int type = skb_shinfo(skb)->gso_type;
	struct sk_buff *segs, *piece;

	if (each == 1)
		return skb_gso_segment(skb, features);
	/* the sender and taps have clones, which keep their gso_size */
	if (skb_unclone(skb, GFP_ATOMIC))
		return NULL;
	skb_shinfo(skb)->gso_size = size * each;
	segs = skb_gso_segment(skb, features | NETIF_F_HW_CSUM | NETIF_F_SG);
	if (IS_ERR_OR_NULL(segs)) {
		skb_shinfo(skb)->gso_size = size;
		return NULL;
	}
	for (piece = segs; piece; piece = piece->next)
		lossless_note_piece(piece, type, size);
	return segs;
}

/*
 * A GSO packet that is too long: in single segments, unless those are too many to
 * make them under the root lock, or @whole: then in pieces of as many segments as
 * the port may send at once, or as one frame has room for. A guest may ask for
 * segments of one byte.
 */
static noinline int lossless_enqueue_pieces(struct sk_buff *skb,
					    struct Qdisc *sch,
					    struct sk_buff **to_free, bool whole)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u32 overhead_bytes = q->link_params.overhead_bytes;
	struct sk_buff *segs = NULL, *next;
	unsigned int size = skb_shinfo(skb)->gso_size, each = 1, queued = 0;
	unsigned int segments = DIV_ROUND_UP(skb->len, size);
	struct lle_gso gso, piece;
	bool known;

	known = lle_gso_count(skb, 0, &gso);
	if (known)
		segments = gso.packets;
	if (known && !skb->encapsulation &&
	    (whole || segments > LOSSLESS_SEGMENTS)) {
		lle_gso_piece(lle_port_frame(q->port), whole, &piece);
		each = min(lle_gso_divide(&gso, &piece, overhead_bytes),
			   U16_MAX / size);
	}
	/* only the last segment has the socket */
	if (skb->sk)
		lossless_cb(skb)->flags |= LOSSLESS_CB_SOCKET;
	if (DIV_ROUND_UP(segments, each) <= LOSSLESS_SEGMENTS)
		segs = lossless_cut(skb, each);
	if (IS_ERR_OR_NULL(segs)) {
		lle_skb_set_pkt_len(skb, gso.bytes);
		return lossless_refuse(skb, sch, to_free, lossless_cb(skb)->prio,
				       LLE_DROP_NOMEM);
	}

	skb_list_walk_safe(segs, segs, next) {
		skb_mark_not_on_list(segs);
		if (lossless_enqueue_segment(segs, sch, to_free) ==
		    NET_XMIT_SUCCESS)
			queued++;
	}
	consume_skb(skb);
	return queued ? NET_XMIT_SUCCESS : NET_XMIT_DROP;
}

static noinline int lossless_enqueue_gso(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lle_gso gso, piece;
	int result;

	lossless_settle(sch);
	if (!lossless_identify(q, skb) &&
	    !lossless_identify_other(skb, sch, to_free, &result))
		return result;
	lle_gso_piece(lle_port_frame(q->port), true, &piece);
	if (!q->whole || !lle_gso_count(skb, 0, &gso) ||
	    !lle_gso_fits(&gso, &piece, q->link_params.overhead_bytes))
		return lossless_enqueue_pieces(skb, sch, to_free, q->whole);
	lle_skb_set_pkt_len(skb, gso.bytes);
	return lossless_enqueue_any(skb, sch, to_free);
}

/**
 * lossless_enqueue() - queue a packet, as Qdisc_ops.enqueue
 * @skb: the packet
 * @sch: the qdisc
 * @to_free: list of dropped packets
 */
int lossless_enqueue(struct sk_buff *skb, struct Qdisc *sch,
		     struct sk_buff **to_free)
{
	if (unlikely(skb_is_gso(skb)))
		return lossless_enqueue_gso(skb, sch, to_free);
	return lossless_enqueue_one(skb, sch, to_free);
}
