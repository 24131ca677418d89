/* SPDX-License-Identifier: GPL-2.0 */
#include_next <linux/netdevice.h>

#ifndef LLE_COMPAT_LINUX_NETDEVICE_H
#define LLE_COMPAT_LINUX_NETDEVICE_H

/* Do tc or BPF filters, or may they, see what arrives at a device? */
static inline bool lle_dev_has_ingress_filters(const struct net_device *dev)
{
#if defined(LLE_HAVE_TCX) && defined(CONFIG_NET_XGRESS)
	return rcu_access_pointer(dev->tcx_ingress);
#elif !defined(LLE_HAVE_TCX) && defined(CONFIG_NET_CLS_ACT)
	return rcu_access_pointer(dev->miniq_ingress);
#else
	return false;
#endif
}

/* Do filters, or may they, see what a device sends? */
static inline bool lle_dev_has_egress_filters(const struct net_device *dev)
{
#ifdef CONFIG_NETFILTER_EGRESS
	if (rcu_access_pointer(dev->nf_hooks_egress))
		return true;
#endif
#if defined(LLE_HAVE_TCX) && defined(CONFIG_NET_XGRESS)
	return rcu_access_pointer(dev->tcx_egress);
#elif !defined(LLE_HAVE_TCX) && defined(CONFIG_NET_EGRESS) && defined(CONFIG_NET_CLS_ACT)
	return rcu_access_pointer(dev->miniq_egress);
#else
	return false;
#endif
}

#endif /* LLE_COMPAT_LINUX_NETDEVICE_H */
