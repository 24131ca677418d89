/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	spec/netlink/lossless.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_LOSSLESS_GEN_H
#define _LINUX_LOSSLESS_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/lossless.h>
#include <linux/pkt_sch_lossless.h>

int lle_netlink_start_ports(struct netlink_callback *cb);
int lle_netlink_start_deadlocks(struct netlink_callback *cb);

int lossless_nl_switch_get_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_switch_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb);
int lossless_nl_switch_set_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_port_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int lossless_nl_history_get_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_history_get_dumpit(struct sk_buff *skb,
				   struct netlink_callback *cb);
int lossless_nl_watchdog_get_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_watchdog_get_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb);
int lossless_nl_watchdog_set_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_clear_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_queue_get_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_queue_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int lossless_nl_deadlock_get_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb);
int lossless_nl_congestion_get_doit(struct sk_buff *skb,
				    struct genl_info *info);
int lossless_nl_congestion_get_dumpit(struct sk_buff *skb,
				      struct netlink_callback *cb);
int lossless_nl_path_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int lossless_nl_path_set_doit(struct sk_buff *skb, struct genl_info *info);
int lossless_nl_path_del_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	LOSSLESS_NLGRP_PAUSE,
	LOSSLESS_NLGRP_STORM,
	LOSSLESS_NLGRP_CONFIG,
	LOSSLESS_NLGRP_DEADLOCK,
	LOSSLESS_NLGRP_CONGESTION,
};

extern struct genl_family lossless_nl_family;

#endif /* _LINUX_LOSSLESS_GEN_H */
