/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CONFIG_H
#define LLE_CONFIG_H

#include "queue.h"

/**
 * struct lossless_config - all options of the qdisc
 * @switch_id: switch to join
 * @limit_bytes: see struct lossless_qdisc
 * @port: parameters of the port
 * @sched: parameters of the scheduler
 * @wred: by priority
 * @clear_max: reset high-water marks
 */
struct lossless_config {
	u32 switch_id;
	u32 limit_bytes;
	struct lle_port_params port;
	struct lle_sched_params sched;
	struct lle_wred_params wred[LLE_NUM_PRIO];
	bool clear_max;
};

int lossless_config_parse(struct lossless_config *c, struct net_device *dev,
			  struct nlattr *opt, struct netlink_ext_ack *extack);
int lossless_config_check(struct lossless_config *c,
			  const struct net_device *dev,
			  struct netlink_ext_ack *extack);
void lossless_config_defaults(struct lossless_config *c,
			      const struct net_device *dev);

#endif /* LLE_CONFIG_H */
