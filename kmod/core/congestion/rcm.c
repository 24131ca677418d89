// SPDX-License-Identifier: GPL-2.0
/*
 * Regional congestion mitigation at one queue of an egress port: CRD detects
 * congestion, CFR identifies its flows, RCC divides the port, and notifications
 * of the downstream neighbour hold destinations.
 *
 * Deviations from the paper:
 *  1. Congested packets have their own queues: no other packet waits behind.
 *  2. A notified port does not cut rates by F_b: it holds and releases.
 *  3. Notifications list destinations; ports that face their host know flows.
 *  4. Each notification lists all held destinations, and expires: lost or late
 *     ones do no lasting harm.
 *  5. With a window, packets of isolated IDs are sampled once in LLE_RCM_LOOK
 *     largest packets; in the paper F_b sets the interval (section 3.2). The
 *     virtual queue counts each packet: several at once would look like a
 *     burst, and no region would end.
 */
#include "rcm_packet.h"

/* Searches for expired holds and IDs per lifetime of a hold */
#define LLE_RCM_SWEEPS		4

/* The paper's "several" notifications with holds in a row */
#define LLE_RCM_SEVERAL		3

void lle_rcm_params_init(struct lle_rcm_params *p)
{
	lle_crd_params_init(&p->crd);
	p->rcc.rate_q16 = p->crd.rate_q16;
}

void lle_rcm_init(struct lle_rcm *r, struct lle_rcm_stats *stats)
{
	memset(r, 0, sizeof(*r));
	r->stats = stats;
	lle_cfr_clear(&r->cfr);
	lle_isolated_init(&r->ids);
}

void lle_rcm_expire(struct lle_rcm *r, const struct lle_rcm_params *p,
		    u64 now_ns)
{
	unsigned int id;

	r->sweep_ns = now_ns + p->hold_ns / LLE_RCM_SWEEPS;
	if (r->class_until_ns <= now_ns)
		r->class_until_ns = 0;
	for (id = 0; (id = lle_isolated_each(&r->ids, id));) {
		const struct lle_rcm_id *e = &r->ids.id[id];

		if (e->held_until_ns <= now_ns)
			lle_isolated_hold(&r->ids, id, 0);
		if (!e->last && !e->held_until_ns &&
		    e->local_until_ns < now_ns && e->remote_until_ns < now_ns)
			lle_isolated_drop(&r->ids, id);
	}
}

static void lle_rcm_make_local(struct lle_rcm *r, const struct lle_rcm_params *p,
			       u32 name, u64 now_ns)
{
	unsigned int id = lle_isolated_make(&r->ids, name);
	struct lle_rcm_id *e = &r->ids.id[id];

	/* IDs listed by a neighbour are not identified here */
	if (!id || e->remote_until_ns >= now_ns)
		return;
	r->stats->identified += !e->local_until_ns;
	e->local_until_ns = now_ns + p->linger_ns;
}

/*
 * Congestion begins: identify each ID that stands out. If no ID does at a
 * fabric port, a link is too slow for all: then identify destinations with at
 * least two arrivals.
 */
static void lle_rcm_name_all(struct lle_rcm *r, const struct lle_rcm_params *p,
			     u64 now_ns)
{
	const struct lle_cfr_entry *entry = NULL;
	bool any = false;

	while ((entry = lle_cfr_next(&r->cfr, entry)))
		if (lle_cfr_is_congested(&r->cfr, entry->id)) {
			lle_rcm_make_local(r, p, entry->id, now_ns);
			any = true;
		}
	if (any || !p->by_dst)
		return;
	while ((entry = lle_cfr_next(&r->cfr, entry)))
		if (entry->hits >= 2)
			lle_rcm_make_local(r, p, entry->id, now_ns);
}

/* Arrivals of IDs that are not isolated; @num_n: number of these IDs */
static unsigned int lle_rcm_others(const struct lle_rcm *r, unsigned int *num_n)
{
	const struct lle_cfr_entry *entry = NULL;
	unsigned int packets = 0;

	*num_n = 0;
	while ((entry = lle_cfr_next(&r->cfr, entry)))
		if (!lle_isolated_find(&r->ids, entry->id)) {
			packets += entry->hits;
			++*num_n;
		}
	return packets;
}

void lle_rcm_cut(struct lle_rcm *r, const struct lle_rcm_params *p,
		 u32 others_bytes, u64 now_ns)
{
	unsigned int num_n;

	lle_rcm_others(r, &num_n);
	/* queued packets may be older than CFR's memory */
	if (others_bytes)
		num_n = max(num_n, 1U);
	lle_rcc_next(&r->rcc, &p->rcc, r->crd.fb, r->ids.count, num_n, now_ns);
}

static void lle_rcm_start(struct lle_rcm *r, const struct lle_rcm_params *p,
			  u32 others_bytes, u64 now_ns)
{
	unsigned int num_n, share_q8, fair_q8;

	share_q8 = 256 - 256 * lle_rcm_others(r, &num_n) / LLE_CFR_DEPTH;
	/* held arrivals are not in CFR's memory */
	fair_q8 = 256 * r->ids.count / (r->ids.count + num_n);
	lle_rcc_start(&r->rcc, &p->rcc, others_bytes, max(share_q8, fair_q8),
		      now_ns);
	lle_rcm_cut(r, p, others_bytes, now_ns);
}

/* A packet of @name arrives with F_b > 0. */
static void lle_rcm_congested(struct lle_rcm *r, const struct lle_rcm_params *p,
			      u32 name, u32 others_bytes, u64 now_ns)
{
	if (r->rcc.active) {
		if (p->by_dst ? lle_cfr_is_congested(&r->cfr, name) :
				lle_cfr_is_lasting(&r->cfr, name))
			lle_rcm_make_local(r, p, name, now_ns);
		return;
	}
	if (p->by_dst ? lle_cfr_full(&r->cfr) :
			lle_cfr_is_congested(&r->cfr, name))
		lle_rcm_name_all(r, p, now_ns);
	if (r->ids.count && lle_cfr_full(&r->cfr))
		lle_rcm_start(r, p, others_bytes, now_ns);
}

void lle_rcm_begin(struct lle_rcm *r, u32 queue_bytes, u64 now_ns)
{
	r->busy = true;
	r->new_bytes = 0;
	lle_crd_reset(&r->crd, queue_bytes, now_ns);
}

unsigned int lle_rcm_sample(struct lle_rcm *r, const struct lle_rcm_params *p,
			    u32 name, u32 others_bytes, u64 now_ns)
{
	unsigned int fb = lle_crd_sample(&r->crd, &p->crd);

	r->new_bytes = 0;
	if (fb) {
		r->root_until_ns = now_ns + p->linger_ns;
		lle_rcm_congested(r, p, name, others_bytes, now_ns);
	}
	return fb;
}

u64 lle_rcm_wake_ns(const struct lle_rcm *r)
{
	return r->rcc.active ? min(r->sweep_ns, r->rcc.until_ns) : r->sweep_ns;
}

bool lle_rcm_receive(struct lle_rcm *r, const struct lle_rcm_params *p,
		     const struct lle_cn *cn, u64 now_ns)
{
	unsigned int n, id;

	/* accept a restarted neighbour once its last message has expired */
	if (lle_rcm_is_remote(r, p, now_ns) && (s32)(cn->seq - r->cn_seq) <= 0)
		return false;
	if (!cn->count && !cn->class_held)
		r->received_run = 0;
	else if (now_ns - r->received_ns >= p->linger_ns)
		r->received_run = 1;
	else
		r->received_run = min(r->received_run + 1, LLE_RCM_SEVERAL);
	r->received_any = true;
	r->cn_seq = cn->seq;
	r->received_ns = now_ns;
	r->fbr = cn->fb;
	r->class_until_ns = cn->class_held ? now_ns + p->hold_ns : 0;

	for (n = 0; n < cn->count; n++) {
		id = lle_isolated_make(&r->ids, cn->name[n]);
		if (!id)
			continue;
		r->ids.id[id].cn_seq = cn->seq;
		r->ids.id[id].local_until_ns = 0;
		r->ids.id[id].remote_until_ns = now_ns + p->linger_ns;
		lle_isolated_hold(&r->ids, id, now_ns + p->hold_ns);
	}
	for (id = 0; (id = lle_isolated_each(&r->ids, id));)
		if (r->ids.id[id].cn_seq != cn->seq)
			lle_isolated_hold(&r->ids, id, 0);
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
			     lle_rcm_is_remote(r, p, now_ns));
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
			  (remote && r->received_run == LLE_RCM_SEVERAL);
	path->identified = lle_rcm_packet_find(r, lle_rcm_packet_name(p, flow));
	path->degree = lle_crd_blend(waits, r->fbr, remote);
}
