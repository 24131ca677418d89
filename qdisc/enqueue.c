// SPDX-License-Identifier: GPL-2.0
/*
 * Packet path into a queue: segment, classify, WRED, limit, shared buffer. Runs
 * under the root lock of the egress port.
 *
 * Bytes count as on the wire. A GSO packet is segmented first, or queued whole,
 * with the buffer bytes of its segments and one WRED decision.
 */
#include <net/gso.h>

#include "../kmod/lossless/classify.h"
#include "../kmod/lossless/headroom.h"
#include "../kmod/lossless/ingress.h"
#include "../kmod/lossless/rx.h"
#include "../kmod/lossless/watchdog.h"
#include "rcm.h"

static inline int lossless_wred(struct lossless_qdisc *q,
				struct lossless_queue *queue,
				struct sk_buff *skb, u32 bytes)
{
	if (likely(bytes < queue->wred.idle_bytes))
		return LOSSLESS_ADMITTED;
	return lossless_mark_decide(q, queue, skb, bytes);
}

/* Pauses limit lossless priorities instead. */
static inline int lossless_limit(struct Qdisc *sch, unsigned int prio, u32 len)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (likely(q->limit_bytes == U32_MAX) ||
	    q->backlog - q->wire_bytes + len <= q->limit_bytes ||
	    READ_ONCE(q->port->pfc_en) & BIT(prio))
		return LOSSLESS_ADMITTED;
	return LLE_DROP_LIMIT;
}

/* Accounts memory, in the switch's buffer if there is an ingress port. */
static __always_inline void lossless_occupy(struct lossless_qdisc *q,
					    struct lossless_queue *queue,
					    const struct sk_buff *skb)
{
	const struct lossless_cb *cb = lossless_cb(skb);
	struct lle_sb_memory *memory = &queue->stats->memory;

	if (likely(cb->iport || cb->flags & LOSSLESS_CB_PARKED)) {
		memory->bytes += skb->truesize;
		if (unlikely(lle_memory_has_changed(memory)))
			lle_admit_update_memory(q->port, memory);
	} else if (cb->flags & LOSSLESS_CB_COPY) {
		q->copy_memory += skb->truesize;
	} else {
		q->local_memory += skb->truesize;
	}
}

/*
 * Charges a packet without ingress port. Packets of the host wait in its
 * memory, as before a NIC: bounded by the socket's buffer, or, if lossy or
 * without a socket, by twice the switch's buffer. Copies for monitors get only
 * an eighth of that.
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

static __always_inline int lossless_charge(struct lossless_qdisc *q,
					   struct sk_buff *skb,
					   unsigned int prio, u32 len)
{
	struct lossless_cb *cb = lossless_cb(skb);
	struct lle_charge charge = {
		.pg = lossless_cb_pg(skb),
		.queue = prio,
		.packets = lle_gso_packets(skb),
		.bytes = len,
	};

	if (!cb->iport)
		return lossless_charge_local(q, skb, prio);
	switch (lle_admit(cb->iport, &charge, q->port)) {
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

/* Bytes on the link. Those of a GSO packet have been set. */
static inline u32 lossless_bytes(const struct sk_buff *skb)
{
	return skb_is_gso(skb) ? qdisc_pkt_len(skb) : lle_port_skb_bytes(skb);
}

static noinline int lossless_refuse(struct sk_buff *skb, struct Qdisc *sch,
				    struct sk_buff **to_free, unsigned int prio,
				    int reason)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	u32 packets = lle_gso_packets(skb);

	if (reason != LOSSLESS_COUNTED)
		lle_admit_drop(q->port, prio, reason, lossless_bytes(skb),
			       packets);
	sch->qstats.drops += packets;
	__qdisc_drop(skb, to_free);
	return NET_XMIT_DROP;
}

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

static inline bool lossless_admits(int verdict)
{
	return verdict == LOSSLESS_ADMITTED || verdict == LOSSLESS_MARK;
}

/*
 * May a packet with a filled cb be queued? WRED decides by @queued_bytes.
 * Returns LOSSLESS_ADMITTED or LOSSLESS_MARK if charged; else a drop reason.
 */
static __always_inline int lossless_verdict(struct Qdisc *sch,
					    struct lossless_queue *queue,
					    struct sk_buff *skb, u32 len,
					    u32 queued_bytes)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = lossless_cb(skb)->prio;
	int wred, reason;

	wred = lossless_wred(q, queue, skb, queued_bytes);
	if (unlikely(READ_ONCE(q->port->attention.discard) & BIT(prio)))
		return LLE_DROP_STORM;
	if (unlikely(!lossless_admits(wred)))
		return wred;
	reason = lossless_limit(sch, prio, len);
	if (likely(reason == LOSSLESS_ADMITTED))
		reason = lossless_charge(q, skb, prio, len);
	return likely(reason == LOSSLESS_ADMITTED) ? wred : reason;
}

static __always_inline void lossless_prepare(struct lossless_queue *queue,
					     struct sk_buff *skb, u32 len,
					     int verdict)
{
	/*
	 * Across veth a packet still belongs to its sender's socket, but a
	 * fabric cannot congest if the switch's queue throttles senders.
	 */
	if (unlikely(skb->destructor) && lossless_cb(skb)->iport)
		skb_orphan(skb);
	if (unlikely(verdict == LOSSLESS_MARK))
		lossless_mark(queue, skb);
	if (unlikely(skb_is_gso(skb)))
		lossless_cb(skb)->flags |= LOSSLESS_CB_GSO;
	lle_skb_set_pkt_len(skb, len);
}

static __always_inline int lossless_queued(struct Qdisc *sch,
					   struct lossless_queue *queue,
					   struct sk_buff *skb, u32 len)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lle_port_egress *stats = queue->stats;
	unsigned int prio = lossless_cb(skb)->prio;

	lossless_occupy(q, queue, skb);
	stats->backlog += len;
	if (stats->backlog > READ_ONCE(stats->backlog_max))
		WRITE_ONCE(stats->backlog_max, stats->backlog);
	if (unlikely(READ_ONCE(q->port->attention.paused) & ~q->ready & BIT(prio)))
		lle_watchdog_waits(q->port, prio);
	q->ready |= BIT(prio);
	q->backlog += len;
	qdisc_qlen_inc(sch);
	return NET_XMIT_SUCCESS;
}

static int lossless_cut(struct sk_buff *skb, struct Qdisc *sch,
			struct sk_buff **to_free, bool whole);

/*
 * Queues a packet with a filled cb. The bytes of a GSO packet are set; RCM cuts
 * it if it is longer than a frame.
 */
static noinline int lossless_admit(struct sk_buff *skb, struct Qdisc *sch,
				   struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = lossless_cb(skb)->prio;
	struct lossless_queue *queue = &q->queue[prio];
	u32 len = lossless_bytes(skb), wred_bytes = queue->stats->backlog;
	bool looks = lossless_rcm_looks(q, queue, lle_port_skb_bytes(skb));
	struct lossless_way way;
	int verdict;

	if (unlikely(looks)) {
		if (skb_is_gso(skb) && len > lle_reaction_frame(q->port))
			return lossless_cut(skb, sch, to_free, false);
		wred_bytes = lossless_rcm_find(q, queue, skb, &way);
	}
	verdict = lossless_verdict(sch, queue, skb, len, wred_bytes);
	if (unlikely(!lossless_admits(verdict)))
		return lossless_refuse(skb, sch, to_free, prio, verdict);
	lossless_prepare(queue, skb, len, verdict);
	if (likely(!queue->rcm))
		lossless_fifo_push(&queue->fifo, skb);
	else if (looks)
		lossless_rcm_push(q, queue, skb, len, &way);
	else
		lossless_rcm_append_plain(queue, skb, len);
	return lossless_queued(sch, queue, skb, len);
}

/*
 * Identifies a packet received by a port of the switch (mark and skb_iif agree)
 * or sent by a socket of this host: almost all packets. The mark has its
 * priority group; the header that leaves selects @queue, or -1: not read yet.
 * Returns false for other packets.
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
 * Identifies any other packet. Returns false if consumed, with enqueue's
 * @result. A monitor must not obey copies of frames for this switch.
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

static __always_inline int lossless_express(struct sk_buff *skb,
					    struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	q->express = skb;
	qdisc_qlen_inc(sch);
	return NET_XMIT_SUCCESS;
}

/* May @skb take the link at once, unseen by limit, WRED and RCM? */
static bool lossless_is_alone(const struct lossless_qdisc *q,
			      const struct sk_buff *skb)
{
	const struct lossless_queue *queue = &q->queue[lossless_cb(skb)->prio];
	u32 len;

	if (q->ready || READ_ONCE(q->port->attention.any))
		return false;
	if (!q->special && !q->isolating)
		return true;
	len = lle_port_skb_bytes(skb);
	return !(q->special & LOSSLESS_SPECIAL_WRED) && len <= q->limit_bytes &&
	       !lossless_rcm_looks(q, queue, len);
}

static int lossless_enqueue_gso(struct sk_buff *skb, struct Qdisc *sch,
				struct sk_buff **to_free);

static noinline int lossless_enqueue_any(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	int result;

	lossless_qdisc_settle(sch);
	if (unlikely(!lossless_identify(q, skb)) &&
	    !lossless_identify_other(skb, sch, to_free, &result))
		return result;
	if (unlikely(skb_is_gso(skb)))
		return lossless_enqueue_gso(skb, sch, to_free);
	if (!lossless_is_alone(q, skb))
		return lossless_admit(skb, sch, to_free);
	if (skb->destructor && lossless_cb(skb)->iport)
		skb_orphan(skb);
	return lossless_express(skb, sch);
}

/*
 * Queues the express packet, which exists. The sender is not notified if it is
 * dropped. Under the root lock.
 */
void lossless_enqueue_express(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb = q->express, *to_free = NULL;

	q->express = NULL;
	qdisc_qlen_dec(sch);
	lossless_admit(skb, sch, &to_free);
	kfree_skb_list(to_free);
}

/* Makes a piece of several segments a GSO packet again. */
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

static struct sk_buff *lossless_divide(struct sk_buff *skb, unsigned int each)
{
	netdev_features_t features = netif_skb_features(skb) & ~NETIF_F_GSO_MASK;
	unsigned int size = skb_shinfo(skb)->gso_size;
	unsigned int type = skb_shinfo(skb)->gso_type;
	struct sk_buff *segs, *piece;

	if (each == 1)
		return skb_gso_segment(skb, features);
	/* clones of the sender and of taps keep their gso_size */
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
 * Cuts a GSO packet that is too long: into segments; or, if @whole or too many
 * for the root lock, into pieces that fit the port's burst or a frame. A guest
 * may ask for segments of one byte.
 */
static noinline int lossless_cut(struct sk_buff *skb, struct Qdisc *sch,
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
		lle_gso_piece(lle_reaction_frame(q->port), whole, &piece);
		each = min(lle_gso_divide(&gso, &piece, overhead_bytes),
			   U16_MAX / size);
	}
	/* only the last segment has the socket */
	if (skb->sk)
		lossless_cb(skb)->flags |= LOSSLESS_CB_SOCKET;
	if (DIV_ROUND_UP(segments, each) <= LOSSLESS_SEGMENTS)
		segs = lossless_divide(skb, each);
	if (IS_ERR_OR_NULL(segs)) {
		lle_skb_set_pkt_len(skb, gso.bytes);
		return lossless_refuse(skb, sch, to_free, lossless_cb(skb)->prio,
				       LLE_DROP_NOMEM);
	}

	skb_list_walk_safe(segs, segs, next) {
		skb_mark_not_on_list(segs);
		if (lossless_admit(segs, sch, to_free) ==
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

	lle_gso_piece(lle_reaction_frame(q->port), true, &piece);
	if (!q->whole || !lle_gso_count(skb, 0, &gso) ||
	    !lle_gso_fits(&gso, &piece, q->link_params.overhead_bytes))
		return lossless_cut(skb, sch, to_free, q->whole);
	lle_skb_set_pkt_len(skb, gso.bytes);
	return lossless_admit(skb, sch, to_free);
}

/*
 * Qdisc_ops.enqueue. Short path: an IP packet that reaches an idle port without
 * attention bits takes a free link at once, and never occupies the buffer.
 */
int lossless_enqueue(struct sk_buff *skb, struct Qdisc *sch,
		     struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	const struct lle_port_params *params;
	int queue;

	if (unlikely(READ_ONCE(q->port->attention.any) || q->special ||
		     q->isolating || q->ready || q->express || skb_is_gso(skb)))
		return lossless_enqueue_any(skb, sch, to_free);
	params = rcu_dereference_bh(q->port->params);
	queue = lle_classify_short(params, skb, ETH_HLEN);
	if (unlikely(queue < 0 || !lossless_identify_as(q, params, skb, queue) ||
		     (skb->destructor && lossless_cb(skb)->iport)))
		return lossless_enqueue_any(skb, sch, to_free);
	return lossless_express(skb, sch);
}
