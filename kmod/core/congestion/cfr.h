/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CFR_H
#define LLE_CORE_CFR_H

#include "../core.h"

/* D: entries of the paper's CAM */
#define LLE_CFR_DEPTH		32
#define LLE_CFR_BUCKETS		64

/**
 * struct lle_cfr_entry - an ID with arrivals in the memory
 * @id: number of the flow or destination
 * @hits: its arrivals in the memory; 0: free entry
 * @next: next entry in the bucket or free list; 0: end
 * @turns: turns in a row in which it stood out; saturates
 * @isolated: its packets are isolated
 */
struct lle_cfr_entry {
	u32 id;
	u8 hits;
	u8 next;
	u8 turns;
	bool isolated;
};

/**
 * struct lle_cfr - IDs of the last arrivals: the paper's CAM
 * @count: arrivals in the memory, up to LLE_CFR_DEPTH
 * @at: index in @ring of the next arrival
 * @distinct: number of IDs
 * @isolated_hits: arrivals of isolated IDs
 * @isolated_distinct: number of isolated IDs
 * @free: first free entry; 0: full
 * @ring: entry of each arrival, written cyclically
 * @bucket: first entry of each hash chain; 0: empty
 * @entry: entries, from 1 on
 */
struct lle_cfr {
	u8 count;
	u8 at;
	u8 distinct;
	u8 isolated_hits;
	u8 isolated_distinct;
	u8 free;
	u8 ring[LLE_CFR_DEPTH];
	u8 bucket[LLE_CFR_BUCKETS];
	struct lle_cfr_entry entry[LLE_CFR_DEPTH + 1];
};

/* Empty the memory: a new congestion has new causes. */
void lle_cfr_clear(struct lle_cfr *c);

/* Are there D arrivals to decide by? */
static inline bool lle_cfr_full(const struct lle_cfr *c)
{
	return c->count == LLE_CFR_DEPTH;
}

/* Update lle_cfr_entry.turns, after D arrivals. */
void lle_cfr_turn(struct lle_cfr *c);

/* Link to the entry of @id, or the end of its chain */
static inline u8 *lle_cfr_find(struct lle_cfr *c, u32 id)
{
	u8 *at = &c->bucket[id % LLE_CFR_BUCKETS];

	while (*at && c->entry[*at].id != id)
		at = &c->entry[*at].next;
	return at;
}

/* Remove an arrival of an entry; the last one frees the entry. */
static inline void lle_cfr_forget(struct lle_cfr *c, u8 e)
{
	struct lle_cfr_entry *entry = &c->entry[e];

	c->isolated_hits -= entry->isolated;
	if (--entry->hits)
		return;
	c->isolated_distinct -= entry->isolated;
	*lle_cfr_find(c, entry->id) = entry->next;
	entry->next = c->free;
	c->free = e;
	c->distinct--;
}

/* Move the arrivals of an entry into the isolated ones, or out of them. */
static inline void lle_cfr_isolate(struct lle_cfr *c,
				   struct lle_cfr_entry *entry, bool isolated)
{
	if (entry->isolated == isolated)
		return;
	entry->isolated = isolated;
	c->isolated_hits += isolated ? entry->hits : -entry->hits;
	c->isolated_distinct += isolated ? 1 : -1;
}

/*
 * Replace the oldest arrival. Constant time, except each D-th arrival, which
 * visits all entries. Source: RCM section 3.3; see cfr.c.
 */
static inline void lle_cfr_arrive(struct lle_cfr *c, u32 id, bool isolated)
{
	u8 *at, e;

	if (lle_cfr_full(c))
		lle_cfr_forget(c, c->ring[c->at]);
	else
		c->count++;

	at = lle_cfr_find(c, id);
	e = *at;
	if (!e) {
		e = c->free;
		c->free = c->entry[e].next;
		c->entry[e] = (struct lle_cfr_entry){ .id = id };
		*at = e;
		c->distinct++;
	}
	lle_cfr_isolate(c, &c->entry[e], isolated);
	c->entry[e].hits++;
	c->isolated_hits += isolated;
	c->ring[c->at] = e;
	c->at = c->at + 1 < LLE_CFR_DEPTH ? c->at + 1 : 0;
	if (!c->at)
		lle_cfr_turn(c);
}

/* Arrivals of an ID in the memory */
unsigned int lle_cfr_hits(const struct lle_cfr *c, u32 id);

/* Does an ID stand out? False if not full. */
bool lle_cfr_is_congested(const struct lle_cfr *c, u32 id);

/*
 * Has an ID stood out for long? Upstream neighbours release held destinations
 * in turn, so any flow may stand out for a moment.
 */
bool lle_cfr_is_lasting(const struct lle_cfr *c, u32 id);

/* Walk over the IDs in the memory. @entry: the last one; NULL: start. */
const struct lle_cfr_entry *lle_cfr_next(const struct lle_cfr *c,
					 const struct lle_cfr_entry *entry);

#endif /* LLE_CORE_CFR_H */
