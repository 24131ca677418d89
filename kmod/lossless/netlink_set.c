// SPDX-License-Identifier: GPL-2.0
/* Requests that change a switch, path groups, or watchdogs and counters. */
#include <linux/rtnetlink.h>

#include "netlink.h"
#include "port.h"
#include "switch.h"
#include "watchdog.h"

/* The port with the ifindex in @attr; an ERR_PTR, with the reason in extack */
static struct lle_port *lle_genl_find_port(struct genl_info *info,
					   const struct nlattr *attr)
{
	struct lle_port *port = lle_switch_net_find_port(genl_info_net(info),
							 nla_get_u32(attr));

	if (port)
		return port;
	NL_SET_ERR_MSG_ATTR(info->extack, attr,
			    "No such device, or no lossless qdisc at its root");
	return ERR_PTR(-ENODEV);
}

/* Port of a request; an ERR_PTR, with the reason in extack. RTNL. */
struct lle_port *lle_netlink_set_find_port(struct genl_info *info)
{
	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_PORT_IFINDEX))
		return ERR_PTR(-EINVAL);
	return lle_genl_find_port(info, info->attrs[LOSSLESS_A_PORT_IFINDEX]);
}

/* Switch of a request; as lle_netlink_set_find_port() */
struct lle_switch *lle_netlink_set_find_switch(struct genl_info *info)
{
	struct lle_switch *sw;

	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_SWITCH_ID))
		return ERR_PTR(-EINVAL);
	sw = lle_switch_net_find(genl_info_net(info),
				 nla_get_u32(info->attrs[LOSSLESS_A_SWITCH_ID]));
	if (!sw) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[LOSSLESS_A_SWITCH_ID],
				    "No such switch: no port belongs to it");
		return ERR_PTR(-ENODEV);
	}
	return sw;
}

static int lle_genl_locked(struct genl_info *info,
			   int (*change)(struct genl_info *info))
{
	int err;

	rtnl_lock();
	err = change(info);
	rtnl_unlock();
	return err;
}

static int lle_genl_discard(struct lle_port *port, void *arg)
{
	if (port->sw == arg)
		lle_watchdog_discard(port);
	return 0;
}

static int lle_genl_set_switch(struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct lle_switch *sw = lle_netlink_set_find_switch(info);
	int err = 0;

	if (IS_ERR(sw))
		return PTR_ERR(sw);
	if (attrs[LOSSLESS_A_SWITCH_BUFFER])
		err = lle_port_resize(lle_switch_first_port(sw),
				      nla_get_u32(attrs[LOSSLESS_A_SWITCH_BUFFER]),
				      info->extack);
	if (err)
		return err;
	if (attrs[LOSSLESS_A_SWITCH_DISCARD]) {
		WRITE_ONCE(sw->discard, nla_get_u8(attrs[LOSSLESS_A_SWITCH_DISCARD]));
		lle_switch_net_walk_ports(sw->net, lle_genl_discard, sw);
	}
	return 0;
}

int lossless_nl_switch_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_locked(info, lle_genl_set_switch);
}

static int lle_genl_set_watchdog(struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct lle_port *port = lle_netlink_set_find_port(info);
	struct lle_watchdog_params params;
	unsigned int p;
	u8 prios;

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_WATCHDOG_PRIOS))
		return -EINVAL;
	prios = nla_get_u8(attrs[LOSSLESS_A_WATCHDOG_PRIOS]);
	if (attrs[LOSSLESS_A_WATCHDOG_DETECTION_MS] &&
	    nla_get_u32(attrs[LOSSLESS_A_WATCHDOG_DETECTION_MS]) && prios & ~port->pfc_en)
		return LLE_REFUSE_ATTR(info->extack, attrs[LOSSLESS_A_WATCHDOG_PRIOS], -EINVAL,
				       "The watchdog requires PFC on the priority");

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!(prios & BIT(p)))
			continue;
		params = port->watchdog.prio[p].params;
		if (attrs[LOSSLESS_A_WATCHDOG_DETECTION_MS])
			params.times.detection_ns = NSEC_PER_MSEC *
				(u64)nla_get_u32(attrs[LOSSLESS_A_WATCHDOG_DETECTION_MS]);
		if (attrs[LOSSLESS_A_WATCHDOG_RESTORATION_MS])
			params.times.restoration_ns = NSEC_PER_MSEC *
				(u64)nla_get_u32(attrs[LOSSLESS_A_WATCHDOG_RESTORATION_MS]);
		if (attrs[LOSSLESS_A_WATCHDOG_ACTION])
			params.action = nla_get_u8(attrs[LOSSLESS_A_WATCHDOG_ACTION]);
		lle_watchdog_set(port, BIT(p), &params);
	}
	lle_netlink_put_port_event(port, false);
	return 0;
}

int lossless_nl_watchdog_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_locked(info, lle_genl_set_watchdog);
}

static int lle_genl_clear_port(struct lle_port *port, void *arg)
{
	lle_watchdog_clear(port);
	lle_port_clear_max(port);
	return 0;
}

static int lle_genl_clear(struct genl_info *info)
{
	struct lle_port *port;

	if (!info->attrs[LOSSLESS_A_PORT_IFINDEX])
		return lle_switch_net_walk_ports(genl_info_net(info),
						 lle_genl_clear_port, NULL);
	port = lle_netlink_set_find_port(info);
	return IS_ERR(port) ? PTR_ERR(port) : lle_genl_clear_port(port, NULL);
}

int lossless_nl_clear_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_locked(info, lle_genl_clear);
}

static int lle_genl_member(struct genl_info *info, const struct nlattr *member,
			   struct lle_path_config *config)
{
	struct lle_port *port;

	if (config->ports == LOSSLESS_PATHS_MAX)
		return LLE_REFUSE_ATTR(info->extack, member, -EINVAL,
				       "A path group has too many ports");
	port = lle_genl_find_port(info, member);
	if (IS_ERR(port))
		return PTR_ERR(port);
	config->port[config->ports++] = port;
	return 0;
}

static int lle_genl_members(struct genl_info *info,
			    struct lle_path_config *config)
{
	const struct nlattr *attr;
	int rem, err;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != LOSSLESS_A_PATH_GROUP_MEMBER)
			continue;
		err = lle_genl_member(info, attr, config);
		if (err)
			return err;
	}
	if (config->ports >= 2)
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack,
			    info->attrs[LOSSLESS_A_PATH_GROUP_MEMBER],
			    "A path group requires at least two ports");
	return -EINVAL;
}

static int lle_genl_set_path(struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct lle_path_config config = {};
	int err;

	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_PATH_GROUP_ID) ||
	    GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_PATH_GROUP_MEMBER))
		return -EINVAL;
	err = lle_genl_members(info, &config);
	if (err)
		return err;
	config.id = nla_get_u32(attrs[LOSSLESS_A_PATH_GROUP_ID]);
	if (attrs[LOSSLESS_A_PATH_GROUP_ADAPTIVE])
		config.adaptive =
			nla_get_u8(attrs[LOSSLESS_A_PATH_GROUP_ADAPTIVE]);
	if (attrs[LOSSLESS_A_PATH_GROUP_GAP_US])
		config.gap_us = nla_get_u32(attrs[LOSSLESS_A_PATH_GROUP_GAP_US]);
	return lle_path_group_set(&config, info->extack);
}

int lossless_nl_path_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_locked(info, lle_genl_set_path);
}

static int lle_genl_del_path(struct genl_info *info)
{
	struct nlattr *id;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_PATH_GROUP_ID))
		return -EINVAL;
	id = info->attrs[LOSSLESS_A_PATH_GROUP_ID];
	err = lle_path_group_del(genl_info_net(info), nla_get_u32(id));
	if (err)
		NL_SET_ERR_MSG_ATTR(info->extack, id, "No such path group");
	return err;
}

int lossless_nl_path_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_locked(info, lle_genl_del_path);
}
