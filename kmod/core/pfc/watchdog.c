// SPDX-License-Identifier: GPL-2.0
/*
 * Storm watchdog: a queue that cannot drain because its peer pauses it for ever.
 *
 *	operational --stuck for detection_ns--> stormed
 *	operational <--quiet for restoration_ns-- stormed
 *
 * What the vendors' watchdogs find by polling is found here at its time, since
 * the edges of pauses are known.
 */
#include "watchdog.h"

/* When the storm is over, as far as is known now. */
static u64 lle_pfcwd_end(const struct lle_pfcwd_params *p,
			 const struct lle_pfcwd_view *v)
{
	if (!p->restoration_ns)
		return U64_MAX;
	return v->quiet_since_ns + p->restoration_ns;
}

enum lle_pfcwd_verdict lle_pfcwd_step(const struct lle_pfcwd_params *p,
				      struct lle_pfcwd *wd,
				      const struct lle_pfcwd_view *v,
				      u64 now_ns, u64 *next_ns)
{
	*next_ns = U64_MAX;

	if (wd->stormed) {
		if (now_ns < lle_pfcwd_end(p, v)) {
			*next_ns = lle_pfcwd_end(p, v);
			return LLE_PFCWD_NONE;
		}
		wd->stormed = false;
		return LLE_PFCWD_RESTORE;
	}

	if (!p->detection_ns || v->stuck_since_ns == LLE_PFCWD_NEVER)
		return LLE_PFCWD_NONE;
	if (now_ns < v->stuck_since_ns + p->detection_ns) {
		*next_ns = v->stuck_since_ns + p->detection_ns;
		return LLE_PFCWD_NONE;
	}
	wd->stormed = true;
	wd->since_ns = now_ns;
	*next_ns = lle_pfcwd_end(p, v);
	return LLE_PFCWD_STORM;
}
