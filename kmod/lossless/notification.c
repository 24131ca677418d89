// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notifications: sent to a neighbour, and received from one.
 *
 * The qdisc writes a notification, like a pause, when the link takes it, with
 * the holds of that time. A port accepts them only from neighbours under the
 * same management, at no more than their rate.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>

#include "../core/congestion/rcm.h"
#include "congestion.h"
#include "tx.h"

/* Notifications that a port accepts at once */
#define LLE_RCM_BURST		64

/* Repetitions without progress until nothing is held: 256 us at 100 Gb/s */
#define LLE_RCM_PATIENCE	64

/* The priority that is due first */
static unsigned int lle_rcm_first(const struct lle_rcm_port *r)
{
	unsigned int p, first = LLE_NUM_PRIO;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (r->upstream[p] &&
		    (first == LLE_NUM_PRIO ||
		     r->upstream[p]->due_ns < r->upstream[first]->due_ns))
			first = p;
	return first;
}

static void lle_rcm_say(struct lle_port *port, unsigned int prio,
			struct lle_cn *cn, u64 now_ns)
{
	struct lle_rcm_upstream *up = port->rcm->upstream[prio];
	u32 bytes = lle_sb_occ(&port->ingress[prio].pg);
	unsigned int n;
	bool stuck;

	stuck = lle_hold_is_stuck(&up->progress, bytes, LLE_RCM_PATIENCE *
				  port->rcm->refresh_ns, now_ns);
	*cn = (struct lle_cn){
		.sw = port->sw->id,
		.ifindex = port->ifindex,
		.seq = ++up->seq,
		.prio = prio,
		.fb = up->fb,
		.class_held = port->ingress[prio].rcm.class_held && !stuck,
		.count = stuck ? 0 : up->count,
	};
	for (n = 0; n < cn->count; n++)
		cn->name[n] = up->hold[n].name;

	up->sent_ns = now_ns;
	up->due_ns = cn->count || cn->class_held ?
			     now_ns + port->rcm->refresh_ns : LLE_CN_NEVER;
	port->rcm->sent++;
	lle_congestion_due(port, port->rcm->upstream[lle_rcm_first(port->rcm)]->due_ns);
}

/**
 * lle_notification_tx() - write the congestion notification that is due
 * @port: the port
 * @now_ns: the time
 * Context: root lock of the qdisc.
 * Return: the frame; NULL: none is due, or out of memory and due later.
 */
struct sk_buff *lle_notification_tx(struct lle_port *port, u64 now_ns)
{
	struct sk_buff *skb;
	struct lle_cn cn;
	bool due;

	skb = lle_tx_alloc(port->dev, LLE_ETH_P_CN, lle_cn_bytes(LLE_CN_NAMES));
	spin_lock(&port->sw->lock);
	due = now_ns >= port->cn_due_ns;
	if (due && !skb)
		lle_congestion_due(port, now_ns + port->rcm->refresh_ns);
	else if (due)
		lle_rcm_say(port, lle_rcm_first(port->rcm), &cn, now_ns);
	spin_unlock(&port->sw->lock);
	if (!due || !skb) {
		kfree_skb(skb);
		return NULL;
	}
	lle_cn_encode((struct lle_cn_frame *)skb_mac_header(skb),
		      port->dev->dev_addr, &cn);
	skb_trim(skb, max_t(unsigned int, lle_cn_bytes(cn.count), ETH_ZLEN));
	return skb;
}
EXPORT_SYMBOL_GPL(lle_notification_tx);

/* Is a notification beyond the budget of the neighbour? */
static bool lle_rcm_too_fast(struct lle_rcm_port *r, u64 now_ns)
{
	return !lle_budget_take(&r->hearing, r->gap_ns / 2, LLE_RCM_BURST,
				now_ns);
}

static bool lle_rcm_receive_at(struct lle_port *port, const struct lle_cn *cn)
{
	struct Qdisc *q;

	q = rcu_dereference(netdev_get_tx_queue(port->dev, 0)->qdisc);
	return q->ops == port->ops->qdisc && port->ops->receive(q, cn);
}

/* Not inlined: @buf is off the stack when the caller uses @cn. */
static noinline_for_stack bool lle_rcm_parse(const struct sk_buff *skb,
					     struct lle_cn *cn)
{
	unsigned int len = min_t(unsigned int, skb->len + ETH_HLEN,
				 sizeof(struct lle_cn_frame));
	u8 buf[sizeof(struct lle_cn_frame)];
	const u8 *data;

	data = skb_header_pointer(skb, -ETH_HLEN, len, buf);
	return data && lle_cn_parse(data, len, cn);
}

/**
 * lle_notification_rx() - receive a frame that may be a congestion notification
 * @port: the port
 * @skb: the frame; untrusted
 *
 * Accepts other frames, and those from untrusted neighbours; the bridge drops
 * them if they have the address of PFC frames.
 * Context: softirq, RCU. Return: NF_ACCEPT; NF_STOLEN: consumed.
 */
unsigned int lle_notification_rx(struct lle_port *port, struct sk_buff *skb)
{
	const struct lle_port_params *params = rcu_dereference(port->params);
	struct lle_cn cn;
	bool accepted;

	if (!params->rcm.on || params->facing != LLE_FACING_FABRIC ||
	    skb_vlan_tag_present(skb) || !lle_rcm_parse(skb, &cn))
		return NF_ACCEPT;

	spin_lock(&port->sw->lock);
	accepted = !lle_rcm_too_fast(port->rcm, ktime_get_ns());
	spin_unlock(&port->sw->lock);
	accepted = accepted && lle_rcm_receive_at(port, &cn);

	spin_lock(&port->sw->lock);
	if (accepted)
		port->rcm->accepted++;
	else
		port->rcm->ignored++;
	spin_unlock(&port->sw->lock);
	consume_skb(skb);
	return NF_STOLEN;
}
