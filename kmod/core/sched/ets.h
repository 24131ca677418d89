/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_ETS_H
#define LLE_CORE_ETS_H

#include "sched.h"

/**
 * struct lle_ets - a scheduler in terms of 802.1Qaz
 * @prio_tc: traffic class of each priority
 * @tc_bw: percentage of the bandwidth left by strict classes; 0: strict
 * @shared: bit c: class c has a share; strict ones: highest number first
 */
struct lle_ets {
	u8 prio_tc[LLE_NUM_PRIO];
	u8 tc_bw[LLE_SCHED_BANDS];
	u8 shared;
};

/**
 * lle_ets_from_sched() - convert a scheduler to traffic classes
 * @p: the scheduler
 * @ets: result; percentages are rounded to a sum of 100
 */
void lle_ets_from_sched(const struct lle_sched_params *p, struct lle_ets *ets);

/**
 * lle_ets_to_sched() - convert traffic classes to a scheduler
 * @ets: traffic classes
 * @frame_bytes: largest frame: the smallest quantum of a share
 * @p: the scheduler; its quanta stay if all shares do
 * Return: false, with @p unchanged: a class with a share is above a strict one,
 * or a share is 0.
 */
bool lle_ets_to_sched(const struct lle_ets *ets, u32 frame_bytes,
		      struct lle_sched_params *p);

#endif /* LLE_CORE_ETS_H */
