// SPDX-License-Identifier: GPL-2.0
/*
 * Switch-level adaptive routing: which of several equal paths a flow takes.
 *
 * A flow leaves a congested path for the least congested one, by equation 2:
 *
 *	F_b' = (1 - w) * F_b + w * F_br
 *
 * A flow that is part of the congestion stays: it would carry it on.
 *
 * Deviations from the paper:
 *  1. A flow that is not new moves only after a gap ("flowlet"), by the end of
 *     which its last packet should have arrived. A packet that a pause delays
 *     for longer than the gap can be overtaken.
 *  2. F_b is the backlog, not its excess over Q_eq: of paths that are not
 *     congested, the one with the shorter queue is better.
 */
#include "sar.h"

/* Unit of the time in a record; the bits below it have the path */
#define LLE_SAR_TICK_NS		256

/* Gaps without packets after which a flow is forgotten */
#define LLE_SAR_FORGET		16

/* What a pause adds to the cost of a path, which is F_b' */
#define LLE_SAR_PAUSED_COST	20

/* A flow moves only if that saves more than this. */
#define LLE_SAR_MARGIN		2

u64 lle_sar_seen(unsigned int path, u64 now_ns)
{
	/* + 1: a record is never 0, not even of path 0 at 0 ns */
	return (now_ns & ~(LLE_SAR_TICK_NS - 1ULL)) | (path + 1);
}

unsigned int lle_sar_last(u64 seen)
{
	return (seen & (LLE_SAR_TICK_NS - 1)) - 1;
}

enum lle_sar_age lle_sar_age(u64 seen, u64 gap_ns, u64 now_ns)
{
	u64 last_ns = seen & ~(LLE_SAR_TICK_NS - 1ULL);

	/* add, do not subtract: @seen of another CPU may be a little later */
	if (!seen)
		return LLE_SAR_NEW;
	if (now_ns < last_ns + gap_ns)
		return LLE_SAR_GOES_ON;
	return now_ns - last_ns < LLE_SAR_FORGET * gap_ns ? LLE_SAR_PAUSED :
							    LLE_SAR_NEW;
}

static unsigned int lle_sar_cost(const struct lle_sar_path *path)
{
	return path->degree + (path->paused ? LLE_SAR_PAUSED_COST : 0);
}

unsigned int lle_sar_choose(const struct lle_sar_path *path, unsigned int num,
			    unsigned int own)
{
	unsigned int n, best = own;
	unsigned int least = lle_sar_cost(&path[own]);

	least -= min_t(unsigned int, least, LLE_SAR_MARGIN);
	for (n = 0; n < num; n++)
		if (n != own && path[n].known &&
		    lle_sar_cost(&path[n]) < least) {
			least = lle_sar_cost(&path[n]);
			best = n;
		}
	return best;
}
