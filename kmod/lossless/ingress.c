// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the ingress port of a packet, to which the qdisc of the egress port
 * charges it, whatever the stack changed. Usually mark and skb_iif agree;
 * lle_ingress_find() handles the others.
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

/* Ports of all namespaces, by number in the mark; the first half is empty. */
struct lle_port __rcu *lle_ingress_ports[LLE_MARK_PORTS];
EXPORT_SYMBOL_GPL(lle_ingress_ports);

static DEFINE_IDA(lle_ingress_numbers);

/**
 * lle_ingress_number() - reserve the mark of a new port
 * @port: the port
 * @extack: reason of an error
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
 * lle_ingress_forget() - release the mark of a port
 * @port: the port; packets in flight with its mark count as unmarked, or as
 *	packets of the next owner if their skb_iif is a device above that
 * Context: any.
 */
void lle_ingress_forget(struct lle_port *port)
{
	if (port->mark)
		ida_free(&lle_ingress_numbers,
			 port->mark >> LLE_MARK_PRIO_BITS);
}

/**
 * lle_ingress_add() - start charging packets with the port's mark to it
 * @port: the port
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
 * Context: RTNL; a grace period must pass before @port is freed.
 */
void lle_ingress_del(struct lle_port *port)
{
	RCU_INIT_POINTER(lle_ingress_ports[port->mark >> LLE_MARK_PRIO_BITS],
			 NULL);
}

/* Port of skb_iif, or below that VLAN device */
static struct lle_port *lle_ingress_seen(const struct lle_switch *sw,
					 const struct sk_buff *skb)
{
	struct net_device *dev;
	struct lle_port *port;

	if (!skb->skb_iif)
		return NULL;
	port = lle_port_of_switch(sw, skb->skb_iif);
	if (port)
		return port;
	dev = dev_get_by_index_rcu(sw->net, skb->skb_iif);
	return dev && is_vlan_dev(dev) ?
		       lle_port_of_switch(sw, vlan_dev_real_dev(dev)->ifindex) :
		       NULL;
}

/* May tc, BPF or nftables redirect packets that arrive at a device? */
static bool lle_ingress_has_filters(const struct net_device *dev,
				    unsigned int own_hooks)
{
	const struct nf_hook_entries *hooks;

	hooks = rcu_dereference_check(dev->nf_hooks_ingress,
				      rcu_read_lock_bh_held());
	return (hooks && hooks->num_hook_entries > own_hooks) ||
	       lle_dev_has_ingress_filters(dev);
}

/* Bytes behind the Ethernet header that identify a copy */
#define LLE_INGRESS_BYTES	64

/* Packets of a port that get a name after the last sign of filters */
#define LLE_INGRESS_NAMED	255

/**
 * struct lle_ingress_name - common properties of a packet and its copy
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
 * struct lle_ingress_last - latest packets of this CPU
 * @bypassed: last queued packet that bypassed the hook; cleared when the hook
 *	names the next one
 * @arrived: last packet that the hook named
 * @skb: that packet; must not be dereferenced
 */
struct lle_ingress_last {
	struct lle_ingress_name bypassed;
	struct lle_ingress_name arrived;
	const struct sk_buff *skb;
};

static DEFINE_PER_CPU(struct lle_ingress_last, lle_ingress_last);

/* By bytes, as a copy may have its own memory. @at: see lle_classify_any() */
static struct lle_ingress_name lle_ingress_name(const struct lle_port *port,
						const struct sk_buff *skb,
						int at)
{
	struct lle_ingress_name name = { .mark = port->mark };
	u8 bytes[LLE_INGRESS_BYTES];
	unsigned int ip;
	int n;

	/* VLAN devices strip the tags of a copy */
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
 * Is a packet that bypassed the hook of its port a copy? If so, its original is
 * the next packet at the hook on this CPU; a redirected packet has no original.
 * So each packet classifies the one before; filters treat many in a row alike.
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

/* Does a bridge, or Open vSwitch, forward packets of a device? */
static bool lle_ingress_is_bridged(struct net_device *dev)
{
	struct net_device *master = netdev_master_upper_dev_get_rcu(dev);

	return master && (netif_is_bridge_master(master) ||
			  netif_is_ovs_master(master));
}

/*
 * Did a filter copy a packet that a device above the egress port sends, or that
 * left a tunnel? A copy shares its memory with the original. So may a packet
 * that a bridge forwards from a tunnel, but not a routed packet.
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
 * Is a marked packet the copy by a filter at a device above a port? At ingress,
 * the copy was made after the hook saw the original, and has its bytes.
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
 * lle_ingress_original() - name a possible original of copies
 * @port: its ingress port
 * @skb: the packet, at the hook
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

/* Count a lossless packet of a device that is not a port. */
static void lle_ingress_unaccounted(struct lle_port *egress, struct sk_buff *skb)
{
	unsigned int prio = lle_classify(rcu_dereference_bh(egress->params), skb,
					 ETH_HLEN,
					 skb->priority % LLE_NUM_PRIO);
	struct lle_unaccounted *u = &egress->unaccounted;

	if (!(READ_ONCE(egress->pfc_en) & BIT(prio)))
		return;
	WRITE_ONCE(u->ifindex, skb->skb_iif);
	if (u->packets++ &&
	    time_before(jiffies, u->reported + LLE_UNACCOUNTED_GAP))
		return;
	u->reported = jiffies;
	lle_event_unaccounted(egress, ktime_get_ns());
}

/**
 * lle_ingress_find() - find the ingress port if mark and skb_iif do not agree
 * @egress: egress port
 * @skb: packet, not of the host itself; gets a valid mark if it has a port
 * @iport: result: the ingress port, or NULL
 *
 *	mark    skb_iif            the packet
 *	------  -----------------  -------------------------------------------
 *	a port  the same, or none  lle_ingress_agrees(): arrived there
 *	a port  no port            was routed, or left a tunnel: arrived there
 *	a port  another port       redirected at egress of that one: arrived at
 *				   the marked one; otherwise a copy
 *	a port  any                copy, see lle_ingress_is_above() and
 *				   lle_nf_duplicates()
 *	none    a port             redirected at ingress, past the hook: arrived
 *				   there; copy made there; or a filter at
 *				   egress has overwritten the mark
 *	none    no port            came from a device that is not a port:
 *				   unaccounted, if its priority is lossless
 *
 * A filter at egress that sets skb->tc_index removes the mark. The packet is
 * marked again, unless filters at ingress could have redirected it.
 * Context: RCU with BH off; root lock of @egress.
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
