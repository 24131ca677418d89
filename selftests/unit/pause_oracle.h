/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Each class has a counter of quanta that a clock decrements (802.1Q 36.1.3.3),
 * one per nanosecond at ORACLE_RATE.
 */
#ifndef LLE_PAUSE_ORACLE_H
#define LLE_PAUSE_ORACLE_H

#include "../../kmod/core/pfc/pause.h"

#define ORACLE_RATE	64000000000ULL

struct pause_oracle {
	u64 now_ns;
	u32 left[LLE_NUM_PRIO];
	u64 paused_ns[LLE_NUM_PRIO];
	u64 begun[LLE_NUM_PRIO];
	u64 pauses[LLE_NUM_PRIO];
	u64 resumes[LLE_NUM_PRIO];
};

static inline void pause_oracle_wait(struct pause_oracle *o, u32 ns)
{
	unsigned int p;

	for (; ns; ns--) {
		o->now_ns++;
		for (p = 0; p < LLE_NUM_PRIO; p++) {
			if (!o->left[p])
				continue;
			o->left[p]--;
			o->paused_ns[p]++;
		}
	}
}

static inline void pause_oracle_frame(struct pause_oracle *o,
				      const struct lle_pfc *pfc, u8 obey)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!(pfc->enable >> p & 1))
			continue;
		if (!pfc->quanta[p]) {
			o->resumes[p]++;
			o->left[p] = 0;
			continue;
		}
		o->pauses[p]++;
		if (!(obey >> p & 1))
			continue;
		o->begun[p] += !o->left[p];
		o->left[p] = pfc->quanta[p];
	}
}

static inline void pause_oracle_clear(struct pause_oracle *o, u8 prios)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (prios >> p & 1)
			o->left[p] = 0;
}

static inline u8 pause_oracle_paused(const struct pause_oracle *o)
{
	unsigned int p;
	u8 paused = 0;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		paused |= !!o->left[p] << p;
	return paused;
}

/* @update: first bring @rx up to date. */
static inline bool pause_oracle_agrees(const struct pause_oracle *o,
				       struct lle_pause_rx *rx, bool update)
{
	u8 paused = pause_oracle_paused(o);
	u64 next = ~0ULL;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (rx->pauses[p] != o->pauses[p] ||
		    rx->resumes[p] != o->resumes[p] ||
		    lle_pause_rx_transitions(rx, p) != o->begun[p] ||
		    lle_pause_rx_duration(rx, p, o->now_ns) != o->paused_ns[p])
			return false;
		if (o->left[p] && o->now_ns + o->left[p] < next)
			next = o->now_ns + o->left[p];
	}
	if (!update)
		return !(paused & ~rx->paused);

	return lle_pause_rx_update(rx, o->now_ns) == paused &&
	       rx->paused == paused &&
	       lle_pause_rx_next(rx, 0xff) == next;
}

#endif /* LLE_PAUSE_ORACLE_H */
