// SPDX-License-Identifier: GPL-2.0
/*
 * Headroom of a port: how much its link needs, how much it gets, and how long
 * its peer really takes to obey.
 */
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>

#include "port.h"

/* Speed to count quanta by if neither `rate` nor the device tells: 10 Gbit/s */
#define LLE_SPEED_UNKNOWN	1250000000ULL

/**
 * lle_port_frame() - largest frame of a port
 * @port: the port
 *
 * Return: bytes without FCS, with a tag.
 */
u32 lle_port_frame(const struct lle_port *port)
{
	return READ_ONCE(port->dev->mtu) + VLAN_ETH_HLEN;
}

/* The link as the computation of headroom sees it. */
static struct lle_sb_hdroom
lle_port_hdroom(const struct lle_port *port,
		const struct lle_port_params *params, u64 reaction_ns)
{
	return (struct lle_sb_hdroom) {
		.rate = lle_port_speed(port, params),
		.delay_ns = params->delay_ns,
		.reaction_ns = reaction_ns,
		.frame_bytes = lle_port_frame(port),
		.overhead_bytes = params->overhead_bytes,
		.burst_bytes = params->rate ? params->burst_bytes : 0,
	};
}

/**
 * lle_port_hdroom_need() - headroom one priority of a port needs
 * @port: the port
 * @params: as configured
 *
 * Context: RTNL, or under the switch's lock. Return: bytes.
 */
u32 lle_port_hdroom_need(const struct lle_port *port,
			 const struct lle_port_params *params)
{
	u64 reaction_ns = max_t(u64, params->reaction_ns,
				READ_ONCE(port->reaction_ns));
	struct lle_sb_hdroom h = lle_port_hdroom(port, params, reaction_ns);

	return lle_sb_hdroom_need(&h);
}
EXPORT_SYMBOL_GPL(lle_port_hdroom_need);

/* Parameters of the priority groups; what is configured as 0 is computed. */
static struct lle_sb_params
lle_port_effective(const struct lle_port *port,
		   const struct lle_port_params *params)
{
	struct lle_sb_params sb = params->sb;

	if (!sb.xon_delta_bytes)
		sb.xon_delta_bytes = 2 * lle_port_frame(port);
	if (!sb.hdroom_bytes)
		sb.hdroom_bytes = lle_port_hdroom_need(port, params);
	lle_sb_params_init(&sb);
	return sb;
}

/**
 * lle_port_carve() - bytes that a port takes out of the shared buffer
 * @port: the port
 *
 * Context: RTNL or the switch's lock.
 */
u64 lle_port_carve(const struct lle_port *port)
{
	return lle_sb_carve(&port->sb, hweight8(port->pfc_en));
}

/**
 * lle_port_link_speed() - speed of a device
 * @dev: the device
 *
 * Context: RTNL, and the device's own lock if it has one.
 * Return: bytes per second.
 */
u64 lle_port_link_speed(struct net_device *dev)
{
	struct ethtool_link_ksettings ks;

	if (netif_get_link_ksettings(dev, &ks) || !ks.base.speed ||
	    ks.base.speed == SPEED_UNKNOWN)
		return LLE_SPEED_UNKNOWN;
	return ks.base.speed * 125000ULL;
}

/**
 * lle_port_fit() - parameters of a port's priority groups within a buffer
 * @port: the port
 * @params: as configured
 * @size: of the buffer
 * @others: what other ports take of it
 * @sb: result; what is configured as 0 is computed
 *
 * Computed headroom gets no more than half of the buffer: one long stall of this
 * machine must not take away all that is shared.
 *
 * Context: under the switch's lock.
 * Return: false: what was configured leaves nothing to share.
 */
bool lle_port_fit(const struct lle_port *port,
		  const struct lle_port_params *params, u64 size, u64 others,
		  struct lle_sb_params *sb)
{
	unsigned int lossless = hweight8(params->pfc_en);
	u64 fixed, room;

	*sb = lle_port_effective(port, params);
	if (!params->sb.hdroom_bytes && lossless) {
		fixed = others + lle_sb_carve(sb, 0);
		room = fixed < size / 2 ? div_u64(size / 2 - fixed, lossless) :
					  0;
		sb->hdroom_bytes = min_t(u64, sb->hdroom_bytes, room);
	}
	return others + lle_sb_carve(sb, lossless) + lle_port_frame(port) <=
	       size;
}

/* What is computed may have changed. Under the switch's lock. */
static void __lle_port_recompute(struct lle_port *port,
				 const struct lle_port_params *params)
{
	struct lle_sb *buffer = &port->sw->sb;
	struct lle_sb_params sb;
	u64 others;

	others = buffer->carved - lle_port_carve(port);
	if (!lle_port_fit(port, params, buffer->size, others, &sb))
		return;
	port->sb = sb;
	buffer->carved = others + lle_port_carve(port);
}

/**
 * lle_port_recompute() - the MTU or the speed of the device has changed
 * @port: the port
 *
 * Context: RTNL, and the device's own lock if it has one.
 */
void lle_port_recompute(struct lle_port *port)
{
	const struct lle_port_params *params = rtnl_dereference(port->params);

	WRITE_ONCE(port->link_speed, lle_port_link_speed(port->dev));
	spin_lock_bh(&port->sw->lock);
	__lle_port_recompute(port, params);
	lle_rcm_commit(port, params);
	spin_unlock_bh(&port->sw->lock);
	port->ops->retune(rtnl_dereference(port->dev->qdisc));
}

/**
 * lle_port_defied() - a packet has arrived although its priority is to be paused
 * @port: the port
 * @prio: the priority
 * @len: bytes of the packet
 *
 * Context: softirq.
 */
void lle_port_defied(struct lle_port *port, unsigned int prio, u32 len)
{
	struct lle_port_ingress *in = &port->ingress[prio];

	spin_lock(&port->sw->lock);
	in->last_rx_ns = ktime_get_ns();
	in->defied_bytes += len;
	spin_unlock(&port->sw->lock);
}

/* Time the link takes for some bytes. */
static u64 lle_port_link_ns(const struct lle_sb_hdroom *h, u64 bytes)
{
	return mul_u64_u64_div_u64(bytes, NSEC_PER_SEC, h->rate);
}

/**
 * lle_port_measure() - an XOFF ends: how long did it take until the peer was
 *	silent?
 * @port: the port
 * @prio: the priority
 * @now_ns: the time
 *
 * That is what headroom has to cover, as 802.1Qdt measures it. Only if the peer
 * was silent afterwards, for at least as long, it has obeyed. One that does not,
 * and stops by itself, looks the same; what it can gain is bounded by
 * lle_port_fit().
 *
 * Packets that have waited for this CPU arrive faster than the link has carried
 * them. Then the time that the link had for their bytes tells more than that
 * between the first and the last of them.
 *
 * Context: under the switch's lock.
 */
void lle_port_measure(struct lle_port *port, unsigned int prio, u64 now_ns)
{
	const struct lle_port_ingress *in = &port->ingress[prio];
	const struct lle_port_params *params;
	struct lle_sb_hdroom h;
	u64 took, link;
	u32 caught_up;

	if (!port->dev || in->last_rx_ns < in->xoff_since_ns)
		return;
	took = in->last_rx_ns - in->xoff_since_ns;
	if (now_ns - in->last_rx_ns < took)
		return;

	params = rcu_dereference_protected(port->params,
					   lockdep_is_held(&port->sw->lock));
	h = lle_port_hdroom(port, params, 0);
	caught_up = min(in->defied_bytes, h.burst_bytes);
	took = max(took, lle_port_link_ns(&h, in->defied_bytes - caught_up));

	/* what takes time on link and wire: no reaction, no catching up */
	h.burst_bytes = 0;
	link = lle_port_link_ns(&h, lle_sb_hdroom_need(&h) - h.frame_bytes);
	if (took <= link || took - link <= port->reaction_ns)
		return;
	WRITE_ONCE(port->reaction_ns, took - link);
	if (port->reaction_ns > params->reaction_ns)
		__lle_port_recompute(port, params);
}
