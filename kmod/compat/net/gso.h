/* SPDX-License-Identifier: GPL-2.0 */
/* skb_gso_segment() has a header of its own since 6.5. */
#ifdef LLE_HAVE_NET_GSO
#include_next <net/gso.h>
#else
#include <linux/netdevice.h>
#endif
