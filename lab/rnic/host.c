// SPDX-License-Identifier: GPL-2.0
/*
 * NICs: netdevs of any network namespace that have the address of a flow. NICs
 * in other parts of the network are known by address only.
 */
#include <linux/etherdevice.h>
#include <linux/inetdevice.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <net/net_namespace.h>

#include "rnic.h"

LIST_HEAD(rnic_hosts);

static void rnic_host_put(struct rnic_host *host)
{
	if (refcount_dec_and_test(&host->refs))
		kfree_rcu(host, rcu);
}

/* A link has taken a data packet. Any context, mostly the root lock. */
void rnic_host_sent(struct sk_buff *skb)
{
	struct rnic_flow *flow = skb_shinfo(skb)->destructor_arg;
	struct rnic_host *host = flow->src;
	struct rnic_lane *lane = &host->lane[flow->prio];

	atomic_dec(&lane->in_qdisc);
	atomic_dec(&flow->in_qdisc);
	/* rnic_host_detach() has forbidden to schedule the tasklet */
	rcu_read_lock();
	if (rcu_access_pointer(host->dev)) {
		if (!test_and_set_bit(0, &flow->is_sent))
			llist_add(&flow->sent, &lane->sent);
		tasklet_schedule(&host->send);
	}
	rcu_read_unlock();
	rnic_flow_put(flow);
	rnic_host_put(host);
	module_put(THIS_MODULE);
}

/* Counts an event. Softirq. */
void rnic_host_count(struct rnic_host *host, u64 *counter)
{
	spin_lock(&host->lock);
	(*counter)++;
	spin_unlock(&host->lock);
}

static bool rnic_dev_has(struct net_device *dev, __be32 addr)
{
	struct in_device *in_dev = __in_dev_get_rtnl(dev);
	const struct in_ifaddr *ifa;

	if (!in_dev || dev->flags & IFF_LOOPBACK)
		return false;
	in_dev_for_each_ifa_rtnl(ifa, in_dev)
		if (ifa->ifa_local == addr)
			return true;
	return false;
}

/*
 * If several devices have the address, the one in the newest namespace: a
 * removed testbed lives until its last socket is closed.
 */
static struct net_device *rnic_dev_find(__be32 addr)
{
	struct net_device *dev, *found = NULL;
	struct net *net;

	down_read(&net_rwsem);
	for_each_net(net) {
		if (!check_net(net))
			continue;
		for_each_netdev(net, dev)
			if (rnic_dev_has(dev, addr))
				found = dev;
	}
	up_read(&net_rwsem);
	return found;
}

static void rnic_lane_init(struct rnic_lane *lane, struct rnic_host *host)
{
	lane->host = host;
	xa_init(&lane->last);
}

/*
 * RTNL. Return: the host; -ENODEV: the address is not known; -EBUSY: the device
 * has another rx handler; -ENOMEM.
 */
struct rnic_host *rnic_host_get(__be32 addr)
{
	struct net_device *dev;
	struct rnic_host *host;
	unsigned int prio;
	int err = -ENODEV;

	list_for_each_entry(host, &rnic_hosts, node)
		if (host->addr == addr)
			return host;

	host = kzalloc(sizeof(*host), GFP_KERNEL);
	if (!host)
		return ERR_PTR(-ENOMEM);
	host->addr = addr;
	dev = rnic_dev_find(addr);
	host->here = dev;
	if (dev)
		ether_addr_copy(host->mac, dev->dev_addr);
	else if (!rnic_ethers_find(addr, host->mac))
		goto free;
	refcount_set(&host->refs, 1);
	for (prio = 0; prio < LLE_NUM_PRIO; prio++)
		rnic_lane_init(&host->lane[prio], host);
	rnic_send_init(host);
	rnic_cnp_init(host);
	err = dev ? netdev_rx_handler_register(dev, rnic_receive, host) : 0;
	if (err)
		goto free;
	rcu_assign_pointer(host->dev, dev);
	list_add_tail(&host->node, &rnic_hosts);
	return host;
free:
	kfree(host);
	return ERR_PTR(err);
}

/* The device, or this module, is being removed. */
static void rnic_host_detach(struct rnic_host *host)
{
	struct net_device *dev = rtnl_dereference(host->dev);

	if (!dev)
		return;
	netdev_rx_handler_unregister(dev);
	RCU_INIT_POINTER(host->dev, NULL);
	synchronize_net();
	rnic_cnp_stop(host);
}

/*
 * Removes all hosts, after their flows have stopped. A time-out may have
 * scheduled the tasklet of a lost device: hence rnic_send_exit(). RTNL.
 */
void rnic_hosts_clear(void)
{
	struct rnic_host *host, *next;
	unsigned int prio;

	list_for_each_entry_safe(host, next, &rnic_hosts, node) {
		for (prio = 0; prio < LLE_NUM_PRIO; prio++)
			xa_destroy(&host->lane[prio].last);
		rnic_host_detach(host);
		rnic_send_exit(host);
		list_del(&host->node);
		rnic_host_put(host);
	}
	rnic_ethers_clear();
}

static int rnic_host_event(struct notifier_block *nb, unsigned long event,
			   void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct rnic_host *host;

	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	rnic_queues_forget(dev);
	rnic_timeline_forget(dev);
	list_for_each_entry(host, &rnic_hosts, node)
		if (rtnl_dereference(host->dev) == dev)
			rnic_host_detach(host);
	return NOTIFY_DONE;
}

static struct notifier_block rnic_host_nb = {
	.notifier_call = rnic_host_event,
};

int rnic_hosts_init(void)
{
	return register_netdevice_notifier(&rnic_host_nb);
}

void rnic_hosts_exit(void)
{
	unregister_netdevice_notifier(&rnic_host_nb);
}
