/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_EVENT_H
#define LLE_EVENT_H

#include <linux/lossless.h>
#include <linux/types.h>

struct lle_deadlock_record;
struct lle_port;
struct lle_switch;

void lle_event_pause(const struct lle_port *port, enum lle_direction direction,
		     u8 changed, u8 paused, u64 now_ns);
void lle_event_storm(struct lle_port *port, unsigned int prio, bool begun,
		     u64 since_ns, u64 now_ns);
void lle_event_deadlock(const struct lle_switch *sw,
			const struct lle_deadlock_record *r);
void lle_event_root(const struct lle_port *port, unsigned int prio, bool root,
		    u64 since_ns, u64 now_ns, u64 named);
void lle_event_hdroom(const struct lle_port *port);
void lle_event_unaccounted(const struct lle_port *port, u64 now_ns);
void lle_event_port(struct lle_port *port, bool gone);

#endif /* LLE_EVENT_H */
