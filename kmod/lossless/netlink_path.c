// SPDX-License-Identifier: GPL-2.0
/* Generic netlink family "lossless": changes of path groups. */
#include <linux/rtnetlink.h>

#include "netlink_gen.h"
#include "path_group.h"
#include "switch.h"

static int lle_genl_member(struct genl_info *info, const struct nlattr *member,
			   struct lle_path_config *config)
{
	struct lle_port *port;

	if (config->ports == LOSSLESS_PATHS_MAX) {
		NL_SET_ERR_MSG_ATTR(info->extack, member,
				    "A path group has too many ports");
		return -EINVAL;
	}
	port = lle_switch_net_find_port(genl_info_net(info),
					nla_get_u32(member));
	if (!port) {
		NL_SET_ERR_MSG_ATTR(info->extack, member,
				    "No such device, or no lossless qdisc at its root");
		return -ENODEV;
	}
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
	int err;

	rtnl_lock();
	err = lle_genl_set_path(info);
	rtnl_unlock();
	return err;
}

int lossless_nl_path_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *id;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_PATH_GROUP_ID))
		return -EINVAL;
	id = info->attrs[LOSSLESS_A_PATH_GROUP_ID];
	rtnl_lock();
	err = lle_path_group_del(genl_info_net(info), nla_get_u32(id));
	rtnl_unlock();
	if (err)
		NL_SET_ERR_MSG_ATTR(info->extack, id, "No such path group");
	return err;
}
