// SPDX-License-Identifier: GPL-2.0
/*
 * Frames that the port makes: pauses, congestion notifications, messages. They take
 * the link before any data, and are never paused. Runs under the root lock.
 */
#include "../kmod/lossless/notification.h"
#include "../kmod/lossless/tx.h"
#include "../kmod/lossless/tx_pause.h"
#include "queue.h"

/* Frames that may be due */
#define LOSSLESS_PAUSE	BIT(0)
#define LOSSLESS_CN	BIT(1)

/* Write the pause frame that is due, as a packet that the qdisc has queued. */
static struct sk_buff *lossless_pause(struct Qdisc *sch, u64 now_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb;

	skb = lle_tx_pause_frame(q->port, now_ns);
	if (skb)
		lossless_control(sch, skb);
	return skb;
}

/* Write the congestion notification that is due, likewise. */
static struct sk_buff *lossless_cn(struct Qdisc *sch, u64 now_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb = lle_rcm_tx(q->port, now_ns);

	if (skb)
		lossless_control(sch, skb);
	return skb;
}

/**
 * lossless_own_due() - find the pause and notification that are due
 * @port: the port
 * @now_ns: the time
 * @wake_ns: lowered to the time when others will be
 *
 * Return: for lossless_own_write(); 0: none.
 */
unsigned int lossless_own_due(struct lle_port *port, u64 now_ns, u64 *wake_ns)
{
	u64 cn_due_ns = READ_ONCE(port->cn_due_ns);
	u8 want = READ_ONCE(port->attention.want);
	unsigned int due = 0;

	/* a kick may come late: net_tx_action() runs deactivated qdiscs, too */
	if (!netif_running(port->dev))
		return 0;
	if (lle_pause_tx_due(&port->tx, want, now_ns))
		due |= LOSSLESS_PAUSE;
	else if (want)
		*wake_ns = min(*wake_ns, READ_ONCE(port->tx.refresh_ns));
	if (now_ns >= cn_due_ns)
		due |= LOSSLESS_CN;
	else
		*wake_ns = min(*wake_ns, cn_due_ns);
	return due;
}

/**
 * lossless_own_write() - write the first frame that is due
 * @sch: the qdisc
 * @due: lossless_own_due(), not 0
 * @now_ns: the time
 * @wake_ns: without memory lowered to a time soon, as the peer must know
 *
 * Return: the frame; NULL without memory.
 */
struct sk_buff *lossless_own_write(struct Qdisc *sch, unsigned int due,
				   u64 now_ns, u64 *wake_ns)
{
	struct sk_buff *skb = NULL;

	if (due & LOSSLESS_PAUSE)
		skb = lossless_pause(sch, now_ns);
	if (!skb && due & LOSSLESS_CN)
		skb = lossless_cn(sch, now_ns);
	if (!skb)
		*wake_ns = min(*wake_ns, now_ns + NSEC_PER_MSEC);
	return skb;
}

/**
 * lossless_own_message() - take the message that waits first
 * @sch: the qdisc; lossless_has_message() is true
 *
 * A frame that the device has refused is before it.
 *
 * Return: the frame; NULL: its list has just been emptied.
 */
struct sk_buff *lossless_own_message(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb = q->refused;

	if (skb) {
		q->refused = NULL;
		lossless_set_slow(q);
	} else {
		skb = lle_tx_next(q->port);
	}
	if (skb)
		lossless_control(sch, skb);
	return skb;
}

/**
 * lossless_requeue_own() - take back a frame that the device has refused, as
 *	lle_port_ops.requeue_own
 * @sch: the qdisc
 * @skb: the frame; it has been on the link
 *
 * It leaves first, as one that the stack has requeued.
 */
void lossless_requeue_own(struct Qdisc *sch, struct sk_buff *skb)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	kfree_skb(q->refused);
	q->refused = skb;
	lossless_set_slow(q);
}
