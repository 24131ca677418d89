/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_WATCHDOG_H
#define LLE_TYPES_WATCHDOG_H

#include <linux/hrtimer.h>
#include <linux/lossless.h>

#include "../../core/pfc/watchdog.h"

/**
 * struct lle_watchdog_stats - counters of the watchdog of a priority of a port
 * @detected: storms detected, and quarantines
 * @restored: storms that ended
 * @since_ns: time of the last detection, ns of CLOCK_MONOTONIC; 0: never
 * @until_ns: end of the last storm; 0: it has not ended
 * @tx_packets: packets sent by the port during storms
 * @tx_dropped: packets to the port dropped because of storms
 * @rx_packets: packets from the port accepted during storms
 * @rx_dropped: packets from the port dropped because of storms
 * @quarantined: quarantines after a deadlock; part of @detected
 * @last_tx_packets: @tx_packets of the current or last storm
 * @last_tx_dropped: @tx_dropped of that storm
 * @last_rx_packets: @rx_packets of that storm
 * @last_rx_dropped: @rx_dropped of that storm
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
