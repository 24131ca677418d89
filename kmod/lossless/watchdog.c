// SPDX-License-Identifier: GPL-2.0
/*
 * Storm watchdog of a port: enforces decisions of core/pfc/watchdog.c.
 *
 * Events run it: a received pause, a packet queued at an empty paused queue, a
 * timeout; no process has to. In a storm the port drops packets in both
 * directions (LOSSLESS_WATCHDOG_ACTION_DROP) or ignores pauses
 * (LOSSLESS_WATCHDOG_ACTION_FORWARD); pauses still count, as their end is the
 * storm's end.
 *
 * On a port of role host it is a NIC's watchdog: a NIC that pauses its switch
 * while its pipeline takes no packet stops pausing, in all priorities, for
 * good.
 *
 * port->pause_lock protects it; locks of a host's queue and the switch nest
 * inside.
 */
#include "admit.h"
#include "deadlock/deadlock.h"
#include "event.h"
#include "host.h"
#include "rx_pause.h"
#include "stats.h"
#include "trace.h"
#include "tx.h"
#include "watchdog.h"

/* Restoration time of a quarantined host without watchdog */
#define LLE_WATCHDOG_QUIET_NS	(200 * NSEC_PER_MSEC)

/*
 * Doubled for each quarantine within LLE_WATCHDOG_SOON restoration times, up to
 * this power of two.
 */
#define LLE_WATCHDOG_AGAIN_MAX	6
#define LLE_WATCHDOG_SOON	10

static void lle_watchdog_count(const struct lle_port *port, unsigned int prio,
			       struct lle_watchdog_counters *c)
{
	c->tx_packets = lle_stats_peek(port->egress[prio].packets);
	c->tx_dropped = lle_stats_peek(port->drop_pkts[prio][LLE_DROP_STORM]);
	lle_stats_rx(port, prio, &c->rx_packets, &c->rx_dropped);
}

/* Time since which a queue, or the pipeline of a NIC, cannot drain. */
static u64 lle_watchdog_stuck_since(struct lle_port *port, unsigned int prio,
				    u64 now_ns)
{
	const struct lle_watchdog_prio *s = &port->watchdog.prio[prio];
	u64 since_ns;

	if (port->watchdog.nic)
		return lle_host_stuck_since(port, prio);
	if (!(port->rx.paused & BIT(prio)) ||
	    !lle_stats_peek(port->egress[prio].backlog))
		return LLE_WATCHDOG_NEVER;
	since_ns = max(port->rx.since_ns[prio], READ_ONCE(s->waiting_since_ns));
	return min(since_ns, now_ns);
}

/*
 * A quarantined host still gets its packets: without them, a slow host would
 * not pause, be released, and begin again.
 */
static enum lossless_watchdog_action lle_watchdog_action(const struct lle_watchdog_prio *s)
{
	return s->quarantined ? LOSSLESS_WATCHDOG_ACTION_FORWARD :
				s->params.action;
}

static struct lle_watchdog_config
lle_watchdog_times(const struct lle_watchdog_prio *s)
{
	struct lle_watchdog_config times = s->params.times;

	if (s->quarantined) {
		if (!times.detection_ns)
			times.restoration_ns = LLE_WATCHDOG_QUIET_NS;
		times.restoration_ns <<= s->again;
	}
	return times;
}

static void lle_watchdog_enforce(struct lle_port *port)
{
	const struct lle_watchdog *w = &port->watchdog;
	u8 discard = 0, disobey = 0, mute = 0;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!w->prio[p].state.stormed)
			continue;
		if (lle_watchdog_action(&w->prio[p]) == LOSSLESS_WATCHDOG_ACTION_DROP)
			discard |= BIT(p);
		if (lle_watchdog_action(&w->prio[p]) == LOSSLESS_WATCHDOG_ACTION_FORWARD)
			disobey |= BIT(p);
	}
	if (READ_ONCE(port->sw->discard))
		discard |= w->watched & port->pfc_en;
	if (w->nic) {
		mute = discard | disobey ? ~0 : 0;
		discard = 0;
		disobey = 0;
	}

	WRITE_ONCE(port->disobey, disobey);
	spin_lock(&port->sw->lock);
	lle_deadlock_event_freed(port, discard | disobey);
	WRITE_ONCE(port->attention.discard, discard);
	port->mute = mute;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_admit_update_pause(port, p);
	spin_unlock(&port->sw->lock);
}

static void lle_watchdog_begin(struct lle_port *port, unsigned int prio)
{
	struct lle_watchdog_prio *s = &port->watchdog.prio[prio];

	s->stats.detected++;
	s->stats.since_ns = s->state.since_ns;
	s->stats.until_ns = 0;
	lle_watchdog_count(port, prio, &s->start);
}

/* Counts packets passed in a storm with action forward or alert. */
static void lle_watchdog_passed(const struct lle_watchdog_prio *s,
				const struct lle_watchdog_counters *now,
				struct lle_watchdog_stats *stats)
{
	stats->last_tx_packets = now->tx_packets - s->start.tx_packets;
	stats->last_rx_packets = now->rx_packets - s->start.rx_packets;
	stats->tx_packets += stats->last_tx_packets;
	stats->rx_packets += stats->last_rx_packets;
}

static void lle_watchdog_over(struct lle_port *port, unsigned int prio,
			      u64 now_ns)
{
	struct lle_watchdog_prio *s = &port->watchdog.prio[prio];
	struct lle_watchdog_counters now;

	lle_watchdog_count(port, prio, &now);
	lle_watchdog_passed(s, &now, &s->stats);
	s->quarantined = false;
	s->stats.restored++;
	s->stats.until_ns = now_ns;
}

/**
 * struct lle_watchdog_news - storms that have just begun or ended
 * @now_ns: the time
 * @begun: bit p: of priority p
 * @over: bit p: of priority p
 * @since_ns: by priority: time since which it is stuck, or free of pauses
 */
struct lle_watchdog_news {
	u64 now_ns;
	u8 begun;
	u8 over;
	u64 since_ns[LLE_NUM_PRIO];
};

static void lle_watchdog_report(struct lle_port *port,
				const struct lle_watchdog_news *news)
{
	u8 any = news->begun | news->over;
	unsigned int p;

	if (!any)
		return;
	lle_tx_kick(port);
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		bool begun = news->begun & BIT(p);
		struct lle_watchdog_stats stats;

		if (!(any & BIT(p)))
			continue;
		trace_lle_storm(port, p, begun);
		lle_watchdog_read(port, p, &stats);
		lle_event_storm(port, p, begun, news->since_ns[p], &stats,
				news->now_ns);
	}
}

/**
 * lle_watchdog_look() - act on a received pause or a timeout
 * @port: the port
 * Context: BH off; also under the root lock, but not under @port->pause_lock.
 */
void lle_watchdog_look(struct lle_port *port)
{
	struct lle_watchdog *w = &port->watchdog;
	u64 now_ns, next_ns = U64_MAX, at_ns;
	struct lle_watchdog_news news = {};
	unsigned int p;

	rcu_read_lock();
	spin_lock(&port->pause_lock);
	now_ns = ktime_get_ns();
	news.now_ns = now_ns;
	lle_rx_pause_update(port, now_ns);
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		struct lle_watchdog_prio *s = &w->prio[p];
		const struct lle_watchdog_config times = lle_watchdog_times(s);
		const struct lle_watchdog_view view = {
			.stuck_since_ns =
				lle_watchdog_stuck_since(port, p, now_ns),
			.quiet_since_ns =
				lle_pause_rx_quiet_since(&port->rx, p),
		};

		switch (lle_watchdog_step(&times, &s->state, &view, now_ns,
					  &at_ns)) {
		case LLE_WATCHDOG_STORM:
			lle_watchdog_begin(port, p);
			news.begun |= BIT(p);
			news.since_ns[p] = view.stuck_since_ns;
			break;
		case LLE_WATCHDOG_RESTORE:
			news.over |= BIT(p);
			news.since_ns[p] = view.quiet_since_ns;
			break;
		case LLE_WATCHDOG_NONE:
			break;
		}
		next_ns = min(next_ns, at_ns);
	}
	if (news.begun | news.over)
		lle_watchdog_enforce(port);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (news.over & BIT(p))
			lle_watchdog_over(port, p, now_ns);

	/* an early timer is harmless, and is set again */
	if (next_ns != U64_MAX &&
	    (!hrtimer_is_queued(&w->timer) ||
	     next_ns < ktime_to_ns(hrtimer_get_expires(&w->timer))))
		hrtimer_start(&w->timer, ns_to_ktime(next_ns),
			      HRTIMER_MODE_ABS_PINNED_SOFT);
	spin_unlock(&port->pause_lock);
	rcu_read_unlock();

	lle_watchdog_report(port, &news);
}

static enum hrtimer_restart lle_watchdog_timer(struct hrtimer *timer)
{
	lle_watchdog_look(container_of(timer, struct lle_port, watchdog.timer));
	return HRTIMER_NORESTART;
}

/**
 * lle_watchdog_waits() - act on a packet queued at an empty paused queue
 * @port: its egress port
 * @prio: its priority
 * Context: under the root lock.
 */
void lle_watchdog_waits(struct lle_port *port, unsigned int prio)
{
	WRITE_ONCE(port->watchdog.prio[prio].waiting_since_ns, ktime_get_ns());
	if (READ_ONCE(port->watchdog.watched) & BIT(prio))
		lle_watchdog_look(port);
}
EXPORT_SYMBOL_GPL(lle_watchdog_waits);

/**
 * lle_watchdog_set() - set the watchdog of some priorities
 * @port: the port
 * @prios: bit p: of priority p
 * @params: times and action; also for a storm that lasts
 * Context: process, RTNL.
 */
void lle_watchdog_set(struct lle_port *port, u8 prios,
		      const struct lle_watchdog_params *params)
{
	struct lle_watchdog *w = &port->watchdog;
	unsigned int p;
	u8 off;

	spin_lock_bh(&port->pause_lock);
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!(prios & BIT(p)))
			continue;
		w->prio[p].params = *params;
		if (w->nic)
			w->prio[p].params.times.restoration_ns = 0;
	}
	if (params->times.detection_ns)
		WRITE_ONCE(w->watched, w->watched | prios);
	else
		WRITE_ONCE(w->watched, w->watched & ~prios);
	off = prios & ~w->watched;
	lle_watchdog_enforce(port);
	spin_unlock_bh(&port->pause_lock);

	lle_watchdog_end(port, off);
	local_bh_disable();
	lle_watchdog_look(port);
	local_bh_enable();
	/* drop or send queued packets now */
	lle_tx_kick(port);
}

/* Returns true if it quarantines the host. Under @port->pause_lock. */
static bool lle_watchdog_quarantine_prio(struct lle_port *port,
					 unsigned int prio, u64 now_ns)
{
	struct lle_watchdog_prio *s = &port->watchdog.prio[prio];
	u64 quiet_ns;

	if (port->watchdog.nic || s->state.stormed ||
	    !(port->pfc_en & BIT(prio)))
		return false;
	s->quarantined = true;
	quiet_ns = lle_watchdog_times(s).restoration_ns;
	if (s->stats.until_ns &&
	    now_ns - s->stats.until_ns < LLE_WATCHDOG_SOON * quiet_ns)
		s->again = min(s->again + 1, LLE_WATCHDOG_AGAIN_MAX);
	else
		s->again = 0;
	quiet_ns = lle_watchdog_times(s).restoration_ns;
	if (quiet_ns &&
	    now_ns >= lle_pause_rx_quiet_since(&port->rx, prio) + quiet_ns) {
		s->quarantined = false;
		return false;
	}
	s->state.stormed = true;
	s->state.since_ns = now_ns;
	s->stats.quarantined++;
	lle_watchdog_begin(port, prio);
	lle_watchdog_enforce(port);
	return true;
}

/**
 * lle_watchdog_quarantine() - ignore pauses of a host that led to a deadlock
 * @port: the port of the host
 * @prio: the priority
 *
 * Lasts until the host behaves; skips a host that already does.
 * Context: BH off, RCU, no lock held. Return: false: nothing has changed.
 */
bool lle_watchdog_quarantine(struct lle_port *port, unsigned int prio)
{
	struct lle_watchdog_news news = { .now_ns = ktime_get_ns() };

	spin_lock(&port->pause_lock);
	lle_rx_pause_update(port, news.now_ns);
	news.since_ns[prio] = port->rx.since_ns[prio];
	if (lle_watchdog_quarantine_prio(port, prio, news.now_ns))
		news.begun = BIT(prio);
	spin_unlock(&port->pause_lock);

	if (!news.begun)
		return false;
	/* sets the timer for the end of the quarantine */
	lle_watchdog_look(port);
	lle_watchdog_report(port, &news);
	return true;
}

/**
 * lle_watchdog_end() - end storms: link down, or no PFC or watchdog
 * @port: the port
 * @prios: bit p: of priority p
 * Context: process, RTNL.
 */
void lle_watchdog_end(struct lle_port *port, u8 prios)
{
	struct lle_watchdog_news news = { .now_ns = ktime_get_ns() };
	unsigned int p;

	spin_lock_bh(&port->pause_lock);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if ((prios & BIT(p)) && port->watchdog.prio[p].state.stormed) {
			port->watchdog.prio[p].state.stormed = false;
			news.over |= BIT(p);
			news.since_ns[p] = news.now_ns;
		}
	lle_watchdog_enforce(port);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (news.over & BIT(p))
			lle_watchdog_over(port, p, news.now_ns);
	spin_unlock_bh(&port->pause_lock);

	lle_watchdog_report(port, &news);
}

/**
 * lle_watchdog_role() - set whether the port is that of a NIC
 * @port: the port
 * @nic: it is; a change disables its watchdogs
 * Context: process, RTNL.
 */
void lle_watchdog_role(struct lle_port *port, bool nic)
{
	static const struct lle_watchdog_params off;

	if (port->watchdog.nic == nic)
		return;
	lle_watchdog_set(port, ~0, &off);
	spin_lock_bh(&port->pause_lock);
	port->watchdog.nic = nic;
	spin_unlock_bh(&port->pause_lock);
}

/**
 * lle_watchdog_discard() - apply a new discard setting of the switch
 * @port: one of its ports
 * Context: process, RTNL.
 */
void lle_watchdog_discard(struct lle_port *port)
{
	spin_lock_bh(&port->pause_lock);
	lle_watchdog_enforce(port);
	spin_unlock_bh(&port->pause_lock);
	lle_tx_kick(port);
}

/**
 * lle_watchdog_read() - read the counters of a watchdog
 * @port: the port
 * @prio: the priority
 * @stats: result
 * Context: any. Return: true: storm.
 */
bool lle_watchdog_read(struct lle_port *port, unsigned int prio,
		       struct lle_watchdog_stats *stats)
{
	const struct lle_watchdog_prio *s = &port->watchdog.prio[prio];
	struct lle_watchdog_counters now;
	bool stormed;

	spin_lock_bh(&port->pause_lock);
	*stats = s->stats;
	lle_watchdog_count(port, prio, &now);
	stormed = s->state.stormed;
	if (stormed)
		lle_watchdog_passed(s, &now, stats);
	/* these count only while the port discards: do not freeze them */
	stats->tx_dropped = now.tx_dropped - s->cleared.tx_dropped;
	stats->rx_dropped = now.rx_dropped - s->cleared.rx_dropped;
	stats->last_tx_dropped = now.tx_dropped - s->start.tx_dropped;
	stats->last_rx_dropped = now.rx_dropped - s->start.rx_dropped;
	spin_unlock_bh(&port->pause_lock);
	return stormed;
}

/**
 * lle_watchdog_clear() - clear counters, except of stormed priorities
 * @port: the port
 * Context: process, RTNL.
 */
void lle_watchdog_clear(struct lle_port *port)
{
	unsigned int p;

	spin_lock_bh(&port->pause_lock);
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		struct lle_watchdog_prio *s = &port->watchdog.prio[p];

		if (s->state.stormed)
			continue;
		memset(&s->stats, 0, sizeof(s->stats));
		lle_watchdog_count(port, p, &s->start);
		s->cleared = s->start;
	}
	spin_unlock_bh(&port->pause_lock);
}

/* The watchdogs of a new port are off. */
void lle_watchdog_init(struct lle_port *port)
{
	hrtimer_setup(&port->watchdog.timer, lle_watchdog_timer,
		      CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_SOFT);
}

/**
 * lle_watchdog_exit() - stop the watchdogs of a port that ends
 * @port: the port, otherwise unused now
 * Context: process.
 */
void lle_watchdog_exit(struct lle_port *port)
{
	hrtimer_cancel(&port->watchdog.timer);
}
