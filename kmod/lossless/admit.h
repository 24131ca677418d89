/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_ADMIT_H
#define LLE_ADMIT_H

#include "types/port.h"

enum lle_admission lle_port_admit(struct lle_port *port, unsigned int prio,
				  u32 len, struct lle_port *egress);
void lle_port_release(struct lle_port *port, unsigned int prio, u32 len,
		      struct lle_port *egress);
void lle_port_recount(const struct lle_port *port, unsigned int prio, u32 len,
		      const struct lle_port *egress);
void lle_port_want(struct lle_port *port, unsigned int prio);
void lle_port_tell(struct lle_port *port, unsigned int prio);
void lle_port_drop(struct lle_port *port, unsigned int prio,
		   enum lle_drop_reason reason, u32 len);

bool lle_port_charged(const struct lle_port *port);

#endif /* LLE_ADMIT_H */
