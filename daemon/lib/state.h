/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State and counters. A struct has a member for each attribute of its nested
 * attribute set; netlink_tables.h maps them.
 */
#ifndef LLE_CLIENT_STATE_H
#define LLE_CLIENT_STATE_H

#include <linux/types.h>

/* A pause that ended */
struct lle_episode {
	__u64 start_ns; /* CLOCK_MONOTONIC */
	__u64 ns; /* duration */
};

/* Packets in a queue from the same ingress port */
struct lle_waiting {
	__u32 ifindex; /* 0: packets of this host, parked and unaccounted ones */
	__u32 packets;
	__u64 bytes;
};

/* Watchdog counters of a priority; packets: during or because of storms */
struct lle_watchdog_stats {
	__u64 detected; /* storms and quarantines */
	__u64 restored; /* storms that ended */
	__u64 quarantined; /* hosts that triggered a deadlock */
	__u64 since_ns; /* last detection, CLOCK_MONOTONIC; 0: never */
	__u64 until_ns; /* end of the last storm; 0: it lasts */
	__u64 tx_packets; /* sent by the port */
	__u64 tx_dropped;
	__u64 rx_packets; /* received from the port and accepted */
	__u64 rx_dropped;
	__u64 last_tx_packets; /* of the current or last storm, as the next three */
	__u64 last_tx_dropped;
	__u64 last_rx_packets;
	__u64 last_rx_dropped;
};

/* One pause, of a switch port or of a host */
struct lle_deadlock_who {
	__u16 sw; /* number of the switch; of a trigger 0: not known */
	__u8 slot; /* number of the port in it */
	__u8 host; /* 1: a host pauses the port; 0: the port pauses its peer */
	__u32 seq; /* number of the pause */
};

/* A switch on the loop of a deadlock */
struct lle_deadlock_hop {
	__u16 sw;
	__u8 ingress; /* slot of the port that pauses its upstream neighbour */
	__u8 egress; /* slot at which packets from ingress wait */
	__u32 bytes; /* from ingress that wait at egress */
	struct lle_deadlock_who trigger; /* initial trigger of the pause */
	__u64 age_ns; /* of the pause when the switch reported it */
};

struct lle_deadlock_info {
	__u64 number; /* counted per switch */
	__u8 prio;
	__u8 loop; /* 1: the whole loop is known */
	__u8 cure; /* enum lossless_deadlock_cure */
	__u8 resolved; /* 1: its trigger was quarantined, or that was requested */
	__u32 bytes; /* that wait at this switch */
	struct lle_deadlock_who initiator; /* the pause that waits for itself */
	struct lle_deadlock_who trigger; /* initial trigger of that pause */
	__u64 since_ns; /* start of that pause, CLOCK_MONOTONIC */
	__u64 declared_ns; /* detection */
	__u64 reported_ns; /* end of the walk along the loop; 0: not yet */
	__u32 parked_bytes; /* parked at first to break the loop */
	__u32 dropped_bytes; /* dropped to break the loop */
};

/* Counters of deadlock detection of a switch */
struct lle_deadlock_stats {
	__u64 declared;
	__u64 probes;
	__u64 cancels; /* messages that withdraw probes */
	__u64 sent; /* in frames of their own */
	__u64 received; /* in any frame */
	__u64 ignored; /* by the rate limit */
	__u64 timers; /* evaluations that a timer started */
	__u64 broken;
	__u64 demoted; /* times a hop became lossy after repeated deadlocks */
	__u64 lossy; /* hops that are lossy now */
	__u64 parked_bytes; /* so far */
	__u64 parking_bytes; /* now */
	__u64 parking_max_bytes; /* high-water mark */
	__u64 parking_limit_bytes; /* as of the last deadlock broken */
};

/* RCM of a priority of a port */
struct lle_congestion {
	__u8 role; /* enum lossless_crd_role */
	__u8 fb; /* quantized F_b of the last sample, 0..63 */
	__u8 fbr; /* F_br of the last congestion notification */
	__u8 window; /* 1: a window divides the port among isolated and other packets */
	__u8 class_held; /* 1: the downstream neighbour holds all isolated packets */
	__u8 tells_class; /* 1: the upstream neighbour has to hold all of them */
	__u32 w_bytes; /* W, if window */
	__u32 wc_bytes; /* W_c, the part for isolated packets */
	__u32 virtual_bytes; /* virtual queue of packets that no neighbour holds */
	__u32 isolated_bytes; /* that wait */
	__u32 ids; /* isolated flows or destinations */
	__u32 held; /* part of ids that may not send */
	__u32 tells; /* destinations that the upstream neighbour must hold */
	__u32 in_bytes; /* isolated bytes in the switch that this port received */
	__u32 room_bytes; /* limit of in_bytes before tells_class; 0: not below XOFF, no CNs */
	__u32 qeq_bytes; /* Q_eq, configured or computed */
	__u64 identified; /* flows or destinations, by CFR at this port */
	__u64 cn_sent; /* of all priorities */
	__u64 cn_received;
	__u64 cn_ignored; /* too fast, outdated, or for a priority without RCM */
	__u64 regions; /* times the port became a root */
	__u64 root_ns; /* total time as a root */
};

/* An isolated flow or destination */
struct lle_congested {
	__u32 name; /* a hash */
	__u32 bytes; /* that wait */
	__u8 local; /* 1: CFR identified it at this port */
	__u8 remote; /* 1: the downstream neighbour requested the hold */
	__u8 held; /* 1: it may not send now */
	__u8 asked; /* ingress ports; their upstream neighbours must hold it */
};

struct lle_path_stats {
	__u64 moved; /* times a flow left a congested path */
	__u64 saved; /* times a flow left a dead port */
};

#endif /* LLE_CLIENT_STATE_H */
