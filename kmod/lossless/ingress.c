// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the ingress port of a packet.
 *
 * The qdisc of the egress port charges a packet to its ingress port, however
 * the stack has changed the packet meanwhile. Usually the packet's mark and
 * skb_iif agree; lle_ingress_find() is for the others.
 */
#include <linux/idr.h>
#include <linux/if_vlan.h>
#include <linux/jhash.h>
#include <linux/rtnetlink.h>

#include "classify.h"
#include "event.h"
#include "ingress.h"
#include "rx.h"
#include "switch.h"

/* Least time between two events about unaccounted packets of a port */
#define LLE_UNACCOUNTED_GAP	(60 * HZ)

/* Ports of all namespaces, by the number in their mark; the first half is empty. */
struct lle_port __rcu *lle_ingress_ports[LLE_MARK_PORTS];
EXPORT_SYMBOL_GPL(lle_ingress_ports);

static DEFINE_IDA(lle_ingress_numbers);

/**
 * lle_ingress_number() - reserve the mark of a new port
 * @port: the port
 * @extack: gets the reason of an error
 *
 * Context: RTNL. Return: 0; -ENOSPC, -ENOMEM.
 */
int lle_ingress_number(struct lle_port *port, struct netlink_ext_ack *extack)
{
	int number = ida_alloc_range(&lle_ingress_numbers, LLE_MARK_FIRST,
				     LLE_MARK_PORTS - 1, GFP_KERNEL);

	if (number == -ENOSPC)
		NL_SET_ERR_MSG(extack, "This machine has 4096 lossless ports already");
	if (number < 0)
		return number;
	port->mark = number << LLE_MARK_PRIO_BITS;
	return 0;
}

/**
 * lle_ingress_forget() - give the mark of a port back
 * @port: the port; packets with its mark may still be on their way. They count
 *	as unmarked, or as packets of the next owner of the mark, if their
 *	skb_iif is a device on top of that
 *
 * Context: any.
 */
void lle_ingress_forget(struct lle_port *port)
{
	if (port->mark)
		ida_free(&lle_ingress_numbers,
			 port->mark >> LLE_MARK_PRIO_BITS);
}

/**
 * lle_ingress_add() - charge packets with the port's mark to it from now on
 * @port: the port
 *
 * Context: RTNL.
 */
void lle_ingress_add(struct lle_port *port)
{
	rcu_assign_pointer(lle_ingress_ports[port->mark >> LLE_MARK_PRIO_BITS],
			   port);
}

/**
 * lle_ingress_del() - stop charging packets to a port by its mark
 * @port: the port
 *
 * Context: RTNL; a grace period has to pass before @port is freed.
 */
void lle_ingress_del(struct lle_port *port)
{
	RCU_INIT_POINTER(lle_ingress_ports[port->mark >> LLE_MARK_PRIO_BITS],
			 NULL);
}

/* The port that skb_iif names, or that the VLAN device of that name lies on */
static struct lle_port *lle_ingress_seen(const struct lle_switch *sw,
					 const struct sk_buff *skb)
{
	struct net_device *dev;
	struct lle_port *port;

	if (!skb->skb_iif)
		return NULL;
	port = lle_switch_find_port(sw, skb->skb_iif);
	if (port)
		return port;
	dev = dev_get_by_index_rcu(sw->net, skb->skb_iif);
	return dev && is_vlan_dev(dev) ?
		       lle_switch_find_port(sw, vlan_dev_real_dev(dev)->ifindex) :
		       NULL;
}

/* May tc, BPF or nftables send elsewhere what arrives at a device? */
static bool lle_ingress_has_filters(const struct net_device *dev,
				    unsigned int own_hooks)
{
	const struct nf_hook_entries *hooks;

	hooks = rcu_dereference_check(dev->nf_hooks_ingress,
				      rcu_read_lock_bh_held());
	return (hooks && hooks->num_hook_entries > own_hooks) ||
	       lle_dev_has_ingress_filters(dev);
}

/* Bytes of the network's header, or behind that of Ethernet, by which a copy is known */
#define LLE_INGRESS_BYTES	64

/* Packets of a port that are named after the last one of a device with filters */
#define LLE_INGRESS_NAMED	255

/**
 * struct lle_ingress_name - what a packet and its copy have in common
 * @hash: of its first bytes; 0: no packet
 * @len: its length
 * @mark: mark of its ingress port
 */
struct lle_ingress_name {
	u32 hash;
	u32 len;
	u16 mark;
};

/**
 * struct lle_ingress_last - packets of this CPU
 * @bypassed: the last one that has come to a queue past the hook; none after its
 *	original has come
 * @arrived: the last one that the hook has named
 * @skb: that packet; not to be used
 */
struct lle_ingress_last {
	struct lle_ingress_name bypassed;
	struct lle_ingress_name arrived;
	const struct sk_buff *skb;
};

static DEFINE_PER_CPU(struct lle_ingress_last, lle_ingress_last);

/* Name a packet by its bytes, as a copy may have memory of its own. @at: see lle_classify() */
static struct lle_ingress_name lle_ingress_name(const struct lle_port *port,
						const struct sk_buff *skb,
						int at)
{
	struct lle_ingress_name name = { .mark = port->mark };
	u8 bytes[LLE_INGRESS_BYTES];
	unsigned int ip;
	int n;

	/* VLAN devices have removed tags of a copy */
	lle_classify_ip(skb, at, &ip);
	name.len = skb->len - ip;
	n = min_t(int, name.len, sizeof(bytes));
	if (n > 0 && !skb_copy_bits(skb, ip, bytes, n))
		name.hash = jhash(bytes, n, name.len) | 1;
	return name;
}

static bool lle_ingress_same(const struct lle_ingress_name *a,
			     const struct lle_ingress_name *b)
{
	return a->hash == b->hash && a->len == b->len && a->mark == b->mark;
}

/*
 * Is a packet that has passed by the hook of its port a copy? The original of a
 * copy is the next packet that the hook sees on this CPU; a redirected packet has
 * none. So each packet shows what the one before it was, and filters do the same
 * to many in a row.
 */
static bool lle_ingress_is_copy(struct lle_port *port, const struct sk_buff *skb)
{
	struct lle_ingress_name *last = this_cpu_ptr(&lle_ingress_last.bypassed);

	if (last->hash && last->mark == port->mark)
		WRITE_ONCE(port->copied, false);
	last->hash = 0;
	if (skb_is_redirected(skb))
		return false;
	*last = lle_ingress_name(port, skb, ETH_HLEN);
	WRITE_ONCE(port->attention.filters, LLE_INGRESS_NAMED);
	return READ_ONCE(port->copied);
}

/* Does a bridge, or Open vSwitch, forward what arrives at a device? */
static bool lle_ingress_is_bridged(struct net_device *dev)
{
	struct net_device *master = netdev_master_upper_dev_get_rcu(dev);

	return master && (netif_is_bridge_master(master) ||
			  netif_is_ovs_master(master));
}

/*
 * Has a filter copied a packet that a device above the egress port sends, or that has
 * left a tunnel? The copy shares its memory with the original. So may a packet that a
 * bridge forwards from a tunnel, but not one that is routed.
 */
static bool lle_ingress_is_shared(struct net_device *dev,
				  const struct sk_buff *skb)
{
	return skb->cloned && skb->fclone != SKB_FCLONE_CLONE &&
	       !skb_is_redirected(skb) &&
	       (lle_dev_has_egress_filters(dev) ||
		lle_ingress_has_filters(dev, 0)) &&
	       (!list_empty(&dev->adj_list.lower) ||
		!lle_ingress_is_bridged(dev));
}

/*
 * Is a packet with a mark the copy that a filter at a device above a port has made? At
 * ingress, it has been made since the hook has seen the original, and has its bytes.
 */
static bool lle_ingress_is_above(struct lle_port *marked,
				 const struct sk_buff *skb)
{
	const struct lle_ingress_last *last = this_cpu_ptr(&lle_ingress_last);
	struct lle_ingress_name name;
	struct net_device *dev;

	dev = dev_get_by_index_rcu(marked->sw->net, skb->skb_iif);
	if (!dev || is_multicast_ether_addr(skb->data))
		return false;
	if (!netdev_has_upper_dev_all_rcu(marked->dev, dev))
		return lle_ingress_is_shared(dev, skb);
	if (!lle_ingress_has_filters(dev, 0))
		return false;
	WRITE_ONCE(marked->attention.filters, LLE_INGRESS_NAMED);
	if (last->skb == skb)
		return false;
	name = lle_ingress_name(marked, skb, ETH_HLEN);
	return lle_ingress_same(&name, &last->arrived);
}

/**
 * lle_ingress_original() - name a packet that may be the original of copies
 * @port: its ingress port
 * @skb: the packet, at the hook
 *
 * Context: BH off.
 */
void lle_ingress_original(struct lle_port *port, const struct sk_buff *skb)
{
	struct lle_ingress_last *last = this_cpu_ptr(&lle_ingress_last);

	last->arrived = lle_ingress_name(port, skb, 0);
	last->skb = skb;
	if (last->bypassed.hash && last->bypassed.mark == port->mark)
		WRITE_ONCE(port->copied, lle_ingress_same(&last->bypassed,
							  &last->arrived));
	else if (!lle_ingress_has_filters(port->dev, 1))
		WRITE_ONCE(port->attention.filters,
			   READ_ONCE(port->attention.filters) - 1);
	last->bypassed.hash = 0;
}

/* Count a packet of a device that is no port, if its priority is lossless. */
static void lle_ingress_unaccounted(struct lle_port *egress, struct sk_buff *skb)
{
	unsigned int prio = lle_classify(rcu_dereference_bh(egress->params), skb,
					 ETH_HLEN,
					 skb->priority % LLE_NUM_PRIO);
	struct lle_unaccounted *u = &egress->unaccounted;

	if (!(READ_ONCE(egress->pfc_en) & BIT(prio)))
		return;
	WRITE_ONCE(u->ifindex, skb->skb_iif);
	if (u->packets++ && time_before(jiffies, u->told + LLE_UNACCOUNTED_GAP))
		return;
	u->told = jiffies;
	lle_event_unaccounted(egress, ktime_get_ns());
}

/**
 * lle_ingress_find() - find the ingress port if mark and skb_iif do not agree
 * @egress: egress port of the packet
 * @skb: the packet, not of the host itself; with a valid mark afterwards, if
 *	it has an ingress port
 * @iport: result: that port; NULL: it has none
 *
 *	mark    skb_iif            the packet
 *	------  -----------------  -------------------------------------------
 *	a port  the same, or none  lle_ingress_agrees(): arrived there
 *	a port  no port            was routed, or left a tunnel: arrived there
 *	a port  another port       is redirected at egress of that one: arrived
 *				   at the marked one; otherwise a copy
 *	a port  any                a copy, see lle_ingress_is_above() and
 *				   lle_nf_duplicates()
 *	none    a port             is redirected at ingress, past the hook:
 *				   arrived there; a copy made there; or a
 *				   filter at egress has written over the mark
 *	none    no port            came from a device that is no port
 *
 * A filter at egress that sets skb->tc_index removes the mark of a packet that
 * the hook has seen. Without filters at ingress that could have redirected the
 * packet, it is just marked again. A port with both counts it as redirected.
 *
 * A packet without a port counts as unaccounted, if its priority is lossless.
 *
 * Context: RCU with BH off; under @egress's root lock.
 */
enum lle_origin lle_ingress_find(struct lle_port *egress, struct sk_buff *skb,
				 struct lle_port **iport)
{
	struct lle_port *marked = lle_ingress_marked(skb);
	struct lle_port *seen = lle_ingress_seen(egress->sw, skb);
	int err;

	*iport = NULL;
	if (marked && marked->sw == egress->sw) {
		if (lle_nf_duplicates(skb) ||
		    (seen && seen != marked ?
			     !skb_is_redirected(skb) :
			     lle_ingress_is_above(marked, skb)))
			return LLE_ORIGIN_COPY;
		*iport = marked;
		return LLE_ORIGIN_ARRIVED;
	}
	if (!seen) {
		lle_ingress_unaccounted(egress, skb);
		return LLE_ORIGIN_OTHER;
	}
	if (!lle_ingress_has_filters(seen->dev, 1)) {
		lle_ingress_mark(seen, skb,
				 lle_classify(rcu_dereference_bh(seen->params),
					      skb, ETH_HLEN, 0));
	} else {
		if (lle_ingress_is_copy(seen, skb))
			return LLE_ORIGIN_COPY;
		err = lle_rx_bypass(seen, skb);
		if (err)
			return err == -EINPROGRESS ? LLE_ORIGIN_GONE :
						     LLE_ORIGIN_DISCARD;
	}
	*iport = seen;
	return LLE_ORIGIN_ARRIVED;
}
EXPORT_SYMBOL_GPL(lle_ingress_find);
