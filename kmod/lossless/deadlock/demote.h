/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_DEMOTE_H
#define LLE_DEADLOCK_DEMOTE_H

#include "../types/port.h"

bool lle_deadlock_demote(struct lle_deadlock *dl, struct lle_port *port,
			 const struct lle_deadlock_info *info);
u64 lle_deadlock_demote_end_quiet(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns);
void lle_deadlock_demote_end_all(struct lle_deadlock *dl);

#endif /* LLE_DEADLOCK_DEMOTE_H */
