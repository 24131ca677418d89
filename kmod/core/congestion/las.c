// SPDX-License-Identifier: GPL-2.0
/*
 * Least attained service (LAS) inside a priority, in two steps. Most flows are
 * short and do not cause congestion; LAS sends their packets before those of
 * flows that have sent much already.
 *
 *	young:  bytes of the flow since it began <= LIMIT
 *
 * An idle flow begins anew. Young packets wait in front of grown ones, among
 * the isolated packets of a destination and among the others. A queue of an
 * isolated flow has grown packets only: at a host-facing port an identified
 * flow sends too much, whatever its age.
 *
 *	fabric port:       young, isolated and others in turn; else as RCC says
 *	host-facing port:  as RCC says; of the others, young ones first
 *
 * Nothing is reordered. The young packets of a flow precede its grown ones, and
 * a flow begins anew only if none of its packets waits that a young one would
 * overtake: a grown one, or an isolated one.
 *
 * Without a bound, flows that begin all the time would starve those that have
 * grown. So after LLE_LAS_RUN largest packets of young ones, a grown one is
 * next. If it is not isolated, it must have arrived before all young packets
 * that are not: then those before it in its flow have left.
 *
 * The first bytes of a flow bypass the isolated queue of a destination that it
 * shares with elephants, also while that is held. Isolated packets leave after
 * all packets of their flow that have bypassed the queue.
 *
 * Source: least attained service, as in PIAS (NSDI 2015), in two steps.
 */
#include "las.h"

/* Unit of lle_las_place.seen: 2^10 ns. It wraps in 73 minutes. */
#define LLE_LAS_SHIFT		10

bool lle_las_arrive(struct lle_las *l, const struct lle_las_params *p,
		    unsigned int place, u32 len, u64 now_ns)
{
	struct lle_las_place *e = &l->place[place];
	u32 now = now_ns >> LLE_LAS_SHIFT;

	if (now - e->seen >= p->idle_ns >> LLE_LAS_SHIFT && !e->waits)
		e->bytes = 0;
	e->seen = now;
	if (e->bytes < LLE_LAS_GROWN)
		e->bytes += len;
	return e->bytes <= p->limit_bytes;
}
