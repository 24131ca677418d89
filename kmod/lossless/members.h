/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_GAP_H
#define LLE_GAP_H

struct net_device;
struct netlink_ext_ack;

void lle_gap_warn(struct net_device *dev, struct netlink_ext_ack *extack);

#endif /* LLE_GAP_H */
