// SPDX-License-Identifier: GPL-2.0
/*
 * Sends the frames that a port makes itself: pauses and messages.
 *
 * Softirqs may be late by milliseconds on a busy machine. The receive hook holds
 * no lock, so if a packet arrives while a pause is still to be sent, it runs the
 * qdisc on the spot by handing it a kick skb: an empty frame, which dequeue then
 * writes. If none arrives, none is needed.
 *
 * The qdisc knows frames of ours by their address, while the CPU that has made one
 * hands it over. Nothing in the frame says so: a filter at egress may take it away, and
 * it may outlive this module.
 */
#include <linux/etherdevice.h>
#include <linux/jiffies.h>

#include "tx.h"

/* The frame of ours that a CPU is handing over, and by which device it has to leave. */
DEFINE_PER_CPU(struct lle_tx_own, lle_tx_own);
EXPORT_PER_CPU_SYMBOL_GPL(lle_tx_own);

/**
 * lle_tx_send() - hand a frame of ours to its port's qdisc
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
 * lle_tx_take() - a qdisc has got a frame of ours
 * @skb: the frame; lle_tx_is_own() is true
 *
 * Context: BH off. Return: it is for this qdisc's device; false: it was redirected.
 */
bool lle_tx_take(const struct sk_buff *skb)
{
	this_cpu_write(lle_tx_own.skb, NULL);
	return this_cpu_read(lle_tx_own.dev) == skb->dev;
}
EXPORT_SYMBOL_GPL(lle_tx_take);

/**
 * lle_tx_alloc() - a frame of ours, to be written to
 * @dev: the device that it is for
 * @protocol: its type
 * @len: its bytes; all 0
 *
 * Context: any. Return: NULL without memory.
 */
struct sk_buff *lle_tx_alloc(struct net_device *dev, u16 protocol,
			     unsigned int len)
{
	/* read once: a bridge changes it under RTNL, when it gets another port */
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
 * lle_tx_kick() - let the port's qdisc look whether a pause is to be sent
 * @port: the port
 *
 * Only the device's active qdisc is scheduled, and only if it is one of ours:
 * net_tx_action() would run a deactivated one, and a freed one, too. While it is
 * not active because it is being replaced, it is kicked again later; because the
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

	/* port->want before the qdisc's state: dequeue reads them in reverse */
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
 * lle_tx_flush() - send what the peer should know at once
 * @port: the port
 *
 * Context: BH off, no qdisc lock held.
 */
void lle_tx_flush(struct lle_port *port)
{
	struct sk_buff *skb;

	WRITE_ONCE(port->flushed, true);
	skb = lle_tx_alloc(port->dev, LLE_ETH_P_MAC_CONTROL,
			   LLE_PFC_FRAME_LEN);
	if (!skb)
		return;
	lle_tx_send(skb);
}

/**
 * lle_tx_message() - a message in a frame of its own, for lle_tx_send()
 * @port: by which port
 * @msg: the message
 * @len: bytes that follow it
 * @rest: set to where they have to be written
 *
 * It will leave before any data, behind a pause frame that is due.
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
