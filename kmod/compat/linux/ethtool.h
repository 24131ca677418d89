/* SPDX-License-Identifier: GPL-2.0 */
#include_next <linux/ethtool.h>

/*
 * Devices may have a lock of their own since 6.15. A caller that holds it, as tc
 * and notifiers do, must not call a function that takes it.
 */
#ifndef LLE_HAVE_NETIF_LINK_KSETTINGS
#define netif_get_link_ksettings __ethtool_get_link_ksettings
#endif
