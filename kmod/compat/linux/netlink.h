/* SPDX-License-Identifier: GPL-2.0 */
#include_next <linux/netlink.h>

#ifndef LLE_COMPAT_LINUX_NETLINK_H
#define LLE_COMPAT_LINUX_NETLINK_H

/* Messages may have names in them since 6.2; before, the kernel's log has them. */
#ifdef NL_SET_ERR_MSG_FMT
#define NL_SET_ERR_MSG_NAMES(extack, msg, fmt, args...)	\
	NL_SET_ERR_MSG_FMT(extack, fmt, ##args)
#else
#define NL_SET_ERR_MSG_NAMES(extack, msg, fmt, args...) do {	\
	pr_warn("lossless: " fmt "\n", ##args);			\
	NL_SET_ERR_MSG(extack, msg);				\
} while (0)
#endif

#endif /* LLE_COMPAT_LINUX_NETLINK_H */
