/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_WATCHDOG_H
#define LLE_CORE_WATCHDOG_H

#include "../core.h"

/* stuck_since_ns of a queue that is not stuck */
#define LLE_WD_NEVER U64_MAX

/**
 * struct lle_wd_params - times of the watchdog of one priority
 * @detection_ns: how long a queue must be stuck; 0: the watchdog is off
 * @restoration_ns: time without pauses that ends the storm; 0: it never ends
 */
struct lle_wd_params {
	u64 detection_ns;
	u64 restoration_ns;
};

/**
 * struct lle_wd_view - input of the watchdog
 * @stuck_since_ns: since then the priority is paused and has packets (switch),
 *	or pauses its peer and drains no packet (NIC); LLE_WD_NEVER: not stuck
 * @quiet_since_ns: when the last pause ended, or will expire
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

/* Change of state */
enum lle_wd_verdict {
	LLE_WD_NONE,
	LLE_WD_STORM,	/* no longer lossless */
	LLE_WD_RESTORE,	/* lossless again */
};

/**
 * lle_wd_step() - check one priority
 * @p: times; may have changed since the last step
 * @wd: state
 * @v: input at @now_ns
 * @now_ns: the time
 * @next_ns: result: when to check again without a change; U64_MAX: never
 *
 * A pause that is resumed or expires is an interruption, however short. A
 * resume of a priority that is not paused is not.
 * Context: any; the caller serialises steps of one @wd.
 * Return: enum lle_wd_verdict.
 * Source: switch: "RDMA over Commodity Ethernet at Scale", section 4.3; NIC:
 * the same with @restoration_ns 0.
 */
enum lle_wd_verdict lle_wd_step(const struct lle_wd_params *p,
				struct lle_wd *wd, const struct lle_wd_view *v,
				u64 now_ns, u64 *next_ns);

#endif /* LLE_CORE_WATCHDOG_H */
