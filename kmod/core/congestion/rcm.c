// SPDX-License-Identifier: GPL-2.0
/*
 * Regional congestion mitigation at one queue of an egress port: CRD detects
 * congestion, CFR identifies its flows, RCC divides the port, and notifications
 * of the downstream neighbour hold destinations.
 *
 * Deviations from the paper:
 *  1. Congested packets have queues of their own, so that no other packet
 *     waits behind them.
 *  2. A notified port does not cut rates by F_b: it holds and releases.
 *  3. Notifications list destinations. A port distinguishes flows only if it
 *     faces the host that all of them go to.
 *  4. Each notification lists all held destinations, and expires: a lost or
 *     late one does no lasting harm.
 *  5. While there is a window, packets of isolated IDs are sampled once in
 *     LLE_RCM_LOOK largest packets: they are known to be congested. In the
 *     paper the interval depends on F_b (section 3.2). The virtual queue counts
 *     each packet: several added at once would look like a burst, and no region
 *     would end.
 */
#include "rcm.h"

/* Bytes from one sample of isolated packets to the next, in largest packets */
#define LLE_RCM_LOOK		4

/* Searches for expired holds and IDs during the life of a hold */
#define LLE_RCM_SWEEPS		4

/* Notifications with holds in a row that the paper's "several" means */
#define LLE_RCM_SEVERAL		3

void lle_rcm_params_init(struct lle_rcm_params *p)
{
	lle_crd_params_init(&p->crd);
	p->rcc.rate_q16 = p->crd.rate_q16;
}

void lle_rcm_init(struct lle_rcm *r, const struct lle_rcm_params *p,
		  struct lle_rcm_stats *stats)
{
	memset(r, 0, sizeof(*r));
	r->stats = stats;
	lle_cfr_init(&r->cfr, p->depth);
	lle_rcm_ids_init(&r->ids);
}

/* End the holds that were not repeated, and the isolation of expired IDs. */
static noinline void lle_rcm_expire(struct lle_rcm *r,
				    const struct lle_rcm_params *p, u64 now_ns)
{
	unsigned int id;

	r->sweep_ns = now_ns + p->hold_ns / LLE_RCM_SWEEPS;
	if (r->class_until_ns <= now_ns)
		r->class_until_ns = 0;
	for (id = 0; (id = lle_rcm_ids_each(&r->ids, id));) {
		const struct lle_rcm_id *e = &r->ids.id[id];

		if (e->held_until_ns && e->held_until_ns <= now_ns)
			lle_rcm_ids_hold(&r->ids, id, 0);
		if (!e->bytes && !e->held_until_ns &&
		    e->local_until_ns < now_ns && e->remote_until_ns < now_ns)
			lle_rcm_ids_drop(&r->ids, id);
	}
}

static inline void lle_rcm_sweep(struct lle_rcm *r,
				 const struct lle_rcm_params *p, u64 now_ns)
{
	if (unlikely(now_ns >= r->sweep_ns))
		lle_rcm_expire(r, p, now_ns);
}

/* Returns the ID; 0: none is free. */
static unsigned int lle_rcm_make(struct lle_rcm *r, u32 name)
{
	unsigned int id = lle_rcm_ids_make(&r->ids, name);

	r->stats->overflows += !id;
	return id;
}

static void lle_rcm_make_local(struct lle_rcm *r, const struct lle_rcm_params *p,
			       u32 name, u64 now_ns)
{
	unsigned int id = lle_rcm_make(r, name);
	struct lle_rcm_id *e = &r->ids.id[id];

	/* an ID that a neighbour lists is not identified here */
	if (!id || e->remote_until_ns >= now_ns)
		return;
	r->stats->identified += !e->local_until_ns;
	e->local_until_ns = now_ns + p->linger_ns;
}

/*
 * Congestion begins: identify each ID that stands out. If none does at a fabric
 * port, its destinations share a link that is too slow for all of them: then
 * identify those with two arrivals or more.
 */
static void lle_rcm_name_all(struct lle_rcm *r, const struct lle_rcm_params *p,
			     u64 now_ns)
{
	const struct lle_cfr_entry *entry = NULL;
	bool any = false;

	while ((entry = lle_cfr_next(&r->cfr, entry)))
		if (lle_cfr_is_congested(&r->cfr, p->rule, entry->id)) {
			lle_rcm_make_local(r, p, entry->id, now_ns);
			any = true;
		}
	if (any || !p->by_dst)
		return;
	while ((entry = lle_cfr_next(&r->cfr, entry)))
		if (entry->hits >= 2)
			lle_rcm_make_local(r, p, entry->id, now_ns);
}

/* Count the arrivals of IDs that are not isolated and, in @num_n, the IDs. */
static unsigned int lle_rcm_others(const struct lle_rcm *r, unsigned int *num_n)
{
	const struct lle_cfr_entry *entry = NULL;
	unsigned int packets = 0;

	*num_n = 0;
	while ((entry = lle_cfr_next(&r->cfr, entry)))
		if (!lle_rcm_ids_find(&r->ids, entry->id)) {
			packets += entry->hits;
			++*num_n;
		}
	return packets;
}

static void lle_rcm_cut(struct lle_rcm *r, const struct lle_rcm_params *p,
			u32 others_bytes, u64 now_ns)
{
	unsigned int num_n;

	lle_rcm_others(r, &num_n);
	/* the queued ones may have arrived before all that CFR has */
	if (others_bytes)
		num_n = max(num_n, 1U);
	lle_rcc_next(&r->rcc, &p->rcc, r->crd.fb, r->ids.count, num_n, now_ns);
}

static void lle_rcm_start(struct lle_rcm *r, const struct lle_rcm_params *p,
			  u32 others_bytes, u64 now_ns)
{
	unsigned int num_n, share_q8, fair_q8;

	share_q8 = 256 - 256 * lle_rcm_others(r, &num_n) / r->cfr.depth;
	/* arrivals that a neighbour asked to hold are not in CFR's memory */
	fair_q8 = 256 * r->ids.count / (r->ids.count + num_n);
	lle_rcc_start(&r->rcc, &p->rcc, others_bytes, max(share_q8, fair_q8),
		      now_ns);
	lle_rcm_cut(r, p, others_bytes, now_ns);
}

/* F_b is above 0 at the arrival of a packet of @name. */
static void lle_rcm_congested(struct lle_rcm *r, const struct lle_rcm_params *p,
			      u32 name, u32 others_bytes, u64 now_ns)
{
	if (r->rcc.active) {
		if (p->by_dst ? lle_cfr_is_congested(&r->cfr, p->rule, name) :
				lle_cfr_is_lasting(&r->cfr, p->rule, name))
			lle_rcm_make_local(r, p, name, now_ns);
		return;
	}
	if (p->by_dst ? lle_cfr_full(&r->cfr) :
			lle_cfr_is_congested(&r->cfr, p->rule, name))
		lle_rcm_name_all(r, p, now_ns);
	if (r->ids.count && lle_cfr_full(&r->cfr))
		lle_rcm_start(r, p, others_bytes, now_ns);
}

static void lle_rcm_begin(struct lle_rcm *r, u32 queue_bytes, u64 now_ns)
{
	r->busy = true;
	r->new_bytes = 0;
	lle_crd_reset(&r->crd, queue_bytes, now_ns);
}

void lle_rcm_watch(struct lle_rcm *r, const struct lle_rcm_params *p,
		   u32 others_bytes, u64 now_ns)
{
	if (!r->busy)
		lle_rcm_begin(r, min(others_bytes, p->crd.onset_bytes), now_ns);
}

/* Has little bypassed this destination lately, so that a packet may? */
static bool lle_rcm_lets_pass(struct lle_rcm_id *e, const struct lle_rcm_params *p,
			      u32 len, u64 now_ns)
{
	if (now_ns - e->passed_since_ns >= p->linger_ns) {
		e->passed_since_ns = now_ns;
		e->passed_bytes = 0;
	}
	return e->passed_bytes + len <= p->pass_bytes;
}

bool lle_rcm_pass(struct lle_rcm *r, const struct lle_rcm_params *p,
		  unsigned int id, unsigned int place, u32 len, u32 next,
		  u64 now_ns)
{
	struct lle_rcm_id *e = &r->ids.id[id];

	if (!lle_las_may_pass(&r->las, place, p->pass_bytes) ||
	    !lle_rcm_lets_pass(e, p, len, now_ns))
		return false;
	lle_las_pass(&r->las, place, next);
	e->passed_bytes += len;
	return true;
}

unsigned int lle_rcm_push(struct lle_rcm *r, const struct lle_rcm_params *p,
			  unsigned int id, unsigned int place,
			  unsigned int ingress, bool young, u32 len,
			  const struct lle_rcm_others *others)
{
	unsigned int sub = lle_rcm_ids_push(&r->ids, id, ingress, young, len,
					    others->next);

	if (!sub)
		return 0;
	lle_las_push(&r->las, place);
	if (p->by_dst)
		lle_rcm_ids_wait(&r->ids, sub, r->las.place[place].seq, others);
	return sub;
}

unsigned int lle_rcm_arrive(struct lle_rcm *r, const struct lle_rcm_params *p,
			    const struct lle_flow *flow, unsigned int id,
			    u32 len, u32 others_bytes, u64 now_ns, u32 rnd)
{
	const struct lle_rcm_id *e = &r->ids.id[id];
	u32 name = lle_rcm_name(p, flow);
	unsigned int fb;
	bool look;

	lle_rcm_watch(r, p, others_bytes, now_ns);
	lle_rcm_sweep(r, p, now_ns);
	if (p->rule == LLE_CFR_NONE ||
	    (id && (e->held_until_ns || e->remote_until_ns >= now_ns)))
		return 0;
	r->new_bytes += len;
	look = !id || !r->rcc.active ||
	       r->new_bytes >= LLE_RCM_LOOK * p->rcc.mtu_bytes;

	if (!r->ids.count &&
	    lle_crd_queue(&r->crd, &p->crd, now_ns) < p->crd.onset_bytes)
		lle_cfr_clear(&r->cfr);
	/* fabric: IDs that send too much once these wait are identified, too */
	if (look || p->by_dst)
		lle_cfr_arrive(&r->cfr, name, id && !p->by_dst);
	lle_crd_arrive(&r->crd, &p->crd, len, now_ns);
	if (!look)
		return 0;
	r->new_bytes = 0;
	fb = lle_crd_sample(&r->crd, &p->crd, rnd);
	if (fb) {
		r->root_until_ns = now_ns + p->linger_ns;
		lle_rcm_congested(r, p, name, others_bytes, now_ns);
	}
	return fb;
}

/* The congestion is over when nothing is isolated and the queues are short. */
static bool lle_rcm_is_over(struct lle_rcm *r, const struct lle_rcm_params *p,
			    u32 others_bytes, u64 now_ns)
{
	return !r->ids.count && others_bytes < p->crd.onset_bytes &&
	       lle_crd_queue(&r->crd, &p->crd, now_ns) < p->crd.onset_bytes;
}

/*
 * Choose between young packets: isolated and others take turns. Returns
 * LLE_RCM_WAIT if there are none, or a grown packet is next.
 */
static unsigned int lle_rcm_next_young(const struct lle_rcm *r,
				       const struct lle_rcm_params *p,
				       const struct lle_rcm_others *others,
				       u64 not_held_after_ns)
{
	bool front = others->bytes > r->las.grown_bytes;
	unsigned int sub = 0;

	if (lle_las_is_grown_next(&r->las, &p->las))
		return LLE_RCM_WAIT;
	if (r->ids.young_bytes && !(front && r->las.isolated))
		sub = lle_rcm_ids_next(&r->ids, true, others, not_held_after_ns);
	return sub || front ? sub : LLE_RCM_WAIT;
}

/* Choose between young and grown ones of the packets that are not isolated. */
static unsigned int lle_rcm_next_other(const struct lle_rcm *r,
				       const struct lle_rcm_params *p,
				       const struct lle_rcm_others *others)
{
	/* grown packets do not overtake young ones that arrived before */
	if (others->first != others->front &&
	    (others->bytes == r->las.grown_bytes ||
	     lle_las_is_grown_next(&r->las, &p->las)))
		return LLE_RCM_BACK;
	return others->bytes || !r->ids.bytes ? 0 : LLE_RCM_WAIT;
}

unsigned int lle_rcm_next(struct lle_rcm *r, const struct lle_rcm_params *p,
			  const struct lle_rcm_others *others, u64 now_ns)
{
	unsigned int sub = LLE_RCM_WAIT;
	u64 not_held_after_ns;

	lle_rcm_sweep(r, p, now_ns);
	if (!r->ids.count && !r->crd.local)
		lle_rcc_stop(&r->rcc);
	if (lle_rcm_is_over(r, p, others->bytes, now_ns)) {
		r->busy = false;
		r->crd.local = false;
		lle_rcc_stop(&r->rcc);
		return 0;
	}
	if (r->rcc.active && lle_rcc_is_over(&r->rcc, now_ns))
		lle_rcm_cut(r, p, others->bytes, now_ns);

	not_held_after_ns = r->class_until_ns ? now_ns : U64_MAX;
	if (p->las.limit_bytes && p->by_dst)
		sub = lle_rcm_next_young(r, p, others, not_held_after_ns);
	if (sub != LLE_RCM_WAIT)
		return sub;
	sub = lle_rcm_ids_next(&r->ids, false, others, not_held_after_ns);
	if (sub && lle_rcc_may_send(&r->rcc, &p->rcc, others->bytes))
		return sub;
	return lle_rcm_next_other(r, p, others);
}

u64 lle_rcm_wake_ns(const struct lle_rcm *r)
{
	return r->rcc.active ? min(r->sweep_ns, r->rcc.until_ns) : r->sweep_ns;
}

void lle_rcm_sent(struct lle_rcm *r, const struct lle_rcm_params *p,
		  unsigned int sub, bool young, unsigned int place, u32 len)
{
	if (sub) {
		lle_rcm_ids_pop(&r->ids, sub, young, len);
		lle_las_pop(&r->las, place);
	} else if (!young) {
		lle_rcm_pop_back(r, place, len);
	}
	lle_las_sent(&r->las, sub, young, len);
	if (young && (r->las.grown_bytes || r->ids.bytes > r->ids.young_bytes))
		r->stats->overtook += !!p->las.limit_bytes;
	lle_rcc_sent(&r->rcc, &p->rcc, sub, len);
}

bool lle_rcm_hear(struct lle_rcm *r, const struct lle_rcm_params *p,
		  const struct lle_cn *cn, u64 now_ns)
{
	unsigned int n, id;

	/* believe a restarted neighbour once its last message has expired */
	if (lle_rcm_is_remote(r, p, now_ns) && (s32)(cn->seq - r->heard) <= 0)
		return false;
	if (!cn->count && !cn->class_held)
		r->heard_run = 0;
	else if (now_ns - r->heard_ns >= p->linger_ns)
		r->heard_run = 1;
	else
		r->heard_run = min(r->heard_run + 1, LLE_RCM_SEVERAL);
	r->heard_any = true;
	r->heard = cn->seq;
	r->heard_ns = now_ns;
	r->fbr = cn->fb;
	r->class_until_ns = cn->class_held ? now_ns + p->hold_ns : 0;

	for (n = 0; n < cn->count; n++) {
		id = lle_rcm_make(r, cn->name[n]);
		if (!id)
			continue;
		r->ids.id[id].heard = cn->seq;
		r->ids.id[id].local_until_ns = 0;
		r->ids.id[id].remote_until_ns = now_ns + p->linger_ns;
		lle_rcm_ids_hold(&r->ids, id, now_ns + p->hold_ns);
	}
	for (id = 0; (id = lle_rcm_ids_each(&r->ids, id));)
		if (r->ids.id[id].held_until_ns && r->ids.id[id].heard != cn->seq)
			lle_rcm_ids_hold(&r->ids, id, 0);
	if (r->ids.count && !r->busy) {
		lle_rcm_begin(r, 0, now_ns);
		lle_cfr_clear(&r->cfr);
	}
	return true;
}

unsigned int lle_rcm_degree(const struct lle_rcm *r,
			    const struct lle_rcm_params *p, u64 now_ns)
{
	return lle_crd_blend(r->crd.local ? r->crd.fb : 0, r->fbr,
			     lle_rcm_is_remote(r, p, now_ns) ?
				     p->fbr_weight_q8 : 0);
}

void lle_rcm_path(const struct lle_rcm *r, const struct lle_rcm_params *p,
		  const struct lle_flow *flow, u32 others_bytes, u64 now_ns,
		  struct lle_sar_path *path)
{
	bool remote = lle_rcm_is_remote(r, p, now_ns);
	/* unlike F_b, this counts the backlog from its first byte */
	unsigned int waits = lle_crd_quantize(&p->crd, others_bytes);

	path->known = true;
	path->congested = r->crd.local ||
			  (remote && r->heard_run == LLE_RCM_SEVERAL);
	path->identified = lle_rcm_find(r, p, flow);
	path->degree = lle_crd_blend(waits, r->fbr,
				     remote ? p->fbr_weight_q8 : 0);
}
