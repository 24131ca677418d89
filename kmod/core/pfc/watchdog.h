/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_WATCHDOG_H
#define LLE_CORE_WATCHDOG_H

#include "../core.h"

/* stuck_since_ns of a queue that is not stuck */
#define LLE_WATCHDOG_NEVER U64_MAX

/**
 * struct lle_watchdog_config - times of the watchdog of one priority
 * @detection_ns: how long a queue must be stuck; 0: the watchdog is off
 * @restoration_ns: time without pauses that ends the storm; 0: it never ends
 */
struct lle_watchdog_config {
	u64 detection_ns;
	u64 restoration_ns;
};

/**
 * struct lle_watchdog_view - input of the watchdog
 * @stuck_since_ns: since then the priority is paused and has packets (switch),
 *	or pauses its peer and drains no packet (NIC); LLE_WATCHDOG_NEVER: not
 *	stuck
 * @quiet_since_ns: when the last pause ended, or will expire
 */
struct lle_watchdog_view {
	u64 stuck_since_ns;
	u64 quiet_since_ns;
};

/**
 * struct lle_watchdog_state - state of the watchdog of one priority
 * @stormed: there is a storm
 * @since_ns: when it was declared
 */
struct lle_watchdog_state {
	bool stormed;
	u64 since_ns;
};

/* Change of state */
enum lle_watchdog_verdict {
	LLE_WATCHDOG_NONE,
	LLE_WATCHDOG_STORM,	/* no longer lossless */
	LLE_WATCHDOG_RESTORE,	/* lossless again */
};

/**
 * lle_watchdog_step() - check one priority
 * @p: times; may have changed since the last step
 * @state: state
 * @v: input at @now_ns
 * @now_ns: the time
 * @next_ns: result: when to check again without a change; U64_MAX: never
 *
 * A pause that is resumed or expires is an interruption, however short. A
 * resume of a priority that is not paused is not.
 * Context: any; the caller serialises steps of one @state.
 * Return: enum lle_watchdog_verdict.
 * Source: switch: "RDMA over Commodity Ethernet at Scale", section 4.3; NIC:
 * the same with @restoration_ns 0.
 */
enum lle_watchdog_verdict lle_watchdog_step(const struct lle_watchdog_config *p,
					    struct lle_watchdog_state *state,
					    const struct lle_watchdog_view *v,
					    u64 now_ns, u64 *next_ns);

#endif /* LLE_CORE_WATCHDOG_H */
