/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_BREAK_LOSSLESS_H
#define LLE_DEADLOCK_BREAK_LOSSLESS_H

#include "../types/port.h"

struct lle_charge;

bool lle_break_lossless_park(struct lle_port *port,
			     const struct lle_charge *charge,
			     struct lle_port *egress);
void lle_break_lossless_unpark(struct lle_port *egress, u32 len);
bool lle_break_lossless_relieved(struct lle_port *port,
				 const struct lle_relief *relief);

#endif /* LLE_DEADLOCK_BREAK_LOSSLESS_H */
