/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_SAR_H
#define LLE_CORE_SAR_H

#include "../core.h"

/**
 * struct lle_sar_path - a path, as it looks from the port where it begins
 * @known: something is known; of a port without RCM nothing is
 * @congested: it is congested there, or farther on
 * @paused: a neighbour has paused it
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
 * enum lle_sar_age - how long ago the last packet of a flow was
 * @LLE_SAR_NEW: so long that it is as if there never was any
 * @LLE_SAR_GOES_ON: it may still be on its way: the flow has to stay on its path
 * @LLE_SAR_PAUSED: it has arrived, by whatever path
 */
enum lle_sar_age {
	LLE_SAR_NEW,
	LLE_SAR_GOES_ON,
	LLE_SAR_PAUSED,
};

/**
 * lle_sar_seen() - note a packet of a flow
 * @path: number of its path
 * @now_ns: the time
 *
 * Return: what lle_sar_age() and lle_sar_last() take. 0 is that of a flow without packets.
 */
u64 lle_sar_seen(unsigned int path, u64 now_ns);

/**
 * lle_sar_last() - path of the last packet of a flow
 * @seen: of lle_sar_seen(), not 0
 */
unsigned int lle_sar_last(u64 seen);

/**
 * lle_sar_age() - how old the last packet of a flow is
 * @seen: of lle_sar_seen(), or 0
 * @gap_ns: time that no path takes longer than another
 * @now_ns: the time
 */
enum lle_sar_age lle_sar_age(u64 seen, u64 gap_ns, u64 now_ns);

/**
 * lle_sar_leaves() - has a flow to look for another path?
 * @path: its path
 */
static inline bool lle_sar_leaves(const struct lle_sar_path *path)
{
	return path->known && (path->congested || path->paused) &&
	       !path->identified;
}

/**
 * lle_sar_choose() - the path for a flow that leaves its own
 * @path: the paths
 * @num: how many
 * @own: number of its own
 *
 * Return: number of the one that is congested least, its own if no other is better.
 * Source: RCM section 3.5.
 */
unsigned int lle_sar_choose(const struct lle_sar_path *path, unsigned int num,
			    unsigned int own);

#endif /* LLE_CORE_SAR_H */
