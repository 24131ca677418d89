// SPDX-License-Identifier: GPL-2.0
/*
 * Passes pauses and messages to the detection algorithm, under the switch's
 * lock. Callers with a qdisc's root lock only mark work as due, for work.c. The
 * receive hook, without a qdisc's lock, evaluates at once.
 */
#include "deadlock.h"

/*
 * Accepted messages of a port: one per LLE_DEADLOCK_GAP_NS on average, and a
 * burst. Above what a correct neighbour sends; bounds the cost of a hostile
 * one.
 */
#define LLE_DEADLOCK_GAP_NS	10000
#define LLE_DEADLOCK_BURST	256

/**
 * lle_deadlock_event_xoff() - a port pauses or resumes its neighbour
 * @port: the port
 * @prio: the priority
 * @pause: the pause begins
 *
 * A resume not caused by draining to XON invalidates the port's probes. A port
 * without slot has been deleted: detection requires slots.
 * Context: under the switch's lock.
 */
void lle_deadlock_event_xoff(struct lle_port *port, unsigned int prio,
			     bool pause)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	struct lle_deadlock *dl = port->sw->deadlock;

	if (!dl || port->slot == LLE_MAX_PORTS)
		return;
	if (pause) {
		u64 now_ns = ktime_get_ns();

		lle_exact_pause_tx(dl->exact[prio], port->slot, in->pg.xon,
				   now_ns);
		in->news_ns = now_ns;
		in->repeat_ns = now_ns + dl->repeat_min_ns;
	} else {
		lle_exact_resume_tx(dl->exact[prio], port->slot,
				    lle_sb_occ(&in->pg) > in->pg.xon);
	}
	lle_deadlock_look(dl);
}

/* Sums counters over all priorities. Under the switch's lock. */
void lle_deadlock_event_sum_stats(const struct lle_deadlock *dl,
				  struct lle_deadlock_stats *stats)
{
	unsigned int p;

	*stats = dl->stats;
	stats->lossy = 0;
	stats->parking_bytes = dl->sw->parking.used_bytes;
	stats->parking_max_bytes = dl->sw->parking.max_bytes;
	stats->parking_limit_bytes = dl->sw->parking.limit_bytes;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		const struct lle_dl_stats *s = lle_exact_stats(dl->exact[p]);

		stats->lossy += hweight64(dl->demoted[p]);
		stats->declared += s->declared;
		stats->probes += s->probes;
		stats->cancels += s->cancels;
	}
}

/**
 * lle_deadlock_event_read_stats() - read the counters of detection
 * @sw: the switch
 * @stats: result; 0: detection is off
 * Context: any. Return: enum lle_deadlock_action.
 */
u8 lle_deadlock_event_read_stats(struct lle_switch *sw,
				 struct lle_deadlock_stats *stats)
{
	u8 action = LLE_DEADLOCK_OFF;

	*stats = (struct lle_deadlock_stats){};
	spin_lock_bh(&sw->lock);
	if (sw->deadlock) {
		lle_deadlock_event_sum_stats(sw->deadlock, stats);
		action = sw->deadlock->action;
	}
	spin_unlock_bh(&sw->lock);
	return action;
}

static void lle_deadlock_escaped(struct lle_deadlock *dl, unsigned int slot,
				 unsigned int prio)
{
	dl->escape_egress[prio] &= ~BIT_ULL(slot);
	if (!dl->escape_egress[prio])
		dl->escape[prio] = 0;
}

static void lle_deadlock_expire(struct lle_deadlock *dl, unsigned int prio,
				u64 now_ns)
{
	u64 expired = dl->expired[prio], since_ns;
	const struct lle_port *port;
	unsigned int slot;

	dl->expired[prio] = 0;
	lle_dl_for_each(slot, expired) {
		lle_deadlock_escaped(dl, slot, prio);
		port = rcu_dereference(dl->sw->slot[slot]);
		since_ns = port ? READ_ONCE(port->rx.since_ns[prio]) : now_ns;
		lle_exact_resume_rx(dl->exact[prio], slot, true, since_ns,
				    now_ns, &dl->out);
	}
}

static void lle_deadlock_settle(struct lle_deadlock *dl, unsigned int prio,
				u64 now_ns)
{
	lle_exact_set_full(dl->exact[prio],
			   lle_parking_is_short(&dl->sw->parking));
	lle_deadlock_expire(dl, prio, now_ns);
}

/* Evaluates all that is due. Switch's lock, no qdisc's lock held. */
void lle_deadlock_event_run(struct lle_deadlock *dl, unsigned int prio,
			    u64 now_ns)
{
	lle_deadlock_settle(dl, prio, now_ns);
	lle_exact_run(dl->exact[prio], now_ns, &dl->out);
}

static void lle_deadlock_class(struct lle_port *port, unsigned int prio,
			       const struct lle_dl_msg *msg, u64 now_ns)
{
	struct lle_deadlock *dl = port->sw->deadlock;

	if (msg && msg->prio != prio)
		msg = NULL;
	dl->stats.received += !!msg;
	lle_deadlock_settle(dl, prio, now_ns);
	if (port->rx.paused & BIT(prio)) {
		lle_exact_pause_rx(dl->exact[prio], port->slot, msg,
				   port->rx.until_ns[prio], now_ns, &dl->out);
	} else {
		lle_deadlock_escaped(dl, port->slot, prio);
		lle_exact_resume_rx(dl->exact[prio], port->slot,
				    msg && msg->type == LLE_DL_BROKEN,
				    port->rx.since_ns[prio], now_ns, &dl->out);
	}
	lle_deadlock_record_declared(dl, prio, now_ns);
}

/**
 * lle_deadlock_event_pfc() - process received PFC frames
 * @port: the port
 * @prios: bit p: a frame pauses or resumes priority p
 * @ended: bit p: a pause of priority p has ended in between
 * @msg: message in the last frame; NULL: none
 * @now_ns: the time
 *
 * Ignores discarded priorities and those that ignore pauses: nothing waits.
 * Context: under the port's pause_lock, after its pauses have changed.
 */
void lle_deadlock_event_pfc(struct lle_port *port, u8 prios, u8 ended,
			    const struct lle_dl_msg *msg, u64 now_ns)
{
	struct lle_switch *sw = port->sw;
	unsigned long held;
	unsigned int p;

	/* new detection reads all pauses later, under pause_lock */
	if (likely(!READ_ONCE(sw->deadlock)))
		return;
	spin_lock(&sw->lock);
	if (sw->deadlock) {
		lle_deadlock_event_freed(port, ended);
		held = prios & port->pfc_en & ~(port->attention.discard | port->disobey);
		for_each_set_bit(p, &held, LLE_NUM_PRIO)
			lle_deadlock_class(port, p, msg, now_ns);
		lle_deadlock_look(sw->deadlock);
	}
	spin_unlock(&sw->lock);
}

/*
 * Charges a message to the budget of the receiving port. False: ignore it.
 * Under the switch's lock.
 */
bool lle_deadlock_event_admit(struct lle_deadlock *dl, struct lle_port *port,
			      u64 now_ns)
{
	dl->stats.received++;
	if (lle_budget_take(&port->messages, LLE_DEADLOCK_GAP_NS,
			    LLE_DEADLOCK_BURST, now_ns))
		return true;
	dl->stats.ignored++;
	return false;
}

/*
 * Queues a message of slot @slot for a frame of its own; drops it if the queue
 * is full. Under the switch's lock.
 */
void lle_deadlock_event_append(struct lle_deadlock *dl, unsigned int slot,
			       const struct lle_dl_msg *msg)
{
	struct lle_dl_out *out = &dl->out;

	if (out->num == LLE_DL_SENDS)
		return;
	out->send[out->num++] = (struct lle_dl_send) {
		.port = slot,
		.msg = *msg,
	};
	lle_deadlock_look(dl);
}

/**
 * lle_deadlock_event_message() - process a message from a frame of its own
 * @port: the receiving port
 * @msg: the message
 * @now_ns: the time
 * Context: BH off, RCU, no qdisc's lock held.
 */
void lle_deadlock_event_message(struct lle_port *port,
				const struct lle_dl_msg *msg, u64 now_ns)
{
	struct lle_switch *sw = port->sw;
	struct lle_deadlock *dl;

	spin_lock(&sw->lock);
	dl = sw->deadlock;
	if (dl && lle_deadlock_event_admit(dl, port, now_ns)) {
		lle_deadlock_settle(dl, msg->prio, now_ns);
		lle_exact_message_rx(dl->exact[msg->prio], port->slot, msg,
				     now_ns, &dl->out);
		lle_deadlock_record_declared(dl, msg->prio, now_ns);
		lle_deadlock_look(dl);
	}
	spin_unlock(&sw->lock);
}

/**
 * lle_deadlock_event_freed() - received pauses no longer hold packets
 * @port: the port
 * @prios: bit p: of priority p
 * Context: under the switch's lock.
 */
void lle_deadlock_event_freed(struct lle_port *port, u8 prios)
{
	struct lle_deadlock *dl = port->sw->deadlock;
	unsigned long freed = prios;
	unsigned int p;

	if (!dl || !prios)
		return;
	for_each_set_bit(p, &freed, LLE_NUM_PRIO)
		dl->expired[p] |= BIT_ULL(port->slot);
	lle_deadlock_look(dl);
}

/**
 * lle_deadlock_event_ended() - received pauses have ended without a resume
 * @port: the port
 * @prios: bit p: of priority p
 * Context: under the port's pause_lock; also under a qdisc's root lock.
 */
void lle_deadlock_event_ended(struct lle_port *port, u8 prios)
{
	if (likely(!READ_ONCE(port->sw->deadlock)))
		return;
	spin_lock(&port->sw->lock);
	lle_deadlock_event_freed(port, prios);
	spin_unlock(&port->sw->lock);
}
EXPORT_SYMBOL_GPL(lle_deadlock_event_ended);

/**
 * lle_deadlock_event_ride() - get the message for a PFC frame to be sent
 * @port: the port
 * @changed: bit p: first pause or resume of priority p
 * @want: bit p: pauses priority p
 * @msg: result if true is returned
 *
 * Frames that only repeat pauses carry the messages of their priorities in
 * turn.
 * Context: under the port's pause_lock, and the root lock while the qdisc is
 * active. Return: true: send @msg.
 */
bool lle_deadlock_event_ride(struct lle_port *port, u8 changed, u8 want,
			     struct lle_dl_msg *msg)
{
	struct lle_switch *sw = port->sw;
	struct lle_deadlock *dl;
	struct lle_dl_msg more;
	unsigned int n, p;
	bool said = false;

	if (likely(!READ_ONCE(sw->deadlock)))
		return false;
	spin_lock_bh(&sw->lock);
	dl = sw->deadlock;
	if (!dl)
		goto out;
	if (!changed)
		dl->turn++;
	for (n = 0; n < LLE_NUM_PRIO; n++) {
		p = (dl->turn + n) % LLE_NUM_PRIO;
		if (!((changed ? changed : want) & BIT(p)) ||
		    !lle_exact_send_ride(dl->exact[p], port->slot,
					 want & BIT(p), said ? &more : msg))
			continue;
		if (said)
			lle_deadlock_event_append(dl, port->slot, &more);
		said = true;
		if (!changed)
			break;
	}
out:
	spin_unlock_bh(&sw->lock);
	return said;
}
