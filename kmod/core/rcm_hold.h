/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_RCM_HOLD_H
#define LLE_CORE_RCM_HOLD_H

#include "core.h"

/**
 * struct lle_rcm_budget - how much of what is held apart may wait that came by a port
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
 * struct lle_rcm_ingress - what is held apart that came by a port
 * @bytes: that wait
 * @subs: queues that they wait in
 * @roots: congested ports facing a host that have destinations held for this one
 * @class_held: everything that was named is held upstream
 */
struct lle_rcm_ingress {
	u32 bytes;
	u16 subs;
	u16 roots;
	bool class_held;
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
 * lle_rcm_holds_id() - is an ID to be held upstream?
 * @b: budget
 * @in: of the port
 * @bytes: of the ID that wait and came by the port
 * @held: it is
 */
bool lle_rcm_holds_id(const struct lle_rcm_budget *b,
		      const struct lle_rcm_ingress *in, u32 bytes, bool held);

/**
 * lle_rcm_holds_root() - is the destination behind a congested port to be held upstream?
 * @b: budget
 * @in: of the port that the packets came by
 * @bytes: for that destination that wait and came by the port
 * @held: it is
 *
 * It has its part of the budget of IDs, too, though its packets are not all held apart.
 */
bool lle_rcm_holds_root(const struct lle_rcm_budget *b,
			const struct lle_rcm_ingress *in, u32 bytes, bool held);

/**
 * lle_rcm_holds_class() - is everything to be held upstream that was named?
 * @b: budget
 * @in: of the port; @class_held of it: it is
 *
 * What is in flight of many IDs adds up.
 */
bool lle_rcm_holds_class(const struct lle_rcm_budget *b,
			 const struct lle_rcm_ingress *in);

#endif /* LLE_CORE_RCM_HOLD_H */
