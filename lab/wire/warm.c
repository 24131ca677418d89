// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetch of the memory that an arriving frame needs.
 *
 * A large network has more ports and frames under way than a cache holds: in a
 * fat tree of 432 hosts 50 frames arrive in each nanosecond, and each waits for
 * memory at 40 places, one after the other. So the memory for all frames of the
 * next nanosecond is prefetched: the frame, the receiving port, and the port by
 * which the last frame to the same address has left. These are hints: a wrong
 * address costs only time.
 */
#include <linux/prefetch.h>

#include "../../qdisc/queue.h"
#include "wire.h"

/* Bytes of a line, and number of the ports that are known by their ifindex */
#define WIRE_LINE	64
#define WIRE_IFINDEXES	16384
/* The priority of most frames */
#define WIRE_PRIO	3

/* Ports of switches by ifindex, in one network namespace */
static const struct wire *wire_ports[WIRE_IFINDEXES];

static void wire_fetch(const void *start, unsigned int lines)
{
	for (; lines--; start += WIRE_LINE)
		prefetch(start);
}

/* Looks up the hints of an end. RTNL, or before frames move. */
void wire_warm_know(struct wire *wire)
{
	const struct wire *other = wire_find(wire->end ^ 1);
	struct net_device *dev = wire->dev;
	struct wire_warm *w = &wire->warm;

	*w = (struct wire_warm){
		.other = other,
		.peer = other ? other->dev : NULL,
		.peer_address = other ? other->dev->dev_addr : NULL,
		.qdisc = rcu_dereference_raw(netdev_get_tx_queue(dev, 0)->qdisc),
		.rx_data = rcu_dereference_raw(dev->rx_handler_data),
	};
	if (!strcmp(w->qdisc->ops->id, "lossless")) {
		w->port = ((struct lossless_qdisc *)qdisc_priv(w->qdisc))->port;
		w->params = rcu_dereference_raw(w->port->params);
		w->rx_stats = raw_cpu_ptr(w->port->rx_stats);
	}
	if (netif_is_bridge_port(dev) && dev->ifindex < WIRE_IFINDEXES)
		wire_ports[dev->ifindex] = wire;
}

/* Forgets an end that is about to be freed. RTNL. */
void wire_warm_forget(const struct wire *wire)
{
	int ifindex = wire->dev->ifindex;

	if (ifindex < WIRE_IFINDEXES && wire_ports[ifindex] == wire)
		wire_ports[ifindex] = NULL;
}

static const struct wire **wire_warm_next(const struct wire *in, const u8 *address)
{
	return (const struct wire **)&in->warm.next[address[ETH_ALEN - 1] % WIRE_NEXT];
}

/* Remembers the port by which a switch has sent a frame. Softirq. */
void wire_warm_learn(const struct sk_buff *skb, const struct wire *out)
{
	const struct wire *in, **next;

	in = skb->skb_iif < WIRE_IFINDEXES ? wire_ports[skb->skb_iif] : NULL;
	if (!in)
		return;
	next = wire_warm_next(in, skb->data);
	if (*next != out)
		*next = out;
}

/* First step: a frame that arrives soon */
void wire_warm_frame(const struct sk_buff *skb)
{
	wire_fetch(skb, DIV_ROUND_UP(sizeof(*skb), WIRE_LINE));
}

/* Second step: its receiver */
void wire_warm_in(const struct sk_buff *skb)
{
	const struct wire *in = wire_to(skb);
	const struct lle_port *port = in->warm.port;

	prefetch(skb->data - ETH_HLEN);
	prefetch(skb_shinfo(skb));
	prefetch(&in->dev->flags);
	prefetch(&in->dev->rx_handler);
	prefetch(&in->dev->nf_hooks_ingress);
	wire_fetch(in->warm.rx_data, 2);
	wire_fetch(in->warm.next, 2);
	wire_fetch(&in->warm.params->pfc_en, 2);
	prefetch(&in->warm.rx_stats->prio[WIRE_PRIO]);
	wire_fetch(port, 4);
	wire_fetch(&port->ingress[WIRE_PRIO], 2);
}

static const struct wire *wire_warm_out_of(const struct sk_buff *skb)
{
	return *wire_warm_next(wire_to(skb), skb->data - ETH_HLEN);
}

/* Third step: the end that sends it on */
void wire_warm_next_out(const struct sk_buff *skb)
{
	const struct wire *out = wire_warm_out_of(skb);

	if (out)
		wire_fetch(&out->dev, 2);
}

/* Fourth step: the port of that end */
void wire_warm_out(const struct sk_buff *skb)
{
	const struct wire *out = wire_warm_out_of(skb);

	if (!out)
		return;
	prefetch(&out->dev->flags);
	prefetch(&out->dev->_tx);
	prefetch(&out->dev->features);
	prefetch(&out->dev->gso_max_size);
	prefetch(netdev_get_tx_queue(out->dev, 0));
	wire_fetch(out->warm.qdisc, 6);
	wire_fetch(out->warm.rx_data, 2);
	wire_fetch(out->warm.port, 2);
	wire_fetch(&out->warm.port->egress[WIRE_PRIO], 2);
	prefetch(out->warm.other);
	prefetch(&out->warm.peer->dev_addr);
	prefetch(out->warm.peer_address);
}
