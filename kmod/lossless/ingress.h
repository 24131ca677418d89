/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_INGRESS_H
#define LLE_INGRESS_H

#include "types/port.h"

/*
 * The receive hook marks each packet with its ingress port and its priority, in
 * skb->tc_index. The mark is valid until the qdisc takes the packet: VLAN
 * devices, bonds and the IP stack replace skb_iif and skb->priority on the way,
 * and leave tc_index alone. A packet that tc or BPF redirects at ingress has no
 * mark.
 */
#define LLE_MARK_PRIO_BITS	3
#define LLE_MARK_PRIO_MASK	(LLE_NUM_PRIO - 1)
#define LLE_MARK_PORTS		(1 << (16 - LLE_MARK_PRIO_BITS))

extern struct lle_port __rcu *lle_ingress_ports[LLE_MARK_PORTS];

int lle_ingress_number(struct lle_port *port, struct netlink_ext_ack *extack);
void lle_ingress_add(struct lle_port *port);
void lle_ingress_del(struct lle_port *port);
void lle_ingress_forget(struct lle_port *port);
struct lle_port *lle_ingress_find(struct lle_port *egress, struct sk_buff *skb);

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

#endif /* LLE_INGRESS_H */
