/* SPDX-License-Identifier: GPL-2.0 */
/* mac_pton() has a header of its own in newer kernels. */
#ifdef LLE_HAVE_HEX
#include_next <linux/hex.h>
#else
#include <linux/kernel.h>
#endif
