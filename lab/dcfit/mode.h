/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lab build includes this file before each source of
 * kmod/lossless/deadlock/. It redirects calls of exact to dcfit for instances
 * of dcfit, which has no times and no BROKEN. A macro name in its own
 * definition is the function.
 */
#ifndef LLE_LAB_MODE_H
#define LLE_LAB_MODE_H

#include "dcfit_walk.h"

static_assert(!offsetof(struct lle_exact, map) &&
	      !offsetof(struct lle_dcfit, map));

/* Module parameter: new instances use dcfit. */
extern bool lle_dcfit_on;

/* dcfit has no sums. Returns NULL for an instance of exact. */
static inline struct lle_dcfit *lle_mode_dcfit(const struct lle_exact *d)
{
	return d->map.sums ? NULL : (struct lle_dcfit *)d;
}

/* Calls the function of dcfit, or @call for an instance of exact. */
#define LLE_MODE(d, call, function, ...) \
	(lle_mode_dcfit(d) ? \
	 lle_dcfit_##function(lle_mode_dcfit(d), ##__VA_ARGS__) : (call))

#define lle_exact_size(p) \
	max(lle_exact_size(p), lle_dcfit_size(p))
#define lle_exact_init(memory, p) \
	(READ_ONCE(lle_dcfit_on) ? \
	 (struct lle_exact *)lle_dcfit_init(memory, p) : \
	 lle_exact_init(memory, p))

#define lle_exact_configure(d, fabric, guard, hop, keeps) \
	LLE_MODE(d, lle_exact_configure(d, fabric, guard, hop, keeps), configure, fabric)
#define lle_exact_is_due(d) \
	LLE_MODE(d, lle_exact_is_due(d), is_due)
#define lle_exact_pausing(d) \
	LLE_MODE(d, lle_exact_pausing(d), pausing)
#define lle_exact_enq_held(d, p, i, len) \
	LLE_MODE(d, lle_exact_enq_held(d, p, i, len), enq_held, p, i, len)
#define lle_exact_deq_held(d, p, i, len) \
	LLE_MODE(d, lle_exact_deq_held(d, p, i, len), deq_held, p, i, len)
#define lle_exact_pause_tx(d, i, xon, now) \
	LLE_MODE(d, lle_exact_pause_tx(d, i, xon, now), pause_tx, i, xon)
#define lle_exact_resume_tx(d, i, broken) \
	LLE_MODE(d, lle_exact_resume_tx(d, i, broken), resume_tx, i)
#define lle_exact_send_ride(d, i, pause, msg) \
	LLE_MODE(d, lle_exact_send_ride(d, i, pause, msg), ride, i, pause, msg)
#define lle_exact_run(d, now, out) \
	LLE_MODE(d, lle_exact_run(d, now, out), run, out)
#define lle_exact_refresh(d, i, now, out) \
	LLE_MODE(d, lle_exact_refresh(d, i, now, out), refresh, i, out)
#define lle_exact_pause_rx(d, p, msg, until, now, out) \
	LLE_MODE(d, lle_exact_pause_rx(d, p, msg, until, now, out), pause_rx, p, msg, out)
#define lle_exact_resume_rx(d, p, broken, since, now, out) \
	LLE_MODE(d, lle_exact_resume_rx(d, p, broken, since, now, out), resume_rx, p, out)
#define lle_exact_message_rx(d, p, msg, now, out) \
	LLE_MODE(d, lle_exact_message_rx(d, p, msg, now, out), message_rx, p, msg, out)
#define lle_exact_report(d, i, now, to) \
	LLE_MODE(d, lle_exact_report(d, i, now, to), report, i, to)
#define lle_exact_walk_begin(d, i, msg) \
	LLE_MODE(d, lle_exact_walk_begin(d, i, msg), walk_begin, i, msg)
#define lle_exact_walk_next(d, p, msg) \
	LLE_MODE(d, lle_exact_walk_next(d, p, msg), walk_next, p)
#define lle_exact_walk_hop(d, p, i, hop) \
	LLE_MODE(d, lle_exact_walk_hop(d, p, i, hop), walk_hop, p, i, hop)
#define lle_exact_walk_egress(d, i, trigger) \
	LLE_MODE(d, lle_exact_walk_egress(d, i, trigger), trigger_egress, trigger)

/* dcfit has no arbitration, no news and no times. */
#define lle_exact_set_full(d, full) \
	(lle_mode_dcfit(d) ? (void)0 : lle_exact_set_full(d, full))
#define lle_exact_news(d, i) \
	(!lle_mode_dcfit(d) && lle_exact_news(d, i))
#define lle_exact_timer(d, now, out) \
	(lle_mode_dcfit(d) ? (void)0 : lle_exact_timer(d, now, out))
#define lle_exact_timer_wait(d, now) \
	(lle_mode_dcfit(d) ? U64_MAX : lle_exact_timer_wait(d, now))
#define lle_exact_stats(d) \
	(lle_mode_dcfit(d) ? lle_mode_dcfit(d)->stats : lle_exact_stats(d))

#endif /* LLE_LAB_MODE_H */
