/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_HOLD_H
#define LLE_CORE_HOLD_H

#include "../core.h"

/**
 * struct lle_rcm_budget - isolated bytes that an ingress port may have queued
 * @class_on_bytes: of all IDs: above, all listed destinations are held upstream
 * @class_off_bytes: of all IDs: below, they are released
 * @id_on_bytes: divided between the queues: above its part, an ID is held
 * @id_off_bytes: divided likewise: below its part, an ID is released
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
 * struct lle_rcm_limit - queued bytes that begin and end a hold upstream
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
 * @roots: host-facing root ports that have destinations held for this port
 * @class_held: all listed destinations are held upstream
 * @id: limit of each ID
 * @root: limit of the destination behind each host-facing root port; it has a
 *	part of the budget of IDs, even if not all of its packets are isolated
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
 * lle_rcm_budget_init() - compute a budget below XOFF
 * @b: result
 * @xoff_bytes: queued bytes above which the port pauses its neighbour
 * @flight_bytes: bytes that arrive after a hold was sent: C * RTT
 * @mtu_bytes: largest packet
 *
 * Return: false: XOFF is too small. It must have room for the bytes in flight
 * and two packets, and for as much again to send until more arrives.
 */
bool lle_rcm_budget_init(struct lle_rcm_budget *b, u32 xoff_bytes,
			 u32 flight_bytes, u32 mtu_bytes);

/**
 * lle_rcm_divide() - divide a budget between queues and roots
 * @in: the ingress port, with its number of queues and roots
 * @b: budget; NULL: never hold anything
 */
void lle_rcm_divide(struct lle_rcm_ingress *in, const struct lle_rcm_budget *b);

/**
 * lle_rcm_changes() - tell whether a hold of the upstream neighbour changes
 * @l: limit
 * @bytes: queued bytes of the ingress port
 * @held: it holds already
 *
 * Return: true: it has to begin, or to end.
 */
static inline bool lle_rcm_changes(const struct lle_rcm_limit *l, u32 bytes,
				   bool held)
{
	return held ? bytes < READ_ONCE(l->off_bytes) :
		      bytes > READ_ONCE(l->on_bytes);
}

/**
 * lle_rcm_holds() - tell whether the upstream neighbour has to hold
 * @l: as lle_rcm_changes()
 * @bytes: as lle_rcm_changes()
 * @held: as lle_rcm_changes()
 */
static inline bool lle_rcm_holds(const struct lle_rcm_limit *l, u32 bytes,
				 bool held)
{
	return held != lle_rcm_changes(l, bytes, held);
}

/**
 * struct lle_rcm_progress - progress of an ingress port that has holds upstream
 * @bytes: queued bytes at their last change; if stuck, only a decrease counts
 * @since_ns: time of that change
 * @stuck: there was no change for long
 */
struct lle_rcm_progress {
	u32 bytes;
	u64 since_ns;
	bool stuck;
};

/**
 * lle_rcm_is_stuck() - tell whether no packet has moved for long
 * @p: progress so far
 * @bytes: queued bytes of the ingress port
 * @patience_ns: how long is long
 * @now_ns: the time
 *
 * Call it repeatedly. It stays true until bytes have left.
 */
bool lle_rcm_is_stuck(struct lle_rcm_progress *p, u32 bytes, u64 patience_ns,
		      u64 now_ns);

#endif /* LLE_CORE_HOLD_H */
