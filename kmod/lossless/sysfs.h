/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_SYSFS_H
#define LLE_SYSFS_H

struct lle_port;

int lle_sysfs_add(struct lle_port *port);
void lle_sysfs_del(struct lle_port *port);

#endif /* LLE_SYSFS_H */
