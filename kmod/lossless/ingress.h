/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_INGRESS_H
#define LLE_INGRESS_H

#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>

#include "types/port.h"

/*
 * The receive hook stores ingress port and priority of each packet in
 * skb->tc_index, its mark, valid until the packet leaves the queue of a port.
 * Only filters at egress also write tc_index, the minor of a class; numbers of
 * ports have the highest bit set, which hardly any class has. Packets that
 * filters at ingress redirect or copy bypass the hook and have no mark.
 *
 * skb_iif is the last device that received the packet: the ingress port if a
 * bridge forwards it, a device above the port (VLAN, VRF, macvlan, bridge) if
 * it is routed, none if it entered or left a tunnel, and the filter's port if a
 * filter copied or redirected it. See lle_ingress_find().
 */
#define LLE_MARK_PRIO_BITS	3
#define LLE_MARK_PRIO_MASK	(LLE_NUM_PRIO - 1)
#define LLE_MARK_PORTS		(1 << (16 - LLE_MARK_PRIO_BITS))
#define LLE_MARK_FIRST		(LLE_MARK_PORTS / 2)

/**
 * enum lle_origin - origin of a packet, for the queue
 * @LLE_ORIGIN_ARRIVED: charged to the port of arrival, which may pause its peer
 * @LLE_ORIGIN_OTHER: not charged: of this host, or of a device that is no port
 * @LLE_ORIGIN_COPY: not charged: a copy for a monitor
 * @LLE_ORIGIN_GONE: it was for this machine, and has been freed
 * @LLE_ORIGIN_DISCARD: must be dropped, and has been counted
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

/* Store ingress port and priority in the mark. */
static inline void lle_ingress_mark(const struct lle_port *port,
				    struct sk_buff *skb, unsigned int prio)
{
	skb->tc_index = port->mark | prio;
}

/*
 * Port of a packet's mark, or NULL. Under RCU. Another switch that the packet
 * crossed, or a BPF program, may have set the mark: the caller compares.
 */
static inline struct lle_port *lle_ingress_marked(const struct sk_buff *skb)
{
	unsigned int number = READ_ONCE(skb->tc_index) >> LLE_MARK_PRIO_BITS;

	return rcu_dereference_check(lle_ingress_ports[number],
				     rcu_read_lock_bh_held());
}

/* Priority in a valid mark */
static inline unsigned int lle_ingress_prio(const struct sk_buff *skb)
{
	return skb->tc_index & LLE_MARK_PRIO_MASK;
}

/* Did the packet arrive at its marked port @iport, and is not a copy of TEE? */
static inline bool lle_ingress_agrees(const struct lle_port *iport,
				      const struct lle_port *egress,
				      const struct sk_buff *skb)
{
	return iport && iport->sw == egress->sw &&
	       (iport->ifindex == skb->skb_iif || !skb->skb_iif) &&
	       !lle_nf_duplicates(skb);
}

/* Behind the port the mark is invalid. */
static inline void lle_ingress_unmark(struct sk_buff *skb)
{
	skb->tc_index = 0;
}

#endif /* LLE_INGRESS_H */
