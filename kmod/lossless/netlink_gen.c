// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	spec/netlink/lossless.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/lossless.h>
#include <linux/pkt_sch_lossless.h>

/* Integer value ranges */
static const struct netlink_range_validation lossless_a_switch_buffer_range = {
	.min	= LLE_BUFFER_MIN,
	.max	= LLE_BUFFER_MAX,
};

static const struct netlink_range_validation lossless_a_watchdog_detection_ms_range = {
	.max	= LOSSLESS_WATCHDOG_MS_MAX,
};

static const struct netlink_range_validation lossless_a_watchdog_restoration_ms_range = {
	.max	= LOSSLESS_WATCHDOG_MS_MAX,
};

static const struct netlink_range_validation lossless_a_path_group_gap_us_range = {
	.max	= LOSSLESS_PATH_GAP_US_MAX,
};

/* LOSSLESS_CMD_SWITCH_GET - do */
static const struct nla_policy lossless_switch_get_nl_policy[LOSSLESS_A_SWITCH_ID + 1] = {
	[LOSSLESS_A_SWITCH_ID] = { .type = NLA_U32, },
};

/* LOSSLESS_CMD_SWITCH_SET - do */
static const struct nla_policy lossless_switch_set_nl_policy[LOSSLESS_A_SWITCH_DISCARD + 1] = {
	[LOSSLESS_A_SWITCH_ID] = { .type = NLA_U32, },
	[LOSSLESS_A_SWITCH_BUFFER] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_a_switch_buffer_range),
	[LOSSLESS_A_SWITCH_DISCARD] = NLA_POLICY_MAX(NLA_U8, 1),
};

/* LOSSLESS_CMD_PORT_GET - do */
static const struct nla_policy lossless_port_get_do_nl_policy[LOSSLESS_A_PORT_IFINDEX + 1] = {
	[LOSSLESS_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* LOSSLESS_CMD_PORT_GET - dump */
static const struct nla_policy lossless_port_get_dump_nl_policy[LOSSLESS_A_PORT_IFINDEX + 1] = {
	[LOSSLESS_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* LOSSLESS_CMD_HISTORY_GET - do */
static const struct nla_policy lossless_history_get_do_nl_policy[LOSSLESS_A_HISTORY_DIRECTION + 1] = {
	[LOSSLESS_A_HISTORY_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[LOSSLESS_A_HISTORY_PRIO] = NLA_POLICY_MAX(NLA_U8, 7),
	[LOSSLESS_A_HISTORY_DIRECTION] = NLA_POLICY_MAX(NLA_U8, 1),
};

/* LOSSLESS_CMD_HISTORY_GET - dump */
static const struct nla_policy lossless_history_get_dump_nl_policy[LOSSLESS_A_HISTORY_IFINDEX + 1] = {
	[LOSSLESS_A_HISTORY_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* LOSSLESS_CMD_WATCHDOG_GET - do */
static const struct nla_policy lossless_watchdog_get_do_nl_policy[LOSSLESS_A_WATCHDOG_PRIO + 1] = {
	[LOSSLESS_A_WATCHDOG_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[LOSSLESS_A_WATCHDOG_PRIO] = NLA_POLICY_MAX(NLA_U8, 7),
};

/* LOSSLESS_CMD_WATCHDOG_GET - dump */
static const struct nla_policy lossless_watchdog_get_dump_nl_policy[LOSSLESS_A_WATCHDOG_IFINDEX + 1] = {
	[LOSSLESS_A_WATCHDOG_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* LOSSLESS_CMD_WATCHDOG_SET - do */
static const struct nla_policy lossless_watchdog_set_nl_policy[LOSSLESS_A_WATCHDOG_ACTION + 1] = {
	[LOSSLESS_A_WATCHDOG_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[LOSSLESS_A_WATCHDOG_PRIOS] = NLA_POLICY_MIN(NLA_U8, 1),
	[LOSSLESS_A_WATCHDOG_DETECTION_MS] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_a_watchdog_detection_ms_range),
	[LOSSLESS_A_WATCHDOG_RESTORATION_MS] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_a_watchdog_restoration_ms_range),
	[LOSSLESS_A_WATCHDOG_ACTION] = NLA_POLICY_MAX(NLA_U8, 2),
};

/* LOSSLESS_CMD_CLEAR - do */
static const struct nla_policy lossless_clear_nl_policy[LOSSLESS_A_PORT_IFINDEX + 1] = {
	[LOSSLESS_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* LOSSLESS_CMD_QUEUE_GET - do */
static const struct nla_policy lossless_queue_get_do_nl_policy[LOSSLESS_A_QUEUE_PRIO + 1] = {
	[LOSSLESS_A_QUEUE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[LOSSLESS_A_QUEUE_PRIO] = NLA_POLICY_MAX(NLA_U8, 7),
};

/* LOSSLESS_CMD_QUEUE_GET - dump */
static const struct nla_policy lossless_queue_get_dump_nl_policy[LOSSLESS_A_QUEUE_IFINDEX + 1] = {
	[LOSSLESS_A_QUEUE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* LOSSLESS_CMD_CONGESTION_GET - do */
static const struct nla_policy lossless_congestion_get_do_nl_policy[LOSSLESS_A_CONGESTION_PRIO + 1] = {
	[LOSSLESS_A_CONGESTION_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[LOSSLESS_A_CONGESTION_PRIO] = NLA_POLICY_MAX(NLA_U8, 7),
};

/* LOSSLESS_CMD_CONGESTION_GET - dump */
static const struct nla_policy lossless_congestion_get_dump_nl_policy[LOSSLESS_A_CONGESTION_IFINDEX + 1] = {
	[LOSSLESS_A_CONGESTION_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* LOSSLESS_CMD_PATH_SET - do */
static const struct nla_policy lossless_path_set_nl_policy[LOSSLESS_A_PATH_GROUP_GAP_US + 1] = {
	[LOSSLESS_A_PATH_GROUP_ID] = { .type = NLA_U32, },
	[LOSSLESS_A_PATH_GROUP_MEMBER] = NLA_POLICY_MIN(NLA_U32, 1),
	[LOSSLESS_A_PATH_GROUP_ADAPTIVE] = NLA_POLICY_MAX(NLA_U8, 1),
	[LOSSLESS_A_PATH_GROUP_GAP_US] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_a_path_group_gap_us_range),
};

/* LOSSLESS_CMD_PATH_DEL - do */
static const struct nla_policy lossless_path_del_nl_policy[LOSSLESS_A_PATH_GROUP_ID + 1] = {
	[LOSSLESS_A_PATH_GROUP_ID] = { .type = NLA_U32, },
};

/* Ops table for lossless */
static const struct genl_split_ops lossless_nl_ops[] = {
	{
		.cmd		= LOSSLESS_CMD_SWITCH_GET,
		.doit		= lossless_nl_switch_get_doit,
		.policy		= lossless_switch_get_nl_policy,
		.maxattr	= LOSSLESS_A_SWITCH_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= LOSSLESS_CMD_SWITCH_GET,
		.dumpit	= lossless_nl_switch_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= LOSSLESS_CMD_SWITCH_SET,
		.doit		= lossless_nl_switch_set_doit,
		.policy		= lossless_switch_set_nl_policy,
		.maxattr	= LOSSLESS_A_SWITCH_DISCARD,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_PORT_GET,
		.doit		= lossless_nl_port_get_doit,
		.policy		= lossless_port_get_do_nl_policy,
		.maxattr	= LOSSLESS_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_PORT_GET,
		.start		= lle_netlink_start_ports,
		.dumpit		= lossless_nl_port_get_dumpit,
		.policy		= lossless_port_get_dump_nl_policy,
		.maxattr	= LOSSLESS_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= LOSSLESS_CMD_HISTORY_GET,
		.doit		= lossless_nl_history_get_doit,
		.policy		= lossless_history_get_do_nl_policy,
		.maxattr	= LOSSLESS_A_HISTORY_DIRECTION,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_HISTORY_GET,
		.dumpit		= lossless_nl_history_get_dumpit,
		.policy		= lossless_history_get_dump_nl_policy,
		.maxattr	= LOSSLESS_A_HISTORY_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= LOSSLESS_CMD_WATCHDOG_GET,
		.doit		= lossless_nl_watchdog_get_doit,
		.policy		= lossless_watchdog_get_do_nl_policy,
		.maxattr	= LOSSLESS_A_WATCHDOG_PRIO,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_WATCHDOG_GET,
		.dumpit		= lossless_nl_watchdog_get_dumpit,
		.policy		= lossless_watchdog_get_dump_nl_policy,
		.maxattr	= LOSSLESS_A_WATCHDOG_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= LOSSLESS_CMD_WATCHDOG_SET,
		.doit		= lossless_nl_watchdog_set_doit,
		.policy		= lossless_watchdog_set_nl_policy,
		.maxattr	= LOSSLESS_A_WATCHDOG_ACTION,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_CLEAR,
		.doit		= lossless_nl_clear_doit,
		.policy		= lossless_clear_nl_policy,
		.maxattr	= LOSSLESS_A_PORT_IFINDEX,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_QUEUE_GET,
		.doit		= lossless_nl_queue_get_doit,
		.policy		= lossless_queue_get_do_nl_policy,
		.maxattr	= LOSSLESS_A_QUEUE_PRIO,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_QUEUE_GET,
		.dumpit		= lossless_nl_queue_get_dumpit,
		.policy		= lossless_queue_get_dump_nl_policy,
		.maxattr	= LOSSLESS_A_QUEUE_IFINDEX,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DUMP,
	},
	{
		.cmd	= LOSSLESS_CMD_DEADLOCK_GET,
		.start	= lle_netlink_start_deadlocks,
		.dumpit	= lossless_nl_deadlock_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= LOSSLESS_CMD_CONGESTION_GET,
		.doit		= lossless_nl_congestion_get_doit,
		.policy		= lossless_congestion_get_do_nl_policy,
		.maxattr	= LOSSLESS_A_CONGESTION_PRIO,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_CONGESTION_GET,
		.dumpit		= lossless_nl_congestion_get_dumpit,
		.policy		= lossless_congestion_get_dump_nl_policy,
		.maxattr	= LOSSLESS_A_CONGESTION_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd	= LOSSLESS_CMD_PATH_GET,
		.dumpit	= lossless_nl_path_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= LOSSLESS_CMD_PATH_SET,
		.doit		= lossless_nl_path_set_doit,
		.policy		= lossless_path_set_nl_policy,
		.maxattr	= LOSSLESS_A_PATH_GROUP_GAP_US,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= LOSSLESS_CMD_PATH_DEL,
		.doit		= lossless_nl_path_del_doit,
		.policy		= lossless_path_del_nl_policy,
		.maxattr	= LOSSLESS_A_PATH_GROUP_ID,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
};

static const struct genl_multicast_group lossless_nl_mcgrps[] = {
	[LOSSLESS_NLGRP_PAUSE] = { "pause", GENL_MCAST_CAP_NET_ADMIN },
	[LOSSLESS_NLGRP_STORM] = { "storm", },
	[LOSSLESS_NLGRP_CONFIG] = { "config", },
	[LOSSLESS_NLGRP_DEADLOCK] = { "deadlock", },
	[LOSSLESS_NLGRP_CONGESTION] = { "congestion", },
};

struct genl_family lossless_nl_family __ro_after_init = {
	.name		= LOSSLESS_FAMILY_NAME,
	.version	= LOSSLESS_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= lossless_nl_ops,
	.n_split_ops	= ARRAY_SIZE(lossless_nl_ops),
	.mcgrps		= lossless_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(lossless_nl_mcgrps),
};
