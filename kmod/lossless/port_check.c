// SPDX-License-Identifier: GPL-2.0
/* Refuses devices that cannot be ports, and configurations they cannot have. */
#include <linux/ethtool.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <net/dsa.h>

#include "gso.h"
#include "port_check.h"
#include "reaction.h"

/*
 * Tests whether the device is the end of a link. A tunnel, MACsec and a port of
 * a switch chip (DSA) are, although they may have a device below them.
 */
static bool lle_port_is_link(const struct net_device *dev)
{
	const struct rtnl_link_ops *ops = dev->rtnl_link_ops;

	return list_empty(&dev->adj_list.lower) || netif_is_macsec(dev) ||
	       (ops && (!strcmp(ops->kind, "vxlan") ||
			!strcmp(ops->kind, "dsa")));
}

/**
 * lle_port_check_device() - check that a device can be a port
 * @dev: the device
 * @extack: gets the reason of an error
 *
 * A pause concerns a link. If a device on top of others sent it, it would be
 * flooded, tagged, or stop only one of several links.
 *
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
	else
		return 0;
	return -EOPNOTSUPP;
}

/* 802.3x would stop the whole link on top of PFC: 802.1Q forbids both. */
static bool lle_port_has_link_pause(struct net_device *dev)
{
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM };

	/* a device that is suspended or was pulled out does not answer */
	if (!netif_device_present(dev) || !dev->ethtool_ops ||
	    !dev->ethtool_ops->get_pauseparam)
		return false;
	dev->ethtool_ops->get_pauseparam(dev, &pause);
	return pause.rx_pause || pause.tx_pause;
}

/**
 * lle_port_warn() - warn of a configuration that loses packets or performs
 *	badly
 * @port: the port
 * @update: the configuration
 * @extack: has room for one warning: the worst
 *
 * Context: RTNL.
 */
void lle_port_warn(const struct lle_port *port,
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
			       "XDP on this device: packets that it drops or redirects are not accounted");
	else if (params->pfc_en && params->sb.xoff_bytes &&
		 params->sb.xoff_bytes <= plan->sb.xon_delta_bytes)
		NL_SET_ERR_MSG(extack,
			       "xoff: not above the default xon-delta of two frames: the link will idle after each pause");
}

/* Bytes that a refresh may wait behind, without the overhead of the last frame */
static u32 lle_port_piece(const struct lle_port *port,
			  const struct lle_port_params *params)
{
	struct lle_gso piece;

	lle_gso_piece(lle_port_frame(port), params->whole, &piece);
	return piece.bytes + (piece.packets - 1) * params->overhead_bytes;
}

/**
 * lle_port_check() - check that a configuration does not contradict the device
 * @port: the port
 * @params: its configuration
 * @extack: gets the reason of an error
 *
 * Context: RTNL. Return: 0; -EINVAL.
 */
int lle_port_check(const struct lle_port *port,
		   const struct lle_port_params *params,
		   struct netlink_ext_ack *extack)
{
	if (!params->pfc_en)
		return 0;
	if (lle_port_has_link_pause(port->dev)) {
		NL_SET_ERR_MSG(extack,
			       "prio-pfc: the device has 802.3x pause; switch it off with ethtool -A");
		return -EINVAL;
	}
	if (params->pause_quanta <
	    lle_pause_quanta_min(lle_port_piece(port, params),
				 params->overhead_bytes)) {
		NL_SET_ERR_MSG(extack,
			       "pause-quanta: too short: a refresh would wait behind a frame of the device's MTU, or a GSO packet");
		return -EINVAL;
	}
	return 0;
}
