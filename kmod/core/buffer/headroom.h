/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_HEADROOM_H
#define LLE_CORE_HEADROOM_H

#include "../core.h"

/**
 * struct lle_headroom_ask - demand of one port
 * @lossless: number of its lossless priorities
 * @computed: their headroom is computed, not configured
 * @fixed_bytes: configured reserved bytes and headroom
 * @base_bytes: computed headroom of each lossless priority, with the configured
 *	reaction time
 * @need_bytes: the same with the measured reaction time; not less
 */
struct lle_headroom_ask {
	u8 lossless;
	bool computed;
	u64 fixed_bytes;
	u32 base_bytes;
	u32 need_bytes;
};

/**
 * struct lle_headroom_demand - demand of all ports of a switch
 * @fixed_bytes: sum of the configured bytes
 * @base_bytes: sum of the computed headroom, by configured reaction times
 * @groups: lossless priorities of all ports with computed headroom
 * @measured: those that need more by a measured reaction time
 */
struct lle_headroom_demand {
	u64 fixed_bytes;
	u64 base_bytes;
	u32 groups;
	u32 measured;
};

/**
 * lle_headroom_add() - add the demand of a port
 * @d: demand of the switch
 * @ask: demand of the port
 */
void lle_headroom_add(struct lle_headroom_demand *d,
		      const struct lle_headroom_ask *ask);

/**
 * lle_headroom_sub() - subtract the demand of a port
 * @d: demand of the switch
 * @ask: demand of the port, as added
 */
void lle_headroom_sub(struct lle_headroom_demand *d,
		      const struct lle_headroom_ask *ask);

/**
 * lle_headroom_room() - compute the limit of the computed headroom, in bytes
 * @d: demand of the switch
 * @size: bytes of the buffer
 */
u64 lle_headroom_room(const struct lle_headroom_demand *d, u64 size);

/* Is there less headroom than the configuration needs? */
static inline bool lle_headroom_is_short(const struct lle_headroom_demand *d,
					 u64 size)
{
	return d->base_bytes > lle_headroom_room(d, size);
}

/**
 * lle_headroom_share() - compute the headroom of a lossless priority
 * @d: demand of the switch, including its port
 * @size: bytes of the buffer
 * @ask: demand of its port
 * Return: bytes; the sum of all shares is at most lle_headroom_room().
 */
u32 lle_headroom_share(const struct lle_headroom_demand *d, u64 size,
		       const struct lle_headroom_ask *ask);

/**
 * lle_headroom_same() - compare the shares before and after a change
 * @d: demand before
 * @size: bytes of the buffer before
 * @then: demand after, with a change of one port at most
 * @then_size: bytes of the buffer after
 * Return: true: all other ports keep their shares.
 */
bool lle_headroom_same(const struct lle_headroom_demand *d, u64 size,
		       const struct lle_headroom_demand *then, u64 then_size);

#endif /* LLE_CORE_HEADROOM_H */
