// SPDX-License-Identifier: GPL-2.0
/*
 * Watchdog: detects a queue that its peer pauses without end. It does not poll:
 * each begin and end of a pause is known, so a storm is declared on time.
 *
 *	operational --stuck for detection_ns--> stormed
 *	operational <--quiet for restoration_ns-- stormed
 */
#include "watchdog.h"

/* When the storm ends without further pauses */
static u64 lle_watchdog_end_storm(const struct lle_watchdog_config *p,
				  const struct lle_watchdog_view *v)
{
	if (!p->restoration_ns)
		return U64_MAX;
	return v->quiet_since_ns + p->restoration_ns;
}

enum lle_watchdog_verdict lle_watchdog_step(const struct lle_watchdog_config *p,
					    struct lle_watchdog_state *state,
					    const struct lle_watchdog_view *v,
					    u64 now_ns, u64 *next_ns)
{
	*next_ns = U64_MAX;

	if (state->stormed) {
		if (now_ns < lle_watchdog_end_storm(p, v)) {
			*next_ns = lle_watchdog_end_storm(p, v);
			return LLE_WATCHDOG_NONE;
		}
		state->stormed = false;
		return LLE_WATCHDOG_RESTORE;
	}

	if (!p->detection_ns || v->stuck_since_ns == LLE_WATCHDOG_NEVER)
		return LLE_WATCHDOG_NONE;
	if (now_ns < v->stuck_since_ns + p->detection_ns) {
		*next_ns = v->stuck_since_ns + p->detection_ns;
		return LLE_WATCHDOG_NONE;
	}
	state->stormed = true;
	state->since_ns = now_ns;
	*next_ns = lle_watchdog_end_storm(p, v);
	return LLE_WATCHDOG_STORM;
}
