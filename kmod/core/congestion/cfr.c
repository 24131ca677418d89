// SPDX-License-Identifier: GPL-2.0
/*
 * Congested flow recognition: which IDs (flows or destinations) fill a queue.
 *
 * An ID stands out if it has, of the last D arrivals, at least 1.25 times the
 * mean of the IDs that are not isolated:
 *
 *	hits >= 1.25 * (D - hits isolated) / (distinct - those isolated)
 *
 * Isolated flows have few later arrivals, and must not make others stand out.
 * With a window, a host-facing port identifies only flows that have stood out
 * four times in a row.
 *
 * Deviations from the paper:
 *  1. All arrivals count. Sampled departures would show the throughput, which a
 *     queue shares equally between all IDs.
 *  2. One arrival of D is not enough: a victim flow with 1/8 of the arrivals
 *     has one with probability 0.99.
 */
#include "cfr.h"

/* Turns, of D arrivals each, in which a lasting ID has stood out */
#define LLE_CFR_TURNS		4

void lle_cfr_clear(struct lle_cfr *c)
{
	unsigned int e;

	memset(c, 0, sizeof(*c));
	c->free = 1;
	for (e = 1; e < LLE_CFR_DEPTH; e++)
		c->entry[e].next = e + 1;
}

/* Index of the entry of @id; 0: not found */
static u8 lle_cfr_entry(const struct lle_cfr *c, u32 id)
{
	u8 e = c->bucket[id % LLE_CFR_BUCKETS];

	while (e && c->entry[e].id != id)
		e = c->entry[e].next;
	return e;
}

unsigned int lle_cfr_hits(const struct lle_cfr *c, u32 id)
{
	/* entry 0 has no hits */
	return c->entry[lle_cfr_entry(c, id)].hits;
}

static bool lle_cfr_stands_out(const struct lle_cfr *c, unsigned int hits)
{
	unsigned int others = c->distinct - c->isolated_distinct;

	return 4 * hits * others >= 5U * (LLE_CFR_DEPTH - c->isolated_hits);
}

void lle_cfr_turn(struct lle_cfr *c)
{
	struct lle_cfr_entry *entry;

	for (entry = &c->entry[1]; entry <= &c->entry[LLE_CFR_DEPTH]; entry++)
		if (!lle_cfr_stands_out(c, entry->hits))
			entry->turns = 0;
		else if (entry->turns < LLE_CFR_TURNS)
			entry->turns++;
}

bool lle_cfr_is_congested(const struct lle_cfr *c, u32 id)
{
	return lle_cfr_full(c) && lle_cfr_stands_out(c, lle_cfr_hits(c, id));
}

bool lle_cfr_is_lasting(const struct lle_cfr *c, u32 id)
{
	return c->entry[lle_cfr_entry(c, id)].turns == LLE_CFR_TURNS;
}

const struct lle_cfr_entry *lle_cfr_next(const struct lle_cfr *c,
					 const struct lle_cfr_entry *entry)
{
	unsigned int e = entry ? entry - c->entry + 1 : 1;

	for (; e <= LLE_CFR_DEPTH; e++)
		if (c->entry[e].hits)
			return &c->entry[e];
	return NULL;
}
