/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State and counters as the client library returns them. Each struct has a
 * member for each attribute of its nested attribute set; netlink_tables.h maps
 * them.
 */
#ifndef LLE_CLIENT_STATE_H
#define LLE_CLIENT_STATE_H

#include <linux/types.h>

/**
 * struct lle_episode - a pause that ended
 * @start_ns: start of the pause, ns of CLOCK_MONOTONIC
 * @ns: duration, ns
 */
struct lle_episode {
	__u64 start_ns;
	__u64 ns;
};

/**
 * struct lle_waiting - packets in a queue with the same ingress port
 * @ifindex: ifindex of the ingress port; 0: none: packets of this host, parked
 *	and unaccounted packets
 * @packets: number of packets
 * @bytes: their bytes
 */
struct lle_waiting {
	__u32 ifindex;
	__u32 packets;
	__u64 bytes;
};

/**
 * struct lle_watchdog_stats - counters of the watchdog of a priority of a port
 * @detected: storms detected, and quarantines
 * @restored: storms that ended
 * @since_ns: time of the last detection, ns of CLOCK_MONOTONIC; 0: never
 * @until_ns: end of the last storm; 0: it has not ended
 * @tx_packets: packets that the port sent during storms
 * @tx_dropped: packets to the port that were dropped because of storms
 * @rx_packets: packets from the port that were accepted during storms
 * @rx_dropped: packets from the port that were dropped because of storms
 * @quarantined: quarantines of a host that triggered a deadlock; part of
 *	@detected
 * @last_tx_packets: @tx_packets of the current or last storm
 * @last_tx_dropped: @tx_dropped of the same storm
 * @last_rx_packets: @rx_packets of the same storm
 * @last_rx_dropped: @rx_dropped of the same storm
 */
struct lle_watchdog_stats {
	__u64 detected;
	__u64 restored;
	__u64 quarantined;
	__u64 since_ns;
	__u64 until_ns;
	__u64 tx_packets;
	__u64 tx_dropped;
	__u64 rx_packets;
	__u64 rx_dropped;
	__u64 last_tx_packets;
	__u64 last_tx_dropped;
	__u64 last_rx_packets;
	__u64 last_rx_dropped;
};

/**
 * struct lle_deadlock_who - one pause, of a switch port or of a host
 * @sw: number of the switch; of a trigger 0: not known
 * @slot: number of the port in its switch
 * @host: 1: a host at this port pauses the port; 0: the port pauses its link
 *	partner
 * @seq: number of the pause
 */
struct lle_deadlock_who {
	__u16 sw;
	__u8 slot;
	__u8 host;
	__u32 seq;
};

/**
 * struct lle_deadlock_hop - a switch on the loop of a deadlock
 * @sw: number of the switch
 * @ingress: slot of the port that pauses its upstream neighbour
 * @egress: slot of the port at which packets from @ingress wait
 * @trigger: initial trigger of the pause
 * @bytes: bytes from @ingress that wait at @egress
 * @age_ns: duration of the pause when the switch reported it, ns
 */
struct lle_deadlock_hop {
	__u16 sw;
	__u8 ingress;
	__u8 egress;
	__u32 bytes;
	struct lle_deadlock_who trigger;
	__u64 age_ns;
};

/**
 * struct lle_deadlock_info - a deadlock
 * @number: number of the deadlock, counted per switch
 * @prio: priority
 * @loop: 1: the whole loop is known
 * @cure: enum lossless_deadlock_cure
 * @resolved: 1: the host that triggered it was quarantined, or its switch was
 *	asked to do so
 * @initiator: the pause that waits for itself
 * @trigger: initial trigger of that pause
 * @since_ns: start of that pause, ns of CLOCK_MONOTONIC
 * @declared_ns: time of the detection
 * @reported_ns: time of the report, after the walk along the loop came back or
 *	was lost; 0: not yet
 * @bytes: bytes that wait at this switch
 * @parked_bytes: bytes parked at first to break the loop
 * @dropped_bytes: bytes dropped to break the loop
 */
struct lle_deadlock_info {
	__u64 number;
	__u8 prio;
	__u8 loop;
	__u8 cure;
	__u8 resolved;
	__u32 bytes;
	struct lle_deadlock_who initiator;
	struct lle_deadlock_who trigger;
	__u64 since_ns;
	__u64 declared_ns;
	__u64 reported_ns;
	__u32 parked_bytes;
	__u32 dropped_bytes;
};

/**
 * struct lle_deadlock_stats - counters of the deadlock detection of a switch
 * @declared: deadlocks found
 * @probes: probes sent
 * @cancels: messages sent that withdraw probes
 * @sent: messages sent in frames of their own
 * @received: messages received, in any frame
 * @ignored: messages ignored because they exceeded the rate limit
 * @timers: evaluations that a timer started
 * @broken: deadlocks broken
 * @demoted: times a hop became lossy after repeated deadlocks
 * @lossy: hops that are lossy now
 * @parked_bytes: bytes parked so far
 * @parking_bytes: bytes parked now
 * @parking_max_bytes: high-water mark of @parking_bytes
 * @parking_limit_bytes: limit of @parking_bytes, as of the last deadlock broken
 */
struct lle_deadlock_stats {
	__u64 declared;
	__u64 probes;
	__u64 cancels;
	__u64 sent;
	__u64 received;
	__u64 ignored;
	__u64 timers;
	__u64 broken;
	__u64 demoted;
	__u64 lossy;
	__u64 parked_bytes;
	__u64 parking_bytes;
	__u64 parking_max_bytes;
	__u64 parking_limit_bytes;
};

/**
 * struct lle_congestion - RCM of a priority of a port
 * @role: enum lossless_crd_role
 * @fb: quantized F_b of the last sample, 0..63
 * @fbr: F_br of the last congestion notification
 * @window: 1: isolated and other packets share the port by a window
 * @class_held: 1: the downstream neighbour wants all isolated packets held
 * @tells_class: 1: the port wants its upstream neighbour to do so
 * @w_bytes: W, bytes of the window, if @window
 * @wc_bytes: W_c, its part for isolated packets, bytes
 * @virtual_bytes: virtual queue of the packets that no neighbour wants held,
 *	bytes
 * @isolated_bytes: isolated bytes that wait
 * @ids: isolated flows or destinations
 * @held: those of @ids that may not send
 * @tells: destinations that the upstream neighbour must hold
 * @in_bytes: isolated bytes in the switch that this port received
 * @room_bytes: limit of @in_bytes, above which the upstream neighbour holds all
 *	of them; 0: it does not fit below XOFF, so no notifications are sent
 * @qeq_bytes: Q_eq, configured or computed, bytes
 * @identified: flows or destinations that CFR identified here so far
 * @cn_sent: congestion notifications sent, of all priorities
 * @cn_received: notifications accepted
 * @cn_ignored: notifications ignored: too fast, outdated, or for a priority
 *	without RCM
 * @regions: times the port became a root
 * @root_ns: total time as a root, ns
 */
struct lle_congestion {
	__u8 role;
	__u8 fb;
	__u8 fbr;
	__u8 window;
	__u8 class_held;
	__u8 tells_class;
	__u32 w_bytes;
	__u32 wc_bytes;
	__u32 virtual_bytes;
	__u32 isolated_bytes;
	__u32 ids;
	__u32 held;
	__u32 tells;
	__u32 in_bytes;
	__u32 room_bytes;
	__u32 qeq_bytes;
	__u64 identified;
	__u64 cn_sent;
	__u64 cn_received;
	__u64 cn_ignored;
	__u64 regions;
	__u64 root_ns;
};

/**
 * struct lle_congested - an isolated flow or destination
 * @name: its ID, a hash
 * @bytes: bytes that wait
 * @local: 1: CFR identified it at this port
 * @remote: 1: the downstream neighbour requested the hold
 * @held: 1: it may not send now
 * @asked: number of ingress ports that tell their upstream neighbours to hold
 *	it
 */
struct lle_congested {
	__u32 name;
	__u32 bytes;
	__u8 local;
	__u8 remote;
	__u8 held;
	__u8 asked;
};

/**
 * struct lle_path_stats - counters of a path group
 * @moved: times a flow left a congested path
 * @saved: times a flow left a dead port
 */
struct lle_path_stats {
	__u64 moved;
	__u64 saved;
};

#endif /* LLE_CLIENT_STATE_H */
