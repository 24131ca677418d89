/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DIRECT_H
#define LLE_DIRECT_H

#include "types/port.h"

struct netlink_ext_ack;

void lle_direct_work(struct work_struct *work);
void lle_direct_look(struct lle_switch *sw);
void lle_direct_warn(const struct lle_port *port,
		     const struct lle_port_params *params,
		     struct netlink_ext_ack *extack);

#endif /* LLE_DIRECT_H */
