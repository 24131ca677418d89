// SPDX-License-Identifier: GPL-2.0
/* Rejects unsuitable devices and configurations. */
#include <linux/ethtool.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/if_vlan.h>
#include <net/dsa.h>
#include <net/rtnetlink.h>
#include <net/switchdev.h>
#include <net/vxlan.h>

#include "gso.h"
#include "headroom.h"
#include "port.h"
#include "switch.h"

/* Ends of links: also tunnels, MACsec and DSA ports over other devices. */
static bool lle_port_is_link(const struct net_device *dev)
{
	const struct rtnl_link_ops *ops = dev->rtnl_link_ops;

	return list_empty(&dev->adj_list.lower) || netif_is_macsec(dev) ||
	       (ops && (!strcmp(ops->kind, "vxlan") ||
			!strcmp(ops->kind, "dsa")));
}

/**
 * struct lle_tunnel - remote end of a kind of tunnel
 * @kind: name of the kind
 * @external: attribute: each packet carries its end
 * @ipv4: attribute with the address; 0: none
 * @ipv6: the same for IPv6
 */
struct lle_tunnel {
	const char *kind;
	int external;
	int ipv4;
	int ipv6;
};

static const struct lle_tunnel lle_tunnels[] = {
	{ "vxlan", IFLA_VXLAN_COLLECT_METADATA, IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6 },
	{ "geneve", IFLA_GENEVE_COLLECT_METADATA, 0, 0 },
	{ "gretap", IFLA_GRE_COLLECT_METADATA, IFLA_GRE_REMOTE, 0 },
	{ "erspan", IFLA_GRE_COLLECT_METADATA, IFLA_GRE_REMOTE, 0 },
	{ "ip6gretap", IFLA_GRE_COLLECT_METADATA, 0, IFLA_GRE_REMOTE },
	{ "ip6erspan", IFLA_GRE_COLLECT_METADATA, 0, IFLA_GRE_REMOTE },
};

static bool lle_tunnel_is_shared(const struct lle_tunnel *t,
				 const struct sk_buff *skb)
{
	const struct nlattr *attr;

	attr = nla_find((void *)skb->data, skb->len, t->external);
	if (attr && (!nla_len(attr) || nla_get_u8(attr)))
		return true;
	attr = nla_find((void *)skb->data, skb->len, t->ipv4);
	if (t->ipv4 && attr && ipv4_is_multicast(nla_get_in_addr(attr)))
		return true;
	attr = nla_find((void *)skb->data, skb->len, t->ipv6);
	return t->ipv6 && attr && ipv6_addr_is_multicast(nla_data(attr));
}

#if IS_ENABLED(CONFIG_VXLAN)
/**
 * struct lle_ends - counts the remote ends of a VXLAN device
 * @nb: called for each entry of its table
 * @num: default destinations
 */
struct lle_ends {
	struct notifier_block nb;
	unsigned int num;
};

static int lle_ends_count(struct notifier_block *nb, unsigned long event,
			  void *ptr)
{
	const struct switchdev_notifier_vxlan_fdb_info *fdb = ptr;

	if (is_zero_ether_addr(fdb->eth_addr))
		container_of(nb, struct lle_ends, nb)->num++;
	return NOTIFY_DONE;
}

/* Asks the device's module, which need not be loaded otherwise. */
static unsigned int lle_vxlan_ends(const struct net_device *dev)
{
	const struct vxlan_dev *vxlan = netdev_priv(dev);
	struct lle_ends ends = { .nb.notifier_call = lle_ends_count };
	typeof(vxlan_fdb_replay) *replay = symbol_get(vxlan_fdb_replay);

	if (!replay)
		return 0;
	replay(dev, vxlan->cfg.vni, &ends.nb, NULL);
	symbol_put(vxlan_fdb_replay);
	return ends.num;
}
#else
static unsigned int lle_vxlan_ends(const struct net_device *dev)
{
	return 0;
}
#endif

/* Would a pause of the device stop several neighbours? Under RTNL. */
static bool lle_port_is_shared(const struct net_device *dev)
{
	const struct rtnl_link_ops *ops = dev->rtnl_link_ops;
	const struct lle_tunnel *t = lle_tunnels;
	struct sk_buff *skb;
	bool shared;

	while (t < lle_tunnels + ARRAY_SIZE(lle_tunnels) &&
	       (!ops || strcmp(ops->kind, t->kind)))
		t++;
	if (t == lle_tunnels + ARRAY_SIZE(lle_tunnels) || !ops->fill_info)
		return false;
	skb = alloc_skb(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return false;
	shared = !ops->fill_info(skb, dev) && lle_tunnel_is_shared(t, skb);
	kfree_skb(skb);
	return shared || (netif_is_vxlan(dev) && lle_vxlan_ends(dev) > 1);
}

/*
 * Warns of a further remote end of a VXLAN device, by a notification that
 * precedes the change and cannot refuse it. RTNL if it concerns a default
 * destination; may not sleep.
 */
int lle_port_check_ends(struct notifier_block *nb, unsigned long event,
			void *ptr)
{
	const struct switchdev_notifier_vxlan_fdb_info *fdb = ptr;
	struct net_device *dev = switchdev_notifier_info_to_dev(ptr);

	if (event == SWITCHDEV_VXLAN_FDB_ADD_TO_DEVICE &&
	    is_zero_ether_addr(fdb->eth_addr) &&
	    lle_switch_net_find_port(dev_net(dev), dev->ifindex))
		netdev_warn(dev,
			    "another default destination: with more than one, pauses stop them all: bridge fdb show dev %s\n",
			    dev->name);
	return NOTIFY_DONE;
}

/**
 * lle_port_check_device() - check that a device can be a port
 * @dev: the device
 * @extack: reason of an error
 *
 * A pause concerns one link. A stacked device would flood it, tag it, or stop
 * only one of several links.
 * Context: RTNL. Return: 0; -EOPNOTSUPP.
 */
int lle_port_check_device(const struct net_device *dev,
			  struct netlink_ext_ack *extack)
{
	if (dev->type != ARPHRD_ETHER)
		NL_SET_ERR_MSG(extack, "Not an Ethernet device");
	else if (netif_is_bridge_master(dev))
		NL_SET_ERR_MSG(extack, "A bridge has no link of its own: attach to its ports");
	else if (netif_is_lag_master(dev))
		NL_SET_ERR_MSG(extack,
			       "A bond or team has several links: attach to each of its members, all with the same options");
	else if (is_vlan_dev(dev))
		NL_SET_ERR_MSG(extack,
			       "A VLAN device has no link of its own: attach to the device below it, whose packets are accounted in all VLANs");
	else if (netdev_uses_dsa(dev))
		NL_SET_ERR_MSG(extack,
			       "The conduit of a switch chip carries several links: attach to the chip's user ports");
	else if (netif_is_l3_master(dev) || !lle_port_is_link(dev))
		NL_SET_ERR_MSG(extack,
			       "A device on top of others has no link of its own: attach to the device below it");
	else if (lle_port_is_shared(dev))
		NL_SET_ERR_MSG(extack,
			       "A tunnel with several ends: a pause would stop them all: attach to the device below it, or make one tunnel for each end");
	else
		return 0;
	return -EOPNOTSUPP;
}

/**
 * lle_port_check_upper() - check that a port may go below another device
 * @port: the port
 * @upper: the device
 * @extack: reason of an error
 * Context: RTNL. Return: 0; -EINVAL.
 */
int lle_port_check_upper(const struct lle_port *port,
			 const struct net_device *upper,
			 struct netlink_ext_ack *extack)
{
	if (!netif_is_bridge_master(upper) ||
	    rtnl_dereference(port->params)->role != LLE_ROLE_HOST)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "The device has a lossless qdisc with role host: tc qdisc change dev DEV root lossless role switch");
	return -EINVAL;
}

/* 802.1Q forbids 802.3x on top of PFC: it would stop the whole link. */
static bool lle_port_has_link_pause(struct net_device *dev)
{
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM };

	/* a suspended or unplugged device does not answer */
	if (!netif_device_present(dev) || !dev->ethtool_ops ||
	    !dev->ethtool_ops->get_pauseparam)
		return false;
	dev->ethtool_ops->get_pauseparam(dev, &pause);
	return pause.rx_pause || pause.tx_pause;
}

/**
 * lle_port_check_warn() - warn of a configuration that loses packets or is slow
 * @port: the port
 * @update: the configuration
 * @extack: has room for one warning: the worst
 * Context: RTNL.
 */
void lle_port_check_warn(const struct lle_port *port,
			 const struct lle_port_update *update,
			 struct netlink_ext_ack *extack)
{
	const struct lle_port_params *params = update->params;
	const struct lle_headroom_plan *plan = &update->plan;

	if (params->pfc_en && plan->sb.headroom_bytes < plan->ask.need_bytes)
		NL_SET_ERR_MSG(extack,
			       "headroom: too small for rate, delay, MTU and reaction time: packets will be lost; raise buffer or headroom");
	else if (lle_headroom_is_short(&plan->demand, plan->size))
		NL_SET_ERR_MSG(extack,
			       "headroom: too small on other ports: packets will be lost; raise buffer");
	else if (dev_xdp_prog_count(port->dev))
		NL_SET_ERR_MSG(extack,
			       "XDP on this device: PFC frames that it drops are not obeyed; packets that it drops or redirects are not accounted");
	else if (params->pfc_en && params->sb.xoff_bytes &&
		 params->sb.xoff_bytes <= plan->sb.xon_delta_bytes)
		NL_SET_ERR_MSG(extack,
			       "xoff: not above the default xon-delta of two frames: the link will idle after each pause");
}

/* Bytes that may delay a refresh, without overhead of the last frame */
static u32 lle_port_piece(const struct lle_port *port,
			  const struct lle_port_params *params)
{
	struct lle_gso piece;

	lle_gso_piece(lle_reaction_frame(port), params->whole, &piece);
	return piece.bytes + (piece.packets - 1) * params->overhead_bytes;
}

/**
 * lle_port_check() - check that a configuration suits the device
 * @port: the port
 * @params: its configuration
 * @extack: reason of an error
 * Context: RTNL. Return: 0; -EINVAL.
 */
int lle_port_check(const struct lle_port *port,
		   const struct lle_port_params *params,
		   struct netlink_ext_ack *extack)
{
	if (!params->pfc_en)
		return 0;
	if (lle_port_has_link_pause(port->dev))
		return LLE_REFUSE(extack, -EINVAL,
				  "prio-pfc: the device has 802.3x pause; switch it off with ethtool -A");
	if (params->pause_quanta <
	    lle_pause_quanta_min(lle_port_piece(port, params),
				 params->overhead_bytes))
		return LLE_REFUSE(extack, -EINVAL,
				  "pause-quanta: too short: a refresh would wait behind a frame of the device's MTU, or a GSO packet");
	return 0;
}

/**
 * struct lle_gap - members of a bond or team
 * @self: the configured device
 * @self_lossless: it will have a lossless priority
 * @top: the bond or team
 * @dev: a member without a lossless qdisc, or NULL
 * @lossless: a member has a lossless priority
 */
struct lle_gap {
	const struct net_device *self;
	bool self_lossless;
	const struct net_device *top;
	const struct net_device *dev;
	bool lossless;
};

static int lle_gap_find(struct net_device *top, struct netdev_nested_priv *priv)
{
	struct lle_gap *gap = priv->data;
	const struct lle_port *port;
	struct net_device *member;
	struct list_head *iter;

	if (!netif_is_lag_master(top))
		return 0;
	gap->top = top;
	gap->dev = NULL;
	gap->lossless = gap->self_lossless;
	netdev_for_each_lower_dev(top, member, iter) {
		/* only the device below can have a lossless qdisc */
		if (is_vlan_dev(member))
			continue;
		port = lle_switch_net_find_port(dev_net(member),
						member->ifindex);
		if (!port)
			gap->dev = member;
		else if (member != gap->self)
			gap->lossless |= port->pfc_en;
	}
	return gap->lossless && gap->dev;
}

/**
 * lle_port_check_members() - warn of a member without a lossless qdisc
 * @dev: device of the port, or new member of a bond or team
 * @pfc_en: bit p: priority p of @dev will be lossless
 * @extack: for the warning, unless it has a message; may be NULL
 *
 * Packets of such members of a bond or team are not accounted and cause no
 * pause. This is only a warning, since ports are added one by one.
 * Context: RTNL.
 */
void lle_port_check_members(struct net_device *dev, u8 pfc_en,
			    struct netlink_ext_ack *extack)
{
	struct lle_gap gap = { .self = dev, .self_lossless = pfc_en };
	struct netdev_nested_priv priv = { .data = &gap };

	ASSERT_RTNL();

	if (extack && !extack->_msg &&
	    netdev_walk_all_upper_dev_rcu(dev, lle_gap_find, &priv))
		NL_SET_ERR_MSG_NAMES(extack,
				     "A member of the same bond or team has no lossless qdisc yet: not accounted; the kernel's log names it",
				     "%s, also in %s, has no lossless qdisc yet: not accounted",
				     gap.dev->name, gap.top->name);
}
