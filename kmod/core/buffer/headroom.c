// SPDX-License-Identifier: GPL-2.0
/*
 * Division of computed headroom between all lossless priorities of a switch.
 *
 * It gets half of the buffer, after configured headroom and reserved bytes; the
 * other half stays shared. If the configured needs exceed it, all get the same
 * fraction:
 *
 *	room = size / 2 - fixed
 *	share = base * room / sum(base)
 *
 * Else the surplus is for measured reaction times that exceed the configured
 * ones. A neighbour can make these as long as it likes, so no priority gets
 * more than an equal part of the surplus:
 *
 *	share = base + min(need - base, (room - sum(base)) / groups)
 */
#include "headroom.h"

void lle_headroom_add(struct lle_headroom_demand *d,
		      const struct lle_headroom_ask *ask)
{
	d->fixed_bytes += ask->fixed_bytes;
	if (!ask->computed)
		return;
	d->base_bytes += (u64)ask->base_bytes * ask->lossless;
	d->groups += ask->lossless;
	if (ask->need_bytes > ask->base_bytes)
		d->measured += ask->lossless;
}

void lle_headroom_sub(struct lle_headroom_demand *d,
		      const struct lle_headroom_ask *ask)
{
	d->fixed_bytes -= ask->fixed_bytes;
	if (!ask->computed)
		return;
	d->base_bytes -= (u64)ask->base_bytes * ask->lossless;
	d->groups -= ask->lossless;
	if (ask->need_bytes > ask->base_bytes)
		d->measured -= ask->lossless;
}

u64 lle_headroom_room(const struct lle_headroom_demand *d, u64 size)
{
	return size / 2 > d->fixed_bytes ? size / 2 - d->fixed_bytes : 0;
}

u32 lle_headroom_share(const struct lle_headroom_demand *d, u64 size,
		       const struct lle_headroom_ask *ask)
{
	u64 room = lle_headroom_room(d, size);
	u64 surplus;

	if (!ask->lossless)
		return ask->base_bytes;
	if (d->base_bytes > room)
		return mul_u64_u64_div_u64(ask->base_bytes, room,
					   d->base_bytes);
	surplus = div_u64(room - d->base_bytes, d->groups);
	return ask->base_bytes +
	       min_t(u64, ask->need_bytes - ask->base_bytes, surplus);
}

/* One port changes: others have no measured excess if none before, or after. */
bool lle_headroom_same(const struct lle_headroom_demand *d, u64 size,
		       const struct lle_headroom_demand *then, u64 then_size)
{
	return !lle_headroom_is_short(d, size) &&
	       !lle_headroom_is_short(then, then_size) &&
	       (!d->measured || !then->measured);
}
