// SPDX-License-Identifier: GPL-2.0
/* Switches of a network namespace, and their ports. */
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "deadlock/deadlock.h"
#include "headroom.h"
#include "ingress.h"
#include "switch.h"

/**
 * struct lle_net - switches of a network namespace
 * @switches: list of them; RTNL
 * @generation: changes when a port comes or goes; never 0; RTNL
 */
struct lle_net {
	struct list_head switches;
	unsigned int generation;
};

static unsigned int lle_net_id __read_mostly;

static int __net_init lle_net_init(struct net *net)
{
	struct lle_net *ln = net_generic(net, lle_net_id);

	INIT_LIST_HEAD(&ln->switches);
	ln->generation = 1;
	return 0;
}

static void __net_exit lle_net_exit(struct net *net)
{
	struct lle_net *ln = net_generic(net, lle_net_id);

	/* devices and their qdiscs go before subsystems */
	WARN_ON_ONCE(!list_empty(&ln->switches));
}

static struct pernet_operations lle_net_ops = {
	.init = lle_net_init,
	.exit = lle_net_exit,
	.id = &lle_net_id,
	.size = sizeof(struct lle_net),
};

int lle_switch_net_init(void)
{
	return register_pernet_subsys(&lle_net_ops);
}

void lle_switch_net_exit(void)
{
	unregister_pernet_subsys(&lle_net_ops);
}

/**
 * lle_switch_net_find() - find a switch by its number
 * @net: network namespace
 * @id: the number
 * Context: RTNL. Return: NULL: no such switch.
 */
struct lle_switch *lle_switch_net_find(struct net *net, u32 id)
{
	struct lle_net *ln = net_generic(net, lle_net_id);
	struct lle_switch *sw;

	list_for_each_entry(sw, &ln->switches, list)
		if (sw->id == id)
			return sw;
	return NULL;
}

/**
 * lle_switch_get() - find a switch by its number, or make it
 * @net: network namespace
 * @id: its number
 * Context: RTNL. Return: the switch with a reference; NULL: no memory.
 */
struct lle_switch *lle_switch_get(struct net *net, u32 id)
{
	struct lle_switch *sw = lle_switch_net_find(net, id);

	if (sw) {
		refcount_inc(&sw->refs);
		return sw;
	}

	sw = kzalloc(sizeof(*sw), GFP_KERNEL);
	if (!sw)
		return NULL;

	sw->id = id;
	sw->net = net;
	sw->sb.size = LLE_BUFFER_DEFAULT;
	sw->sb.memory_max = (u64)totalram_pages() * PAGE_SIZE / 2;
	refcount_set(&sw->refs, 1);
	spin_lock_init(&sw->lock);
	INIT_DELAYED_WORK(&sw->headroom_work, lle_headroom_work);
	sw->halved_at = jiffies;
	sw->relearned_at = jiffies - HZ;
	hash_init(sw->ports);
	INIT_LIST_HEAD(&sw->list);
	return sw;
}

/**
 * lle_switch_put() - drop a reference
 * @sw: the switch
 * Context: any.
 */
void lle_switch_put(struct lle_switch *sw)
{
	if (refcount_dec_and_test(&sw->refs))
		kfree_rcu(sw, rcu);
}

/**
 * lle_switch_add_port() - begin to account packets received by a port
 * @sw: the switch; its first port adds it to the namespace
 * @port: the port
 * Context: RTNL.
 */
void lle_switch_add_port(struct lle_switch *sw, struct lle_port *port)
{
	struct lle_net *ln = net_generic(sw->net, lle_net_id);

	if (!sw->attached++)
		list_add_tail(&sw->list, &ln->switches);
	ln->generation += 2;
	hash_add_rcu(sw->ports, &port->node, port->ifindex);
	lle_ingress_add(port);
	if (port->slot < LLE_MAX_PORTS)
		rcu_assign_pointer(sw->slot[port->slot], port);
	lle_deadlock_add_port(port);
}

/**
 * lle_switch_del_port() - remove a port
 * @sw: the switch; its last port removes it with its settings
 * @port: the port
 * Context: RTNL; a grace period must pass before @port is freed.
 */
void lle_switch_del_port(struct lle_switch *sw, struct lle_port *port)
{
	struct lle_net *ln = net_generic(sw->net, lle_net_id);
	unsigned int p;

	lle_ingress_del(port);
	hash_del_rcu(&port->node);
	spin_lock_bh(&sw->lock);
	lle_deadlock_uncount(port);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_memory_update(&sw->sb, &port->egress[p].memory);
	spin_unlock_bh(&sw->lock);
	if (port->slot < LLE_MAX_PORTS)
		RCU_INIT_POINTER(sw->slot[port->slot], NULL);
	ln->generation += 2;
	if (--sw->attached)
		return;
	list_del_init(&sw->list);
	lle_deadlock_off(sw);
}

/**
 * lle_switch_first_port() - find the first port of a walk
 * @sw: the switch
 * Context: RTNL. Return: NULL: no ports.
 */
struct lle_port *lle_switch_first_port(const struct lle_switch *sw)
{
	struct lle_port *port;
	int bucket;

	hash_for_each(sw->ports, bucket, port, node)
		return port;
	return NULL;
}

/**
 * lle_switch_net_generation() - get the generation of the ports
 * @net: the namespace
 * Context: RTNL. Return: not 0; changes when a port comes or goes.
 */
unsigned int lle_switch_net_generation(struct net *net)
{
	return ((struct lle_net *)net_generic(net, lle_net_id))->generation;
}

/**
 * lle_switch_net_walk_ports() - visit all ports of all switches of a namespace
 * @net: the namespace
 * @fn: called for each port until it returns non-zero
 * @arg: for @fn
 * Context: RTNL. Return: the last result of @fn; 0: no ports.
 */
int lle_switch_net_walk_ports(struct net *net,
			      int (*fn)(struct lle_port *port, void *arg),
			      void *arg)
{
	struct lle_net *ln = net_generic(net, lle_net_id);
	struct lle_port *port;
	struct lle_switch *sw;
	int bucket, err;

	list_for_each_entry(sw, &ln->switches, list) {
		hash_for_each(sw->ports, bucket, port, node) {
			err = fn(port, arg);
			if (err)
				return err;
		}
	}
	return 0;
}

/**
 * lle_switch_net_find_port() - find a port of any switch of a namespace
 * @net: the namespace
 * @ifindex: of the port's device
 * Context: RTNL. Return: NULL: not a port.
 */
struct lle_port *lle_switch_net_find_port(struct net *net, int ifindex)
{
	struct lle_net *ln = net_generic(net, lle_net_id);
	struct lle_port *port;
	struct lle_switch *sw;

	list_for_each_entry(sw, &ln->switches, list)
		hash_for_each_possible(sw->ports, port, node, ifindex)
			if (port->ifindex == ifindex)
				return port;
	return NULL;
}
