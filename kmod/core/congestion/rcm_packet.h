/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regional congestion mitigation at one queue of an egress port: the work per
 * packet while it is busy, inline for speed. The rest is in rcm.c.
 */
#ifndef LLE_CORE_RCM_PACKET_H
#define LLE_CORE_RCM_PACKET_H

#include "rcm.h"

/* Interval of samples of isolated packets, in largest packets */
#define LLE_RCM_LOOK		4

/* ID of a flow at a port: a destination or a flow */
static inline u32 lle_rcm_packet_name(const struct lle_rcm_params *p,
				      const struct lle_flow *flow)
{
	return p->by_dst ? flow->dst : flow->flow;
}

/* Does the age of flows matter? See las.c. */
static inline bool lle_rcm_packet_ages(const struct lle_rcm_params *p)
{
	return p->by_dst || p->las.limit_bytes;
}

/* Isolated ID of lle_rcm_packet_name(); 0: it is not isolated */
static inline unsigned int lle_rcm_packet_find(const struct lle_rcm *r,
					       u32 name)
{
	return r->ids.count ? lle_isolated_find(&r->ids, name) : 0;
}

/* May a packet bypass this destination, as little has lately? */
static inline bool lle_rcm_packet_may_pass(struct lle_rcm_id *e,
					   const struct lle_rcm_params *p,
					   u32 len, u64 now_ns)
{
	if (now_ns - e->passed_since_ns >= p->linger_ns) {
		e->passed_since_ns = now_ns;
		e->passed_bytes = 0;
	}
	return e->passed_bytes + len <= p->pass_bytes;
}

/*
 * Does a packet bypass its isolated destination @id? lle_las_arrive() has
 * counted it; @next is its sequence number if it does.
 */
static inline bool lle_rcm_packet_pass(struct lle_rcm *r,
				       const struct lle_rcm_params *p,
				       unsigned int id, unsigned int place,
				       u32 len, u32 next, u64 now_ns)
{
	struct lle_rcm_id *e = &r->ids.id[id];

	if (!lle_las_may_pass(&r->las, place, p->pass_bytes) ||
	    !lle_rcm_packet_may_pass(e, p, len, now_ns))
		return false;
	lle_las_pass(&r->las, place, next);
	e->passed_bytes += len;
	return true;
}

/* Account a packet to be isolated. Returns as lle_isolated_push(). */
static inline unsigned int
lle_rcm_packet_push(struct lle_rcm *r, const struct lle_rcm_params *p,
		    unsigned int id, unsigned int place, unsigned int ingress,
		    bool young, u32 len, const struct lle_rcm_others *others)
{
	unsigned int sub = lle_isolated_push(&r->ids, id, ingress, young, len,
					     others->next);

	if (!sub)
		return 0;
	if (lle_rcm_packet_ages(p))
		lle_las_push(&r->las, place);
	if (p->by_dst)
		lle_isolated_wait(&r->ids, sub, r->las.place[place].seq,
				  others);
	return sub;
}

/* Account a grown packet that is not isolated. */
static inline void lle_rcm_packet_push_back(struct lle_rcm *r,
					    unsigned int place, u32 len)
{
	lle_las_push(&r->las, place);
	r->las.grown_bytes += len;
}

/* Such a packet leaves. */
static inline void lle_rcm_packet_pop_back(struct lle_rcm *r,
					   unsigned int place, u32 len)
{
	lle_las_pop(&r->las, place);
	r->las.grown_bytes -= len;
}

/* Begin to look at each packet, with @queue_bytes in the virtual queue. */
void lle_rcm_begin(struct lle_rcm *r, u32 queue_bytes, u64 now_ns);

/* End expired holds, and the isolation of expired IDs. */
void lle_rcm_expire(struct lle_rcm *r, const struct lle_rcm_params *p,
		    u64 now_ns);

/* Measure F_b after an arrival, and act on it; see lle_rcm_packet_arrive(). */
unsigned int lle_rcm_sample(struct lle_rcm *r, const struct lle_rcm_params *p,
			    u32 name, u32 others_bytes, u64 now_ns);

static inline void lle_rcm_packet_sweep(struct lle_rcm *r,
					const struct lle_rcm_params *p,
					u64 now_ns)
{
	if (unlikely(now_ns >= r->sweep_ns))
		lle_rcm_expire(r, p, now_ns);
}

/*
 * Begin to look at each packet, if not busy; lle_rcm_packet_arrive() does so,
 * too.
 */
static inline void lle_rcm_packet_watch(struct lle_rcm *r,
					const struct lle_rcm_params *p,
					u32 others_bytes, u64 now_ns)
{
	if (unlikely(!r->busy))
		lle_rcm_begin(r, min(others_bytes, p->crd.onset_bytes), now_ns);
}

/**
 * lle_rcm_packet_arrive() - detect congestion and its flows by an arrival
 * @r: state
 * @p: parameters
 * @name: lle_rcm_packet_name() of the packet; identified IDs are isolated from
 *	the next packet on
 * @id: of lle_rcm_packet_find(); 0 also if the packet bypasses it
 * @len: its bytes
 * @others_bytes: queued bytes that are not isolated, without the packet
 * @now_ns: the time; it never decreases
 * Return: quantized F_b; 0: no congestion. Source: RCM section 3.
 */
static inline unsigned int lle_rcm_packet_arrive(struct lle_rcm *r,
						 const struct lle_rcm_params *p,
						 u32 name, unsigned int id,
						 u32 len, u32 others_bytes,
						 u64 now_ns)
{
	const struct lle_rcm_id *e = &r->ids.id[id];
	bool look;

	lle_rcm_packet_watch(r, p, others_bytes, now_ns);
	lle_rcm_packet_sweep(r, p, now_ns);
	if (id && (e->held_until_ns || e->remote_until_ns >= now_ns))
		return 0;
	r->new_bytes += len;
	look = !id || !r->rcc.active ||
	       r->new_bytes >= LLE_RCM_LOOK * p->rcc.mtu_bytes;

	if (!r->ids.count &&
	    lle_crd_queue(&r->crd, &p->crd, now_ns) < p->crd.onset_bytes)
		lle_cfr_clear(&r->cfr);
	/* fabric: also identify IDs that will send too much once these wait */
	if (look || p->by_dst)
		lle_cfr_arrive(&r->cfr, name, id && !p->by_dst);
	lle_crd_arrive(&r->crd, &p->crd, len, now_ns);
	if (!look)
		return 0;
	return lle_rcm_sample(r, p, name, others_bytes, now_ns);
}

/* Cut W_c and start the next window. */
void lle_rcm_cut(struct lle_rcm *r, const struct lle_rcm_params *p,
		 u32 others_bytes, u64 now_ns);

/* The congestion ends when nothing is isolated and the queues are short. */
static inline bool lle_rcm_packet_is_over(struct lle_rcm *r,
					  const struct lle_rcm_params *p,
					  u32 others_bytes, u64 now_ns)
{
	return !r->ids.count && others_bytes < p->crd.onset_bytes &&
	       lle_crd_queue(&r->crd, &p->crd, now_ns) < p->crd.onset_bytes;
}

/*
 * Choose between young packets: isolated and others take turns. LLE_RCM_WAIT:
 * no young packet may be sent, or a grown one is next.
 */
static inline unsigned int
lle_rcm_packet_young(const struct lle_rcm *r, const struct lle_rcm_params *p,
		     const struct lle_rcm_others *others, u64 not_held_after_ns)
{
	bool front = others->bytes > r->las.grown_bytes;
	unsigned int sub = 0;

	if (lle_las_is_grown_next(&r->las, &p->las))
		return LLE_RCM_WAIT;
	if (r->ids.young_bytes && !(front && r->las.isolated))
		sub = lle_isolated_next(&r->ids, true, others, not_held_after_ns);
	return sub || front ? sub : LLE_RCM_WAIT;
}

/* Choose between young and grown packets that are not isolated. */
static inline unsigned int
lle_rcm_packet_other(const struct lle_rcm *r, const struct lle_rcm_params *p,
		     const struct lle_rcm_others *others)
{
	/* grown packets do not overtake earlier young ones */
	if (others->first != others->front &&
	    (others->bytes == r->las.grown_bytes ||
	     lle_las_is_grown_next(&r->las, &p->las)))
		return LLE_RCM_BACK;
	return others->bytes || !r->ids.bytes ? 0 : LLE_RCM_WAIT;
}

/*
 * Choose the queue that sends. Returns a queue of lle_rcm_ids; 0: the other
 * packets, if any; LLE_RCM_BACK: grown other packets; LLE_RCM_WAIT: only
 * isolated packets, which must wait. In each queue young packets come first.
 * When RCM ceases to be busy, the caller moves grown packets to the front,
 * behind the young ones.
 */
static __always_inline unsigned int
lle_rcm_packet_next(struct lle_rcm *r, const struct lle_rcm_params *p,
		    const struct lle_rcm_others *others, u64 now_ns)
{
	unsigned int sub = LLE_RCM_WAIT;
	u64 not_held_after_ns;

	lle_rcm_packet_sweep(r, p, now_ns);
	if (!r->ids.count && !r->crd.local)
		lle_rcc_stop(&r->rcc);
	if (lle_rcm_packet_is_over(r, p, others->bytes, now_ns)) {
		r->busy = false;
		r->crd.local = false;
		lle_rcc_stop(&r->rcc);
		return 0;
	}
	if (r->rcc.active && lle_rcc_is_over(&r->rcc, now_ns))
		lle_rcm_cut(r, p, others->bytes, now_ns);

	not_held_after_ns = r->class_until_ns ? now_ns : U64_MAX;
	if (p->las.limit_bytes && p->by_dst)
		sub = lle_rcm_packet_young(r, p, others, not_held_after_ns);
	if (sub != LLE_RCM_WAIT)
		return sub;
	sub = lle_isolated_next(&r->ids, false, others, not_held_after_ns);
	if (sub && lle_rcc_may_send(&r->rcc, others->bytes))
		return sub;
	return lle_rcm_packet_other(r, p, others);
}

/**
 * lle_rcm_wake_ns() - when to choose again, after LLE_RCM_WAIT
 * @r: state
 */
u64 lle_rcm_wake_ns(const struct lle_rcm *r);

/*
 * Account a packet chosen by lle_rcm_packet_next(). @place: of its flow, unless
 * the packet is young and not isolated.
 */
static __always_inline void lle_rcm_packet_sent(struct lle_rcm *r,
						const struct lle_rcm_params *p,
						unsigned int sub, bool young,
						unsigned int place, u32 len)
{
	if (sub) {
		lle_isolated_pop(&r->ids, sub, young, len);
		if (lle_rcm_packet_ages(p))
			lle_las_pop(&r->las, place);
	} else if (!young) {
		lle_rcm_packet_pop_back(r, place, len);
	}
	lle_las_sent(&r->las, sub, young, len);
	lle_rcc_sent(&r->rcc, &p->rcc, sub, len);
}

#endif /* LLE_CORE_RCM_PACKET_H */
