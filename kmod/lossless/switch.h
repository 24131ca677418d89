/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_SWITCH_H
#define LLE_SWITCH_H

#include "types/port.h"

int lle_switch_net_init(void);
void lle_switch_net_exit(void);

struct lle_switch *lle_switch_get(struct net *net, u32 id);
void lle_switch_put(struct lle_switch *sw);
void lle_switch_add_port(struct lle_switch *sw, struct lle_port *port);
void lle_switch_del_port(struct lle_switch *sw, struct lle_port *port);

struct lle_port *lle_switch_first_port(const struct lle_switch *sw);

struct lle_switch *lle_switch_net_find(struct net *net, u32 id);
unsigned int lle_switch_net_generation(struct net *net);
int lle_switch_net_walk_ports(struct net *net,
			      int (*fn)(struct lle_port *port, void *arg),
			      void *arg);
struct lle_port *lle_switch_net_find_port(struct net *net, int ifindex);

/* path_group.c */
int lle_path_group_set(const struct lle_path_config *config,
		       struct netlink_ext_ack *extack);
int lle_path_group_del(struct net *net, u32 id);
void lle_path_group_leave(struct lle_port *port);
void lle_path_group_upper_changed(struct lle_port *port);
bool lle_path_group_read(const struct lle_port *port,
			 struct lle_path_config *config,
			 struct lle_path_stats *stats);

#endif /* LLE_SWITCH_H */
