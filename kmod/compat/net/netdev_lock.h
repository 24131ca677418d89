/* SPDX-License-Identifier: GPL-2.0 */
/* Devices may have a lock of their own since 6.15; before, RTNL is all there is. */
#ifdef LLE_HAVE_NETDEV_LOCK
#include_next <net/netdev_lock.h>
#else
#include <linux/netdevice.h>

static inline void netdev_lock_ops(struct net_device *dev)
{
}

static inline void netdev_unlock_ops(struct net_device *dev)
{
}
#endif
