// SPDX-License-Identifier: GPL-2.0
/*
 * Path groups: adaptive routing by the switch over ports to the same hosts.
 *
 * The bridge's forwarding table selects one port of a group. A hook at the
 * port's egress, before the qdisc, moves the packet to the port of its flow:
 * selected by a hash until that port is dead, or is congested and
 * core/path/sar.c finds a better one. Packets close behind another one of their
 * flow skip this check. Flows that share a part of the hash move together.
 *
 * The hook holds no lock: it queries qdiscs one by one under their root locks.
 * RTNL protects changes, which replace the group; the hook uses RCU.
 */
#include <linux/etherdevice.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/netfilter_netdev.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/dst_metadata.h>

#include "../core/path/flow.h"
#include "congestion.h"
#include "ingress.h"
#include "rx.h"
#include "switch.h"

/* Flows distinguished, a power of two */
#define LLE_PATH_FLOWS		4096

/* Default gap, in time units of RCM: 100 us at 100 Gb/s */
#define LLE_PATH_GAP		100

/**
 * struct lle_path_group - a group of ports
 * @id: number in the network namespace
 * @salt: of its hash, so that switches decide differently; includes the
 *	bridge's address, as switch numbers are unique per machine only
 * @adaptive: flows leave congested paths
 * @gap_ns: idle time before a flow may move
 * @ports: number of members of @port
 * @port: its ports; NULL: ended. Written under RTNL, read under RCU
 * @moved: times a flow left a congested path
 * @saved: times a flow left a dead port
 * @rcu: for freeing
 * @seen: lle_sar_seen() of the flows. Written without a lock: if two CPUs have
 *	packets of one flow, either may win
 */
struct lle_path_group {
	u32 id;
	u32 salt;
	bool adaptive;
	u64 gap_ns;
	unsigned int ports;
	struct lle_port __rcu *port[LOSSLESS_PATHS_MAX];
	atomic64_t moved;
	atomic64_t saved;
	struct rcu_head rcu;
	u64 seen[LLE_PATH_FLOWS];
};

/* The path's port, if it works and suits @skb; never the ingress port. */
static struct lle_port *lle_path_usable(const struct lle_path_group *group,
					unsigned int path,
					const struct sk_buff *skb)
{
	struct lle_port *port = rcu_dereference(group->port[path]);

	return port && port->ifindex != skb->skb_iif &&
	       netif_carrier_ok(port->dev) &&
	       is_skb_forwardable(port->dev, skb) ? port : NULL;
}

/* Selects a usable path by @hash, or LOSSLESS_PATHS_MAX. */
static unsigned int lle_path_spare(const struct lle_path_group *group,
				   const struct sk_buff *skb, u32 hash)
{
	unsigned int usable[LOSSLESS_PATHS_MAX], num = 0, n;

	for (n = 0; n < group->ports; n++)
		if (lle_path_usable(group, n, skb))
			usable[num++] = n;
	return num ? usable[hash % num] : LOSSLESS_PATHS_MAX;
}

static void lle_path_look(const struct lle_port *port, unsigned int prio,
			  const struct lle_flow *flow,
			  struct lle_sar_path *path)
{
	struct Qdisc *q;

	q = rcu_dereference(netdev_get_tx_queue(port->dev, 0)->qdisc);
	if (q->ops == port->ops->qdisc)
		port->ops->path(q, prio, flow, path);
}

static unsigned int lle_path_adapt(const struct lle_path_group *group,
				   const struct sk_buff *skb,
				   const struct lle_flow *flow,
				   unsigned int own)
{
	struct lle_sar_path paths[LOSSLESS_PATHS_MAX] = {};
	unsigned int prio = lle_ingress_marked(skb) ?
				    lle_ingress_prio(skb) :
				    skb->priority % LLE_NUM_PRIO, n;
	struct lle_port *port;

	port = lle_path_usable(group, own, skb);
	if (port)
		lle_path_look(port, prio, flow, &paths[own]);
	if (!lle_sar_leaves(&paths[own]))
		return own;
	for (n = 0; n < group->ports; n++) {
		port = lle_path_usable(group, n, skb);
		if (port && n != own)
			lle_path_look(port, prio, flow, &paths[n]);
	}
	return lle_sar_choose(paths, group->ports, own);
}

/* Selects the egress port of a packet; NULL: no port works. */
static struct lle_port *lle_path_route(struct lle_path_group *group,
				       const struct sk_buff *skb)
{
	unsigned int path, better;
	u64 now_ns = ktime_get_ns();
	enum lle_sar_age age;
	struct lle_flow flow;
	u64 *seen, last;
	u32 hash;

	lle_rx_flow(skb, &flow);
	hash = jhash_1word(flow.flow, group->salt) % LLE_PATH_FLOWS;
	seen = &group->seen[hash];
	last = READ_ONCE(*seen);

	age = lle_sar_age(last, group->gap_ns, now_ns);
	path = hash % group->ports;
	/* on 32 bit, a torn read may give any path */
	if (age != LLE_SAR_NEW && lle_sar_last(last) < group->ports)
		path = lle_sar_last(last);

	if (!lle_path_usable(group, path, skb)) {
		path = lle_path_spare(group, skb, hash / group->ports);
		if (path == LOSSLESS_PATHS_MAX)
			return NULL;
		atomic64_inc(&group->saved);
	}
	if (group->adaptive && age != LLE_SAR_GOES_ON) {
		better = lle_path_adapt(group, skb, &flow, path);
		if (better != path)
			atomic64_inc(&group->moved);
		path = better;
	}
	WRITE_ONCE(*seen, lle_sar_seen(path, now_ns));
	return rcu_dereference(group->port[path]);
}

/* Multicast, and packets that the host made or routed, stay at their port. */
static unsigned int lle_path_hook(void *priv, struct sk_buff *skb,
				  const struct nf_hook_state *state)
{
	struct lle_port *port = priv, *to;
	struct lle_path_group *group;

	group = rcu_dereference(port->path.group);
	if (!group || !skb->skb_iif || skb_valid_dst(skb) ||
	    is_multicast_ether_addr(skb->data))
		return NF_ACCEPT;
	to = lle_path_route(group, skb);
	if (!to || to == port)
		return NF_ACCEPT;

	skb->dev = to->dev;
	/* do not run the egress hooks again */
	nf_skip_egress(skb, true);
	dev_queue_xmit(skb);
	return NF_STOLEN;
}

static struct lle_path_group *lle_path_of(const struct lle_port *port)
{
	return rtnl_dereference(port->path.group);
}

struct lle_path_find {
	u32 id;
	struct lle_port *port;
};

static int lle_path_is_in(struct lle_port *port, void *arg)
{
	const struct lle_path_group *group = lle_path_of(port);
	struct lle_path_find *find = arg;

	if (!group || group->id != find->id)
		return 0;
	find->port = port;
	return 1;
}

static struct lle_port *lle_path_find(struct net *net, u32 id)
{
	struct lle_path_find find = { .id = id };

	lle_switch_net_walk_ports(net, lle_path_is_in, &find);
	return find.port;
}

static int lle_path_hook_on(struct lle_port *port)
{
	port->path.hook = (struct nf_hook_ops) {
		.hook = lle_path_hook,
		.dev = port->dev,
		.priv = port,
		.pf = NFPROTO_NETDEV,
		.hooknum = NF_NETDEV_EGRESS,
		.priority = INT_MAX,
	};
	return nf_register_net_hook(dev_net(port->dev), &port->path.hook);
}

static void lle_path_hook_off(struct lle_port *port)
{
	nf_unregister_net_hook(dev_net(port->dev), &port->path.hook);
}

static bool lle_path_has(const struct lle_path_config *config,
			 const struct lle_port *port, unsigned int num)
{
	unsigned int n;

	for (n = 0; n < num; n++)
		if (config->port[n] == port)
			return true;
	return false;
}

/* Ports of one bridge and switch, each listed once and in no other group. */
static int lle_path_check(const struct lle_path_config *config,
			  struct netlink_ext_ack *extack)
{
	struct lle_port *first = config->port[0], *port;
	const struct lle_path_group *group;
	struct net_device *bridge;
	unsigned int n;

	bridge = netdev_master_upper_dev_get(first->dev);
	for (n = 0; n < config->ports; n++) {
		port = config->port[n];
		group = lle_path_of(port);
		if (!netif_is_bridge_port(port->dev) ||
		    netdev_master_upper_dev_get(port->dev) != bridge)
			return LLE_REFUSE(extack, -EINVAL,
					  "All ports of a path group must be ports of one bridge");
		if (port->sw != first->sw)
			return LLE_REFUSE(extack, -EINVAL,
					  "All ports of a path group must belong to one switch");
		if (lle_path_has(config, port, n))
			return LLE_REFUSE(extack, -EINVAL,
					  "A port is listed twice");
		if (group && group->id != config->id)
			return LLE_REFUSE(extack, -EBUSY,
					  "A port is already in another path group");
	}
	return 0;
}

static struct lle_path_group *
lle_path_alloc(const struct lle_path_config *config)
{
	const struct lle_port *port = config->port[0];
	const struct net_device *bridge;
	struct lle_path_group *group;
	unsigned int n;

	bridge = netdev_master_upper_dev_get(port->dev);
	group = kvzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return NULL;
	group->id = config->id;
	group->salt = jhash(bridge->dev_addr, ETH_ALEN, port->sw->id);
	group->adaptive = config->adaptive;
	group->gap_ns = (u64)config->gap_us * NSEC_PER_USEC;
	if (!group->gap_ns)
		group->gap_ns = LLE_PATH_GAP *
				lle_congestion_unit_ns(port,
						       rtnl_dereference(port->params));
	group->ports = config->ports;
	for (n = 0; n < config->ports; n++)
		RCU_INIT_POINTER(group->port[n], config->port[n]);
	return group;
}

static void lle_path_free(struct lle_path_group *group)
{
	kvfree_rcu(group, rcu);
}

/**
 * lle_path_group_set() - make or change a path group
 * @config: its configuration; at least two ports
 * @extack: reason of an error
 *
 * Flows restart on the path of their hash: a change may reorder them.
 * Context: RTNL. Return: 0; -EINVAL, -EBUSY, -ENOMEM, or of the hook
 * (-EOPNOTSUPP without CONFIG_NETFILTER_EGRESS), and nothing has changed.
 */
int lle_path_group_set(const struct lle_path_config *config,
		       struct netlink_ext_ack *extack)
{
	struct lle_path_group *old = NULL, *group;
	struct lle_port *port;
	unsigned int n;
	int err;

	err = lle_path_check(config, extack);
	if (err)
		return err;
	group = lle_path_alloc(config);
	if (!group)
		return -ENOMEM;
	for (n = 0; n < config->ports; n++) {
		if (lle_path_of(config->port[n]))
			continue;
		err = lle_path_hook_on(config->port[n]);
		if (err)
			goto err_hooks;
	}

	port = lle_path_find(config->port[0]->sw->net, config->id);
	if (port)
		old = lle_path_of(port);
	for (n = 0; n < config->ports; n++)
		rcu_assign_pointer(config->port[n]->path.group, group);
	for (n = 0; old && n < old->ports; n++) {
		port = rtnl_dereference(old->port[n]);
		if (port && !lle_path_has(config, port, config->ports)) {
			RCU_INIT_POINTER(port->path.group, NULL);
			lle_path_hook_off(port);
		}
	}
	if (old)
		lle_path_free(old);
	return 0;

err_hooks:
	NL_SET_ERR_MSG(extack, "Cannot hook the device's egress");
	while (n--)
		if (!lle_path_of(config->port[n]))
			lle_path_hook_off(config->port[n]);
	kvfree(group);
	return err;
}

/**
 * lle_path_group_leave() - remove a port from its path group
 * @port: the port
 * Context: RTNL; a grace period must pass before @port is freed.
 */
void lle_path_group_leave(struct lle_port *port)
{
	struct lle_path_group *group = lle_path_of(port);
	unsigned int n, left = 0;

	if (!group)
		return;
	for (n = 0; n < group->ports; n++) {
		if (rtnl_dereference(group->port[n]) == port)
			RCU_INIT_POINTER(group->port[n], NULL);
		left += !!rtnl_dereference(group->port[n]);
	}
	RCU_INIT_POINTER(port->path.group, NULL);
	lle_path_hook_off(port);
	if (!left)
		lle_path_free(group);
}

/**
 * lle_path_group_upper_changed() - handle a change of bridge
 * @port: the port
 * Context: RTNL.
 */
void lle_path_group_upper_changed(struct lle_port *port)
{
	if (!netdev_master_upper_dev_get(port->dev))
		lle_path_group_leave(port);
}

/**
 * lle_path_group_del() - delete a path group
 * @net: the network namespace
 * @id: number of the group
 * Context: RTNL. Return: 0, or -ENOENT.
 */
int lle_path_group_del(struct net *net, u32 id)
{
	struct lle_port *port = lle_path_find(net, id);

	if (!port)
		return -ENOENT;
	for (; port; port = lle_path_find(net, id))
		lle_path_group_leave(port);
	return 0;
}

/**
 * lle_path_group_read() - read the path group of a port
 * @port: the port
 * @config: result: its configuration
 * @stats: result: its counters
 * Context: RTNL. Return: false: the port has no group.
 */
bool lle_path_group_read(const struct lle_port *port,
			 struct lle_path_config *config,
			 struct lle_path_stats *stats)
{
	const struct lle_path_group *group = lle_path_of(port);
	unsigned int n;

	if (!group)
		return false;
	*config = (struct lle_path_config) {
		.id = group->id,
		.adaptive = group->adaptive,
		.gap_us = div_u64(group->gap_ns, NSEC_PER_USEC),
	};
	for (n = 0; n < group->ports; n++) {
		struct lle_port *member = rtnl_dereference(group->port[n]);

		if (member)
			config->port[config->ports++] = member;
	}
	stats->moved = atomic64_read(&group->moved);
	stats->saved = atomic64_read(&group->saved);
	return true;
}
