/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_BUDGET_H
#define LLE_CORE_BUDGET_H

/*
 * A limit for what a neighbour can make the switch do: a token bucket, kept as the time
 * at which it would be full (GCRA, ITU-T I.371 annex A).
 *
 *	each request takes gap_ns in the long run; burst of them may come at once
 */
#include "../core.h"

/**
 * struct lle_budget - what is left of a limit
 * @full_ns: until when the requests so far would have taken, had they come one by one
 */
struct lle_budget {
	u64 full_ns;
};

/**
 * lle_budget_next() - when the next request is within the limit
 * @b: the budget
 * @gap_ns: time a request takes
 * @burst: requests that may come at once
 *
 * Return: nanoseconds; a time that is past: now.
 */
static inline u64 lle_budget_next(const struct lle_budget *b, u64 gap_ns,
				  unsigned int burst)
{
	u64 ahead_ns = burst * gap_ns;

	return b->full_ns > ahead_ns ? b->full_ns - ahead_ns : 0;
}

/**
 * lle_budget_take() - a request has come
 * @b: the budget
 * @gap_ns: time a request takes
 * @burst: requests that may come at once
 * @now_ns: the time
 *
 * Context: any; the caller serialises calls on one @b.
 * Return: it is within the limit, and is counted. One that is not costs nothing.
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
