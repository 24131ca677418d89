// SPDX-License-Identifier: GPL-2.0
/* Attributes of both messages and events. */
#include <linux/etherdevice.h>

#include "netlink_attr.h"
#include "stats.h"

int lle_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, LLE_A_PAD);
}

/**
 * lle_put_who() - add the identity of a port
 * @skb: the message
 * @port: the port
 *
 * Context: any that keeps the port attached. Return: 0 or -EMSGSIZE.
 */
int lle_put_who(struct sk_buff *skb, const struct lle_port *port)
{
	return nla_put_u32(skb, LLE_A_IFINDEX, port->ifindex) ||
	       nla_put_string(skb, LLE_A_IFNAME, port->dev->name) ||
	       nla_put_u32(skb, LLE_A_SWITCH, port->sw->id) ? -EMSGSIZE : 0;
}

/**
 * lle_put_peer_mac() - add the source address of the last PFC frame, if any
 * @skb: the message
 * @port: the port
 *
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_put_peer_mac(struct sk_buff *skb, struct lle_port *port)
{
	u8 mac[ETH_ALEN];

	spin_lock_bh(&port->pause_lock);
	ether_addr_copy(mac, port->peer_mac);
	spin_unlock_bh(&port->pause_lock);
	if (is_zero_ether_addr(mac))
		return 0;
	return nla_put(skb, LLE_A_PEER_MAC, ETH_ALEN, mac);
}

/**
 * lle_put_unaccounted() - add the packets of devices that are no port
 * @skb: the message
 * @port: their egress port
 *
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_put_unaccounted(struct sk_buff *skb, const struct lle_port *port)
{
	int ifindex = lle_stats_peek(port->unaccounted.ifindex);

	if (lle_put_u64(skb, LLE_A_UNACCOUNTED,
			lle_stats_peek(port->unaccounted.packets)) ||
	    (ifindex && nla_put_u32(skb, LLE_A_UNACCOUNTED_IFINDEX, ifindex)))
		return -EMSGSIZE;
	return 0;
}

/**
 * lle_put_deadlock() - add a deadlock
 * @skb: the message
 * @sw: the switch that found it
 * @r: its record
 *
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_put_deadlock(struct sk_buff *skb, const struct lle_switch *sw,
		     const struct lle_deadlock_record *r)
{
	return nla_put_u32(skb, LLE_A_SWITCH, sw->id) ||
	       nla_put(skb, LLE_A_DEADLOCK, sizeof(r->info), &r->info) ||
	       nla_put(skb, LLE_A_LOOP, r->hops * sizeof(r->hop[0]),
		       r->hop) ? -EMSGSIZE : 0;
}
