// SPDX-License-Identifier: GPL-2.0
/* Writes messages about ports, and reports changes of them. */
#include "event.h"
#include "netlink.h"
#include "stats.h"

/* Bytes of a port's message without counters, with headers, at most */
#define LLE_PORT_BYTES	256

/* Add the other end of a link within this network namespace. */
static int lle_put_peer(struct sk_buff *skb, const struct lle_port *port)
{
	const struct net_device *dev = port->dev, *peer = NULL;
	int ifindex = 0;

	rcu_read_lock();	/* required by ndo_get_peer_dev */
	if (dev->netdev_ops->ndo_get_peer_dev)
		peer = dev->netdev_ops->ndo_get_peer_dev(port->dev);
	if (peer && net_eq(dev_net(peer), dev_net(dev)))
		ifindex = peer->ifindex;
	rcu_read_unlock();
	return ifindex ? nla_put_u32(skb, LOSSLESS_A_PORT_PEER, ifindex) : 0;
}

static int lle_put_params(struct sk_buff *skb, const struct lle_port *port)
{
	const struct lle_port_params *params = rtnl_dereference(port->params);
	u32 xoff, headroom, need;

	spin_lock_bh(&port->sw->lock);
	xoff = port->sb.xoff_bytes;
	headroom = port->sb.headroom_bytes;
	need = port->ask.need_bytes;
	spin_unlock_bh(&port->sw->lock);

	return nla_put_u8(skb, LOSSLESS_A_PORT_SLOT, port->slot) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_FACING, params->facing) ||
	       LLE_PUT_U64(skb, PORT, RATE, lle_port_speed(port, params)) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_MTU, port->dev->mtu) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_PFC_EN, params->pfc_en) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_RCM,
			  params->rcm.on ? params->pfc_en : 0) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_TO_ALPHA, params->sb.to_alpha) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_XOFF, xoff) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_HEADROOM, headroom) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_HEADROOM_NEED, need) ?
		       -EMSGSIZE : 0;
}

/* Room for the message of a port with all its counters, at most */
unsigned int lle_netlink_put_port_bytes(void)
{
	return LLE_PORT_BYTES + LLE_NUM_PRIO * lle_netlink_attr_prio_bytes();
}

/* Adds a port; @stats: with its counters. RTNL. Returns 0 or -EMSGSIZE. */
int lle_netlink_put_port(struct sk_buff *skb, struct lle_port *port, bool stats)
{
	struct lle_prio_stats s;
	unsigned int p;

	if (lle_netlink_attr_put_who(skb, port) || lle_put_peer(skb, port) ||
	    lle_netlink_attr_put_peer_mac(skb, port,
					  LOSSLESS_A_PORT_PEER_MAC) ||
	    lle_put_params(skb, port))
		return -EMSGSIZE;
	if (!stats)
		return 0;
	if (lle_netlink_attr_put_unaccounted(skb, port) ||
	    LLE_PUT_U64(skb, PORT, TIME_NS, ktime_get_ns()))
		return -EMSGSIZE;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		lle_stats_read(port, p, &s);
		if (lle_netlink_attr_put_prio(skb, &s))
			return -EMSGSIZE;
	}
	return 0;
}

/* Add the calling process, such as tc, dcb or ovs-vswitchd. */
static int lle_put_author(struct sk_buff *skb)
{
	char comm[TASK_COMM_LEN];

	if (current->flags & PF_KTHREAD)
		return 0;
	get_task_comm(comm, current);
	return nla_put_string(skb, LOSSLESS_A_PORT_AUTHOR, comm) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_AUTHOR_PID, task_tgid_vnr(current)) ?
		       -EMSGSIZE : 0;
}

/**
 * lle_netlink_put_port_event() - report a new, changed or removed port
 * @port: the port
 * @gone: removed
 * Context: RTNL; in the process that caused it.
 */
void lle_netlink_put_port_event(struct lle_port *port, bool gone)
{
	struct lle_event e;
	bool failed;

	if (!lle_event_begin(&e, port->sw,
			     gone ? LOSSLESS_CMD_PORT_DEL_NTF : LOSSLESS_CMD_PORT_NTF,
			     LOSSLESS_NLGRP_CONFIG, GFP_KERNEL))
		return;
	failed = gone ? lle_netlink_attr_put_who(e.skb, port) :
			lle_netlink_put_port(e.skb, port, false);
	failed = failed || lle_put_author(e.skb);
	lle_event_end(&e, failed);
}
