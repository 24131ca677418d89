// SPDX-License-Identifier: GPL-2.0
/*
 * Members of a port's bond or team without a lossless qdisc: their packets are
 * not accounted and cause no pause. This is only a warning, since ports are
 * added one by one.
 */
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>

#include "port.h"
#include "switch.h"

/**
 * struct lle_gap - members of a bond or team
 * @self: the configured device
 * @self_lossless: it will have a lossless priority
 * @top: the bond or team
 * @dev: a member without a lossless qdisc, or NULL
 * @lossless: a member has a lossless priority
 */
struct lle_gap {
	const struct net_device *self;
	bool self_lossless;
	const struct net_device *top;
	const struct net_device *dev;
	bool lossless;
};

static int lle_gap_find(struct net_device *top, struct netdev_nested_priv *priv)
{
	struct lle_gap *gap = priv->data;
	const struct lle_port *port;
	struct net_device *member;
	struct list_head *iter;

	if (!netif_is_lag_master(top))
		return 0;
	gap->top = top;
	gap->dev = NULL;
	gap->lossless = gap->self_lossless;
	netdev_for_each_lower_dev(top, member, iter) {
		/* only the device below can have a lossless qdisc */
		if (is_vlan_dev(member))
			continue;
		port = lle_switch_net_find_port(dev_net(member),
						member->ifindex);
		if (!port)
			gap->dev = member;
		else if (member != gap->self)
			gap->lossless |= port->pfc_en;
	}
	return gap->lossless && gap->dev;
}

/**
 * lle_members_warn() - warn of a member without a lossless qdisc
 * @dev: device of the port, or new member of a bond or team
 * @pfc_en: bit p: priority p of @dev will be lossless
 * @extack: for the warning, unless it has a message; may be NULL
 * Context: RTNL.
 */
void lle_members_warn(struct net_device *dev, u8 pfc_en,
		      struct netlink_ext_ack *extack)
{
	struct lle_gap gap = { .self = dev, .self_lossless = pfc_en };
	struct netdev_nested_priv priv = { .data = &gap };

	ASSERT_RTNL();

	if (extack && !extack->_msg &&
	    netdev_walk_all_upper_dev_rcu(dev, lle_gap_find, &priv))
		NL_SET_ERR_MSG_NAMES(extack,
				     "A member of the same bond or team has no lossless qdisc yet: not accounted; the kernel's log names it",
				     "%s, also in %s, has no lossless qdisc yet: not accounted",
				     gap.dev->name, gap.top->name);
}
