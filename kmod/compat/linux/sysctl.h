/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_COMPAT_LINUX_SYSCTL_H
#define LLE_COMPAT_LINUX_SYSCTL_H

#include_next <linux/sysctl.h>

/* What a handler gets is constant since 6.11. */
#ifdef LLE_HAVE_CONST_SYSCTL
#define LLE_CTL_CONST		const
#else
#define LLE_CTL_CONST
#endif

#endif /* LLE_COMPAT_LINUX_SYSCTL_H */
