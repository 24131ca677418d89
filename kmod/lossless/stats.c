// SPDX-License-Identifier: GPL-2.0
/* Reads the counters of a port. */
#include <net/netlink.h>

#include "counters_gen.h"
#include "rx_pause.h"
#include "stats.h"

#define LLE_DROP_AT(reason, member, ...) \
	[LLE_DROP_##reason] = offsetof(struct lle_prio_stats, member),
static const u16 lle_drop_at[] = { LLE_PRIO_DROPS(LLE_DROP_AT) };

static void lle_stats_read_rx(const struct lle_port *port, unsigned int prio,
			      struct lle_prio_stats *s)
{
	unsigned int start;
	int cpu;

	for_each_possible_cpu(cpu) {
		u64 packets, bytes, drop_packets, drop_bytes, burst;
		const struct lle_port_rx_stats *rx;

		rx = per_cpu_ptr(port->rx_stats, cpu);
		do {
			start = u64_stats_fetch_begin(&rx->syncp);
			packets = u64_stats_read(&rx->prio[prio].packets);
			bytes = u64_stats_read(&rx->prio[prio].bytes);
			drop_packets = u64_stats_read(&rx->prio[prio].drop_packets);
			drop_bytes = u64_stats_read(&rx->prio[prio].drop_bytes);
			burst = u64_stats_read(&rx->prio[prio].burst);
		} while (u64_stats_fetch_retry(&rx->syncp, start));
		s->rx_packets += packets;
		s->rx_bytes += bytes;
		s->drop_storm_rx += drop_packets;
		s->drop_bytes += drop_bytes;
		s->drop_burst += burst;
	}
}

/**
 * lle_stats_rx() - read the numbers of packets received by a port
 * @port: the port
 * @prio: the priority
 * @packets: result: packets accepted
 * @dropped: result: packets dropped because of storms
 * Context: any.
 */
void lle_stats_rx(const struct lle_port *port, unsigned int prio, u64 *packets,
		  u64 *dropped)
{
	struct lle_prio_stats s = {};

	lle_stats_read_rx(port, prio, &s);
	*packets = s.rx_packets - s.drop_storm_rx;
	*dropped = s.drop_storm_rx;
}

static void lle_stats_read_ingress(struct lle_port *port, unsigned int prio,
				   struct lle_prio_stats *s, u64 now_ns)
{
	const struct lle_port_ingress *in = &port->ingress[prio];
	u64 paused_ns;

	spin_lock_bh(&port->sw->lock);
	paused_ns = in->history.total_ns;
	s->tx_paused = !!(port->attention.want & BIT(prio));
	if (s->tx_paused)
		paused_ns += now_ns - in->paused_since_ns;
	s->occupancy = lle_sb_occ(&in->pg);
	s->occupancy_max = in->pg.occ_max;
	s->headroom = in->pg.headroom;
	s->headroom_max = in->pg.headroom_max;
	s->tx_pause_transition = in->history.count + s->tx_paused;
	s->tx_pause_duration = div_u64(paused_ns, NSEC_PER_USEC);
	spin_unlock_bh(&port->sw->lock);
}

static void lle_stats_read_pauses(struct lle_port *port, unsigned int prio,
				  struct lle_prio_stats *s, u64 now_ns)
{
	u64 paused_ns;

	spin_lock_bh(&port->pause_lock);
	s->rx_paused = !!(lle_rx_pause_update(port, now_ns) & BIT(prio));
	paused_ns = lle_pause_rx_duration(&port->rx, prio, now_ns);
	s->rx_pause = port->rx.pauses[prio];
	s->rx_resume = port->rx.resumes[prio];
	s->rx_pause_transition = lle_pause_rx_transitions(&port->rx, prio);
	s->rx_pause_duration = div_u64(paused_ns, NSEC_PER_USEC);
	s->tx_pause = port->tx.pauses[prio];
	s->tx_resume = port->tx.resumes[prio];
	spin_unlock_bh(&port->pause_lock);
}

/**
 * lle_stats_read() - take a snapshot of a priority's counters
 * @port: the port
 * @prio: the priority
 * @s: result
 *
 * Counters under one lock are consistent; those of the egress side only if the
 * caller holds the root lock.
 * Context: any.
 */
void lle_stats_read(struct lle_port *port, unsigned int prio,
		    struct lle_prio_stats *s)
{
	const struct lle_port_egress *e = &port->egress[prio];
	u64 now_ns = ktime_get_ns();
	unsigned int r;

	memset(s, 0, sizeof(*s));
	s->prio = prio;
	lle_stats_read_rx(port, prio, s);
	lle_stats_read_ingress(port, prio, s, now_ns);
	lle_stats_read_pauses(port, prio, s, now_ns);

	s->tx_packets = lle_stats_peek(e->packets);
	s->tx_bytes = lle_stats_peek(e->bytes);
	s->ecn_marked = lle_stats_peek(e->ecn_marked);
	s->backlog = lle_stats_peek(e->backlog);
	s->backlog_max = lle_stats_peek(e->backlog_max);
	for (r = 0; r < LLE_NUM_DROP; r++) {
		*(u64 *)((char *)s + lle_drop_at[r]) +=
			lle_stats_peek(port->drop_pkts[prio][r]);
		s->drop_bytes += lle_stats_peek(port->drop_bytes[prio][r]);
	}
}

/**
 * lle_stats_put_prio() - dump the counters of a priority
 * @skb: netlink message; gets TCA_LOSSLESS_STATS_PRIO, unless all are 0
 * @port: the port
 * @prio: the priority
 * Return: 0 or -EMSGSIZE.
 */
int lle_stats_put_prio(struct sk_buff *skb, struct lle_port *port,
		       unsigned int prio)
{
	struct lle_prio_stats s;

	lle_stats_read(port, prio, &s);
	if (!memchr_inv(&s.rx_paused, 0,
			sizeof(s) - offsetof(struct lle_prio_stats, rx_paused)))
		return 0;
	return nla_put(skb, TCA_LOSSLESS_STATS_PRIO, sizeof(s), &s);
}
EXPORT_SYMBOL_GPL(lle_stats_put_prio);

/**
 * lle_stats_put_port() - dump the counters of a port
 * @skb: netlink message; gets TCA_LOSSLESS_STATS_*
 * @port: the port
 * @wire_bytes: bytes on the emulated wire of the qdisc
 * Return: 0 or -EMSGSIZE.
 */
int lle_stats_put_port(struct sk_buff *skb, struct lle_port *port,
		       u64 wire_bytes)
{
	struct lle_port_stats s = {
		.reaction_ns = READ_ONCE(port->reaction_ns),
		.rx_pfc_excess = lle_stats_peek(port->pending.frames),
		.unaccounted = lle_stats_peek(port->unaccounted.packets),
		.wire_bytes = wire_bytes,
	};
	unsigned int prio;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct lle_port_rx_stats *rx;

		/* the next dump corrects a torn read on 32 bit */
		rx = per_cpu_ptr(port->rx_stats, cpu);
		s.rx_malformed += u64_stats_read(&rx->malformed);
		s.rx_link_pause += u64_stats_read(&rx->link_pause);
		s.rx_bypass += u64_stats_read(&rx->bypass);
	}
	spin_lock_bh(&port->sw->lock);
	s.shared_used = port->sw->sb.used - lle_credit_lent(&port->sw->sb);
	s.shared_max = port->sw->sb.used_max;
	spin_unlock_bh(&port->sw->lock);

	if (nla_put(skb, TCA_LOSSLESS_STATS_PORT, sizeof(s), &s))
		return -EMSGSIZE;
	for (prio = 0; prio < LLE_NUM_PRIO; prio++)
		if (lle_stats_put_prio(skb, port, prio))
			return -EMSGSIZE;
	return 0;
}
EXPORT_SYMBOL_GPL(lle_stats_put_port);

/**
 * struct lle_stats_below - lowest devices that are not ports
 * @sw: the switch of the ports
 * @ifindex: the last one
 * @num: their number
 */
struct lle_stats_below {
	const struct lle_switch *sw;
	int ifindex;
	unsigned int num;
};

static int lle_stats_look_below(struct net_device *dev,
				struct netdev_nested_priv *priv)
{
	struct lle_stats_below *below = priv->data;

	if (list_empty(&dev->adj_list.lower) &&
	    !lle_port_of_switch(below->sw, dev->ifindex)) {
		below->ifindex = dev->ifindex;
		below->num++;
	}
	return 0;
}

/**
 * lle_stats_unaccounted_at() - find the device that should become a port
 * @egress: the port that has counted unaccounted packets
 *
 * VLAN devices, VRFs and bonds write their own ifindex into skb_iif.
 * Context: any.
 * Return: ifindex of the last packet's device, or of the only lowest device
 * below it that is not a port; 0: no such packet.
 */
int lle_stats_unaccounted_at(const struct lle_port *egress)
{
	struct lle_stats_below below = { .sw = egress->sw };
	struct netdev_nested_priv priv = { .data = &below };
	int ifindex = lle_stats_peek(egress->unaccounted.ifindex);
	struct net_device *dev;

	if (!ifindex)
		return 0;
	rcu_read_lock();
	dev = dev_get_by_index_rcu(egress->sw->net, ifindex);
	if (dev)
		netdev_walk_all_lower_dev_rcu(dev, lle_stats_look_below, &priv);
	rcu_read_unlock();
	return below.num == 1 ? below.ifindex : ifindex;
}
