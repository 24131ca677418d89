// SPDX-License-Identifier: GPL-2.0
/*
 * Sends the frames that a port makes itself: pauses and messages.
 *
 * Softirqs may be late by milliseconds on a busy machine. The receive hook
 * holds no lock, so if a packet arrives while a pause is still to be sent, it
 * runs the qdisc on the spot by handing it a kick skb: an empty frame, which
 * dequeue then writes. If no packet arrives, there is no hurry.
 *
 * The qdisc recognises a frame of the port by the address of its skb, while the
 * CPU that made it hands it over. Nothing in the frame says so: a filter at
 * egress may take it away, and it may outlive this module.
 */
#include <linux/etherdevice.h>
#include <linux/jiffies.h>

#include "tx.h"

/* The frame that a CPU is handing over, and the device that has to send it. */
DEFINE_PER_CPU(struct lle_tx_own, lle_tx_own);
EXPORT_PER_CPU_SYMBOL_GPL(lle_tx_own);

/**
 * lle_tx_stop_direct() - let packets pass the queues of a port from now on
 * @port: the port; it needs attention, or its switch is filtered, so that its
 *	qdisc does not go back by itself
 *
 * See lossless_dequeue(). A CPU may just be handing over a packet.
 *
 * Context: BH off, RCU; no qdisc lock held.
 */
void lle_tx_stop_direct(struct lle_port *port)
{
	struct Qdisc *q;

	if (!READ_ONCE(port->attached))
		return;
	/* the reason before the flag: dequeue reads them in reverse */
	smp_mb();
	q = rcu_dereference_bh(netdev_get_tx_queue(port->dev, 0)->qdisc);
	if (q->ops != port->ops->qdisc)
		return;
	/* data_race: a dequeue that sets it now finds the reason, and clears it */
	if (!(data_race(q->flags) & TCQ_F_CAN_BYPASS))
		return;
	spin_lock(qdisc_lock(q));
	q->flags &= ~TCQ_F_CAN_BYPASS;
	spin_unlock(qdisc_lock(q));
}

/**
 * lle_tx_send() - hand a frame that the port made to its qdisc
 * @skb: a kick skb, or a frame of lle_tx_message()
 *
 * Context: any; no qdisc lock held.
 */
void lle_tx_send(struct sk_buff *skb)
{
	local_bh_disable();
	this_cpu_write(lle_tx_own.dev, skb->dev);
	this_cpu_write(lle_tx_own.skb, skb);
	dev_queue_xmit(skb);
	this_cpu_write(lle_tx_own.skb, NULL);
	local_bh_enable();
}

/**
 * lle_tx_take() - take over a frame of lle_tx_send()
 * @skb: the frame; lle_tx_is_own() is true
 *
 * Context: BH off. Return: false: it is for another device, and was redirected.
 */
bool lle_tx_take(const struct sk_buff *skb)
{
	this_cpu_write(lle_tx_own.skb, NULL);
	return this_cpu_read(lle_tx_own.dev) == skb->dev;
}
EXPORT_SYMBOL_GPL(lle_tx_take);

/**
 * lle_tx_alloc() - allocate a frame that the port makes
 * @dev: the device that is to send it
 * @protocol: its EtherType
 * @len: its bytes; all 0
 *
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
 * lle_tx_kick() - let the port's qdisc check whether a pause is to be sent
 * @port: the port
 *
 * Schedules only the device's active qdisc, and only a lossless one:
 * net_tx_action() would run a deactivated or even a freed one. If the qdisc is
 * not active because it is being replaced, it is kicked again later; if the
 * carrier is off, when that is back.
 *
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

	/* what it wants before the qdisc's state: dequeue reads them in reverse */
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
}

/**
 * lle_tx_flush() - send a pause or resume that is due, at once
 * @port: the port
 *
 * Context: BH off, no qdisc lock held.
 */
void lle_tx_flush(struct lle_port *port)
{
	struct sk_buff *skb;

	/* the kick skb is for the qdisc, not for the device */
	lle_tx_stop_direct(port);
	WRITE_ONCE(port->flushed, true);
	skb = lle_tx_alloc(port->dev, LLE_ETH_P_MAC_CONTROL,
			   LLE_PFC_FRAME_LEN);
	if (!skb)
		return;
	lle_tx_send(skb);
}

/**
 * lle_tx_message() - make a frame for a message, for lle_tx_send()
 * @port: the port that is to send it
 * @msg: the message
 * @len: bytes that follow it
 * @rest: result: where to write those bytes
 *
 * It leaves before any data, behind a pause frame that is due.
 *
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
	lle_dl_encode(&frame->msg, msg);
	*rest = frame->rest;
	return skb;
}
