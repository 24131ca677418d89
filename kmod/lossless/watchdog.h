/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_WATCHDOG_H
#define LLE_WATCHDOG_H

#include "types/port.h"

void lle_storm_init(struct lle_port *port);
void lle_storm_exit(struct lle_port *port);
void lle_storm_look(struct lle_port *port);
void lle_storm_waits(struct lle_port *port, unsigned int prio);
void lle_storm_set(struct lle_port *port, u8 prios,
		   const struct lle_storm_params *params);
bool lle_storm_isolate(struct lle_port *port, unsigned int prio);
void lle_storm_end(struct lle_port *port, u8 prios);
void lle_storm_role(struct lle_port *port, bool nic);
void lle_storm_discard(struct lle_port *port);
void lle_storm_clear(struct lle_port *port);
bool lle_storm_read(struct lle_port *port, unsigned int prio,
		    struct lle_wd_stats *stats);

#endif /* LLE_WATCHDOG_H */
