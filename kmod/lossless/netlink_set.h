/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_SET_H
#define LLE_NETLINK_SET_H

#include <net/genetlink.h>

#include "types/port.h"

struct lle_port *lle_genl_port(struct genl_info *info);
struct lle_switch *lle_genl_switch(struct genl_info *info);

#endif /* LLE_NETLINK_SET_H */
