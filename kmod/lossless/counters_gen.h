/* SPDX-License-Identifier: GPL-2.0 */
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
#ifndef LLE_COUNTERS_GEN_H
#define LLE_COUNTERS_GEN_H

/* X(file, member of struct lle_prio_stats, attribute in LOSSLESS_A_PRIO_STATS_) */
#define LLE_PRIO_COUNTERS(X) \
	X(rx_packets, rx_packets, RX_PACKETS) \
	X(rx_bytes, rx_bytes, RX_BYTES) \
	X(occupancy, occupancy, OCCUPANCY) \
	X(occupancy_max, occupancy_max, OCCUPANCY_MAX) \
	X(headroom, headroom, HEADROOM) \
	X(headroom_max, headroom_max, HEADROOM_MAX) \
	X(tx_packets, tx_packets, TX_PACKETS) \
	X(tx_bytes, tx_bytes, TX_BYTES) \
	X(backlog, backlog, BACKLOG) \
	X(backlog_max, backlog_max, BACKLOG_MAX) \
	X(ecn_marked, ecn_marked, ECN_MARKED) \
	X(rx_pause, rx_pause, RX_PAUSE) \
	X(rx_resume, rx_resume, RX_RESUME) \
	X(rx_pause_transition, rx_pause_transition, RX_PAUSE_TRANSITION) \
	X(rx_pause_duration, rx_pause_duration, RX_PAUSE_DURATION) \
	X(rx_paused, rx_paused, RX_PAUSED) \
	X(tx_pause, tx_pause, TX_PAUSE) \
	X(tx_resume, tx_resume, TX_RESUME) \
	X(tx_pause_transition, tx_pause_transition, TX_PAUSE_TRANSITION) \
	X(tx_pause_duration, tx_pause_duration, TX_PAUSE_DURATION) \
	X(tx_paused, tx_paused, TX_PAUSED) \
	X(drop_bytes, drop_bytes, DROP_BYTES) \
	X(cong_discard, drop_threshold, DROP_THRESHOLD) \
	X(buf_discard, drop_buffer, DROP_BUFFER) \
	X(headroom_discard, drop_headroom, DROP_HEADROOM) \
	X(limit_discard, drop_limit, DROP_LIMIT) \
	X(wred_discard, drop_wred, DROP_WRED) \
	X(nonect_discard, drop_wred_nonect, DROP_WRED_NONECT) \
	X(bufmax_discard, drop_wred_bufmax, DROP_WRED_BUFMAX) \
	X(nomem_discard, drop_nomem, DROP_NOMEM) \
	X(storm_discard, drop_storm, DROP_STORM) \
	X(deadlock_discard, drop_deadlock, DROP_DEADLOCK) \
	X(copy_discard, drop_copy, DROP_COPY) \
	X(purge_discard, drop_purge, DROP_PURGE) \
	X(storm_rx_discard, drop_storm_rx, DROP_STORM_RX) \
	X(burst_discard, drop_burst, DROP_BURST)

/* X(reason in LLE_DROP_, member of struct lle_prio_stats, file) */
#define LLE_PRIO_DROPS(X) \
	X(THRESHOLD, drop_threshold, cong_discard) \
	X(BUFFER, drop_buffer, buf_discard) \
	X(HEADROOM, drop_headroom, headroom_discard) \
	X(LIMIT, drop_limit, limit_discard) \
	X(WRED, drop_wred, wred_discard) \
	X(WRED_NONECT, drop_wred_nonect, nonect_discard) \
	X(WRED_BUFMAX, drop_wred_bufmax, bufmax_discard) \
	X(NOMEM, drop_nomem, nomem_discard) \
	X(STORM, drop_storm, storm_discard) \
	X(DEADLOCK, drop_deadlock, deadlock_discard) \
	X(COPY, drop_copy, copy_discard) \
	X(PURGE, drop_purge, purge_discard) \
	X(STORM_RX, drop_storm_rx, storm_rx_discard) \
	X(BURST, drop_burst, burst_discard)

/* X(file in /sys of a priority, function that reads it) */
#define LLE_PRIO_FILES(X) \
	X(deadlock_state_bytes, lle_sysfs_deadlock_state) \
	X(deadlock_counter_bytes, lle_sysfs_deadlock_counter) \
	X(rcm_ids, lle_sysfs_ids) \
	X(rcm_isolated_bytes, lle_sysfs_isolated) \
	X(rcm_identified, lle_sysfs_identified) \
	X(rcm_regions, lle_sysfs_regions) \
	X(rcm_root_duration, lle_sysfs_root_us)

/* X(file in /sys, function that reads it) */
#define LLE_PORT_FILES(X) \
	X(headroom_short, lle_sysfs_headroom_short) \
	X(unaccounted, lle_sysfs_unaccounted) \
	X(unaccounted_ifindex, lle_sysfs_unaccounted_ifindex) \
	X(rcm_cn_sent, lle_sysfs_cn_sent) \
	X(rcm_cn_received, lle_sysfs_cn_received) \
	X(rcm_cn_ignored, lle_sysfs_cn_ignored)

#endif /* LLE_COUNTERS_GEN_H */
