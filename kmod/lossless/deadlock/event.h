/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_EVENT_H
#define LLE_DEADLOCK_EVENT_H

#include "../types/port.h"

void lle_deadlock_packet_enq_held(struct lle_deadlock *dl, unsigned int egress,
				  unsigned int ingress, unsigned int prio,
				  u32 len);
void lle_deadlock_packet_deq_held(struct lle_deadlock *dl, unsigned int egress,
				  unsigned int ingress, unsigned int prio,
				  u32 len);
void lle_deadlock_event_xoff(struct lle_port *port, unsigned int prio,
			     bool pause);
void lle_deadlock_event_pfc(struct lle_port *port, u8 prios, u8 ended,
			    const struct lle_dl_msg *msg, u64 now_ns);
void lle_deadlock_event_ended(struct lle_port *port, u8 prios);
void lle_deadlock_event_freed(struct lle_port *port, u8 prios);
void lle_deadlock_event_message(struct lle_port *port,
				const struct lle_dl_msg *msg, u64 now_ns);
bool lle_deadlock_event_ride(struct lle_port *port, u8 changed, u8 want,
			     struct lle_dl_msg *msg);
void lle_deadlock_event_sum_stats(const struct lle_deadlock *dl,
				  struct lle_deadlock_stats *stats);
u8 lle_deadlock_event_read_stats(struct lle_switch *sw,
				 struct lle_deadlock_stats *stats);
void lle_deadlock_event_run(struct lle_deadlock *dl, unsigned int prio,
			    u64 now_ns);

#endif /* LLE_DEADLOCK_EVENT_H */
