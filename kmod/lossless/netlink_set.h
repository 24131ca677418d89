/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_SET_H
#define LLE_NETLINK_SET_H

#include <net/genetlink.h>

#include "types/port.h"

struct lle_port *lle_netlink_set_find_port(struct genl_info *info);
struct lle_switch *lle_netlink_set_find_switch(struct genl_info *info);

#endif /* LLE_NETLINK_SET_H */
