/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_PATH_H
#define LLE_TYPES_PATH_H

#include <linux/lossless.h>
#include <linux/netfilter.h>

#include "../../core/path/sar.h"

struct lle_port;

/**
 * struct lle_path_config - configuration of a path group
 * @id: number in the network namespace
 * @adaptive: flows leave congested paths
 * @gap_us: idle microseconds before a flow may move; 0: computed
 * @ports: number of ports
 * @port: the ports
 */
struct lle_path_config {
	u32 id;
	bool adaptive;
	u32 gap_us;
	unsigned int ports;
	struct lle_port *port[LOSSLESS_PATHS_MAX];
};

/**
 * struct lle_path_stats - counters of a path group
 * @moved: times a flow left a congested path
 * @saved: times a flow left a dead port
 */
struct lle_path_stats {
	u64 moved;
	u64 saved;
};

struct lle_path_group;

/**
 * struct lle_path_member - membership of a port in a path group
 * @group: the group, or NULL. Written under RTNL, read under RCU
 * @hook: netdev egress hook while @group is set; RTNL
 */
struct lle_path_member {
	struct lle_path_group __rcu *group;
	struct nf_hook_ops hook;
};

#endif /* LLE_TYPES_PATH_H */
