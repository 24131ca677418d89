/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_H
#define LLE_DEADLOCK_H

#include "../../core/deadlock/exact_walk.h"
#include "../types/port.h"

struct lle_charge;
struct netlink_ext_ack;

/* deadlock.c */
struct lle_deadlock *lle_deadlock_prepare(const struct lle_port *port,
					  const struct lle_port_params *params,
					  struct netlink_ext_ack *extack);
void lle_deadlock_commit(struct lle_switch *sw, struct lle_deadlock *dl,
			 const struct lle_port_params *params);
void lle_deadlock_off(struct lle_switch *sw);
void lle_deadlock_add_port(struct lle_port *port);
void lle_deadlock_uncount(struct lle_port *port);
void lle_deadlock_count(struct lle_port *port, unsigned int prio);
u64 lle_deadlock_state_bytes(const struct lle_port *port);
u64 lle_deadlock_counter_bytes(const struct lle_port *port);
bool lle_deadlock_trusts(const struct lle_port *port);

/* event.c */
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
bool lle_deadlock_event_admit(struct lle_deadlock *dl, struct lle_port *port,
			      u64 now_ns);
void lle_deadlock_event_append(struct lle_deadlock *dl, unsigned int slot,
			       const struct lle_dl_msg *msg);

/* record.c */
void lle_deadlock_record_declared(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns);
u64 lle_deadlock_record_retry(struct lle_deadlock *dl, u64 now_ns);
bool lle_deadlock_record_read(struct lle_switch *sw, unsigned int n,
			      struct lle_deadlock_record *r);
bool lle_deadlock_record_next(struct lle_deadlock *dl);
void lle_deadlock_record_done(struct lle_deadlock *dl,
			      const struct lle_deadlock_record *r);
void lle_deadlock_record_walk(struct lle_port *port,
			      const struct lle_dl_msg *msg, struct sk_buff *skb,
			      u64 now_ns);

/* break.c */
void lle_deadlock_break(struct lle_deadlock *dl,
			struct lle_deadlock_record *r);

/* break_lossless.c */
bool lle_break_lossless_park(struct lle_port *port,
			     const struct lle_charge *charge,
			     struct lle_port *egress);
void lle_break_lossless_unpark(struct lle_port *egress, u32 len);
bool lle_break_lossless_relieved(struct lle_port *port,
				 const struct lle_relief *relief);

/* demote.c */
bool lle_deadlock_demote(struct lle_deadlock *dl, struct lle_port *port,
			 const struct lle_deadlock_info *info);
u64 lle_deadlock_demote_end_quiet(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns);
void lle_deadlock_demote_end_all(struct lle_deadlock *dl);

/* trigger_resolve.c */
bool lle_trigger_resolve(struct lle_switch *sw, unsigned int slot,
			 const struct lle_dl_msg *msg);
void lle_trigger_resolve_asked(struct lle_port *port,
			       const struct lle_dl_msg *msg, u64 now_ns);

/* work.c */
void lle_deadlock_work_init(struct lle_deadlock *dl);
void lle_deadlock_work_exit(struct lle_deadlock *dl);

#endif /* LLE_DEADLOCK_H */
