// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses sent, as state: port->attention.want is the wanted one, port->tx the
 * last sent one. A change of the former kicks the qdisc; its dequeue compares
 * the two and sends the difference ahead of all data, under the root lock:
 * frames leave in order.
 */
#include <linux/etherdevice.h>

#include "deadlock/deadlock.h"
#include "event.h"
#include "trace.h"
#include "tx.h"

/**
 * lle_tx_pause_frame() - write the PFC frame that is due
 * @port: the port
 * @now_ns: the time
 * Context: under the root lock; lle_pause_tx_due() is true.
 * Return: the frame; NULL without memory.
 */
struct sk_buff *lle_tx_pause_frame(struct lle_port *port, u64 now_ns)
{
	const struct lle_port_params *params;
	struct lle_pfc_frame *frame;
	struct lle_dl_msg msg;
	struct lle_pfc pfc;
	struct sk_buff *skb;
	u8 sent, want;
	bool says;

	skb = lle_tx_alloc(port->dev, LLE_ETH_P_MAC_CONTROL, LLE_PFC_FRAME_LEN);
	if (!skb)
		return NULL;

	WRITE_ONCE(port->flushed, false);
	rcu_read_lock();
	params = rcu_dereference(port->params);
	spin_lock_bh(&port->pause_lock);
	sent = port->tx.sent;
	want = READ_ONCE(port->attention.want);
	lle_pause_tx_build(&port->tx, want, params->pause_quanta,
			   lle_port_speed(port, params),
			   now_ns, &pfc);
	lle_port_attend(port);
	says = lle_deadlock_event_ride(port, sent ^ want, want, &msg);
	spin_unlock_bh(&port->pause_lock);
	rcu_read_unlock();

	frame = (struct lle_pfc_frame *)skb_mac_header(skb);
	lle_frame_encode(frame, port->dev->dev_addr, &pfc);
	if (says)
		lle_dl_wire_encode((struct lle_dl_pad *)frame->pad, &msg);
	trace_lle_pause_tx(port, &pfc);
	lle_event_pause(port, LOSSLESS_DIRECTION_TX, sent ^ want, want, now_ns);
	return skb;
}
EXPORT_SYMBOL_GPL(lle_tx_pause_frame);

/**
 * lle_tx_pause_end() - resume the peer of a port that ends
 * @port: the port; its qdisc is inactive
 * Context: RTNL.
 */
void lle_tx_pause_end(struct lle_port *port)
{
	struct sk_buff *skb;
	unsigned int p;

	/* packets still leaving other ports may end pauses one by one */
	spin_lock_bh(&port->sw->lock);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (port->attention.want & BIT(p))
			lle_deadlock_event_xoff(port, p, false);
	WRITE_ONCE(port->attention.want, 0);
	spin_unlock_bh(&port->sw->lock);
	if (!port->tx.sent)
		return;
	skb = lle_tx_pause_frame(port, ktime_get_ns());
	if (skb)
		dev_direct_xmit(skb, 0);
}
