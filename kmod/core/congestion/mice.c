// SPDX-License-Identifier: GPL-2.0
/*
 * Mice: the first bytes of a flow bypass the isolated queue of a destination
 * that it shares with elephants. Most flows are not longer, and they are not
 * the cause of congestion.
 *
 * Nothing is reordered. Isolated packets leave after all packets of their flow
 * that have bypassed the queue. After a packet of a flow was isolated, the flow
 * bypasses the queue again only if it was idle and has no isolated packets.
 */
#include "mice.h"

bool lle_mice_pass(struct lle_mice *m, unsigned int place, u32 len,
		   u32 most_bytes, u64 idle_ns, u32 next, u64 now_ns)
{
	struct lle_mice_place *e = &m->place[place];

	if (now_ns - e->seen_ns >= idle_ns && !e->waits)
		e->bytes = 0;
	e->seen_ns = now_ns;
	if (len > most_bytes || e->bytes > most_bytes - len) {
		/* nor may later packets, which would overtake this one */
		e->bytes = LLE_MICE_GROWN;
		return false;
	}
	e->bytes += len;
	e->seq = next;
	return true;
}
