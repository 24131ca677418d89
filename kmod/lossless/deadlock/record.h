/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_RECORD_H
#define LLE_DEADLOCK_RECORD_H

#include "../../core/deadlock/exact_walk.h"
#include "../types/port.h"

void lle_deadlock_record_declared(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns);
u64 lle_deadlock_record_retry(struct lle_deadlock *dl, u64 now_ns);
bool lle_deadlock_record_read(struct lle_switch *sw, unsigned int n,
			      struct lle_deadlock_record *r);
bool lle_deadlock_record_next(struct lle_deadlock *dl);
void lle_deadlock_record_done(struct lle_deadlock *dl,
			      const struct lle_deadlock_record *r);
void lle_deadlock_record_own_hop(const struct lle_deadlock *dl,
				 unsigned int prio, unsigned int egress,
				 unsigned int ingress, u64 now_ns,
				 struct lle_dl_hop *hop);
u64 lle_deadlock_record_walked(struct lle_deadlock *dl, unsigned int egress,
			       const struct lle_dl_msg *msg,
			       const struct lle_dl_wire_hop *wire, u64 now_ns);

#endif /* LLE_DEADLOCK_RECORD_H */
