// SPDX-License-Identifier: GPL-2.0
/* Breaks and reports deadlocks; adds own hops to walks and forwards them. */
#include "../event.h"
#include "../trace.h"
#include "../tx.h"
#include "break.h"
#include "message.h"
#include "record.h"
#include "report.h"

/**
 * lle_deadlock_report() - break and report deadlocks
 * @dl: detection of the switch
 * Context: @dl->work, no lock held.
 */
void lle_deadlock_report(struct lle_deadlock *dl)
{
	struct lle_switch *sw = dl->sw;
	bool more;

	for (;;) {
		spin_lock(&sw->lock);
		more = lle_deadlock_record_next(dl);
		spin_unlock(&sw->lock);
		if (!more)
			break;
		lle_deadlock_break(dl, &dl->telling);
		spin_lock(&sw->lock);
		lle_deadlock_record_done(dl, &dl->telling);
		spin_unlock(&sw->lock);
		trace_lle_deadlock(sw, &dl->telling.info, dl->telling.hops);
		lle_event_deadlock(sw, &dl->telling);
	}
}

static void lle_deadlock_walk_on(struct lle_port *from, unsigned int slot,
				 const struct lle_dl_msg *msg, const void *said,
				 u64 now_ns)
{
	unsigned int len = msg->hops * sizeof(struct lle_dl_wire_hop);
	struct lle_switch *sw = from->sw;
	struct lle_dl_msg next = *msg;
	struct lle_port *port = NULL;
	struct lle_dl_hop hop;
	struct sk_buff *skb;
	void *rest;

	spin_lock(&sw->lock);
	if (sw->deadlock) {
		lle_deadlock_record_own_hop(sw->deadlock, msg->prio, from->slot,
					    slot, now_ns, &hop);
		port = rcu_dereference(sw->slot[slot]);
	}
	spin_unlock(&sw->lock);
	if (!port)
		return;

	next.hops++;
	skb = lle_tx_message(port, &next, len + sizeof(struct lle_dl_wire_hop),
			     &rest);
	if (!skb)
		return;
	memcpy(rest, said, len);
	lle_exact_walk_encode_hop(rest + len, &hop);
	lle_tx_send(port, skb);
}

/**
 * lle_deadlock_report_walk() - process a walk
 * @port: the receiving port
 * @msg: the message
 * @skb: its frame, at the message; the caller frees it
 * @now_ns: the time
 * Context: BH off, RCU, no qdisc's lock held.
 */
void lle_deadlock_report_walk(struct lle_port *port,
			      const struct lle_dl_msg *msg, struct sk_buff *skb,
			      u64 now_ns)
{
	unsigned int len = msg->hops * sizeof(struct lle_dl_wire_hop);
	struct lle_switch *sw = port->sw;
	struct lle_deadlock *dl;
	unsigned int slot;
	const void *said;
	u64 next = 0;

	if (msg->hops >= LLE_DL_HOPS - 1 ||
	    !pskb_may_pull(skb, sizeof(struct lle_dl_pad) + len))
		return;
	said = skb->data + sizeof(struct lle_dl_pad);

	spin_lock(&sw->lock);
	dl = sw->deadlock;
	if (dl && lle_deadlock_message_admit(dl, port, now_ns))
		next = lle_deadlock_record_walked(dl, port->slot, msg, said,
						  now_ns);
	spin_unlock(&sw->lock);

	lle_dl_for_each(slot, next)
		lle_deadlock_walk_on(port, slot, msg, said, now_ns);
}
