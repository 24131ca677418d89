/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_H
#define LLE_DEADLOCK_H

#include "../types/port.h"

struct netlink_ext_ack;

/* under RTNL, except for the last three */
struct lle_deadlock *lle_deadlock_prepare(const struct lle_port *port,
					  const struct lle_port_params *params,
					  struct netlink_ext_ack *extack);
void lle_deadlock_commit(struct lle_switch *sw, struct lle_deadlock *dl,
			 const struct lle_port_params *params);
void lle_deadlock_off(struct lle_switch *sw);
void lle_deadlock_configure(struct lle_switch *sw);
void lle_deadlock_add_port(struct lle_port *port);
void lle_deadlock_uncount(struct lle_port *port);
u64 lle_deadlock_state_bytes(const struct lle_port *port);
u64 lle_deadlock_counter_bytes(const struct lle_port *port);
bool lle_deadlock_trusts(const struct lle_port *port);

#endif /* LLE_DEADLOCK_H */
