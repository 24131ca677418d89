// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic mapping (paper section 3.2, figure 1), in bytes:
 *
 *	B(i,p)		bytes of ingress i queued at egress p
 *	bit (p,i)	B(i,p) is not 0
 *	held		of ingress i: sum of B(i,p) over the held egresses p
 *
 * Packets change one B(i,p), pauses change the sums. The counters of an egress
 * are adjacent, behind a pointer that is NULL if packets also change sums.
 */
#include "map.h"

void lle_dl_map_init(struct lle_dl_map *m, unsigned int ports, void *memory)
{
	unsigned int p;

	m->ports = ports;
	m->row = memory;
	m->bytes = (void *)(m->row + ports);
	for (p = 0; p < ports; p++)
		m->row[p] = lle_dl_map_pair(m, p, 0);
}

u64 lle_dl_map_causal(const struct lle_dl_map *m, unsigned int egress,
		      u64 among)
{
	unsigned int i;
	u64 set = 0;

	lle_dl_for_each(i, among)
		if (*lle_dl_map_pair(m, egress, i))
			set |= BIT_ULL(i);
	return set;
}

void lle_dl_map_hold(struct lle_dl_map *m, unsigned int egress)
{
	unsigned int i;

	if (m->held & BIT_ULL(egress))
		return;
	m->held |= BIT_ULL(egress);
	m->row[egress] = NULL;
	for (i = 0; m->sums && i < m->ports; i++)
		m->sums[i].held += *lle_dl_map_pair(m, egress, i);
}

void lle_dl_map_resume(struct lle_dl_map *m, unsigned int egress)
{
	unsigned int i;

	m->paused &= ~BIT_ULL(egress);
	if (!(m->held & BIT_ULL(egress)))
		return;
	m->held &= ~BIT_ULL(egress);
	m->row[egress] = lle_dl_map_pair(m, egress, 0);
	for (i = 0; m->sums && i < m->ports; i++)
		m->sums[i].held -= *lle_dl_map_pair(m, egress, i);
}
