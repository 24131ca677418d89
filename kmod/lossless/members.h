/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_MEMBERS_H
#define LLE_MEMBERS_H

struct net_device;
struct netlink_ext_ack;

void lle_members_warn(struct net_device *dev, u8 pfc_en,
		      struct netlink_ext_ack *extack);

#endif /* LLE_MEMBERS_H */
