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
#include <net/inet_ecn.h>

#include "../kmod/lossless/ingress.h"
#include "../kmod/lossless/reaction.h"
#include "../kmod/lossless/rx.h"
#include "../kmod/lossless/watchdog.h"
#include "congestion_path.h"

/* Results of the steps below, beside a reason to drop the packet. */
#define LOSSLESS_ADMITTED	(-1)
#define LOSSLESS_COUNTED	(-2)	/* to be dropped, counted already */
#define LOSSLESS_MARK		(-3)	/* to be marked once it is admitted */
#define LOSSLESS_PARKED		(-4)	/* admitted, charged to the parking */

/* Read the ECN field; INET_ECN_NOT_ECT also if there is none. */
static unsigned int lossless_ecn(const struct sk_buff *skb)
{
	int at = skb_network_offset(skb);
	const u8 *data;
	u8 buf[2];

	if (skb->protocol != htons(ETH_P_IP) &&
	    skb->protocol != htons(ETH_P_IPV6))
		return INET_ECN_NOT_ECT;
	data = skb_header_pointer(skb, at, sizeof(buf), buf);
	if (!data)
		return INET_ECN_NOT_ECT;
	return (skb->protocol == htons(ETH_P_IP) ? data[1] : data[1] >> 4) &
	       INET_ECN_MASK;
}

/*
 * Mark the packet CE, unless it is already. It may share its data with the
 * sender's retransmission queue or with copies flooded to other ports, which
 * are not congested: make the header writable first.
 */
void lossless_mark(struct lossless_queue *queue, struct sk_buff *skb)
{
	unsigned int len = skb_network_offset(skb);

	if (lossless_ecn(skb) == INET_ECN_CE)
		return;
	len += skb->protocol == htons(ETH_P_IP) ? sizeof(struct iphdr) :
						  sizeof(struct ipv6hdr);
	if (!pskb_may_pull(skb, len) || skb_try_make_writable(skb, len))
		return;
	if (INET_ECN_set_ce(skb))
		queue->stats->ecn_marked += lle_gso_packets(skb);
}

static noinline int lossless_wred_decide(struct lossless_qdisc *q,
					 struct lossless_queue *queue,
					 struct sk_buff *skb, u32 bytes)
{
	switch (lle_wred_decide(&queue->wred, bytes, lossless_ecn(skb),
				lle_random(&q->port->random))) {
	case LLE_WRED_PASS:
		break;
	case LLE_WRED_MARK:
		return LOSSLESS_MARK;
	case LLE_WRED_DROP:
		return LLE_DROP_WRED;
	case LLE_WRED_DROP_NONECT:
		return LLE_DROP_WRED_NONECT;
	case LLE_WRED_DROP_BUFMAX:
		return LLE_DROP_WRED_BUFMAX;
	}
	return LOSSLESS_ADMITTED;
}

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

/* @way: NULL: without RCM, or RCM has nothing to do. @rcm: there may be RCM */
static __always_inline void
lossless_push(struct lossless_qdisc *q, struct lossless_queue *queue,
	      struct sk_buff *skb, struct lle_port *iport, unsigned int prio,
	      u32 len, const struct lossless_way *way, bool rcm)
{
	struct lle_port_egress *stats = queue->stats;

	if (way) {
		lossless_rcm_push(q, queue, skb, iport, prio, len, way);
	} else if (rcm && queue->rcm) {
		lossless_rcm_append(queue, skb);
		*lossless_rcm_from(queue->rcm, skb) += len;
	} else {
		lossless_fifo_push(&queue->fifo, skb);
	}
	stats->backlog += len;
	if (stats->backlog > READ_ONCE(stats->backlog_max))
		WRITE_ONCE(stats->backlog_max, stats->backlog);
}

/*
 * A packet is charged to its ingress port's share of the buffer. A packet
 * without one, as of the host itself, waits in the host's memory, as it would
 * before a NIC: only a runaway sender is stopped, at the size of the buffer.
 */
static __always_inline int lossless_charge(struct lossless_qdisc *q,
					   struct lle_port *iport,
					   unsigned int prio, u32 len,
					   u32 packets)
{
	if (iport) {
		switch (lle_port_admit(iport, prio, len, packets, q->port)) {
		case LLE_ADMITTED:
			return LOSSLESS_ADMITTED;
		case LLE_PARKED:
			return LOSSLESS_PARKED;
		case LLE_DROPPED:
			return LOSSLESS_COUNTED;
		}
	}

	if (q->local_bytes + len > READ_ONCE(q->port->sw->sb.size))
		return LLE_DROP_LIMIT;
	q->local_bytes += len;
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

/*
 * The rest of the path, to queue @prio. @way: NULL: without RCM, or RCM has
 * nothing to do. @rcm: there may be RCM. @plain: the port needs no attention,
 * there is no limit, and it is no GSO packet.
 */
static __always_inline int
lossless_enqueue_to(struct sk_buff *skb, struct Qdisc *sch,
		    struct sk_buff **to_free, struct lle_port *iport,
		    unsigned int prio, const struct lossless_way *way,
		    bool rcm, bool plain)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
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
		reason = lossless_charge(q, iport, prio, len,
					 gso ? lle_gso_packets(skb) : 1);
	/*
	 * Across veth a packet still belongs to its sender's socket, and a fabric
	 * cannot congest if the switch's queue throttles the senders.
	 */
	if (iport && unlikely(skb->destructor))
		skb_orphan(skb);
	if (unlikely(reason != LOSSLESS_ADMITTED)) {
		if (reason != LOSSLESS_PARKED)
			return lossless_refuse(skb, sch, to_free, prio, reason);
		iport = NULL;
	}
	if (unlikely(wred == LOSSLESS_MARK))
		lossless_mark(queue, skb);

	lle_skb_set_pkt_len(skb, len);
	lossless_cb(skb)->iport = iport;
	lossless_cb(skb)->prio = prio;
	lossless_cb(skb)->flags =
		(reason == LOSSLESS_PARKED ? LOSSLESS_CB_PARKED : 0) |
		(gso ? LOSSLESS_CB_GSO : 0);
	lossless_push(q, queue, skb, iport, prio, len, way, rcm);
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
			struct sk_buff **to_free, struct lle_port *iport,
			unsigned int prio, bool plain)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_way way;

	lossless_rcm_find(q, q->queue[prio].rcm, skb, iport, &way);
	return lossless_enqueue_to(skb, sch, to_free, iport, prio, &way, true,
				   plain);
}

static noinline int lossless_enqueue_looked_any(struct sk_buff *skb,
						struct Qdisc *sch,
						struct sk_buff **to_free,
						struct lle_port *iport,
						unsigned int prio)
{
	return lossless_enqueue_looked(skb, sch, to_free, iport, prio, false);
}

static noinline int lossless_enqueue_looked_plain(struct sk_buff *skb,
						  struct Qdisc *sch,
						  struct sk_buff **to_free,
						  struct lle_port *iport,
						  unsigned int prio)
{
	return lossless_enqueue_looked(skb, sch, to_free, iport, prio, true);
}

static int lossless_enqueue_segments(struct sk_buff *skb, struct Qdisc *sch,
				     struct sk_buff **to_free);

/* Any packet. The bytes of a GSO packet have been set. */
static noinline int lossless_enqueue_any(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	struct lle_port *iport = lle_ingress_marked(skb);
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = lle_ingress_prio(skb);

	if (unlikely(!lle_ingress_agrees(iport, q->port, skb))) {
		switch (lle_ingress_find(q->port, skb, &iport)) {
		case LLE_ORIGIN_ARRIVED:
			prio = lle_ingress_prio(skb);
			break;
		case LLE_ORIGIN_OTHER:
		case LLE_ORIGIN_COPY:
			prio = lle_rx_classify(q->port, skb,
					       skb->priority % LLE_NUM_PRIO);
			break;
		case LLE_ORIGIN_GONE:
			return NET_XMIT_SUCCESS;
		case LLE_ORIGIN_DISCARD:
			return qdisc_drop(skb, sch, to_free);
		}
	}

	if (unlikely(lossless_rcm_looks(q, &q->queue[prio], lle_skb_bytes(skb)))) {
		if (skb_is_gso(skb))
			return lossless_enqueue_segments(skb, sch, to_free);
		return lossless_enqueue_looked_any(skb, sch, to_free, iport, prio);
	}
	return lossless_enqueue_to(skb, sch, to_free, iport, prio, NULL, true,
				   false);
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
	struct lle_port *iport = lle_ingress_marked(skb);
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = lle_ingress_prio(skb);

	if (likely(!iport && !skb->skb_iif))
		prio = lle_rx_classify(q->port, skb,
				       skb->priority % LLE_NUM_PRIO);
	else if (unlikely(!lle_ingress_agrees(iport, q->port, skb)))
		return lossless_enqueue_any(skb, sch, to_free);
	if (rcm && unlikely(lossless_rcm_looks(q, &q->queue[prio],
					       lle_skb_bytes(skb))))
		return lossless_enqueue_looked_plain(skb, sch, to_free, iport,
						     prio);
	return lossless_enqueue_to(skb, sch, to_free, iport, prio, NULL, rcm,
				   true);
}

static noinline int lossless_enqueue_rcm(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	return lossless_enqueue_plain(skb, sch, to_free, true);
}

static noinline int lossless_enqueue_special(struct sk_buff *skb,
					     struct Qdisc *sch,
					     struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	if (READ_ONCE(q->port->attention.any) ||
	    q->special & LOSSLESS_SPECIAL_LIMIT)
		return lossless_enqueue_any(skb, sch, to_free);
	return lossless_enqueue_rcm(skb, sch, to_free);
}

static noinline int lossless_enqueue_fast(struct sk_buff *skb, struct Qdisc *sch,
					  struct sk_buff **to_free)
{
	return lossless_enqueue_plain(skb, sch, to_free, false);
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

static noinline int lossless_enqueue_segments(struct sk_buff *skb,
					      struct Qdisc *sch,
					      struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	netdev_features_t features = netif_skb_features(skb);
	struct sk_buff *segs, *next;
	unsigned int queued = 0;

	segs = skb_gso_segment(skb, features & ~NETIF_F_GSO_MASK);
	if (IS_ERR_OR_NULL(segs)) {
		lle_port_drop(q->port, skb->priority % LLE_NUM_PRIO,
			      LLE_DROP_NOMEM, skb->len, 1);
		return qdisc_drop(skb, sch, to_free);
	}

	skb_list_walk_safe(segs, segs, next) {
		skb_mark_not_on_list(segs);
		if (lossless_enqueue_one(segs, sch, to_free) ==
		    NET_XMIT_SUCCESS)
			queued++;
	}
	consume_skb(skb);
	return queued ? NET_XMIT_SUCCESS : NET_XMIT_DROP;
}

/*
 * A GSO packet: whole, unless it is longer than headroom allows for. One that has
 * too many segments to cut it under the root lock is sent whole in any case, or
 * dropped if it is too long for that: a guest may ask for segments of one byte.
 */
static noinline int lossless_enqueue_gso(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lle_gso gso, piece;
	bool known, many;

	known = lle_gso_count(skb, 0, &gso);
	many = known && gso.packets > LOSSLESS_SEGMENTS;
	lle_gso_piece(lle_port_frame(q->port), q->whole || many, &piece);
	if (known && (q->whole || many) &&
	    lle_gso_fits(&gso, &piece, q->link_params.overhead_bytes)) {
		lle_skb_set_pkt_len(skb, gso.bytes);
		return lossless_enqueue_any(skb, sch, to_free);
	}
	if (!many)
		return lossless_enqueue_segments(skb, sch, to_free);
	lle_port_drop(q->port, skb->priority % LLE_NUM_PRIO, LLE_DROP_NOMEM,
		      gso.bytes, gso.packets);
	return qdisc_drop(skb, sch, to_free);
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
