// SPDX-License-Identifier: GPL-2.0
/* Changes of path groups. */
#include <stdlib.h>

#include "request.h"

/* A group that does not exist has no ports. Return: 0 or a negative errno. */
static int lle_nl_find_path(struct lle_nl *nl, uint32_t group,
			    struct lle_nl_path *path)
{
	struct lle_nl_path *all;
	int num, i;

	*path = (struct lle_nl_path){};
	num = lle_nl_get_paths(nl, &all);
	if (num < 0)
		return num;
	for (i = 0; i < num; i++)
		if (all[i].group == group)
			*path = all[i];
	free(all);
	return 0;
}

static bool lle_nl_put_members(struct nl_msg *msg, const struct lle_nl_path *path)
{
	for (unsigned int i = 0; i < path->ports; i++)
		if (nla_put_u32(msg, LOSSLESS_A_PATH_GROUP_MEMBER, path->ifindex[i]) < 0)
			return false;
	return true;
}

/* @path: @sw and @stats are ignored. Backup ports that other programs set stay. */
int lle_nl_set_path(struct lle_nl *nl, const struct lle_nl_path *path)
{
	struct lle_nl_path old;
	struct nl_msg *msg;
	int err;

	err = lle_nl_find_path(nl, path->group, &old);
	if (err)
		return err;
	msg = lle_nl_request(nl, LOSSLESS_CMD_PATH_SET, 0);
	lle_nl_about(nl, "group %u", path->group);
	err = lle_nl_do(nl, msg, msg &&
			nla_put_u32(msg, LOSSLESS_A_PATH_GROUP_ID, path->group) >= 0 &&
			nla_put_u8(msg, LOSSLESS_A_PATH_GROUP_ADAPTIVE, path->adaptive) >= 0 &&
			nla_put_u32(msg, LOSSLESS_A_PATH_GROUP_GAP_US, path->gap_us) >= 0 &&
			lle_nl_put_members(msg, path));
	return err ? err : lle_nl_back_up(nl, &old, path);
}

/* Deletes also its backup ports. */
int lle_nl_del_path(struct lle_nl *nl, uint32_t group)
{
	static const struct lle_nl_path none;
	struct lle_nl_path old;
	struct nl_msg *msg;
	int err;

	err = lle_nl_find_path(nl, group, &old);
	if (err)
		return err;
	msg = lle_nl_request(nl, LOSSLESS_CMD_PATH_DEL, 0);
	lle_nl_about(nl, "group %u", group);
	err = lle_nl_do(nl, msg, msg &&
			nla_put_u32(msg, LOSSLESS_A_PATH_GROUP_ID, group) >= 0);
	return err ? err : lle_nl_back_up(nl, &old, &none);
}
