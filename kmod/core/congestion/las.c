// SPDX-License-Identifier: GPL-2.0
/*
 * Least attained service (LAS) inside a priority, in two steps, as in PIAS
 * (NSDI 2015): packets of short flows, which rarely cause congestion, go first.
 *
 *	young:  bytes of the flow since it began <= LIMIT
 *
 * Young packets precede grown ones, both isolated and others. A queue of an
 * isolated flow, at a host-facing port, has grown packets only: the flow sends
 * too much.
 *
 *	fabric port:       young, isolated and others in turn; else as RCC says
 *	host-facing port:  as RCC says; of the others, young ones first
 *
 * Nothing is reordered: an idle flow begins anew only if no grown or isolated
 * packet of it waits.
 *
 * New flows must not starve grown ones: after LLE_LAS_RUN largest packets of
 * young ones, a grown one is next; if it is not isolated, only one that arrived
 * before all such young ones: then those before it in its flow have left.
 *
 * The first bytes of a flow bypass the isolated queue of a destination that it
 * shares with elephants, also if held. Its isolated packets leave after these.
 */
#include "las.h"

/* Unit of lle_las_place.seen: 2^10 ns; wraps in 73 minutes */
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
