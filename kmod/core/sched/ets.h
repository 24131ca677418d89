/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_ETS_H
#define LLE_CORE_ETS_H

#include "sched.h"

/**
 * struct lle_ets - a scheduler in terms of 802.1Qaz
 * @prio_tc: traffic class of each priority
 * @tc_bw: percentage of each traffic class of the bandwidth that strict ones
 *	leave; 0 for a strict one
 * @shared: bit c: traffic class c has such a share; the others are strict, and
 *	the highest number is served first
 */
struct lle_ets {
	u8 prio_tc[LLE_NUM_PRIO];
	u8 tc_bw[LLE_SCHED_BANDS];
	u8 shared;
};

/**
 * lle_ets_from_sched() - convert a scheduler to traffic classes
 * @p: parameters of the scheduler
 * @ets: result; percentages are rounded, and add up to 100
 */
void lle_ets_from_sched(const struct lle_sched_params *p, struct lle_ets *ets);

/**
 * lle_ets_to_sched() - convert traffic classes to a scheduler
 * @ets: traffic classes
 * @frame_bytes: largest frame, which is the least quantum of a share
 * @p: parameters of the scheduler; quanta stay if all shares do
 *
 * Return: false: the scheduler cannot do that, and @p is unchanged. It takes no
 * class with a share above a strict one, and no share of 0.
 */
bool lle_ets_to_sched(const struct lle_ets *ets, u32 frame_bytes,
		      struct lle_sched_params *p);

#endif /* LLE_CORE_ETS_H */
