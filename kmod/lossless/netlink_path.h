/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_PATH_H
#define LLE_NETLINK_PATH_H

#include <net/genetlink.h>

int lle_genl_set_path(struct sk_buff *skb, struct genl_info *info);
int lle_genl_del_path(struct sk_buff *skb, struct genl_info *info);

#endif /* LLE_NETLINK_PATH_H */
