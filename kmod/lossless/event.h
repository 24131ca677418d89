/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_EVENT_H
#define LLE_EVENT_H

#include <net/genetlink.h>

#include "netlink_gen.h"
#include "types/port.h"

/**
 * struct lle_event - an event that is being written
 * @net: namespace of the listeners
 * @group: multicast group, LOSSLESS_NLGRP_*
 * @gfp: for its memory
 * @skb: the message
 * @head: generic netlink header
 */
struct lle_event {
	struct net *net;
	unsigned int group;
	gfp_t gfp;
	struct sk_buff *skb;
	void *head;
};

void lle_event_init(struct genl_family *family);
bool lle_event_begin(struct lle_event *e, const struct lle_switch *sw, u8 cmd,
		     unsigned int group, gfp_t gfp);
void lle_event_end(const struct lle_event *e, bool failed);
bool lle_event_wants_pause(const struct lle_port *port);
void lle_event_pause(const struct lle_port *port, enum lossless_direction direction,
		     u8 changed, u8 paused, u64 now_ns);
void lle_event_storm(struct lle_port *port, unsigned int prio, bool begun,
		     u64 since_ns, const struct lle_watchdog_stats *stats, u64 now_ns);
void lle_event_deadlock(const struct lle_switch *sw,
			const struct lle_deadlock_record *r);
void lle_event_root(const struct lle_port *port, unsigned int prio, bool root,
		    u64 since_ns, u64 now_ns, u64 identified);
void lle_event_headroom(const struct lle_port *port);
void lle_event_unaccounted(const struct lle_port *port, u64 now_ns);

#endif /* LLE_EVENT_H */
