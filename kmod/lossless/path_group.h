/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_PATH_GROUP_H
#define LLE_PATH_GROUP_H

#include "types/port.h"

struct netlink_ext_ack;

int lle_path_group_set(const struct lle_path_config *config,
		       struct netlink_ext_ack *extack);
int lle_path_group_del(struct net *net, u32 id);
void lle_path_group_leave(struct lle_port *port);
void lle_path_group_upper_changed(struct lle_port *port);
bool lle_path_group_read(const struct lle_port *port,
			 struct lle_path_config *config,
			 struct lle_path_stats *stats);

#endif /* LLE_PATH_GROUP_H */
