// SPDX-License-Identifier: GPL-2.0
/*
 * Frames made by the port: pauses, congestion notifications, messages. They
 * precede all data, and are never paused. Under the root lock.
 */
#include "../kmod/lossless/congestion.h"
#include "../kmod/lossless/tx.h"
#include "queue.h"

/* Frames that may be due */
#define LOSSLESS_PAUSE	BIT(0)
#define LOSSLESS_CN	BIT(1)

static struct sk_buff *lossless_pause(struct Qdisc *sch, u64 now_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb;

	skb = lle_tx_pause_frame(q->port, now_ns);
	if (skb)
		lossless_qdisc_add_control(sch, skb);
	return skb;
}

static struct sk_buff *lossless_cn(struct Qdisc *sch, u64 now_ns)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb = lle_notification_tx(q->port, now_ns);

	if (skb)
		lossless_qdisc_add_control(sch, skb);
	return skb;
}

/*
 * Finds the pause and notification that are due: for lossless_own_write(), or 0.
 * Lowers @wake_ns to the time when others will be.
 */
unsigned int lossless_own_due(struct lle_port *port, u64 now_ns, u64 *wake_ns)
{
	u64 cn_due_ns = READ_ONCE(port->cn_due_ns);
	u8 want = READ_ONCE(port->attention.want);
	unsigned int due = 0;

	/* a kick may be late: net_tx_action() runs deactivated qdiscs too */
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

/*
 * Writes the first frame of @due, not 0. NULL: no memory; lowers @wake_ns to
 * retry soon.
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

/*
 * Takes the first waiting message, after a frame refused by the device.
 * lossless_qdisc_has_message() is true. NULL: the list has just been emptied.
 */
struct sk_buff *lossless_own_message(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct sk_buff *skb = q->refused;

	if (skb) {
		q->refused = NULL;
		lossless_qdisc_set_slow(q);
	} else {
		skb = lle_tx_next(q->port);
	}
	if (skb)
		lossless_qdisc_add_control(sch, skb);
	return skb;
}

/*
 * lle_port_ops.requeue_own: the device has refused a frame after the link. It
 * leaves first, like a packet requeued by the stack.
 */
void lossless_own_requeue(struct Qdisc *sch, struct sk_buff *skb)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	kfree_skb(q->refused);
	q->refused = skb;
	lossless_qdisc_set_slow(q);
}
