/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CFR_H
#define LLE_CORE_CFR_H

#include <linux/pkt_sch_lossless.h>

#include "../core.h"

#define LLE_CFR_DEPTH_MAX	LLE_RCM_CAM_MAX
#define LLE_CFR_BUCKETS		64

/**
 * struct lle_cfr_entry - somebody who has packets in the memory
 * @id: who
 * @hits: how many
 * @next: in the chain of the bucket; 0: none
 * @turns: times in a row that it stood out when all packets had been replaced
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
 * struct lle_cfr - whose the last packets were: the paper's CAM
 * @depth: D, how many; 1..LLE_CFR_DEPTH_MAX
 * @count: how many there are by now
 * @at: where the next one goes
 * @distinct: how many different
 * @isolated_hits: of the packets, those that are isolated
 * @isolated_distinct: how many different
 * @free: first entry that is not in use; 0: none
 * @ring: entry of each packet, cyclically
 * @bucket: first entry of a chain; 0: none
 * @entry: from 1 on
 */
struct lle_cfr {
	u8 depth;
	u8 count;
	u8 at;
	u8 distinct;
	u8 isolated_hits;
	u8 isolated_distinct;
	u8 free;
	u8 ring[LLE_CFR_DEPTH_MAX];
	u8 bucket[LLE_CFR_BUCKETS];
	struct lle_cfr_entry entry[LLE_CFR_DEPTH_MAX + 1];
};

/**
 * lle_cfr_init() - an empty memory
 * @c: state
 * @depth: D
 */
void lle_cfr_init(struct lle_cfr *c, unsigned int depth);

/**
 * lle_cfr_clear() - forget all: what is congested from now on is somebody else's doing
 * @c: state
 */
void lle_cfr_clear(struct lle_cfr *c);

/**
 * lle_cfr_arrive() - note a packet in the place of the oldest
 * @c: state
 * @id: whose it is
 * @isolated: it is isolated
 *
 * Constant time. Source: RCM section 3.3; requirement A19 (each arrival is noted, not one
 * of several departures).
 */
void lle_cfr_arrive(struct lle_cfr *c, u32 id, bool isolated);

/**
 * lle_cfr_hits() - how many of the packets are somebody's
 * @c: state
 * @id: whose
 */
unsigned int lle_cfr_hits(const struct lle_cfr *c, u32 id);

/**
 * lle_cfr_full() - are there as many as are needed to tell?
 * @c: state
 */
static inline bool lle_cfr_full(const struct lle_cfr *c)
{
	return c->count == c->depth;
}

/**
 * lle_cfr_is_congested() - is it a congested flow?
 * @c: state
 * @rule: enum lle_cfr_rule
 * @id: who
 *
 * Return: false, too, if the memory is not full.
 */
bool lle_cfr_is_congested(const struct lle_cfr *c, unsigned int rule, u32 id);

/**
 * lle_cfr_is_lasting() - is it a congested flow, and not just for now?
 * @c: state
 * @rule: enum lle_cfr_rule
 * @id: who
 *
 * Where others are held back, those that are not come in turns, so one stands out for a
 * moment now and then.
 */
bool lle_cfr_is_lasting(const struct lle_cfr *c, unsigned int rule, u32 id);

/**
 * lle_cfr_next() - all that are there, one by one
 * @c: state
 * @entry: the one before; NULL: none
 *
 * Return: the next one; NULL: there is none.
 */
const struct lle_cfr_entry *lle_cfr_next(const struct lle_cfr *c,
					 const struct lle_cfr_entry *entry);

#endif /* LLE_CORE_CFR_H */
