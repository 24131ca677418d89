// SPDX-License-Identifier: GPL-2.0
/*
 * Mice: the first bytes of a flow do not wait with the destination that it shares with
 * elephants. Most flows have no more, and congestion is not made of them.
 *
 * Nothing is reordered. What is isolated leaves after all of its flow that went past it
 * before; and who has been isolated goes past again only when nothing of him waits.
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
		/* nor does what comes behind it */
		e->bytes = LLE_MICE_GROWN;
		return false;
	}
	e->bytes += len;
	e->seq = next;
	return true;
}
