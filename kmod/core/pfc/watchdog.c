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
static u64 lle_wd_end(const struct lle_wd_params *p,
		      const struct lle_wd_view *v)
{
	if (!p->restoration_ns)
		return U64_MAX;
	return v->quiet_since_ns + p->restoration_ns;
}

enum lle_wd_verdict lle_wd_step(const struct lle_wd_params *p,
				struct lle_wd *wd, const struct lle_wd_view *v,
				u64 now_ns, u64 *next_ns)
{
	*next_ns = U64_MAX;

	if (wd->stormed) {
		if (now_ns < lle_wd_end(p, v)) {
			*next_ns = lle_wd_end(p, v);
			return LLE_WD_NONE;
		}
		wd->stormed = false;
		return LLE_WD_RESTORE;
	}

	if (!p->detection_ns || v->stuck_since_ns == LLE_WD_NEVER)
		return LLE_WD_NONE;
	if (now_ns < v->stuck_since_ns + p->detection_ns) {
		*next_ns = v->stuck_since_ns + p->detection_ns;
		return LLE_WD_NONE;
	}
	wd->stormed = true;
	wd->since_ns = now_ns;
	*next_ns = lle_wd_end(p, v);
	return LLE_WD_STORM;
}
