/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_INGRESS_H
#define LLE_INGRESS_H

#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>

#include "types/port.h"

/*
 * The receive hook marks each packet with its ingress port and its priority, in
 * skb->tc_index. The mark is valid until the packet leaves the queue of a port,
 * which removes it: the stack has no other use for tc_index, but for filters at
 * egress, which write the minor of a class. Numbers of ports have the highest bit
 * set, which hardly any class has. What filters at ingress redirect or copy does
 * not pass the hook, and has no mark.
 *
 * skb_iif says more: the device that has last received the packet. That is the
 * ingress port if a bridge forwards, a device above it (VLAN, VRF, macvlan, the
 * bridge) if the packet is routed, none if it has entered or left a tunnel, and
 * the port of the filter if one has copied or redirected it. See
 * lle_ingress_find().
 */
#define LLE_MARK_PRIO_BITS	3
#define LLE_MARK_PRIO_MASK	(LLE_NUM_PRIO - 1)
#define LLE_MARK_PORTS		(1 << (16 - LLE_MARK_PRIO_BITS))
#define LLE_MARK_FIRST		(LLE_MARK_PORTS / 2)

/**
 * enum lle_origin - what a packet is to the queue that it comes to
 * @LLE_ORIGIN_ARRIVED: it arrived at a port, is charged to that, and makes it pause
 * @LLE_ORIGIN_OTHER: it is charged to no port: of this host, or of a device that
 *	is no port
 * @LLE_ORIGIN_COPY: likewise, as it is a copy for a monitor
 * @LLE_ORIGIN_GONE: it was for this machine, and has been freed
 * @LLE_ORIGIN_DISCARD: it is to be dropped, and has been counted
 */
enum lle_origin {
	LLE_ORIGIN_ARRIVED,
	LLE_ORIGIN_OTHER,
	LLE_ORIGIN_COPY,
	LLE_ORIGIN_GONE,
	LLE_ORIGIN_DISCARD,
};

extern struct lle_port __rcu *lle_ingress_ports[LLE_MARK_PORTS];

int lle_ingress_number(struct lle_port *port, struct netlink_ext_ack *extack);
void lle_ingress_add(struct lle_port *port);
void lle_ingress_del(struct lle_port *port);
void lle_ingress_forget(struct lle_port *port);
enum lle_origin lle_ingress_find(struct lle_port *egress, struct sk_buff *skb,
				 struct lle_port **iport);
void lle_ingress_original(struct lle_port *port, const struct sk_buff *skb);

/**
 * lle_ingress_mark() - note ingress port and priority of a packet
 * @port: its ingress port
 * @skb: the packet
 * @prio: its priority
 */
static inline void lle_ingress_mark(const struct lle_port *port,
				    struct sk_buff *skb, unsigned int prio)
{
	skb->tc_index = port->mark | prio;
}

/**
 * lle_ingress_marked() - look up the port of a packet's mark
 * @skb: a packet on its way to a queue
 *
 * The mark may be that of another switch, which the packet crossed before, or
 * of a BPF program. The caller compares.
 *
 * Context: RCU. Return: NULL if there is no such port.
 */
static inline struct lle_port *lle_ingress_marked(const struct sk_buff *skb)
{
	unsigned int number = READ_ONCE(skb->tc_index) >> LLE_MARK_PRIO_BITS;

	return rcu_dereference_check(lle_ingress_ports[number],
				     rcu_read_lock_bh_held());
}

/**
 * lle_ingress_prio() - read the priority in a packet's mark
 * @skb: a packet with a valid mark
 */
static inline unsigned int lle_ingress_prio(const struct sk_buff *skb)
{
	return skb->tc_index & LLE_MARK_PRIO_MASK;
}

/**
 * lle_ingress_agrees() - test whether mark and skb_iif say the same, and it is no
 *	copy of TEE
 * @iport: lle_ingress_marked()
 * @egress: egress port of the packet
 * @skb: the packet
 *
 * Return: true: it arrived at @iport.
 */
static inline bool lle_ingress_agrees(const struct lle_port *iport,
				      const struct lle_port *egress,
				      const struct sk_buff *skb)
{
	return iport && iport->sw == egress->sw &&
	       (iport->ifindex == skb->skb_iif || !skb->skb_iif) &&
	       !lle_nf_duplicates(skb);
}

/* The packet leaves: its mark means nothing behind the port. */
static inline void lle_ingress_unmark(struct sk_buff *skb)
{
	skb->tc_index = 0;
}

#endif /* LLE_INGRESS_H */
