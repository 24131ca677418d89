// SPDX-License-Identifier: GPL-2.0
/*
 * When to have something held upstream: what is congested must not make a port pause its
 * peer, or everybody waits for it. So of what a port has received, less than XOFF may be
 * congested; what comes until a hold has its effect included.
 *
 * Deviation from the paper: there, PFC is what tells a neighbour to stop.
 */
#include "rcm_hold.h"

bool lle_rcm_budget_init(struct lle_rcm_budget *b, u32 xoff_bytes,
			 u32 flight_bytes, u32 mtu_bytes)
{
	u64 reserve = (u64)flight_bytes + 2 * mtu_bytes;

	if (xoff_bytes < reserve + max(flight_bytes, 2 * mtu_bytes))
		return false;
	b->mtu_bytes = mtu_bytes;
	b->class_on_bytes = xoff_bytes - reserve;
	b->class_off_bytes = b->class_on_bytes - b->class_on_bytes / 4;
	b->id_on_bytes = b->class_on_bytes;
	/* below what is in flight, the link idles before it comes again */
	b->id_off_bytes = max_t(u32, (u64)b->id_on_bytes * 25 / 32, flight_bytes);
	return true;
}

bool lle_rcm_holds_id(const struct lle_rcm_budget *b,
		      const struct lle_rcm_ingress *in, u32 bytes, bool held)
{
	u32 parts = max_t(u32, in->subs, 1);

	if (held)
		return bytes >= max(b->id_off_bytes / parts, b->mtu_bytes + 1);
	return bytes > max(b->id_on_bytes / parts, 2 * b->mtu_bytes);
}

bool lle_rcm_holds_root(const struct lle_rcm_budget *b,
			const struct lle_rcm_ingress *in, u32 bytes, bool held)
{
	if (held)
		return bytes >= b->id_off_bytes / max_t(u32, in->roots, 1);
	return bytes > max(b->id_on_bytes / (in->roots + 1), 2 * b->mtu_bytes);
}

bool lle_rcm_holds_class(const struct lle_rcm_budget *b,
			 const struct lle_rcm_ingress *in)
{
	if (in->class_held)
		return in->bytes >= b->class_off_bytes;
	return in->bytes > b->class_on_bytes;
}
