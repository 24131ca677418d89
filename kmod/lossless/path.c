// SPDX-License-Identifier: GPL-2.0
/*
 * Switch-level adaptive routing: groups of ports that lead to the same hosts.
 *
 * The bridge's forwarding table names one port of a group. A hook at the egress of each of
 * them, before the qdisc, gives the packet to the one that its flow takes: by a hash of the
 * flow, until that port is dead, or congested and core/path/sar.c knows a better one. So of
 * a packet that is not alone in its flow nothing is asked but when the last one was.
 *
 * Flows are told apart by a part of that hash; those that have the same one move together.
 *
 * No lock is held in the hook, so qdiscs may be asked one after the other, each under its
 * root lock. A group is changed by a new one under RTNL; the hook sees it under RCU.
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
#include "path.h"
#include "rx.h"
#include "switch.h"

/* Flows that are told apart, a power of two. */
#define LLE_PATH_FLOWS		4096

/* Gap, if it is not set, in times of the port's RCM: 100 us at 100 Gb/s */
#define LLE_PATH_GAP		100

/**
 * struct lle_path_group - a group of ports
 * @id: its number in the network namespace
 * @salt: of its hash, or all switches would decide alike; those of other machines have the
 *	same number, but another address
 * @adaptive: flows leave paths that are congested
 * @gap_ns: time without packets after which a flow may move
 * @ports: how many it has had
 * @port: those; NULL: has ended. Written under RTNL, read under RCU
 * @moved: times that a flow has left a congested path
 * @saved: times that a flow has left a dead port
 * @rcu: for freeing
 * @seen: lle_sar_seen() of the flows. Written without a lock: of packets of one flow on
 *	two CPUs, either is the last
 */
struct lle_path_group {
	u32 id;
	u32 salt;
	bool adaptive;
	u64 gap_ns;
	unsigned int ports;
	struct lle_port __rcu *port[LLE_PATHS_MAX];
	atomic64_t moved;
	atomic64_t saved;
	struct rcu_head rcu;
	u64 seen[LLE_PATH_FLOWS];
};

/* --- which port --- */

/*
 * The port of a path, if it works, takes a packet of that length, and is not the one that
 * the packet came by.
 */
static struct lle_port *lle_path_usable(const struct lle_path_group *group,
					unsigned int path,
					const struct sk_buff *skb)
{
	struct lle_port *port = rcu_dereference(group->port[path]);

	return port && port->ifindex != skb->skb_iif &&
	       netif_carrier_ok(port->dev) &&
	       is_skb_forwardable(port->dev, skb) ? port : NULL;
}

/* One of the paths that are usable, by @hash; LLE_PATHS_MAX: there is none. */
static unsigned int lle_path_spare(const struct lle_path_group *group,
				   const struct sk_buff *skb, u32 hash)
{
	unsigned int usable[LLE_PATHS_MAX], num = 0, n;

	for (n = 0; n < group->ports; n++)
		if (lle_path_usable(group, n, skb))
			usable[num++] = n;
	return num ? usable[hash % num] : LLE_PATHS_MAX;
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

/* The path of a flow that may leave its own. */
static unsigned int lle_path_adapt(const struct lle_path_group *group,
				   const struct sk_buff *skb,
				   const struct lle_flow *flow,
				   unsigned int own)
{
	struct lle_sar_path paths[LLE_PATHS_MAX] = {};
	unsigned int prio = skb->priority % LLE_NUM_PRIO, n;
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

/* The port that a packet leaves by; NULL: none works. */
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
	/* those that move together begin together */
	hash = jhash_1word(flow.flow, group->salt) % LLE_PATH_FLOWS;
	seen = &group->seen[hash];
	last = READ_ONCE(*seen);

	age = lle_sar_age(last, group->gap_ns, now_ns);
	path = hash % group->ports;
	/* on 32 bit it may have been read while it was written */
	if (age != LLE_SAR_NEW && lle_sar_last(last) < group->ports)
		path = lle_sar_last(last);

	if (!lle_path_usable(group, path, skb)) {
		path = lle_path_spare(group, skb, hash / group->ports);
		if (path == LLE_PATHS_MAX)
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

/*
 * A packet is about to leave by a port of a group. What the host itself has made is the
 * business of whoever has chosen the port, and what goes to several ports stays there.
 */
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
	/* it has been here */
	nf_skip_egress(skb, true);
	dev_queue_xmit(skb);
	return NF_STOLEN;
}

/* --- groups, under RTNL --- */

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

/* A port of the group of that number; NULL: there is none. */
static struct lle_port *lle_path_find(struct net *net, u32 id)
{
	struct lle_path_find find = { .id = id };

	lle_net_walk_ports(net, lle_path_is_in, &find);
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

/* Ports of one bridge and one switch, none of them twice or in another group */
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
		    netdev_master_upper_dev_get(port->dev) != bridge) {
			NL_SET_ERR_MSG(extack, "All ports of a path group must be ports of one bridge");
			return -EINVAL;
		}
		if (port->sw != first->sw) {
			NL_SET_ERR_MSG(extack, "All ports of a path group must belong to one switch");
			return -EINVAL;
		}
		if (lle_path_has(config, port, n)) {
			NL_SET_ERR_MSG(extack, "A port is listed twice");
			return -EINVAL;
		}
		if (group && group->id != config->id) {
			NL_SET_ERR_MSG(extack, "A port is already in another path group");
			return -EBUSY;
		}
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
		group->gap_ns =
			LLE_PATH_GAP *
			lle_rcm_unit_ns(port, rtnl_dereference(port->params));
	group->ports = config->ports;
	for (n = 0; n < config->ports; n++)
		RCU_INIT_POINTER(group->port[n], config->port[n]);
	return group;
}

/* Nobody is in the group any more. */
static void lle_path_free(struct lle_path_group *group)
{
	kvfree_rcu(group, rcu);
}

/**
 * lle_path_set() - make a group, or change it
 * @config: what it is to be; two ports at least
 * @extack: says why not
 *
 * Flows go where their hash says; of a group that is changed, they may be reordered once.
 *
 * Context: RTNL. Return: 0; -EINVAL, -EBUSY, -ENOMEM, or that of the hook: -EOPNOTSUPP of
 * a kernel without CONFIG_NETFILTER_EGRESS. Nothing has changed then.
 */
int lle_path_set(const struct lle_path_config *config,
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
 * lle_path_leave() - a port ends, or leaves its group
 * @port: the port
 *
 * Context: RTNL. A grace period has to pass before @port is freed.
 */
void lle_path_leave(struct lle_port *port)
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
 * lle_path_upper_changed() - the device of a port joined a bridge or left one
 * @port: the port
 *
 * Context: RTNL.
 */
void lle_path_upper_changed(struct lle_port *port)
{
	if (!netdev_master_upper_dev_get(port->dev))
		lle_path_leave(port);
}

/**
 * lle_path_del() - end a group
 * @net: the network namespace
 * @id: its number
 *
 * Context: RTNL. Return: 0, or -ENOENT.
 */
int lle_path_del(struct net *net, u32 id)
{
	struct lle_port *port = lle_path_find(net, id);

	if (!port)
		return -ENOENT;
	for (; port; port = lle_path_find(net, id))
		lle_path_leave(port);
	return 0;
}

/**
 * lle_path_read() - the group of a port
 * @port: the port
 * @config: set to what it is
 * @stats: set to what it has done
 *
 * Context: RTNL. Return: false: it is in none.
 */
bool lle_path_read(const struct lle_port *port, struct lle_path_config *config,
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
