/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_WATCHDOG_H
#define LLE_WATCHDOG_H

#include "types/port.h"

void lle_watchdog_init(struct lle_port *port);
void lle_watchdog_exit(struct lle_port *port);
void lle_watchdog_look(struct lle_port *port);
void lle_watchdog_waits(struct lle_port *port, unsigned int prio);
void lle_watchdog_set(struct lle_port *port, u8 prios,
		      const struct lle_watchdog_params *params);
bool lle_watchdog_quarantine(struct lle_port *port, unsigned int prio);
void lle_watchdog_end(struct lle_port *port, u8 prios);
void lle_watchdog_role(struct lle_port *port, bool nic);
void lle_watchdog_discard(struct lle_port *port);
void lle_watchdog_clear(struct lle_port *port);
bool lle_watchdog_read(struct lle_port *port, unsigned int prio,
		       struct lle_watchdog_stats *stats);

#endif /* LLE_WATCHDOG_H */
