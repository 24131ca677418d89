/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_COMPAT_NET_NAMESPACE_H
#define LLE_COMPAT_NET_NAMESPACE_H

#include_next <net/net_namespace.h>

/* Before 6.6 a table ends with an empty entry, and its size is not asked for. */
#ifndef LLE_HAVE_NET_SYSCTL_SZ
#define register_net_sysctl_sz(net, path, table, size)	\
	register_net_sysctl(net, path, table)
#endif

#endif /* LLE_COMPAT_NET_NAMESPACE_H */
