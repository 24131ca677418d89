// SPDX-License-Identifier: GPL-2.0
/*
 * Backup ports of the bridge. Without one, the bridge drops packets to a port
 * without carrier before the modules see them. Each port of a path group gets
 * the next port of the group as its backup; another backup port was set by
 * another program, and stays.
 */
#include <string.h>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "request.h"

static struct nl_msg *lle_nl_link_request(int type, int family,
					  uint32_t ifindex)
{
	struct ifinfomsg link = { .ifi_family = family, .ifi_index = ifindex };

	return lle_nl_message(type, 0, &link, sizeof(link));
}

/* @arg: uint32_t, result: ifindex of the backup port, if any */
static int lle_nl_take_backup(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *info, *kind, *data, *backup = NULL;

	info = nlmsg_find_attr(nlh, sizeof(struct ifinfomsg), IFLA_LINKINFO);
	if (!info)
		return 0;
	kind = nla_find(nla_data(info), nla_len(info), IFLA_INFO_SLAVE_KIND);
	data = nla_find(nla_data(info), nla_len(info), IFLA_INFO_SLAVE_DATA);
	if (kind && data && !nla_strcmp(kind, "bridge"))
		backup = nla_find(nla_data(data), nla_len(data),
				  IFLA_BRPORT_BACKUP_PORT);
	if (backup && nla_len(backup) == sizeof(uint32_t))
		memcpy(arg, nla_data(backup), sizeof(uint32_t));
	return 0;
}

/* @backup: 0: none */
static int lle_nl_set_backup(struct lle_nl *nl, uint32_t ifindex,
			     uint32_t backup)
{
	struct nl_msg *msg = lle_nl_link_request(RTM_SETLINK, AF_BRIDGE, ifindex);
	struct nlattr *port = NULL;

	if (msg)
		port = nla_nest_start(msg, IFLA_PROTINFO | NLA_F_NESTED);
	msg = lle_nl_fit(msg, port && !nla_put_u32(msg, IFLA_BRPORT_BACKUP_PORT, backup));
	if (msg)
		nla_nest_end(msg, port);
	lle_nl_about_port(nl, ifindex);
	return lle_nl_talk_links(nl, msg, NULL, NULL);
}

/* The port of @path that follows @ifindex; 0: @ifindex is not in it. */
static uint32_t lle_nl_next(const struct lle_nl_path *path, uint32_t ifindex)
{
	unsigned int i;

	for (i = 0; i < path->ports; i++)
		if (path->ifindex[i] == ifindex)
			return path->ifindex[(i + 1) % path->ports];
	return 0;
}

static int lle_nl_back_up_port(struct lle_nl *nl, uint32_t ifindex,
			       const struct lle_nl_path *old,
			       const struct lle_nl_path *path)
{
	uint32_t is = 0, next = lle_nl_next(path, ifindex);
	int err;

	lle_nl_about_port(nl, ifindex);
	err = lle_nl_talk_links(nl, lle_nl_link_request(RTM_GETLINK, AF_UNSPEC,
							ifindex),
				lle_nl_take_backup, &is);
	if (err || is == next || (is && is != lle_nl_next(old, ifindex)))
		return err;
	return lle_nl_set_backup(nl, ifindex, next);
}

/* Updates backup ports after @old became @path. Return: 0 or negative errno. */
int lle_nl_back_up(struct lle_nl *nl, const struct lle_nl_path *old,
		   const struct lle_nl_path *path)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < old->ports && !err; i++)
		if (!lle_nl_next(path, old->ifindex[i]))
			err = lle_nl_back_up_port(nl, old->ifindex[i], old, path);
	for (i = 0; i < path->ports && !err; i++)
		err = lle_nl_back_up_port(nl, path->ifindex[i], old, path);
	return err;
}
