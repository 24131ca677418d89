// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses received.
 *
 * A PFC frame is obeyed at once. Reporting it to deadlock detection, the
 * watchdog and listeners costs much more, partly under the switch's lock: edge
 * hosts have a budget, scaled with the link. Frames above it are obeyed and
 * counted; their changes are reported with the next frame within the budget, or
 * by a timer.
 *
 * Pauses expire without an event. While there is a listener, one timer per port
 * reports expiry: at the next possible time; a refresh does not touch it.
 */
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>

#include "deadlock/deadlock.h"
#include "event.h"
#include "rx_pause.h"
#include "stats.h"
#include "trace.h"
#include "tx.h"
#include "watchdog.h"

/* Reads the deadlock message in a trusted neighbour's frame, or NULL. */
static const struct lle_dl_msg *lle_rx_pad(const struct lle_port *port,
					   const u8 *data, int len,
					   struct lle_dl_msg *msg)
{
	const struct lle_pfc_frame *frame = (const void *)data;

	if (len < LLE_PFC_FRAME_LEN || !lle_deadlock_trusts(port) ||
	    !lle_dl_wire_parse(frame->pad, msg))
		return NULL;
	return msg;
}

/* Defers a report; the timer is set while one is deferred. pause_lock. */
static void lle_rx_defer(struct lle_port *port, u8 prios, u8 changed,
			 u64 gap_ns)
{
	struct lle_port_pending *pending = &port->pending;
	u64 at_ns;

	if (!pending->prios) {
		at_ns = lle_budget_next(&pending->budget, gap_ns,
					LLE_BUDGET_PAUSE_BURST);
		hrtimer_start(&pending->timer, ns_to_ktime(at_ns),
			      HRTIMER_MODE_ABS_PINNED_SOFT);
	}
	pending->frames++;
	pending->prios |= prios;
	pending->changed |= changed;
}

/* Reports the end of the shown pauses. Under @port->pause_lock. */
static void lle_rx_expect(struct lle_port *port)
{
	struct lle_port_pending *pending = &port->pending;

	if (!pending->shown || pending->expires || !lle_event_wants_pause(port))
		return;
	pending->expires = true;
	hrtimer_start(&pending->expiry,
		      ns_to_ktime(lle_pause_rx_next(&port->rx, pending->shown)),
		      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/* Returns bit p: report priority p to listeners. Under @port->pause_lock. */
static u8 lle_rx_report(struct lle_port *port, u8 prios, u8 changed,
			const struct lle_dl_msg *msg, u64 now_ns)
{
	struct lle_port_pending *pending = &port->pending;

	lle_deadlock_event_pfc(port, prios | pending->prios, pending->changed,
			       msg, now_ns);
	changed |= pending->changed;
	pending->prios = 0;
	pending->changed = 0;
	/* expired without a report */
	changed |= pending->shown & ~port->rx.paused;
	pending->shown = port->rx.paused;
	lle_rx_expect(port);
	return changed;
}

static void lle_rx_notify(struct lle_port *port, u8 changed, u8 paused, u64 now_ns)
{
	lle_event_pause(port, LOSSLESS_DIRECTION_RX, changed, paused, now_ns);
	if (READ_ONCE(port->watchdog.watched))
		lle_watchdog_look(port);
}

/*
 * Tests whether packets of these priorities are queued. A later dequeue checks
 * the pauses; if it finds one, it takes @port->pause_lock, as the caller has
 * just done, and sees the resume.
 */
static bool lle_rx_holds(const struct lle_port *port, u8 prios)
{
	unsigned int p;

	for (p = 0; prios >> p; p++)
		if ((prios & BIT(p)) &&
		    lle_stats_peek(port->egress[p].backlog))
			return true;
	return false;
}

/**
 * lle_rx_pause() - obey a PFC frame
 * @port: the port
 * @pfc: the frame
 * @data: its bytes; untrusted
 * @len: number of these bytes
 * Context: BH off, RCU.
 */
void lle_rx_pause(struct lle_port *port, const struct lle_pfc *pfc,
		  const u8 *data, int len)
{
	const struct lle_port_params *params = rcu_dereference(port->params);
	struct lle_dl_msg buf;
	u64 gap_ns = lle_budget_pause_gap_ns(lle_port_speed(port, params)), now_ns = ktime_get_ns();
	u8 before, after, changed;
	bool tell;

	spin_lock(&port->pause_lock);
	before = port->rx.paused;
	lle_rx_pause_update(port, now_ns);
	lle_pause_rx_frame(&port->rx, pfc, params->pfc_en,
			   lle_port_speed(port, params), now_ns);
	lle_port_attend(port);
	after = port->rx.paused;
	changed = before ^ after;
	ether_addr_copy(port->peer_mac, data + ETH_ALEN);
	tell = params->facing != LLE_FACING_EDGE ||
	       lle_budget_take(&port->pending.budget, gap_ns,
			       LLE_BUDGET_PAUSE_BURST, now_ns);
	if (tell)
		changed = lle_rx_report(port, pfc->enable, changed,
					lle_rx_pad(port, data, len, &buf), now_ns);
	else
		lle_rx_defer(port, pfc->enable, changed, gap_ns);
	spin_unlock(&port->pause_lock);

	trace_lle_pause_rx(port, pfc);
	if (tell)
		lle_rx_notify(port, changed, after, now_ns);
	if (lle_rx_holds(port, before & ~after))
		lle_tx_kick(port);
}

static enum hrtimer_restart lle_rx_pause_timer(struct hrtimer *timer)
{
	struct lle_port *port = container_of(timer, struct lle_port,
					     pending.timer);
	const struct lle_port_params *params;
	u64 now_ns = ktime_get_ns();
	u8 changed = 0, paused;
	bool tell;

	rcu_read_lock();
	params = rcu_dereference(port->params);
	spin_lock(&port->pause_lock);
	paused = lle_rx_pause_update(port, now_ns);
	/* a frame may have reported it first */
	tell = port->pending.prios;
	if (tell) {
		lle_budget_take(&port->pending.budget,
				lle_budget_pause_gap_ns(lle_port_speed(port, params)),
				LLE_BUDGET_PAUSE_BURST, now_ns);
		changed = lle_rx_report(port, 0, 0, NULL, now_ns);
	}
	spin_unlock(&port->pause_lock);
	if (tell)
		lle_rx_notify(port, changed, paused, now_ns);
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart lle_rx_pause_expiry(struct hrtimer *timer)
{
	struct lle_port *port = container_of(timer, struct lle_port,
					     pending.expiry);
	struct lle_port_pending *pending = &port->pending;
	u64 now_ns = ktime_get_ns();
	u8 ended, paused;
	bool again;

	spin_lock(&port->pause_lock);
	paused = lle_rx_pause_update(port, now_ns);
	ended = pending->shown & ~paused;
	pending->shown &= paused;
	again = pending->shown && lle_event_wants_pause(port);
	pending->expires = again;
	if (again)
		hrtimer_set_expires(timer, ns_to_ktime(lle_pause_rx_next(&port->rx,
									 pending->shown)));
	spin_unlock(&port->pause_lock);
	lle_event_pause(port, LOSSLESS_DIRECTION_RX, ended, paused, now_ns);
	return again ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/**
 * lle_rx_pause_init() - prepare a new port to receive pauses
 * @port: the port
 */
void lle_rx_pause_init(struct lle_port *port)
{
	hrtimer_setup(&port->pending.timer, lle_rx_pause_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_SOFT);
	hrtimer_setup(&port->pending.expiry, lle_rx_pause_expiry, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/**
 * lle_rx_pause_exit() - stop the timers of a port that ends
 * @port: the port; receives nothing now
 * Context: process.
 */
void lle_rx_pause_exit(struct lle_port *port)
{
	hrtimer_cancel(&port->pending.timer);
	hrtimer_cancel(&port->pending.expiry);
}
