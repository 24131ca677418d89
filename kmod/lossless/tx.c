// SPDX-License-Identifier: GPL-2.0
/*
 * Sends frames made by a port: pauses and messages.
 *
 * Softirqs may be late by milliseconds. The receive hook holds no lock: a
 * packet that arrives while a pause is due runs the qdisc on the spot, for
 * frames of the port only. Without arrivals, there is no hurry.
 *
 * These frames bypass enqueue: dequeue writes pauses and notifications when the
 * link is free, and takes messages from a list. So they need no mark, no egress
 * filter sees them, and nothing before the qdisc drops or delays them.
 */
#include <linux/etherdevice.h>
#include <linux/jiffies.h>

#include "deadlock/deadlock.h"
#include "event.h"
#include "trace.h"
#include "tx.h"

#define LLE_TX_MESSAGES	256	/* messages that may wait for the link */

/**
 * lle_tx_purge() - drop the messages that wait
 * @port: the port
 * Context: any.
 */
void lle_tx_purge(struct lle_port *port)
{
	struct sk_buff_head purged;

	__skb_queue_head_init(&purged);
	spin_lock_bh(&port->own.lock);
	skb_queue_splice_init(&port->own, &purged);
	WRITE_ONCE(port->attention.own, 0);
	spin_unlock_bh(&port->own.lock);
	__skb_queue_purge(&purged);
}
EXPORT_SYMBOL_GPL(lle_tx_purge);

/* Passes a frame to the device, past the qdisc. Returns false if refused. */
static bool lle_tx_xmit(struct net_device *dev, struct sk_buff *skb)
{
	if (dev_nit_active(dev))
		dev_queue_xmit_nit(skb, dev);
	return dev_xmit_complete(__dev_direct_xmit(skb, 0));
}

/*
 * __qdisc_run(), which is not exported, for frames of the port. Only the CPU
 * that runs a qdisc dequeues: frames leave in order, and no lock is held in the
 * device. Another CPU that runs it finds the frames. BH off, no qdisc lock
 * held.
 */
static void lle_tx_run(struct lle_port *port)
{
	struct netdev_queue *txq = netdev_get_tx_queue(port->dev, 0);
	struct sk_buff *skb;
	struct Qdisc *q;

	q = rcu_dereference_bh(txq->qdisc);
	/* read frames to send before the qdisc's state, as in lle_tx_kick() */
	if (q->ops != port->ops->qdisc) {
		lle_tx_purge(port);
		return;
	}
	spin_lock(qdisc_lock(q));
	if (test_bit(__QDISC_STATE_DEACTIVATED, &q->state) ||
	    netif_xmit_frozen_or_stopped(txq) || !skb_queue_empty(&q->gso_skb) ||
	    !lle_qdisc_run_begin(q))
		goto out;
	while ((skb = port->ops->next_own(q))) {
		bool sent;

		spin_unlock(qdisc_lock(q));
		sent = lle_tx_xmit(port->dev, skb);
		spin_lock(qdisc_lock(q));
		if (!sent) {
			port->ops->requeue_own(q, skb);
			break;
		}
	}
	lle_qdisc_run_end(q);
	/* packets arrived meanwhile; a stopped queue is woken by the device */
	if (qdisc_qlen(q))
		__netif_schedule(q);
out:
	spin_unlock(qdisc_lock(q));
}

/**
 * lle_tx_send() - send a frame with a message
 * @port: the port
 * @skb: a frame of lle_tx_message()
 *
 * Leaves before any data, after a due pause.
 * Context: any; no qdisc lock held.
 */
void lle_tx_send(struct lle_port *port, struct sk_buff *skb)
{
	bool full;

	local_bh_disable();
	spin_lock(&port->own.lock);
	full = skb_queue_len(&port->own) >= LLE_TX_MESSAGES;
	if (!full) {
		__skb_queue_tail(&port->own, skb);
		WRITE_ONCE(port->attention.own, 1);
	}
	spin_unlock(&port->own.lock);
	if (full)
		kfree_skb(skb);
	else
		lle_tx_run(port);
	local_bh_enable();
}

/**
 * lle_tx_next() - take the next message that waits
 * @port: the port
 * Context: under the qdisc's root lock. Return: NULL: no message.
 */
struct sk_buff *lle_tx_next(struct lle_port *port)
{
	struct sk_buff *skb;

	spin_lock(&port->own.lock);
	skb = __skb_dequeue(&port->own);
	WRITE_ONCE(port->attention.own, !skb_queue_empty(&port->own));
	spin_unlock(&port->own.lock);
	return skb;
}
EXPORT_SYMBOL_GPL(lle_tx_next);

/**
 * lle_tx_alloc() - allocate a frame of the port
 * @dev: sending device
 * @protocol: EtherType
 * @len: its bytes; all 0
 * Context: any. Return: NULL without memory.
 */
struct sk_buff *lle_tx_alloc(struct net_device *dev, u16 protocol,
			     unsigned int len)
{
	/* read once: a bridge changes it under RTNL when it gets a port */
	unsigned int headroom = data_race(LL_RESERVED_SPACE(dev));
	struct sk_buff *skb;

	skb = alloc_skb(headroom + len, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;

	skb_reserve(skb, headroom);
	skb_reset_mac_header(skb);
	skb_put_zero(skb, len);
	skb_set_network_header(skb, ETH_HLEN);
	skb->dev = dev;
	skb->protocol = htons(protocol);
	skb->priority = TC_PRIO_CONTROL;
	return skb;
}

/**
 * lle_tx_kick() - schedule the port's qdisc to send a due pause
 * @port: the port
 *
 * Schedules only the device's active qdisc, and only a lossless one:
 * net_tx_action() would run a deactivated or even a freed one. A qdisc being
 * replaced is kicked again later; without carrier, when that is back.
 * Context: any, also under another qdisc's root lock.
 */
void lle_tx_kick(struct lle_port *port)
{
	struct net_device *dev;
	struct Qdisc *q;

	rcu_read_lock();
	if (!READ_ONCE(port->attached))
		goto out;
	dev = port->dev;
	if (!netif_running(dev))
		goto out;

	/* publish want before reading the qdisc's state; dequeue: in reverse */
	smp_mb();
	q = rcu_dereference(netdev_get_tx_queue(dev, 0)->qdisc);
	if (q->ops == port->ops->qdisc)
		__netif_schedule(q);
	else if (netif_carrier_ok(dev))
		schedule_delayed_work(&port->retry, 1);
out:
	rcu_read_unlock();
}

static void lle_tx_retry(struct work_struct *work)
{
	lle_tx_kick(container_of(work, struct lle_port, retry.work));
}

/**
 * lle_tx_init() - prepare a new port for sending
 * @port: the port
 */
void lle_tx_init(struct lle_port *port)
{
	INIT_DELAYED_WORK(&port->retry, lle_tx_retry);
	skb_queue_head_init(&port->own);
}

/**
 * lle_tx_flush() - send a due pause or resume at once
 * @port: the port
 * Context: BH off, no qdisc lock held.
 */
void lle_tx_flush(struct lle_port *port)
{
	WRITE_ONCE(port->flushed, true);
	lle_tx_run(port);
}

/**
 * lle_tx_message() - make a frame for a message, for lle_tx_send()
 * @port: sending port
 * @msg: the message
 * @len: bytes that follow it
 * @rest: result: where to write those bytes
 * Context: RCU. Return: NULL without memory.
 */
struct sk_buff *lle_tx_message(struct lle_port *port,
			       const struct lle_dl_msg *msg, unsigned int len,
			       void **rest)
{
	struct lle_dl_frame *frame;
	struct sk_buff *skb;

	len = max_t(unsigned int, sizeof(*frame),
		    offsetof(struct lle_dl_frame, rest) + len);
	skb = lle_tx_alloc(port->dev, LLE_ETH_P_DEADLOCK, len);
	if (!skb)
		return NULL;
	frame = (struct lle_dl_frame *)skb_mac_header(skb);
	memcpy(frame->dst, lle_macc_addr, sizeof(frame->dst));
	ether_addr_copy(frame->src, port->dev->dev_addr);
	frame->ethertype = htons(LLE_ETH_P_DEADLOCK);
	lle_dl_wire_encode(&frame->msg, msg);
	*rest = frame->rest;
	return skb;
}

/*
 * --- pauses ---
 *
 * port->attention.want is the wanted state, port->tx the last sent one. A change
 * of the former kicks the qdisc; its dequeue compares the two and sends the
 * difference ahead of all data, under the root lock: frames leave in order.
 */

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
