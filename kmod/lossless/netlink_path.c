// SPDX-License-Identifier: GPL-2.0
/* Generic netlink family "lossless": changes of path groups. */
#include <linux/rtnetlink.h>

#include "netlink_path.h"
#include "path_group.h"
#include "switch.h"

/* Find the ports listed in LLE_A_MEMBERS. */
static int lle_genl_members(struct genl_info *info,
			    struct lle_path_config *config)
{
	const struct nlattr *members = info->attrs[LLE_A_MEMBERS];
	const u32 *ifindex = nla_data(members);
	unsigned int n, num = nla_len(members) / sizeof(*ifindex);

	if (num < 2 || nla_len(members) % sizeof(*ifindex)) {
		NL_SET_ERR_MSG_ATTR(info->extack, members,
				    "A path group requires at least two ports");
		return -EINVAL;
	}
	for (n = 0; n < num; n++) {
		config->port[n] = lle_net_find_port(genl_info_net(info),
						    ifindex[n]);
		if (!config->port[n]) {
			NL_SET_ERR_MSG_ATTR(info->extack, members,
					    "No such device, or no lossless qdisc at its root");
			return -ENODEV;
		}
	}
	config->ports = num;
	return 0;
}

static int __lle_genl_set_path(struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct lle_path_config config = {};
	int err;

	if (GENL_REQ_ATTR_CHECK(info, LLE_A_GROUP) ||
	    GENL_REQ_ATTR_CHECK(info, LLE_A_MEMBERS))
		return -EINVAL;
	err = lle_genl_members(info, &config);
	if (err)
		return err;
	config.id = nla_get_u32(attrs[LLE_A_GROUP]);
	if (attrs[LLE_A_ADAPTIVE])
		config.adaptive = nla_get_u8(attrs[LLE_A_ADAPTIVE]);
	if (attrs[LLE_A_GAP_US])
		config.gap_us = nla_get_u32(attrs[LLE_A_GAP_US]);
	return lle_path_set(&config, info->extack);
}

int lle_genl_set_path(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	rtnl_lock();
	err = __lle_genl_set_path(info);
	rtnl_unlock();
	return err;
}

int lle_genl_del_path(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	if (GENL_REQ_ATTR_CHECK(info, LLE_A_GROUP))
		return -EINVAL;
	rtnl_lock();
	err = lle_path_del(genl_info_net(info),
			   nla_get_u32(info->attrs[LLE_A_GROUP]));
	rtnl_unlock();
	if (err)
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[LLE_A_GROUP],
				    "No such path group");
	return err;
}
