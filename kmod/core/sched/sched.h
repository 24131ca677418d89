/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_SCHED_H
#define LLE_CORE_SCHED_H

#include "../core.h"

#define LLE_SCHED_BANDS	LLE_NUM_PRIO

/**
 * struct lle_sched_params - order of service of a port's queues
 * @bands: number of bands; band 0 is served first
 * @strict: number of strict bands, which come first; the others share the
 *	remaining bandwidth by deficit round robin
 * @quantum_bytes: bytes per round of each band after the strict ones, not 0
 * @prios: bit p: priority p belongs to this band
 */
struct lle_sched_params {
	u8 bands;
	u8 strict;
	u8 prios[LLE_SCHED_BANDS];
	u32 quantum_bytes[LLE_SCHED_BANDS];
};

/**
 * struct lle_sched - state of the scheduler
 * @band: current band of the round
 * @served: priority that each band served last
 * @deficit_bytes: bytes that each band may still send in this turn
 */
struct lle_sched {
	u8 band;
	u8 served[LLE_SCHED_BANDS];
	u32 deficit_bytes[LLE_SCHED_BANDS];
};

/**
 * lle_sched_pick() - choose the queue that sends the next packet
 * @s: state
 * @p: parameters
 * @ready: bit p: queue p has a packet and is not paused; not 0. Not needed
 *	with a single ready queue
 * @head_bytes: length of the first packet of each ready queue; unused if all
 *	bands are strict
 *
 * The packet is charged to its band; the caller must send it.
 * Context: any; the caller serialises calls on one @s.
 * Return: the priority.
 */
unsigned int lle_sched_pick(struct lle_sched *s,
			    const struct lle_sched_params *p, u8 ready,
			    const u32 *head_bytes);

#endif /* LLE_CORE_SCHED_H */
