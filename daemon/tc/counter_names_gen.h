/* SPDX-License-Identifier: GPL-2.0 */
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
#ifndef LLE_COUNTER_NAMES_GEN_H
#define LLE_COUNTER_NAMES_GEN_H

/* X(key in JSON, member of struct lle_prio_stats) */
#define LLE_PRIO_KEYS(X) \
	X(rx_packets, rx_packets) \
	X(rx_bytes, rx_bytes) \
	X(occupancy_bytes, occupancy) \
	X(occupancy_max_bytes, occupancy_max) \
	X(headroom_bytes, headroom) \
	X(headroom_max_bytes, headroom_max) \
	X(tx_packets, tx_packets) \
	X(tx_bytes, tx_bytes) \
	X(backlog_bytes, backlog) \
	X(backlog_max_bytes, backlog_max) \
	X(ecn_marked, ecn_marked) \
	X(rx_pause, rx_pause) \
	X(rx_resume, rx_resume) \
	X(rx_pause_transition, rx_pause_transition) \
	X(rx_pause_duration_us, rx_pause_duration) \
	X(tx_pause, tx_pause) \
	X(tx_resume, tx_resume) \
	X(tx_pause_transition, tx_pause_transition) \
	X(tx_pause_duration_us, tx_pause_duration) \
	X(drop_bytes, drop_bytes)

/* X(metric, member, help) */
#define LLE_PRIO_METRICS(X) \
	X(pfc_rx_paused, rx_paused, "1 while the neighbour pauses this priority.") \
	X(lossless_rx_packets_total, rx_packets, "Packets of this priority that arrived at the port, also those that a storm watchdog then drops, but no MAC control frames and no messages of deadlock detection and of RCM.") \
	X(lossless_rx_bytes_total, rx_bytes, "Bytes of rx_packets, with the Ethernet header and VLAN tags, without FCS.") \
	X(lossless_buffer_occupancy_bytes, occupancy, "Bytes of packets that arrived at this port and wait in a queue of any port of the switch; with role host also those that wait for the host.") \
	X(lossless_tx_packets_total, tx_packets, "Packets of this priority that the port has sent, without PFC frames, messages of deadlock detection and congestion notifications.") \
	X(lossless_tx_bytes_total, tx_bytes, "Bytes of tx_packets, with the Ethernet header and VLAN tags, without FCS.") \
	X(lossless_queue_bytes, backlog, "Bytes that wait in the queues of this port.") \
	X(lossless_ecn_marked_packets_total, ecn_marked, "Packets that this port marked CE (congestion experienced).") \
	X(pfc_rx_pause_frames_total, rx_pause, "PFC frames received that pause this priority, including those that extend a pause.") \
	X(pfc_rx_pause_seconds_total, rx_pause_duration, "Time that this priority was paused, us: the sum of all pauses, with the present one up to now.") \
	X(pfc_tx_pause_frames_total, tx_pause, "PFC frames sent that pause this priority at the neighbour, including those that repeat a pause.") \
	X(pfc_tx_pause_seconds_total, tx_pause_duration, "Time that the neighbour had to be paused, us: the sum of all pauses, with the present one up to now.")

/* X(reason in LLE_DROP_, member, name in tc, sysfs and losslessctl) */
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
	X(BURST, drop_burst, burst_discard) \

#endif /* LLE_COUNTER_NAMES_GEN_H */
