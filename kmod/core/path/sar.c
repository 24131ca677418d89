// SPDX-License-Identifier: GPL-2.0
/*
 * Switch-level adaptive routing: on which of several equal paths a flow goes.
 *
 * A flow whose path is congested goes on by the one that is congested least, by equation 2:
 *
 *	F_b' = (1 - w) * F_b + w * F_br
 *
 * A flow that is part of the congestion stays: it would only carry it on.
 *
 * Deviations from the paper:
 *  1. A flow also moves when it is not new, but nothing was sent for so long that the last
 *     packet has arrived by whatever path ("flowlet"): otherwise it would be reordered.
 *  2. Here F_b is what waits, not what exceeds Q_eq: of paths that are not congested the
 *     one with the shorter queue is better.
 */
#include "sar.h"

/* A note is a time, in multiples of this, and a path. */
#define LLE_SAR_TICK_NS		256

/* Flows are forgotten after so many gaps. */
#define LLE_SAR_FORGET		16

/* A path that is paused is as bad as one whose F_b' is higher by this. */
#define LLE_SAR_PAUSED_COST	20

/* So much better has another path to be. */
#define LLE_SAR_MARGIN		2

u64 lle_sar_seen(unsigned int path, u64 now_ns)
{
	/* + 1: that of path 0 at 0 ns is not 0 */
	return (now_ns & ~(LLE_SAR_TICK_NS - 1ULL)) | (path + 1);
}

unsigned int lle_sar_last(u64 seen)
{
	return (seen & (LLE_SAR_TICK_NS - 1)) - 1;
}

enum lle_sar_age lle_sar_age(u64 seen, u64 gap_ns, u64 now_ns)
{
	u64 last_ns = seen & ~(LLE_SAR_TICK_NS - 1ULL);

	/* another CPU may have a time that is a little later */
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
