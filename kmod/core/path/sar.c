// SPDX-License-Identifier: GPL-2.0
/*
 * Switch-level adaptive routing: which of several equal paths a flow takes.
 *
 * A flow leaves a congested path for the least congested one, by equation 2:
 *
 *	F_b' = (1 - w) * F_b + w * F_br
 *
 * An identified flow stays: it would carry the congestion along.
 *
 * Deviations from the paper:
 *  1. A known flow moves only after a gap ("flowlet") in which its last packet
 *     should have arrived. A pause longer than the gap may still reorder.
 *  2. F_b is the backlog, not its excess over Q_eq, to compare uncongested
 *     paths by their queues.
 */
#include "sar.h"

/* Time unit of a record; the bits below it hold the path */
#define LLE_SAR_TICK_NS		256

/* Number of gaps after which a flow is forgotten */
#define LLE_SAR_FORGET		16

/* Cost of a pause, added to F_b' */
#define LLE_SAR_PAUSED_COST	20

/* A flow moves only if it saves more than this */
#define LLE_SAR_MARGIN		2

u64 lle_sar_seen(unsigned int path, u64 now_ns)
{
	/* + 1: a record is never 0 */
	return (now_ns & ~(LLE_SAR_TICK_NS - 1ULL)) | (path + 1);
}

unsigned int lle_sar_last(u64 seen)
{
	return (seen & (LLE_SAR_TICK_NS - 1)) - 1;
}

enum lle_sar_age lle_sar_age(u64 seen, u64 gap_ns, u64 now_ns)
{
	u64 last_ns = seen & ~(LLE_SAR_TICK_NS - 1ULL);

	/* no subtraction: another CPU may have set a slightly later @seen */
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
		if (path[n].known && lle_sar_cost(&path[n]) < least) {
			least = lle_sar_cost(&path[n]);
			best = n;
		}
	return best;
}
