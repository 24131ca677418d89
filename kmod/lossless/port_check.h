/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_PORT_CHECK_H
#define LLE_PORT_CHECK_H

#include "port.h"

int lle_port_check_device(const struct net_device *dev,
			  struct netlink_ext_ack *extack);
int lle_port_check_upper(const struct lle_port *port,
			 const struct net_device *upper,
			 struct netlink_ext_ack *extack);
int lle_port_check_ends(struct notifier_block *nb, unsigned long event,
			void *ptr);
int lle_port_check(const struct lle_port *port,
		   const struct lle_port_params *params,
		   struct netlink_ext_ack *extack);
void lle_port_check_warn(const struct lle_port *port,
			 const struct lle_port_update *update,
			 struct netlink_ext_ack *extack);

#endif /* LLE_PORT_CHECK_H */
