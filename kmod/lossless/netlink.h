/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_H
#define LLE_NETLINK_H

int lle_netlink_init(void);
void lle_netlink_exit(void);

#endif /* LLE_NETLINK_H */
