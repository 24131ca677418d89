/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CFR_H
#define LLE_CORE_CFR_H

#include "../core.h"

/* D, arrivals that are kept: entries of the paper's CAM */
#define LLE_CFR_DEPTH		32
#define LLE_CFR_BUCKETS		64

/**
 * struct lle_cfr_entry - an ID with arrivals in the memory
 * @id: number of the flow or destination
 * @hits: its arrivals in the memory; 0: the entry is free
 * @next: next entry in the chain of the bucket, or next free one; 0: none
 * @turns: times in a row that it stood out, each after D arrivals; saturates
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
 * @distinct: number of different IDs
 * @isolated_hits: arrivals of isolated IDs
 * @isolated_distinct: number of isolated IDs
 * @free: first free entry; 0: none
 * @ring: entry of each arrival, written cyclically
 * @bucket: first entry of each hash chain; 0: none
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

/**
 * lle_cfr_clear() - start with an empty memory: a new congestion has new causes
 * @c: state
 */
void lle_cfr_clear(struct lle_cfr *c);

/**
 * lle_cfr_full() - tell whether there are D arrivals to decide by
 * @c: state
 */
static inline bool lle_cfr_full(const struct lle_cfr *c)
{
	return c->count == LLE_CFR_DEPTH;
}

/**
 * lle_cfr_turn() - count the IDs that stand out once more
 * @c: state; D arrivals have been replaced
 */
void lle_cfr_turn(struct lle_cfr *c);

/* The link to the entry of @id, or the end of its chain. */
static inline u8 *lle_cfr_find(struct lle_cfr *c, u32 id)
{
	u8 *at = &c->bucket[id % LLE_CFR_BUCKETS];

	while (*at && c->entry[*at].id != id)
		at = &c->entry[*at].next;
	return at;
}

/* Remove an arrival of an entry, and with its last one the entry. */
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

/* Count all arrivals of an entry as isolated, or as not isolated. */
static inline void lle_cfr_isolate(struct lle_cfr *c,
				   struct lle_cfr_entry *entry, bool isolated)
{
	if (entry->isolated == isolated)
		return;
	entry->isolated = isolated;
	c->isolated_hits += isolated ? entry->hits : -entry->hits;
	c->isolated_distinct += isolated ? 1 : -1;
}

/**
 * lle_cfr_arrive() - note an arrival in place of the oldest
 * @c: state
 * @id: flow or destination of the packet
 * @isolated: the packet is isolated
 *
 * Constant time, but for each D-th arrival, which visits all entries. Source:
 * RCM section 3.3, which samples departures; see cfr.c.
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

/**
 * lle_cfr_hits() - count the arrivals of an ID in the memory
 * @c: state
 * @id: flow or destination
 */
unsigned int lle_cfr_hits(const struct lle_cfr *c, u32 id);

/**
 * lle_cfr_is_congested() - tell whether an ID causes the congestion
 * @c: state
 * @id: flow or destination
 *
 * Return: false, too, if the memory is not full.
 */
bool lle_cfr_is_congested(const struct lle_cfr *c, u32 id);

/**
 * lle_cfr_is_lasting() - tell whether an ID causes the congestion for long
 * @c: state
 * @id: flow or destination
 *
 * An upstream neighbour releases held destinations in turn, so a flow that is
 * not congested stands out for a moment now and then.
 */
bool lle_cfr_is_lasting(const struct lle_cfr *c, u32 id);

/**
 * lle_cfr_next() - walk over the IDs in the memory
 * @c: state
 * @entry: the previous one; NULL: start
 *
 * Return: the next one; NULL: none.
 */
const struct lle_cfr_entry *lle_cfr_next(const struct lle_cfr *c,
					 const struct lle_cfr_entry *entry);

#endif /* LLE_CORE_CFR_H */
