/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A second shared buffer: each byte has a place (reserved, shared, headroom),
 * summed up each time. Thresholds as 2^to_alpha * free : 2^10 * used.
 */
#ifndef LLE_SB_ORACLE_H
#define LLE_SB_ORACLE_H

#include "../../kmod/core/buffer/credit.h"

/* No verdict: the returned change of xoff and the state differ. */
#define SB_LIES		(~0U)

static inline struct lle_sb_params sb_params(const struct lle_sb_params *p)
{
	struct lle_sb_params derived = *p;

	lle_sb_params_init(&derived);
	return derived;
}

/* lle_sb_admit() without LLE_SB_XOFF, which it checks. */
static inline unsigned int sb_in(struct lle_sb *sb,
				 const struct lle_sb_params *p,
				 struct lle_sb_pg *pg, u32 len)
{
	const struct lle_sb_params derived = sb_params(p);
	bool was = pg->xoff;
	unsigned int got = lle_sb_admit(sb, &derived, pg, len);

	if (!!(got & LLE_SB_XOFF) != (pg->xoff && !was) || (was && !pg->xoff))
		return SB_LIES;
	return got & ~LLE_SB_XOFF;
}

/* lle_sb_release(). True: the reported XON agrees. */
static inline bool sb_out(struct lle_sb *sb, struct lle_sb_pg *pg, u32 len)
{
	bool was = pg->xoff;

	return lle_sb_release(sb, pg, len) == (was && !pg->xoff) &&
	       (was || !pg->xoff);
}

/* lle_sb_set_lossless(). True: the reported XON agrees. */
static inline bool sb_set(struct lle_sb *sb, struct lle_sb_pg *pg,
			  bool lossless)
{
	bool was = pg->xoff;

	return lle_sb_set_lossless(sb, pg, lossless) == (was && !pg->xoff) &&
	       pg->lossless == lossless;
}

#define ORACLE_GROUPS	12
#define ORACLE_GREEDY	(ORACLE_GROUPS - 1)

/* ORACLE_GREEDY: another port's group, without a threshold */
static const struct lle_sb_params oracle_greedy __maybe_unused = { .xoff_bytes = U32_MAX };

struct sb_oracle_pg {
	bool lossless;
	bool xoff;
	s64 reserved;
	s64 shared;
	s64 headroom;
	s64 xon;
};

struct sb_oracle {
	s64 size;
	s64 carved;
	const struct lle_sb_params *p;
	struct sb_oracle_pg pg[ORACLE_GROUPS];
};

static inline s64 sb_oracle_sum(const struct sb_oracle_pg *g)
{
	return g->reserved + g->shared + g->headroom;
}

static inline s64 sb_oracle_used(const struct sb_oracle *o)
{
	s64 used = 0;
	int g;

	for (g = 0; g < ORACLE_GROUPS; g++)
		used += o->pg[g].shared;
	return used;
}

static inline s64 sb_oracle_free(const struct sb_oracle *o)
{
	s64 left = o->size - o->carved - sb_oracle_used(o);

	return left < 0 ? 0 : left;
}

/* May the group get shared bytes? Tests have less than 2^43 bytes. */
static inline bool sb_oracle_may(const struct sb_oracle *o,
				 const struct sb_oracle_pg *g)
{
	s64 right = sb_oracle_free(o) << o->p->to_alpha;

	if (o->p->xoff_bytes)
		return g->shared < o->p->xoff_bytes;
	return g->shared * 1024 < right;
}

static inline void sb_oracle_pause(struct sb_oracle *o, struct sb_oracle_pg *g)
{
	s64 top = g->shared, limit;

	if (!g->lossless || g->xoff || !sb_oracle_sum(g))
		return;
	if (!g->headroom &&
	    (g->reserved < o->p->reserved_bytes || sb_oracle_may(o, g)))
		return;

	limit = o->p->xoff_bytes;
	if (!limit)
		limit = (sb_oracle_free(o) << o->p->to_alpha) / 1024;
	if (limit < top)
		top = limit;
	g->xoff = true;
	g->xon = o->p->reserved_bytes + top - (s64)o->p->xon_delta_bytes;
	if (g->xon < 0)
		g->xon = 0;
}

static inline enum lle_sb_verdict sb_oracle_in(struct sb_oracle *o, int group,
					       s64 len)
{
	enum lle_sb_verdict verdict = LLE_SB_ADMIT;
	struct sb_oracle_pg *g = &o->pg[group];
	s64 own = o->p->reserved_bytes - g->reserved;
	s64 rest;

	if (group == ORACLE_GREEDY) {
		if (len > sb_oracle_free(o))
			return LLE_SB_DROP_BUFFER;
		g->shared += len;
		return LLE_SB_ADMIT;
	}
	if (own < 0)
		own = 0;
	if (own > len)
		own = len;
	rest = len - own;

	if (!rest || (rest <= sb_oracle_free(o) && sb_oracle_may(o, g))) {
		g->reserved += own;
		g->shared += rest;
	} else if (g->lossless && g->headroom + rest <= o->p->headroom_bytes) {
		g->reserved += own;
		g->headroom += rest;
	} else if (g->lossless) {
		verdict = LLE_SB_DROP_HEADROOM;
	} else if (rest > sb_oracle_free(o)) {
		verdict = LLE_SB_DROP_BUFFER;
	} else {
		verdict = LLE_SB_DROP_THRESHOLD;
	}
	sb_oracle_pause(o, g);
	return verdict;
}

static inline void sb_oracle_out(struct sb_oracle *o, int group, s64 len)
{
	struct sb_oracle_pg *g = &o->pg[group];

	s64 headroom = len < g->headroom ? len : g->headroom;
	s64 shared = len - headroom < g->shared ? len - headroom : g->shared;

	g->headroom -= headroom;
	g->shared -= shared;
	g->reserved -= len - headroom - shared;
	if (g->xoff && sb_oracle_sum(g) <= g->xon)
		g->xoff = false;
}

static inline void sb_oracle_set(struct sb_oracle *o, int group, bool lossless)
{
	struct sb_oracle_pg *g = &o->pg[group];

	g->lossless = lossless;
	if (!lossless) {
		g->xoff = false;
		g->shared += g->headroom;
		g->headroom = 0;
	}
}

/* Bytes beyond the headroom become shared. */
static inline void sb_oracle_resize(struct sb_oracle *o, s64 carved)
{
	struct sb_oracle_pg *pg;
	s64 over;

	o->carved = carved;
	for (pg = o->pg; pg < o->pg + ORACLE_GROUPS; pg++) {
		over = pg->headroom - (s64)o->p->headroom_bytes;
		if (over <= 0)
			continue;
		pg->headroom -= over;
		pg->shared += over;
	}
}

/* Invariants also after changes of the parameters */
static inline const char *sb_broken(const struct lle_sb *sb,
				    const struct lle_sb_pg *pgs, int n)
{
	u64 used = 0;
	int g;

	for (g = 0; g < n; g++) {
		if ((int)lle_sb_shared(&pgs[g]) < 0)
			return "more released than charged";
		if (!pgs[g].careful && (pgs[g].xoff || pgs[g].headroom ||
					pgs[g].reserved))
			return "not careful";
		if (pgs[g].xoff && !lle_sb_occ(&pgs[g]))
			return "xoff, but nothing to wait for";
		if (pgs[g].xoff && !pgs[g].lossless)
			return "xoff without PFC";
		if (pgs[g].headroom && !pgs[g].lossless)
			return "headroom without PFC";
		if (pgs[g].xoff && lle_sb_occ(&pgs[g]) <= pgs[g].xon)
			return "xoff at or below xon";
		if (lle_sb_occ(&pgs[g]) > pgs[g].occ_max)
			return "occ_max";
		if (pgs[g].headroom > pgs[g].headroom_max)
			return "headroom_max";
		used += lle_sb_shared(&pgs[g]);
	}
	if (used != sb->used - lle_credit_lent(sb))
		return "shared bytes of the groups are not those in use";
	return NULL;
}

/* Invariants while the parameters stay */
static inline const char *sb_broken_strict(const struct lle_sb *sb,
					   const struct lle_sb_params *p,
					   const struct lle_sb_pg *pgs, int n)
{
	int g;

	for (g = 0; g < n; g++) {
		if (pgs[g].headroom > p->headroom_bytes)
			return "more headroom than there is";
		if (pgs[g].headroom && !pgs[g].xoff)
			return "headroom in use, but the upstream may send";
		if (pgs[g].reserved > (g == ORACLE_GREEDY ? 0 : p->reserved_bytes))
			return "more reserved bytes than there are";
	}
	return sb_broken(sb, pgs, n);
}

static inline bool sb_oracle_agrees(const struct sb_oracle *o,
				    const struct lle_sb_pg *pgs)
{
	int g;

	for (g = 0; g < ORACLE_GROUPS; g++)
		if (lle_sb_occ(&pgs[g]) != sb_oracle_sum(&o->pg[g]) ||
		    lle_sb_shared(&pgs[g]) != o->pg[g].shared ||
		    pgs[g].headroom != o->pg[g].headroom ||
		    pgs[g].xoff != o->pg[g].xoff ||
		    (pgs[g].xoff && pgs[g].xon != o->pg[g].xon))
			return false;
	return true;
}

#endif /* LLE_SB_ORACLE_H */
