/* SPDX-License-Identifier: GPL-2.0 */
#include_next <net/netlink.h>

#ifndef LLE_COMPAT_NET_NETLINK_H
#define LLE_COMPAT_NET_NETLINK_H

/* Ranges of a policy are const since 6.8; no kernel writes to them. */
#ifndef LLE_HAVE_NLA_CONST_RANGE
#undef NLA_POLICY_FULL_RANGE
#define NLA_POLICY_FULL_RANGE(tp, _range) {		\
	.type = NLA_ENSURE_UINT_OR_BINARY_TYPE(tp),	\
	.validation_type = NLA_VALIDATE_RANGE_PTR,	\
	.range = (struct netlink_range_validation *)(_range),	\
}
#endif

#endif /* LLE_COMPAT_NET_NETLINK_H */
