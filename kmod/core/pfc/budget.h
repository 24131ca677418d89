/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_BUDGET_H
#define LLE_CORE_BUDGET_H

/*
 * Limit for the work that a neighbour can cause, one request per gap_ns in the
 * long run: a token bucket, kept as the time at which it is full again (GCRA,
 * ITU-T I.371 annex A).
 */
#include "../core.h"

/*
 * PFC frames of an edge host that are reported, not only obeyed: one in the link
 * time of this many bytes, at least one in this time; burst, in frames
 */
#define LLE_BUDGET_PAUSE_BYTES	1048576
#define LLE_BUDGET_PAUSE_NS	(NSEC_PER_SEC / 1000)
#define LLE_BUDGET_PAUSE_BURST	64

/* Time between two of them on a link of @bytes_per_s */
static inline u64 lle_budget_pause_gap_ns(u64 bytes_per_s)
{
	u64 gap_ns = div64_u64((u64)LLE_BUDGET_PAUSE_BYTES * NSEC_PER_SEC,
			       bytes_per_s);

	return min_t(u64, gap_ns, LLE_BUDGET_PAUSE_NS);
}

/**
 * struct lle_budget - state of a limit
 * @full_ns: time at which the bucket is full again
 */
struct lle_budget {
	u64 full_ns;
};

/*
 * When the next request is within the limit. @gap_ns: between requests in the
 * long run; @burst: requests allowed at once after the first.
 */
static inline u64 lle_budget_next(const struct lle_budget *b, u64 gap_ns,
				  unsigned int burst)
{
	u64 ahead_ns = burst * gap_ns;

	return b->full_ns > ahead_ns ? b->full_ns - ahead_ns : 0;
}

/*
 * Count a request if it is within the limit; refused ones cost nothing.
 * Context: any; the caller serialises calls on one @b.
 */
static inline bool lle_budget_take(struct lle_budget *b, u64 gap_ns,
				   unsigned int burst, u64 now_ns)
{
	if (now_ns < lle_budget_next(b, gap_ns, burst))
		return false;
	b->full_ns = max(b->full_ns, now_ns) + gap_ns;
	return true;
}

#endif /* LLE_CORE_BUDGET_H */
