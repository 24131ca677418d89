// SPDX-License-Identifier: GPL-2.0
/* Attributes of both messages and events. */
#include <linux/etherdevice.h>

#include "netlink_attr.h"
#include "stats.h"

/*
 * Same first attributes: lle_netlink_attr_put_who() and
 * lle_netlink_set_find_port() serve all sets.
 */
#define LLE_SAME(set, attr)						\
	((int)LOSSLESS_A_##set##_##attr == LOSSLESS_A_PORT_##attr)
#define LLE_SAME_WHO(set)						\
	static_assert(LLE_SAME(set, IFINDEX) && LLE_SAME(set, IFNAME) && \
		      LLE_SAME(set, SWITCH))
LLE_SAME_WHO(PAUSE);
LLE_SAME_WHO(HISTORY);
LLE_SAME_WHO(WATCHDOG);
LLE_SAME_WHO(QUEUE);
LLE_SAME_WHO(CONGESTION);

/**
 * lle_netlink_attr_put_who() - add the identity of a port
 * @skb: the message
 * @port: the port
 * Context: any that keeps the port attached. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_attr_put_who(struct sk_buff *skb, const struct lle_port *port)
{
	return nla_put_u32(skb, LOSSLESS_A_PORT_IFINDEX, port->ifindex) ||
	       nla_put_string(skb, LOSSLESS_A_PORT_IFNAME, port->dev->name) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_SWITCH, port->sw->id) ?
		       -EMSGSIZE : 0;
}

/**
 * lle_netlink_attr_put_peer_mac() - add the source address of the last PFC
 * frame, if any
 * @skb: the message
 * @port: the port
 * @attr: the attribute
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_attr_put_peer_mac(struct sk_buff *skb, struct lle_port *port,
				  int attr)
{
	u8 mac[ETH_ALEN];

	spin_lock_bh(&port->pause_lock);
	ether_addr_copy(mac, port->peer_mac);
	spin_unlock_bh(&port->pause_lock);
	if (is_zero_ether_addr(mac))
		return 0;
	return nla_put(skb, attr, ETH_ALEN, mac);
}

/**
 * lle_netlink_attr_put_unaccounted() - add the packets of devices that are not
 * ports
 * @skb: the message
 * @port: their egress port
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_attr_put_unaccounted(struct sk_buff *skb,
				     const struct lle_port *port)
{
	int ifindex = lle_stats_unaccounted_at(port);

	if (nla_put_u64_64bit(skb, LOSSLESS_A_PORT_UNACCOUNTED,
			      lle_stats_peek(port->unaccounted.packets),
			      LOSSLESS_A_PORT_PAD) ||
	    (ifindex && nla_put_u32(skb, LOSSLESS_A_PORT_UNACCOUNTED_IFINDEX,
				    ifindex)))
		return -EMSGSIZE;
	return 0;
}

/* Omit an unknown pause. */
static int lle_put_deadlock_pause(struct sk_buff *skb, int attr,
				  const struct lle_deadlock_who *who)
{
	struct nlattr *nest;

	if (!memchr_inv(who, 0, sizeof(*who)))
		return 0;
	nest = nla_nest_start(skb, attr);
	if (!nest ||
	    nla_put_u16(skb, LOSSLESS_A_DEADLOCK_PAUSE_SWITCH, who->sw) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_PAUSE_SLOT, who->slot) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_PAUSE_HOST, who->host) ||
	    nla_put_u32(skb, LOSSLESS_A_DEADLOCK_PAUSE_SEQ, who->seq))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_put_deadlock_hop(struct sk_buff *skb,
				const struct lle_deadlock_hop *hop)
{
	struct nlattr *nest = nla_nest_start(skb, LOSSLESS_A_DEADLOCK_HOP);

	if (!nest ||
	    nla_put_u16(skb, LOSSLESS_A_DEADLOCK_HOP_SWITCH, hop->sw) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_HOP_INGRESS, hop->ingress) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_HOP_EGRESS, hop->egress) ||
	    nla_put_u32(skb, LOSSLESS_A_DEADLOCK_HOP_BYTES, hop->bytes) ||
	    lle_put_deadlock_pause(skb, LOSSLESS_A_DEADLOCK_HOP_TRIGGER,
				   &hop->trigger) ||
	    nla_put_u64_64bit(skb, LOSSLESS_A_DEADLOCK_HOP_AGE_NS, hop->age_ns,
			      LOSSLESS_A_DEADLOCK_HOP_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_put_deadlock_times(struct sk_buff *skb,
				  const struct lle_deadlock_info *d)
{
	return nla_put_u64_64bit(skb, LOSSLESS_A_DEADLOCK_SINCE_NS, d->since_ns,
				 LOSSLESS_A_DEADLOCK_PAD) ||
	       nla_put_u64_64bit(skb, LOSSLESS_A_DEADLOCK_DECLARED_NS,
				 d->declared_ns, LOSSLESS_A_DEADLOCK_PAD) ||
	       nla_put_u64_64bit(skb, LOSSLESS_A_DEADLOCK_REPORTED_NS,
				 d->reported_ns, LOSSLESS_A_DEADLOCK_PAD);
}

static int lle_put_deadlock_info(struct sk_buff *skb,
				 const struct lle_deadlock_info *d)
{
	return nla_put_u64_64bit(skb, LOSSLESS_A_DEADLOCK_NUMBER, d->number,
				 LOSSLESS_A_DEADLOCK_PAD) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_PRIO, d->prio) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_COMPLETE, d->loop) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_CURE, d->cure) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_RESOLVED, d->resolved) ||
	       nla_put_u32(skb, LOSSLESS_A_DEADLOCK_BYTES, d->bytes) ||
	       nla_put_u32(skb, LOSSLESS_A_DEADLOCK_PARKED_BYTES,
			   d->parked_bytes) ||
	       nla_put_u32(skb, LOSSLESS_A_DEADLOCK_DROPPED_BYTES,
			   d->dropped_bytes) ||
	       lle_put_deadlock_pause(skb, LOSSLESS_A_DEADLOCK_INITIATOR,
				      &d->initiator) ||
	       lle_put_deadlock_pause(skb, LOSSLESS_A_DEADLOCK_TRIGGER,
				      &d->trigger) ||
	       lle_put_deadlock_times(skb, d);
}

/**
 * lle_netlink_attr_deadlock_bytes() - compute the room that a deadlock needs
 * @hops: hops of its loop
 * Context: any. Return: bytes of its message without headers, at most.
 */
unsigned int lle_netlink_attr_deadlock_bytes(unsigned int hops)
{
	unsigned int pause = nla_total_size(0) + nla_total_size(sizeof(u16)) +
			     2 * nla_total_size(sizeof(u8)) +
			     nla_total_size(sizeof(u32));
	unsigned int hop = nla_total_size(0) + nla_total_size(sizeof(u16)) +
			   2 * nla_total_size(sizeof(u8)) +
			   nla_total_size(sizeof(u32)) + pause +
			   nla_total_size_64bit(sizeof(u64));

	return 4 * nla_total_size(sizeof(u32)) + 4 * nla_total_size(sizeof(u8)) +
	       4 * nla_total_size_64bit(sizeof(u64)) + 2 * pause + hops * hop;
}

/**
 * lle_netlink_attr_put_deadlock() - add a deadlock
 * @skb: the message
 * @sw: the switch that found it
 * @r: its record
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_attr_put_deadlock(struct sk_buff *skb,
				  const struct lle_switch *sw,
				  const struct lle_deadlock_record *r)
{
	unsigned int n;

	if (nla_put_u32(skb, LOSSLESS_A_DEADLOCK_SWITCH, sw->id) ||
	    lle_put_deadlock_info(skb, &r->info))
		return -EMSGSIZE;
	for (n = 0; n < r->hops; n++)
		if (lle_put_deadlock_hop(skb, &r->hop[n]))
			return -EMSGSIZE;
	return 0;
}
