// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the ingress port of a packet.
 *
 * The qdisc of the egress port charges a packet to its ingress port, however
 * the stack has changed the packet meanwhile. Usually the packet's mark and
 * skb_iif agree. Behind a device on top of ports (a VLAN device, a bond, a
 * bridge that routes) skb_iif is that device: then the mark counts, if its port
 * is below the device.
 */
#include <linux/idr.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>

#include "event.h"
#include "ingress.h"
#include "rx.h"
#include "switch.h"

/* Least time between two events about unaccounted packets of a port */
#define LLE_UNACCOUNTED_GAP	(60 * HZ)

/* Ports of all namespaces, by the number in their mark; 0 is not used. */
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
	int number = ida_alloc_range(&lle_ingress_numbers, 1,
				     LLE_MARK_PORTS - 1, GFP_KERNEL);

	if (number == -ENOSPC)
		NL_SET_ERR_MSG(extack, "This machine has 8191 lossless ports already");
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

/* Is @top the port's device, its master, or a bond's master (its bridge)? */
static bool lle_ingress_is_below(const struct lle_port *port,
				 const struct net_device *top)
{
	struct net_device *dev = port->dev;

	while (dev && dev != top)
		dev = netdev_master_upper_dev_get_rcu(dev);
	return dev;
}

/* Find the ingress port by skb_iif, or by the mark of a port below that. */
static struct lle_port *lle_ingress_below(const struct lle_switch *sw,
					  const struct sk_buff *skb)
{
	struct lle_port *port;
	struct net_device *dev;

	port = lle_switch_find_port(sw, skb->skb_iif);
	if (port)
		return port;

	dev = dev_get_by_index_rcu(sw->net, skb->skb_iif);
	if (!dev)
		return NULL;
	if (is_vlan_dev(dev)) {
		dev = vlan_dev_real_dev(dev);
		port = lle_switch_find_port(sw, dev->ifindex);
		if (port)
			return port;
	}
	port = lle_ingress_marked(skb);
	return port && port->sw == sw && lle_ingress_is_below(port, dev) ?
	       port : NULL;
}

/* Count a packet of a device that is no port, if its priority is lossless. */
static void lle_ingress_unaccounted(struct lle_port *egress, struct sk_buff *skb)
{
	unsigned int prio = lle_rx_classify(egress, skb,
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
 * lle_ingress_find() - find the ingress port if mark and skb_iif differ
 * @egress: egress port of the packet
 * @skb: the packet, not of the host itself; with a valid mark afterwards, if
 *	there is a port
 *
 * A filter at egress that sets skb->tc_index removes the mark of a packet that
 * the hook has seen. Without filters at ingress that could have redirected the
 * packet, it is just marked again. A port with both counts it as redirected.
 *
 * A packet without a port counts as unaccounted, if its priority is lossless.
 *
 * Context: RCU with BH off; under @egress's root lock.
 * Return: the port; NULL: it is no port of the switch; an ERR_PTR of
 * lle_rx_bypass().
 */
struct lle_port *lle_ingress_find(struct lle_port *egress, struct sk_buff *skb)
{
	struct lle_port *port = lle_ingress_below(egress->sw, skb);
	int err;

	if (!port)
		lle_ingress_unaccounted(egress, skb);
	if (!port || port == lle_ingress_marked(skb))
		return port;
	if (!lle_dev_has_ingress_filters(port->dev)) {
		lle_ingress_mark(port, skb, lle_rx_classify(port, skb, 0));
		return port;
	}
	err = lle_rx_bypass(port, skb);
	return err ? ERR_PTR(err) : port;
}
EXPORT_SYMBOL_GPL(lle_ingress_find);
