// SPDX-License-Identifier: GPL-2.0
/* Measures at each XOFF how long the peer takes to obey, for headroom.c. */
#include <linux/if_vlan.h>

#include "gso.h"
#include "headroom.h"

/* Measurements change headroom at most once in this time. */
#define LLE_HEADROOM_GAP (HZ / 10)

/**
 * lle_reaction_frame() - compute the largest frame of a port
 * @port: the port
 * Return: bytes without FCS, with a VLAN tag.
 */
u32 lle_reaction_frame(const struct lle_port *port)
{
	return READ_ONCE(port->dev->mtu) + VLAN_ETH_HLEN;
}
EXPORT_SYMBOL_GPL(lle_reaction_frame);

/**
 * lle_reaction_headroom() - describe a link for the computation of headroom
 * @port: the port
 * @params: its parameters
 * @reaction_ns: reaction time of its peer
 */
struct lle_sb_headroom
lle_reaction_headroom(const struct lle_port *port,
		      const struct lle_port_params *params, u64 reaction_ns)
{
	struct lle_gso piece;

	lle_gso_piece(lle_reaction_frame(port), params->whole, &piece);
	return (struct lle_sb_headroom) {
		.rate = lle_port_speed(port, params),
		.delay_ns = params->delay_ns,
		.reaction_ns = reaction_ns,
		.frame_bytes = lle_reaction_frame(port),
		.piece_bytes = piece.bytes,
		.piece_frames = piece.packets,
		.overhead_bytes = params->overhead_bytes,
		.burst_bytes = params->rate ? params->burst_bytes : 0,
	};
}

/**
 * lle_reaction_overshoot() - record a packet received despite XOFF
 * @port: the port
 * @prio: the priority
 * @len: bytes of the packet
 * Context: softirq.
 */
void lle_reaction_overshoot(struct lle_port *port, unsigned int prio, u32 len)
{
	struct lle_port_ingress *in = &port->ingress[prio];

	spin_lock(&port->sw->lock);
	in->last_rx_ns = ktime_get_ns();
	in->overshoot_bytes += len;
	spin_unlock(&port->sw->lock);
}

static u64 lle_port_link_ns(const struct lle_sb_headroom *h, u64 bytes)
{
	return mul_u64_u64_div_u64(bytes, NSEC_PER_SEC, h->rate);
}

/* Schedules the work, rate-limited. Under the switch's lock. */
static void lle_headroom_soon(struct lle_switch *sw)
{
	long wait = sw->relearned_at + LLE_HEADROOM_GAP - jiffies;

	if (sw->headroom_soon)
		return;
	sw->headroom_soon = true;
	cancel_delayed_work(&sw->headroom_work);
	schedule_delayed_work(&sw->headroom_work,
			      clamp(wait, 1L, (long)LLE_HEADROOM_GAP));
}

/**
 * lle_reaction_measure() - measure the peer's reaction time when an XOFF ends
 * @port: the port
 * @prio: the priority
 * @now_ns: the time
 *
 * Reaction time, as in 802.1Qdt: until the peer is silent. It obeys only if it
 * stays silent for at least as long. A peer that ignores pauses but stops by
 * itself looks the same; lle_headroom_share() bounds its headroom, and halving
 * the time. For packets delayed by this CPU, the link time of their bytes
 * replaces the time between the first and the last. This is the packet path:
 * the computation of headroom is deferred.
 * Context: under the switch's lock.
 */
void lle_reaction_measure(struct lle_port *port, unsigned int prio, u64 now_ns)
{
	const struct lle_port_ingress *in = &port->ingress[prio];
	const struct lle_port_params *params;
	struct lle_sb_headroom h;
	u64 took, link, reaction;
	u32 caught_up;

	if (!READ_ONCE(port->attached) || in->last_rx_ns < in->xoff_since_ns)
		return;
	took = in->last_rx_ns - in->xoff_since_ns;
	if (now_ns - in->last_rx_ns < took)
		return;

	params = rcu_dereference_protected(port->params,
					   lockdep_is_held(&port->sw->lock));
	h = lle_reaction_headroom(port, params, 0);
	caught_up = min(in->overshoot_bytes, h.burst_bytes);
	took = max(took, lle_port_link_ns(&h, in->overshoot_bytes - caught_up));

	/* link and wire time, without reaction and burst */
	h.burst_bytes = 0;
	link = lle_port_link_ns(&h, lle_sb_headroom_need(&h) - h.piece_bytes);
	reaction = took > link ? took - link : 0;
	if (reaction > port->reaction_ns)
		WRITE_ONCE(port->reaction_ns, reaction);
	port->recent_ns = max(port->recent_ns, reaction);
	if (reaction <= max_t(u64, port->learned_ns, params->reaction_ns))
		return;
	WRITE_ONCE(port->learned_ns, reaction);
	lle_headroom_soon(port->sw);
}
