// SPDX-License-Identifier: GPL-2.0
/*
 * Initial trigger of a pause (paper section 3.1): the ingress itself, unless
 * paused egresses alone keep it above XON:
 *
 *	sum of B(i,p) over all paused p  >  XON(i)
 *
 * Then it is that of the paused egress with most of its bytes, which the paper
 * leaves open. An egress counts as paused for some time after its pause: a
 * neighbour that resumes for moments lets few packets pass, and the ones that
 * follow cross XOFF just then.
 */
#include "exact_parts.h"

/* That time: duration of the pause, divided by this */
#define LLE_EXACT_LATELY 8

unsigned int lle_dl_trigger_cause(const struct lle_dl_map *m, u64 paused,
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
	return lle_dl_map_exceeds(all, xon) ? cause : m->ports;
}

/* Removes egresses after that time. */
static u64 lle_exact_lately(struct lle_exact *d, u32 now)
{
	u64 lately = d->lately;
	unsigned int p;

	lle_dl_for_each(p, lately)
		if ((s32)(d->port[p].expire - now) <= 0)
			d->lately &= ~BIT_ULL(p);
	return d->lately;
}

u32 lle_dl_trigger_blame_until(u32 since, u32 now)
{
	return now + (now - since) / LLE_EXACT_LATELY;
}

struct lle_dl_id lle_dl_trigger_blame(struct lle_exact *d, unsigned int ingress,
				      u32 now)
{
	u64 paused = d->map.paused | lle_exact_lately(d, now);
	unsigned int cause = lle_dl_trigger_cause(&d->map, paused, ingress,
						  d->map.sums[ingress].xon);

	d->port[ingress].cause = cause;
	return cause < d->map.ports ? d->port[cause].held_by :
				      lle_exact_me(d, ingress);
}
