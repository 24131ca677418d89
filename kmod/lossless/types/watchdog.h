/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_WATCHDOG_H
#define LLE_TYPES_WATCHDOG_H

#include <linux/hrtimer.h>
#include <linux/lossless.h>

#include "../../core/pfc/watchdog.h"

/*
 * Counters of the watchdog of a priority of a port, as watchdog-stats in
 * Documentation/netlink/specs/lossless.yaml, which explains the members.
 */
struct lle_watchdog_stats {
	u64 detected;
	u64 restored;
	u64 quarantined;
	u64 since_ns;
	u64 until_ns;
	u64 tx_packets;
	u64 tx_dropped;
	u64 rx_packets;
	u64 rx_dropped;
	u64 last_tx_packets;
	u64 last_tx_dropped;
	u64 last_rx_packets;
	u64 last_rx_dropped;
};

/**
 * struct lle_watchdog_params - watchdog of some priorities of a port
 * @times: detection time and restoration time
 * @action: action while there is a storm
 */
struct lle_watchdog_params {
	struct lle_watchdog_config times;
	enum lossless_watchdog_action action;
};

/**
 * struct lle_watchdog_prio - watchdog of one priority of a port
 * @params: as set
 * @state: the state machine
 * @waiting_since_ns: last enqueue to the empty queue while paused; root lock
 * @stats: storm counters, without packets of a storm that lasts
 * @start: counters of the port when the last storm began
 * @cleared: drop counters when the watchdog's counters were cleared
 * @quarantined: caused by lle_watchdog_quarantine(), not detected
 * @again: quarantines in a row, each soon after the last
 */
struct lle_watchdog_prio {
	struct lle_watchdog_params params;
	struct lle_watchdog_state state;
	u64 waiting_since_ns;
	struct lle_watchdog_stats stats;
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
 * struct lle_watchdog - storm watchdog of a port; under its pause_lock
 * @watched: bit p: watchdog of priority p is on; readable without the lock
 * @nic: watchdog of a NIC
 * @timer: looks again at a timeout
 * @prio: by priority
 */
struct lle_watchdog {
	u8 watched;
	bool nic;
	struct hrtimer timer;
	struct lle_watchdog_prio prio[LLE_NUM_PRIO];
};

#endif /* LLE_TYPES_WATCHDOG_H */
