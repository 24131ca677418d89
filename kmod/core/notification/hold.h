/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_HOLD_H
#define LLE_CORE_HOLD_H

#include "../core.h"

/**
 * struct lle_rcm_budget - how much of what is isolated may wait that came by a port
 * @class_on_bytes: all of it; from there on everything that was named is held upstream
 * @class_off_bytes: below that it is let go
 * @id_on_bytes: of all IDs, in equal parts; from there on an ID is held upstream
 * @id_off_bytes: below that it is let go
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
 * struct lle_rcm_limit - from when to when something is held upstream
 * @on_bytes: from when more than that wait
 * @off_bytes: until less than that do
 */
struct lle_rcm_limit {
	u32 on_bytes;
	u32 off_bytes;
};

/**
 * struct lle_rcm_ingress - what is isolated that came by a port
 * @subs: queues that it waits in
 * @roots: congested ports facing a host that have destinations held for this one
 * @class_held: everything that was named is held upstream
 * @id: limit of each ID
 * @root: of the destination behind each congested port, which has its part of the budget of
 *	IDs, too, though its packets are not all isolated
 * @class: of all that is isolated, as what is in flight of many IDs adds up
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
 * lle_rcm_budget_init() - make a budget that fits below XOFF
 * @b: set to it
 * @xoff_bytes: queue that makes the port pause its peer
 * @flight_bytes: what still comes after a hold was sent: C * RTT
 * @mtu_bytes: largest packet
 *
 * Return: false: it does not fit, as of a queue below XOFF must be left what is in flight
 * and two packets, and as much again must be there to be sent meanwhile.
 */
bool lle_rcm_budget_init(struct lle_rcm_budget *b, u32 xoff_bytes,
			 u32 flight_bytes, u32 mtu_bytes);

/**
 * lle_rcm_divide() - set the limits by what there is
 * @in: of the port, with its queues and roots
 * @b: budget; NULL: nothing is ever held
 */
void lle_rcm_divide(struct lle_rcm_ingress *in, const struct lle_rcm_budget *b);

/**
 * lle_rcm_holds() - is it to be held upstream?
 * @l: limit
 * @bytes: that wait and came by the port
 * @held: it is
 */
static inline bool lle_rcm_holds(const struct lle_rcm_limit *l, u32 bytes,
				 bool held)
{
	if (held)
		return bytes >= READ_ONCE(l->off_bytes);
	return bytes > READ_ONCE(l->on_bytes);
}

/**
 * struct lle_rcm_progress - does what came by a port leave, of which some is held upstream?
 * @bytes: that waited when some last did
 * @since_ns: when that was
 * @stuck: it is long ago
 */
struct lle_rcm_progress {
	u32 bytes;
	u64 since_ns;
	bool stuck;
};

/**
 * lle_rcm_is_stuck() - has nothing left for long?
 * @p: progress so far
 * @bytes: that have come by the port and wait
 * @patience_ns: how long is long
 * @now_ns: the time
 *
 * To be asked again and again. Once it is, it is so until some has left.
 */
bool lle_rcm_is_stuck(struct lle_rcm_progress *p, u32 bytes, u64 patience_ns,
		      u64 now_ns);

#endif /* LLE_CORE_HOLD_H */
