/* SPDX-License-Identifier: GPL-2.0 */
#include_next <linux/netfilter.h>

#ifndef LLE_COMPAT_LINUX_NETFILTER_H
#define LLE_COMPAT_LINUX_NETFILTER_H

#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/sched.h>
#include <linux/skbuff.h>

/* Does TEE of iptables or nftables send a packet, which is not tracked then? BH off */
static inline bool lle_nf_duplicates(const struct sk_buff *skb)
{
#ifdef LLE_HAVE_IN_NF_DUPLICATE
	bool duplicates = current->in_nf_duplicate;
#else
	bool duplicates = this_cpu_read(nf_skb_duplicated);
#endif

	return unlikely(duplicates) &&
	       (!IS_ENABLED(CONFIG_NF_CONNTRACK) ||
		skb_get_nfct(skb) == IP_CT_UNTRACKED);
}

#endif /* LLE_COMPAT_LINUX_NETFILTER_H */
