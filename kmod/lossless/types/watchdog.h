/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_WATCHDOG_H
#define LLE_TYPES_WATCHDOG_H

#include <linux/hrtimer.h>
#include <linux/lossless.h>

#include "../../core/pfc/watchdog.h"

/**
 * struct lle_watchdog_params - watchdog of some priorities of a port
 * @times: detection time and restoration time
 * @action: action while there is a storm
 */
struct lle_watchdog_params {
	struct lle_wd_params times;
	enum lle_wd_action action;
};

/**
 * struct lle_watchdog_prio - watchdog of one priority of a port
 * @params: as set
 * @wd: the state machine
 * @waiting_since_ns: time when a packet last came to the empty queue while it
 *	was paused. Written under the root lock
 * @stats: counters of storms, without drops and packets of one that lasts
 * @start: counters of the port when the last storm began
 * @cleared: counters of drops when the watchdog's counters were cleared
 * @quarantined: the storm was not detected: lle_watchdog_quarantine() made it
 * @again: number of times it was quarantined again soon, in a row
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
 * struct lle_watchdog - storm watchdog of a port; under its pause_lock unless
 *	said otherwise
 * @watched: bit p: the watchdog of priority p is on; may be read without the
 *	lock
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
