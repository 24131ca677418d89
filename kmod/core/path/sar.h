/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_SAR_H
#define LLE_CORE_SAR_H

#include "../core.h"

/**
 * struct lle_sar_path - a path, as seen from its first port
 * @known: the other members are valid; false without RCM
 * @congested: the port, or the path behind it, is congested
 * @paused: a neighbour pauses the port
 * @identified: the flow is part of the congestion
 * @degree: F_b'
 */
struct lle_sar_path {
	bool known;
	bool congested;
	bool paused;
	bool identified;
	u8 degree;
};

/**
 * enum lle_sar_age - age of the last packet of a flow
 * @LLE_SAR_NEW: no packet, or forgotten
 * @LLE_SAR_GOES_ON: possibly still on its way: the flow must stay
 * @LLE_SAR_PAUSED: arrived, by whichever path: the flow may move
 */
enum lle_sar_age {
	LLE_SAR_NEW,
	LLE_SAR_GOES_ON,
	LLE_SAR_PAUSED,
};

/**
 * lle_sar_seen() - record a packet of a flow
 * @path: its path
 * @now_ns: the time
 * Return: record for lle_sar_age() and lle_sar_last(), not 0.
 */
u64 lle_sar_seen(unsigned int path, u64 now_ns);

/**
 * lle_sar_last() - read the path of the last packet
 * @seen: record, not 0
 */
unsigned int lle_sar_last(u64 seen);

/**
 * lle_sar_age() - classify the age of the last packet
 * @seen: record; 0: no packet yet
 * @gap_ns: gap after which a flow may move; above usual delay differences
 * @now_ns: the time
 */
enum lle_sar_age lle_sar_age(u64 seen, u64 gap_ns, u64 now_ns);

/* Should a flow look for another path? @path: its own. */
static inline bool lle_sar_leaves(const struct lle_sar_path *path)
{
	return path->known && (path->congested || path->paused) &&
	       !path->identified;
}

/**
 * lle_sar_choose() - choose a path for a flow (RCM section 3.4)
 * @path: the paths
 * @num: number of paths
 * @own: index of its own
 * Return: index of the least congested path; @own if none is better.
 */
unsigned int lle_sar_choose(const struct lle_sar_path *path, unsigned int num,
			    unsigned int own);

#endif /* LLE_CORE_SAR_H */
