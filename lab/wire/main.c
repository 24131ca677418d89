// SPDX-License-Identifier: GPL-2.0
/*
 * Wires: netdevs in pairs that pass a frame to the other end at a time that the
 * sending qdisc has computed.
 *
 * On a veth the lossless qdisc keeps frames until they arrive, with a timer for
 * each link. It hands frames to a wire as they take the link, with their
 * arrival time in skb->tstamp; one timer serves the wires of all links. A frame
 * is known at least the link's delay before it arrives.
 *
 * Source: conservative synchronisation with lookahead, Chandy and Misra,
 * "Distributed Simulation: A Case Study in Design and Verification of
 * Distributed Programs", 1979.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/xarray.h>
#include <asm/unaligned.h>
#include <net/rtnetlink.h>

#include "../../qdisc/queue.h"
#include "wire.h"

/* All ends, by number. Read under RCU, written under RTNL */
static DEFINE_XARRAY(wire_ends);

/* Removes all state of the sender from a frame. */
static void wire_scrub(struct sk_buff *skb, struct net_device *dev)
{
	skb_scrub_packet(skb, true);
	skb_clear_hash(skb);
	skb->priority = 0;
	skb->protocol = eth_type_trans(skb, dev);
	skb_postpull_rcsum(skb, eth_hdr(skb), ETH_HLEN);
}

/* RCU, or hard interrupts. Return: NULL: no end has this number. */
struct wire *wire_find(u32 end)
{
	return xa_load(&wire_ends, end);
}

/* Prepares the hints of all ends, before a run. Process context. */
void wire_know_all(void)
{
	struct wire *wire;
	unsigned long end;

	rtnl_lock();
	xa_for_each(&wire_ends, end, wire)
		wire_warm_know(wire);
	rtnl_unlock();
}

/* Return: the control block of a frame that comes from the qdisc */
struct wire_cb wire_cb_of(const struct sk_buff *skb, const struct wire *to)
{
	u8 prio = lossless_cb(skb)->prio;

	if (prio >= LLE_NUM_PRIO)
		return (struct wire_cb){ .to = to };
	return (struct wire_cb){ .to = to, .bytes = qdisc_pkt_len(skb), .prio = prio };
}

/*
 * Uncounts a frame on the wire at the end of a run. A qdisc counts packets as
 * sent when they arrive, but on a wire when it hands them over.
 */
void wire_not_sent(const struct wire_cb *cb)
{
	const struct wire *from = wire_find(cb->to->end ^ 1);
	struct lle_port_egress *stats;
	struct lossless_qdisc *q;
	struct Qdisc *sch;

	if (!from || !cb->bytes)
		return;
	sch = netdev_get_tx_queue(from->dev, 0)->qdisc_sleeping;
	if (strcmp(sch->ops->id, "lossless"))
		return;
	q = qdisc_priv(sch);
	stats = q->queue[cb->prio].stats;
	stats->packets--;
	stats->bytes -= cb->bytes;
	q->wire_bytes += cb->bytes;
}

static void wire_drop(struct sk_buff *skb, struct net_device *dev)
{
	dev_core_stats_tx_dropped_inc(dev);
	kfree_skb(skb);
}

/*
 * Each frame takes as much of a socket's memory as one from another part.
 * Return: the new frame; NULL: no memory, and @skb is freed.
 */
static struct sk_buff *wire_renew(struct sk_buff *skb, const struct wire *to)
{
	struct sk_buff *new = NULL;

	if (!skb_checksum_help(skb))
		new = netdev_alloc_skb_ip_align(to->dev, skb->len);
	if (new) {
		skb_copy_bits(skb, 0, skb_put(new, skb->len), skb->len);
		new->protocol = eth_type_trans(new, to->dev);
		consume_skb(skb);
	} else {
		wire_drop(skb, skb->dev);
	}
	return new;
}

static void wire_send(struct sk_buff *skb, const struct wire *to, u64 arrival_ns)
{
	struct wire_cb cb = wire_cb_of(skb, to);

	if (!wire_is_here(to)) {
		wire_part_send(skb, &cb, arrival_ns);
		return;
	}
	if (unlikely(!netif_running(to->dev) || skb_orphan_frags(skb, GFP_ATOMIC))) {
		wire_drop(skb, skb->dev);
		return;
	}
	if (skb->ip_summed == CHECKSUM_PARTIAL && !skb_is_gso(skb)) {
		skb = wire_renew(skb, to);
		if (!skb)
			return;
	} else {
		wire_scrub(skb, to->dev);
	}
	skb->tstamp = arrival_ns;
	*wire_cb(skb) = cb;
	wire_under_way_add(skb);
}

static netdev_tx_t wire_xmit(struct sk_buff *skb, struct net_device *dev)
{
	const struct wire *wire = netdev_priv(dev), *other;
	u64 now_ns = ktime_get_ns();
	struct wire_cb cb;

	rcu_read_lock();
	other = wire_find(wire->end ^ 1);
	if (unlikely(!other || !wire_is_here(wire))) {
		wire_drop(skb, dev);
	} else if (unlikely(wire_under_way_ended(now_ns))) {
		/* one packet, which has left the qdisc; no other one follows */
		cb = wire_cb_of(skb, other);
		wire_not_sent(&cb);
		netif_stop_queue(dev);
		kfree_skb(skb);
	} else {
		/* a frame that has not passed a lossless qdisc has no time */
		wire_warm_learn(skb, wire);
		wire_send(skb, other,
			  max_t(u64, skb->tstamp, now_ns + wire->delay_ns));
	}
	rcu_read_unlock();
	return NETDEV_TX_OK;
}

/* The end in another part of the network has no carrier. */
static int wire_open(struct net_device *dev)
{
	if (wire_is_here(netdev_priv(dev)))
		netif_carrier_on(dev);
	return 0;
}

static int wire_stop(struct net_device *dev)
{
	netif_carrier_off(dev);
	wire_under_way_forget(netdev_priv(dev));
	return 0;
}

/* The device at the other end, or this one, as in veth. */
static int wire_iflink(const struct net_device *dev)
{
	const struct wire *wire = netdev_priv(dev), *other;
	int ifindex;

	rcu_read_lock();
	other = wire_find(wire->end ^ 1);
	ifindex = other ? other->dev->ifindex : dev->ifindex;
	rcu_read_unlock();
	return ifindex;
}

static const struct net_device_ops wire_ops = {
	.ndo_get_iflink = wire_iflink,
	.ndo_open = wire_open,
	.ndo_stop = wire_stop,
	.ndo_start_xmit = wire_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

/* as in veth */
static int wire_speed(struct net_device *dev, struct ethtool_link_ksettings *cmd)
{
	cmd->base.speed = SPEED_10000;
	cmd->base.duplex = DUPLEX_FULL;
	cmd->base.port = PORT_TP;
	cmd->base.autoneg = AUTONEG_DISABLE;
	return 0;
}

static const struct ethtool_ops wire_ethtool_ops = {
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = wire_speed,
};

static void wire_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	dev->netdev_ops = &wire_ops;
	dev->ethtool_ops = &wire_ethtool_ops;
	dev->features = NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HW_CSUM |
			NETIF_F_RXCSUM | NETIF_F_HIGHDMA | NETIF_F_GSO_SOFTWARE;
	dev->hw_features = dev->features;
	dev->max_mtu = ETH_MAX_MTU;
	dev->needs_free_netdev = true;
}

static const struct netlink_range_validation wire_end_range = {
	.max = LLE_WIRE_ENDS - 1,
};

static const struct netlink_range_validation wire_delay_range = {
	.min = 1,
	.max = LLE_DELAY_MAX_NS,
};

static const struct nla_policy wire_policy[LLE_WIRE_ATTR_MAX + 1] = {
	[LLE_WIRE_END] = NLA_POLICY_FULL_RANGE(NLA_U32, &wire_end_range),
	[LLE_WIRE_DELAY_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &wire_delay_range),
};

/* An address that depends only on the number of the end */
static void wire_set_address(struct wire *wire)
{
	u8 address[ETH_ALEN] = { 2, 0, 1 };

	put_unaligned_be24(wire->end, address + 3);
	eth_hw_addr_set(wire->dev, address);
}

static int wire_newlink(struct net *net, struct net_device *dev,
			struct nlattr *tb[], struct nlattr *data[],
			struct netlink_ext_ack *extack)
{
	struct wire *wire = netdev_priv(dev);
	int err;

	if (!data || !data[LLE_WIRE_END] || !data[LLE_WIRE_DELAY_NS]) {
		NL_SET_ERR_MSG(extack, "The number of the wire's end, or its delay, is missing");
		return -EINVAL;
	}
	wire->end = nla_get_u32(data[LLE_WIRE_END]);
	wire->delay_ns = nla_get_u64(data[LLE_WIRE_DELAY_NS]);
	wire->part = dev->group;
	wire->dev = dev;
	if (!tb[IFLA_ADDRESS])
		wire_set_address(wire);
	netif_carrier_off(dev);
	err = xa_insert(&wire_ends, wire->end, wire, GFP_KERNEL);
	if (err) {
		NL_SET_ERR_MSG(extack, "There is a wire's end of this number");
		return err == -EBUSY ? -EEXIST : err;
	}
	err = register_netdevice(dev);
	if (err) {
		xa_erase(&wire_ends, wire->end);
		return err;
	}
	if (wire_find(wire->end ^ 1))
		wire_part_cut(wire, wire_find(wire->end ^ 1));
	return 0;
}

/* Unregistering the device waits for a grace period, and for its stop. */
static void wire_dellink(struct net_device *dev, struct list_head *head)
{
	struct wire *wire = netdev_priv(dev);

	wire_warm_forget(wire);
	xa_erase(&wire_ends, wire->end);
	unregister_netdevice_queue(dev, head);
}

static struct rtnl_link_ops wire_link_ops __read_mostly = {
	.kind = LLE_WIRE_KIND,
	.priv_size = sizeof(struct wire),
	.setup = wire_setup,
	.newlink = wire_newlink,
	.dellink = wire_dellink,
	.policy = wire_policy,
	.maxtype = LLE_WIRE_ATTR_MAX,
};

/* "START_NS END_NS" of the monotonic clock: wires work in this time only */
static int wire_set_run(const char *text, const struct kernel_param *unused)
{
	u64 start_ns, end_ns;

	if (sscanf(text, "%llu %llu", &start_ns, &end_ns) != 2 ||
	    start_ns < ktime_get_ns() || start_ns >= end_ns)
		return -EINVAL;
	wire_under_way_run(start_ns, end_ns);
	return 0;
}

static const struct kernel_param_ops wire_run_ops = { .set = wire_set_run };
module_param_cb(run, &wire_run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Start and end of a run, ns of the monotonic clock");

static int __init wire_init(void)
{
	int err = wire_part_init();

	if (err)
		return err;
	wire_under_way_init();
	err = rtnl_link_register(&wire_link_ops);
	if (err)
		wire_part_exit();
	return err;
}

static void __exit wire_exit(void)
{
	rtnl_link_unregister(&wire_link_ops);
	wire_under_way_exit();
	wire_part_exit();
}

module_init(wire_init);
module_exit(wire_exit);

MODULE_DESCRIPTION("Wires of tests of Linux Lossless Ethernet");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RTNL_LINK(LLE_WIRE_KIND);
