/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_ETS_H
#define LLE_CORE_ETS_H

#include "sched.h"

/**
 * struct lle_ets - a scheduler as 802.1Qaz describes it
 * @prio_tc: traffic class of each priority
 * @tc_bw: percentage that each traffic class has of what strict ones leave; 0
 *	for a strict one
 * @shared: bit c: traffic class c has such a share; the others are strict, and
 *	a higher number goes first
 */
struct lle_ets {
	u8 prio_tc[LLE_NUM_PRIO];
	u8 tc_bw[LLE_SCHED_BANDS];
	u8 shared;
};

/**
 * lle_ets_from_sched() - say it in traffic classes
 * @p: parameters of the scheduler
 * @ets: result; percentages are rounded, and make 100
 */
void lle_ets_from_sched(const struct lle_sched_params *p, struct lle_ets *ets);

/**
 * lle_ets_to_sched() - do what traffic classes say
 * @ets: what they say
 * @frame_bytes: largest frame: what the smallest share gets a round, at least
 * @p: parameters of the scheduler; quanta stay if all shares do
 *
 * Return: false: the scheduler cannot do that, and @p is what it was. It takes
 * no class that shares and is above a strict one, or has a share of 0.
 */
bool lle_ets_to_sched(const struct lle_ets *ets, u32 frame_bytes,
		      struct lle_sched_params *p);

#endif /* LLE_CORE_ETS_H */
