/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_SAR_H
#define LLE_SAR_H

#include <linux/lossless.h>
#include <linux/netfilter.h>

#include "../core/path/sar.h"

struct lle_port;
struct net;
struct netlink_ext_ack;

/**
 * struct lle_sar_config - a group of ports that lead to the same hosts, as set
 * @id: its number in the network namespace
 * @adaptive: flows leave paths that are congested
 * @gap_us: time without packets after which they may; 0: computed
 * @ports: how many ports
 * @port: those
 */
struct lle_sar_config {
	u32 id;
	bool adaptive;
	u32 gap_us;
	unsigned int ports;
	struct lle_port *port[LLE_PATHS_MAX];
};

struct lle_sar_group;

/**
 * struct lle_sar_member - what a port of a group has
 * @group: the group; NULL: it is in none. Written under RTNL, read under RCU
 * @hook: the netdev egress hook, as long as there is a group; RTNL
 */
struct lle_sar_member {
	struct lle_sar_group __rcu *group;
	struct nf_hook_ops hook;
};

int lle_sar_set(const struct lle_sar_config *config,
		struct netlink_ext_ack *extack);
int lle_sar_del(struct net *net, u32 id);
void lle_sar_leave(struct lle_port *port);
void lle_sar_upper_changed(struct lle_port *port);
bool lle_sar_read(const struct lle_port *port, struct lle_sar_config *config,
		  struct lle_path_stats *stats);

#endif /* LLE_SAR_H */
