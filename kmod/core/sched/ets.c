// SPDX-License-Identifier: GPL-2.0
/*
 * Conversion of the scheduler to and from the traffic classes of dcb-ets(8) and
 * DCBX: 802.1Q 37.3. Band 0, but the highest traffic class, is served first.
 * Quanta are finer than percentages, and must survive a write of those read.
 */
#include "ets.h"

/* Shares in percent; the largest remainders round up. */
static void lle_ets_percentages(const u32 *quantum_bytes, u8 *tc_bw)
{
	u32 rest[LLE_SCHED_BANDS], total = 0;
	unsigned int tc, largest, left = 100;

	for (tc = 0; tc < LLE_SCHED_BANDS; tc++)
		total += quantum_bytes[tc];
	if (!total)
		return;

	for (tc = 0; tc < LLE_SCHED_BANDS; tc++) {
		tc_bw[tc] = 100 * quantum_bytes[tc] / total;
		rest[tc] = 100 * quantum_bytes[tc] % total;
		left -= tc_bw[tc];
	}
	for (; left; left--) {
		largest = 0;
		for (tc = 1; tc < LLE_SCHED_BANDS; tc++)
			if (rest[tc] > rest[largest])
				largest = tc;
		tc_bw[largest]++;
		rest[largest] = 0;
	}
}

/* Quantum of each traffic class; 0: strict */
static void lle_ets_quanta(const struct lle_sched_params *p, u32 *quantum_bytes)
{
	unsigned int b;

	memset(quantum_bytes, 0, LLE_SCHED_BANDS * sizeof(*quantum_bytes));
	for (b = p->strict; b < p->bands; b++)
		quantum_bytes[p->bands - 1 - b] = p->quantum_bytes[b];
}

void lle_ets_from_sched(const struct lle_sched_params *p, struct lle_ets *ets)
{
	u32 quantum_bytes[LLE_SCHED_BANDS];
	unsigned int b, prio;

	memset(ets, 0, sizeof(*ets));
	for (b = 0; b < p->bands; b++)
		for (prio = 0; prio < LLE_NUM_PRIO; prio++)
			if (p->prios[b] & BIT(prio))
				ets->prio_tc[prio] = p->bands - 1 - b;
	ets->shared = BIT(p->bands - p->strict) - 1;
	lle_ets_quanta(p, quantum_bytes);
	lle_ets_percentages(quantum_bytes, ets->tc_bw);
}

/* Set quanta in the ratio of the shares. False: invalid shares. */
static bool lle_ets_share(const struct lle_ets *ets, u32 frame_bytes,
			  u32 *quantum_bytes)
{
	unsigned int tc, sum = 0, least = 100;

	for (tc = 0; tc < LLE_SCHED_BANDS; tc++) {
		if (!(ets->shared & BIT(tc)) != !ets->tc_bw[tc])
			return false;
		if (!ets->tc_bw[tc])
			continue;
		sum += ets->tc_bw[tc];
		least = min_t(unsigned int, least, ets->tc_bw[tc]);
	}
	for (tc = 0; tc < LLE_SCHED_BANDS; tc++)
		quantum_bytes[tc] = ets->tc_bw[tc] *
				    DIV_ROUND_UP(frame_bytes, least);
	return !ets->shared || sum == 100;
}

bool lle_ets_to_sched(const struct lle_ets *ets, u32 frame_bytes,
		      struct lle_sched_params *p)
{
	struct lle_sched_params new = { .bands = LLE_SCHED_BANDS };
	u32 quantum_bytes[LLE_SCHED_BANDS];
	struct lle_ets now;
	unsigned int b, prio;

	lle_ets_from_sched(p, &now);
	if (!memcmp(ets, &now, sizeof(now)))
		return true;

	/* classes with shares have the lowest numbers */
	if (ets->shared & (ets->shared + 1))
		return false;
	lle_ets_quanta(p, quantum_bytes);
	if ((ets->shared != now.shared ||
	     memcmp(ets->tc_bw, now.tc_bw, sizeof(now.tc_bw))) &&
	    !lle_ets_share(ets, frame_bytes, quantum_bytes))
		return false;

	for (prio = 0; prio < LLE_NUM_PRIO; prio++) {
		if (ets->prio_tc[prio] >= LLE_SCHED_BANDS)
			return false;
		new.prios[LLE_SCHED_BANDS - 1 - ets->prio_tc[prio]] |= BIT(prio);
	}
	for (b = 0; b < LLE_SCHED_BANDS; b++) {
		new.quantum_bytes[b] = quantum_bytes[LLE_SCHED_BANDS - 1 - b];
		new.strict += !new.quantum_bytes[b];
	}
	*p = new;
	return true;
}
