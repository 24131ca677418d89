/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_HOLD_H
#define LLE_CORE_HOLD_H

#include "../core.h"

/**
 * struct lle_rcm_budget - queued isolated bytes allowed per ingress port
 * @class_on_bytes: all IDs: above, all listed destinations are held upstream
 * @class_off_bytes: all IDs: below, they are released
 * @id_on_bytes: divided between the queues: above its part, an ID is held
 * @id_off_bytes: divided between the queues: below, an ID is released
 * @mtu_bytes: largest packet
 */
struct lle_rcm_budget {
	u32 class_on_bytes;
	u32 class_off_bytes;
	u32 id_on_bytes;
	u32 id_off_bytes;
	u32 mtu_bytes;
};

/**
 * struct lle_rcm_limit - limits of queued bytes for a hold upstream
 * @on_bytes: a hold begins above
 * @off_bytes: a hold ends below
 */
struct lle_rcm_limit {
	u32 on_bytes;
	u32 off_bytes;
};

/**
 * struct lle_rcm_ingress - isolated packets of an ingress port
 * @subs: their queues, at all egress ports
 * @roots: host-facing root ports with destinations held for this port
 * @class_held: all listed destinations are held upstream
 * @id: limit of each ID
 * @root: limit of the destination behind each such root port, from the same
 *	budget, even if some of its packets are not isolated
 * @class: limit of all IDs together, as their bytes in flight add up
 */
struct lle_rcm_ingress {
	u16 subs;
	u16 roots;
	bool class_held;
	struct lle_rcm_limit id;
	struct lle_rcm_limit root;
	struct lle_rcm_limit class;
};

/**
 * lle_hold_budget_init() - compute a budget below XOFF
 * @b: result
 * @xoff_bytes: XOFF of the port
 * @flight_bytes: bytes that arrive after a hold was sent: C * RTT
 * @mtu_bytes: largest packet
 * Return: false if XOFF is too small: bytes in flight and two packets must fit,
 * and as much again to send until more arrives.
 */
bool lle_hold_budget_init(struct lle_rcm_budget *b, u32 xoff_bytes,
			  u32 flight_bytes, u32 mtu_bytes);

/**
 * lle_hold_divide() - divide a budget between queues and roots
 * @in: the ingress port; subs and roots are set
 * @b: budget; NULL: never hold
 */
void lle_hold_divide(struct lle_rcm_ingress *in,
		     const struct lle_rcm_budget *b);

/* Does an upstream hold have to begin or end? @bytes: queued at the ingress. */
static inline bool lle_hold_changes(const struct lle_rcm_limit *l, u32 bytes,
				    bool held)
{
	return held ? bytes < READ_ONCE(l->off_bytes) :
		      bytes > READ_ONCE(l->on_bytes);
}

/* Must the upstream neighbour hold? @held: it holds already. */
static inline bool lle_hold_is_due(const struct lle_rcm_limit *l, u32 bytes,
				   bool held)
{
	return held != lle_hold_changes(l, bytes, held);
}

/**
 * struct lle_rcm_progress - progress of an ingress port with holds upstream
 * @bytes: queued bytes at the last change; if stuck, only a decrease counts
 * @since_ns: time of that change
 * @stuck: no change for the patience time
 */
struct lle_rcm_progress {
	u32 bytes;
	u64 since_ns;
	bool stuck;
};

/**
 * lle_hold_is_stuck() - test for a lack of progress
 * @p: progress so far, from repeated calls
 * @bytes: queued bytes of the ingress port
 * @patience_ns: patience time
 * @now_ns: the time
 * Return: true from then on, until bytes have left.
 */
bool lle_hold_is_stuck(struct lle_rcm_progress *p, u32 bytes, u64 patience_ns,
		       u64 now_ns);

#endif /* LLE_CORE_HOLD_H */
