// SPDX-License-Identifier: GPL-2.0
/*
 * Members of a port's bond or team that have no lossless qdisc. What arrives by them is
 * charged to nobody, and nobody is paused for it. Ports come one by one, so this is no
 * error.
 */
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>

#include "members.h"
#include "switch.h"

/**
 * struct lle_gap - what there is below a bond or team
 * @top: that device
 * @dev: a member without a lossless qdisc; NULL: there is none
 * @lossless: there is one with a lossless priority
 */
struct lle_gap {
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
	*gap = (struct lle_gap) { .top = top };
	netdev_for_each_lower_dev(top, member, iter) {
		/* it cannot have one, but the device below it can */
		if (is_vlan_dev(member))
			continue;
		port = lle_net_find_port(dev_net(member), member->ifindex);
		if (port)
			gap->lossless |= port->pfc_en;
		else
			gap->dev = member;
	}
	return gap->lossless && gap->dev;
}

/**
 * lle_gap_warn() - warn of a member that has no lossless qdisc
 * @dev: the device of the port, or one that has joined a bond or team
 * @extack: for the warning, unless it has a message already; may be NULL
 *
 * Context: RTNL.
 */
void lle_gap_warn(struct net_device *dev, struct netlink_ext_ack *extack)
{
	struct lle_gap gap;
	struct netdev_nested_priv priv = { .data = &gap };

	ASSERT_RTNL();

	if (extack && !extack->_msg &&
	    netdev_walk_all_upper_dev_rcu(dev, lle_gap_find, &priv))
		NL_SET_ERR_MSG_NAMES(extack,
				     "A member of the same bond or team has no lossless qdisc yet: not accounted; the kernel's log names it",
				     "%s, also in %s, has no lossless qdisc yet: not accounted",
				     gap.dev->name, gap.top->name);
}
