/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_WATCHDOG_H
#define LLE_CORE_WATCHDOG_H

#include "../core.h"

/* Of a queue that is not stuck. */
#define LLE_WD_NEVER U64_MAX

/**
 * struct lle_wd_params - what the storm watchdog of one priority waits for
 * @detection_ns: time a queue is stuck until that is a storm; 0: off
 * @restoration_ns: time without pauses until the storm is over; 0: it never is
 */
struct lle_wd_params {
	u64 detection_ns;
	u64 restoration_ns;
};

/**
 * struct lle_wd_view - what the watchdog is told
 * @stuck_since_ns: since when, without interruption, the priority is paused and
 *	has packets that wait (switch), or pauses its peer and takes no packet
 *	from its receive buffer (NIC); LLE_WD_NEVER: it is not so
 * @quiet_since_ns: when the last pause ended, or will end by itself
 */
struct lle_wd_view {
	u64 stuck_since_ns;
	u64 quiet_since_ns;
};

/**
 * struct lle_wd - state of the watchdog of one priority
 * @stormed: there is a storm
 * @since_ns: when it was declared
 */
struct lle_wd {
	bool stormed;
	u64 since_ns;
};

/**
 * enum lle_wd_verdict - what has to be done now
 * @LLE_WD_NONE: nothing
 * @LLE_WD_STORM: the priority is not lossless any more
 * @LLE_WD_RESTORE: it is lossless again
 */
enum lle_wd_verdict {
	LLE_WD_NONE,
	LLE_WD_STORM,
	LLE_WD_RESTORE,
};

/**
 * lle_wd_step() - look at one priority
 * @p: times; may have changed since the last step
 * @wd: state
 * @v: what is true at @now_ns
 * @now_ns: the time
 * @next_ns: result: when to look again if nothing changes before; U64_MAX: not
 *
 * The view says since when things are so, so a storm is neither declared early,
 * nor by one look, nor by the number of looks. A pause that is resumed, or that
 * ends by itself, is an interruption, however short; a frame that resumes what was
 * not paused is nothing.
 *
 * Context: any; the caller serialises steps of one @wd.
 * Return: enum lle_wd_verdict.
 * Source: switch: "RDMA over Commodity Ethernet at Scale", section 4.3; NIC: the
 * same with @restoration_ns 0.
 */
enum lle_wd_verdict lle_wd_step(const struct lle_wd_params *p,
				struct lle_wd *wd, const struct lle_wd_view *v,
				u64 now_ns, u64 *next_ns);

#endif /* LLE_CORE_WATCHDOG_H */
