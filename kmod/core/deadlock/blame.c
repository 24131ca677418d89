// SPDX-License-Identifier: GPL-2.0
/*
 * Who has begun (D9, D10, A2): an ingress that pauses its peer would not stop pausing
 * it as long as the egresses stay paused that are. Then it is the trigger of the one
 * with most of its bytes; otherwise it is a trigger itself.
 *
 *	sum{ cnt[p][i] : p is paused } > xon[i]
 *
 * Who pauses all the time, but for the moments in which a few packets pass, is not seen
 * pausing when they make room and others come and cross XOFF: those are the very moments. So
 * an egress counts as paused for a small part of the time that it was, after its pause.
 */
#include "blame.h"

/* What part of a pause an egress counts as paused for afterwards. */
#define LLE_EXACT_LATELY 8

unsigned int lle_dl_cause(const struct lle_dl_map *m, u64 paused,
			  unsigned int ingress, u32 xon)
{
	unsigned int p, cause = m->ports;
	u32 most = 0, all = 0;

	lle_dl_for_each(p, paused) {
		u32 bytes = *lle_dl_map_pair(m, p, ingress);

		all += bytes;
		if (bytes <= most)
			continue;
		most = bytes;
		cause = p;
	}
	return lle_dl_over(all, xon) ? cause : m->ports;
}

/* Egresses that were paused for most of the time since their last pause began. */
static u64 lle_exact_lately(struct lle_exact *d, u32 now)
{
	u64 lately = d->lately;
	unsigned int p;

	lle_dl_for_each(p, lately)
		if ((s32)(d->port[p].expire - now) <= 0)
			d->lately &= ~BIT_ULL(p);
	return d->lately;
}

u32 lle_exact_blame_until(u32 since, u32 now)
{
	return now + (now - since) / LLE_EXACT_LATELY;
}

struct lle_dl_id lle_exact_blame(struct lle_exact *d, unsigned int ingress,
				 u32 now)
{
	u64 paused = d->map.paused | lle_exact_lately(d, now);
	unsigned int cause = lle_dl_cause(&d->map, paused, ingress,
					  d->map.sums[ingress].xon);

	return cause < d->map.ports ? d->port[cause].held_by :
				      lle_exact_me(d, ingress);
}
