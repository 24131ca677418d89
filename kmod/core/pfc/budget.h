/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_BUDGET_H
#define LLE_CORE_BUDGET_H

/*
 * Limit for the work that a neighbour can cause: a token bucket, kept as the
 * time at which it is full again (GCRA, ITU-T I.371 annex A). In the long run
 * one request in gap_ns is within the limit.
 */
#include "../core.h"

/**
 * struct lle_budget - state of a limit
 * @full_ns: time at which the bucket is full again
 */
struct lle_budget {
	u64 full_ns;
};

/**
 * lle_budget_next() - find when the next request is within the limit
 * @b: the budget
 * @gap_ns: time between requests in the long run
 * @burst: requests that may come at once after the first
 *
 * Return: time in nanoseconds; it may have passed.
 */
static inline u64 lle_budget_next(const struct lle_budget *b, u64 gap_ns,
				  unsigned int burst)
{
	u64 ahead_ns = burst * gap_ns;

	return b->full_ns > ahead_ns ? b->full_ns - ahead_ns : 0;
}

/**
 * lle_budget_take() - count a request if it is within the limit
 * @b: the budget
 * @gap_ns: as lle_budget_next()
 * @burst: as lle_budget_next()
 * @now_ns: the time
 *
 * Context: any; the caller serialises calls on one @b.
 * Return: true: it is within the limit. Requests beyond it cost nothing.
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
