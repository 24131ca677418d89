// SPDX-License-Identifier: GPL-2.0
/*
 * When the upstream neighbour has to hold a destination.
 *
 * Isolated packets must not trigger a pause, which would stop all others, too.
 * So, per ingress port, isolated bytes + bytes in flight until a hold takes
 * effect + two packets stay within XOFF. Isolated bytes are also limited to 1.5
 * times the bytes in flight, which keeps the link busy.
 *
 * A port without progress holds nothing: holds may be part of a deadlock, and
 * detection breaks only loops of pauses.
 *
 * Deviation from the paper: there, PFC stops the neighbour.
 */
#include "hold.h"

/* Isolated packets allowed on any link, however slow */
#define LLE_RCM_HOLD_PACKETS	16

bool lle_hold_budget_init(struct lle_rcm_budget *b, u32 xoff_bytes,
			  u32 flight_bytes, u32 mtu_bytes)
{
	u64 reserve = (u64)flight_bytes + 2 * mtu_bytes;

	if (xoff_bytes < reserve + max(flight_bytes, 2 * mtu_bytes))
		return false;
	b->mtu_bytes = mtu_bytes;
	b->class_on_bytes = min(xoff_bytes - (u32)reserve,
				max(flight_bytes + flight_bytes / 2,
				    LLE_RCM_HOLD_PACKETS * mtu_bytes));
	b->class_off_bytes = b->class_on_bytes - b->class_on_bytes / 4;
	b->id_on_bytes = b->class_on_bytes;
	/* with less than the bytes in flight, the link would idle */
	b->id_off_bytes = max_t(u32, (u64)b->id_on_bytes * 25 / 32, flight_bytes);
	return true;
}

static void lle_rcm_set(struct lle_rcm_limit *l, u32 on_bytes, u32 off_bytes)
{
	WRITE_ONCE(l->on_bytes, on_bytes);
	WRITE_ONCE(l->off_bytes, off_bytes);
}

void lle_hold_divide(struct lle_rcm_ingress *in, const struct lle_rcm_budget *b)
{
	u32 subs = max_t(u32, in->subs, 1), roots = max_t(u32, in->roots, 1);

	if (!b) {
		lle_rcm_set(&in->id, U32_MAX, U32_MAX);
		lle_rcm_set(&in->root, U32_MAX, U32_MAX);
		lle_rcm_set(&in->class, U32_MAX, U32_MAX);
		return;
	}
	lle_rcm_set(&in->id, max(b->id_on_bytes / subs, 2 * b->mtu_bytes),
		    max(b->id_off_bytes / subs, b->mtu_bytes + 1));
	lle_rcm_set(&in->root,
		    max(b->id_on_bytes / (in->roots + 1), 2 * b->mtu_bytes),
		    max(b->id_off_bytes / roots, 1U));
	lle_rcm_set(&in->class, b->class_on_bytes, b->class_off_bytes);
}

bool lle_hold_is_stuck(struct lle_rcm_progress *p, u32 bytes, u64 patience_ns,
		       u64 now_ns)
{
	if (bytes < p->bytes || (bytes > p->bytes && !p->stuck)) {
		p->bytes = bytes;
		p->since_ns = now_ns;
		p->stuck = false;
	}
	p->stuck |= now_ns - p->since_ns >= patience_ns;
	return p->stuck;
}
