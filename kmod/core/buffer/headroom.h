/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_HEADROOM_H
#define LLE_CORE_HEADROOM_H

#include "../core.h"

/**
 * struct lle_headroom_ask - what a port asks of the buffer
 * @lossless: number of its lossless priorities
 * @computed: their headroom is computed, and not configured
 * @fixed_bytes: what was configured: reserved bytes and headroom
 * @base_bytes: computed headroom that each lossless priority needs by what is
 *	configured of the link
 * @need_bytes: the same with the reaction time that was measured; not less
 */
struct lle_headroom_ask {
	u8 lossless;
	bool computed;
	u64 fixed_bytes;
	u32 base_bytes;
	u32 need_bytes;
};

/**
 * struct lle_headroom_demand - what all ports of a switch ask for
 * @fixed_bytes: sum of what was configured
 * @base_bytes: sum of the computed headroom, without what was measured
 * @groups: lossless priorities of all ports whose headroom is computed
 * @measured: those of them that need more by what was measured
 */
struct lle_headroom_demand {
	u64 fixed_bytes;
	u64 base_bytes;
	u32 groups;
	u32 measured;
};

/**
 * lle_headroom_add() - a port asks
 * @d: the demand
 * @ask: what it asks for
 */
void lle_headroom_add(struct lle_headroom_demand *d,
		      const struct lle_headroom_ask *ask);

/**
 * lle_headroom_sub() - the reverse
 * @d: the demand
 * @ask: as it was added
 */
void lle_headroom_sub(struct lle_headroom_demand *d,
		      const struct lle_headroom_ask *ask);

/**
 * lle_headroom_room() - bytes of a buffer that computed headroom may take
 * @d: the demand
 * @size: of the buffer
 */
u64 lle_headroom_room(const struct lle_headroom_demand *d, u64 size);

/**
 * lle_headroom_is_short() - is computed headroom less than what is needed by
 *	configuration?
 * @d: the demand
 * @size: of the buffer
 */
static inline bool lle_headroom_is_short(const struct lle_headroom_demand *d,
					 u64 size)
{
	return d->base_bytes > lle_headroom_room(d, size);
}

/**
 * lle_headroom_share() - computed headroom of a lossless priority
 * @d: the demand, with that of its port
 * @size: of the buffer
 * @ask: of its port
 *
 * Return: bytes. All shares together are not more than lle_headroom_room().
 */
u32 lle_headroom_share(const struct lle_headroom_demand *d, u64 size,
		       const struct lle_headroom_ask *ask);

/**
 * lle_headroom_same() - do shares stay as they are when one port asks for something
 *	else?
 * @d: the demand
 * @size: of the buffer
 * @then: the demand then
 * @then_size: size of the buffer then
 *
 * Return: true: all other ports get the same of both.
 */
bool lle_headroom_same(const struct lle_headroom_demand *d, u64 size,
		       const struct lle_headroom_demand *then, u64 then_size);

#endif /* LLE_CORE_HEADROOM_H */
