/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_WATCHDOG_H
#define LLE_TYPES_WATCHDOG_H

#include <linux/hrtimer.h>
#include <linux/lossless.h>

#include "../../core/pfc/watchdog.h"

/**
 * struct lle_watchdog_params - watchdog of some priorities of a port
 * @times: when there is a storm, and when it is over
 * @action: what is done about it
 */
struct lle_watchdog_params {
	struct lle_wd_params times;
	enum lle_wd_action action;
};

/**
 * struct lle_watchdog_prio - watchdog of one priority of a port
 * @params: as set
 * @wd: the state machine
 * @waiting_since_ns: when a packet last came to an empty queue that was paused.
 *	Written under the root lock
 * @stats: of storms that have ended, without what was dropped
 * @start: counters of the port when the last storm began
 * @cleared: those of drops when the counters were cleared
 * @quarantined: the storm is not one that the watchdog has seen: lle_watchdog_quarantine()
 * @again: how often it was quarantined in a row before
 */
struct lle_watchdog_prio {
	struct lle_watchdog_params params;
	struct lle_wd wd;
	u64 waiting_since_ns;
	struct lle_wd_stats stats;
	struct lle_watchdog_counters {
		u64 tx_packets;
		u64 tx_dropped;
		u64 rx_packets;
		u64 rx_dropped;
	} start, cleared;
	bool quarantined;
	u8 again;
};

/**
 * struct lle_watchdog - storm watchdog of a port; under its pause_lock unless said
 *	otherwise
 * @watched: bit p: the watchdog of priority p is on; may be looked at without
 * @nic: it is the watchdog of a NIC
 * @timer: looks again when time alone may have changed something
 * @prio: by priority
 */
struct lle_watchdog {
	u8 watched;
	bool nic;
	struct hrtimer timer;
	struct lle_watchdog_prio prio[LLE_NUM_PRIO];
};

#endif /* LLE_TYPES_WATCHDOG_H */
