// SPDX-License-Identifier: GPL-2.0
/*
 * Deferred work of detection: evaluation, timeouts, reports, and messages in
 * frames of their own. Runs in a softirq, without a qdisc's lock.
 */
#include "../event.h"
#include "../trace.h"
#include "../tx.h"
#include "deadlock.h"

/* A pause is repeated after the age of its news, divided by this. */
#define LLE_DEADLOCK_PATIENCE		2

/* Repeats pauses and messages, ever less often. Returns ns to the next call. */
static u64 lle_deadlock_refresh(struct lle_deadlock *dl, unsigned int prio,
				u64 now_ns)
{
	u64 pausing = lle_exact_pausing(dl->exact[prio]);
	u64 wait_ns = U64_MAX;
	unsigned int slot;

	lle_dl_for_each(slot, pausing) {
		struct lle_port_ingress *in;
		struct lle_port *port;

		port = rcu_dereference(dl->sw->slot[slot]);
		if (!port)
			continue;
		in = &port->ingress[prio];
		if (lle_exact_news(dl->exact[prio], slot)) {
			in->news_ns = now_ns;
			in->repeat_ns = min(in->repeat_ns,
					    now_ns + dl->repeat_min_ns);
		}
		if (now_ns >= in->repeat_ns) {
			lle_exact_refresh(dl->exact[prio], slot, now_ns,
					  &dl->out);
			dl->repeat |= BIT_ULL(slot);
			in->repeat_ns = now_ns +
				clamp((now_ns - in->news_ns) /
				      LLE_DEADLOCK_PATIENCE,
				      dl->repeat_min_ns, dl->repeat_max_ns);
		}
		wait_ns = min(wait_ns, in->repeat_ns - now_ns);
	}
	return wait_ns;
}

/* Under the switch's lock. Returns ns until the next call, or U64_MAX. */
static u64 lle_deadlock_evaluate(struct lle_deadlock *dl, u64 now_ns)
{
	u64 wait_ns = U64_MAX;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		lle_deadlock_event_run(dl, p, now_ns);
		lle_exact_timer(dl->exact[p], now_ns, &dl->out);
		wait_ns = min(wait_ns, lle_deadlock_refresh(dl, p, now_ns));
		lle_deadlock_record_declared(dl, p, now_ns);
		wait_ns = min(wait_ns,
			      lle_exact_timer_wait(dl->exact[p], now_ns));
		wait_ns = min(wait_ns,
			      lle_deadlock_demote_end_quiet(dl, p, now_ns));
		if (lle_exact_is_due(dl->exact[p]))
			lle_deadlock_look(dl);
	}
	return min(wait_ns, lle_deadlock_record_retry(dl, now_ns));
}

static void lle_deadlock_repeat(struct lle_deadlock *dl, u64 repeat, u64 now_ns)
{
	unsigned int slot;

	lle_dl_for_each(slot, repeat) {
		struct lle_port *port = rcu_dereference(dl->sw->slot[slot]);

		if (!port)
			continue;
		spin_lock(&port->pause_lock);
		WRITE_ONCE(port->tx.refresh_ns, now_ns);
		spin_unlock(&port->pause_lock);
		lle_tx_kick(port);
	}
}

/* Returns the number of unsent messages. */
static unsigned int lle_deadlock_send(struct lle_deadlock *dl)
{
	const struct lle_dl_out *out = &dl->sending;
	unsigned int n, failed = 0;

	for (n = 0; n < out->num; n++) {
		struct lle_port *port;
		struct sk_buff *skb;
		void *rest;

		port = rcu_dereference(dl->sw->slot[out->send[n].port]);
		if (!port)
			continue;
		skb = lle_tx_message(port, &out->send[n].msg, 0, &rest);
		if (skb)
			lle_tx_send(port, skb);
		else
			failed++;
	}
	return failed;
}

/* Breaks and reports deadlocks. No lock held. */
static void lle_deadlock_report(struct lle_deadlock *dl)
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

static void lle_deadlock_work(struct tasklet_struct *work)
{
	struct lle_deadlock *dl = from_tasklet(dl, work, work);
	struct lle_switch *sw = dl->sw;
	u64 now_ns = ktime_get_ns(), wait_ns, repeat;
	unsigned int failed;

	rcu_read_lock();
	spin_lock(&sw->lock);
	wait_ns = lle_deadlock_evaluate(dl, now_ns);
	dl->sending.num = dl->out.num;
	memcpy(dl->sending.send, dl->out.send,
	       dl->out.num * sizeof(dl->out.send[0]));
	dl->out.num = 0;
	dl->stats.sent += dl->sending.num;
	repeat = dl->repeat;
	dl->repeat = 0;
	if (wait_ns != U64_MAX && sw->deadlock == dl)
		hrtimer_start(&dl->timer, ns_to_ktime(now_ns + wait_ns),
			      HRTIMER_MODE_ABS_SOFT);
	spin_unlock(&sw->lock);

	lle_deadlock_repeat(dl, repeat, now_ns);
	failed = lle_deadlock_send(dl);
	if (failed) {
		spin_lock(&sw->lock);
		dl->stats.sent -= failed;
		spin_unlock(&sw->lock);
	}
	lle_deadlock_report(dl);
	rcu_read_unlock();
}

static enum hrtimer_restart lle_deadlock_timer(struct hrtimer *timer)
{
	struct lle_deadlock *dl = container_of(timer, struct lle_deadlock, timer);
	struct lle_switch *sw = dl->sw;

	spin_lock(&sw->lock);
	dl->stats.timers++;
	spin_unlock(&sw->lock);
	lle_deadlock_look(dl);
	return HRTIMER_NORESTART;
}

/* Sets up tasklet and timer of new detection. */
void lle_deadlock_work_init(struct lle_deadlock *dl)
{
	tasklet_setup(&dl->work, lle_deadlock_work);
	hrtimer_setup(&dl->timer, lle_deadlock_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

/*
 * Stops timer and tasklet of detection that is removed from its switch. Process
 * context.
 */
void lle_deadlock_work_exit(struct lle_deadlock *dl)
{
	hrtimer_cancel(&dl->timer);
	tasklet_kill(&dl->work);
}
