/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Generic netlink family "lossless": switches, ports, pauses, watchdogs,
 * deadlocks, congestion and path groups.
 * Documentation/netlink/specs/lossless.yaml describes it in YNL.
 *
 * Requests and events concern the network namespace of the socket. Changes and
 * LLE_CMD_QUEUE_GET need CAP_NET_ADMIN in the initial user namespace, other
 * requests none.
 */
#ifndef _UAPI_LINUX_LOSSLESS_H
#define _UAPI_LINUX_LOSSLESS_H

#include <linux/types.h>
#include <linux/lossless_frame.h>

#define LLE_GENL_NAME		"lossless"
#define LLE_GENL_VERSION	1

/* Multicast groups, one for each kind of event */
#define LLE_MCGRP_PAUSE		"pause"
#define LLE_MCGRP_STORM		"storm"
#define LLE_MCGRP_CONFIG	"config"
#define LLE_MCGRP_DEADLOCK	"deadlock"
#define LLE_MCGRP_CONGESTION	"congestion"

/* Ended pauses that the kernel keeps, per priority and direction */
#define LLE_NUM_EPISODE		8

/* LLE_CMD_QUEUE_GET: packets examined per queue, ingress ports reported */
#define LLE_QUEUE_LOOK		8192
#define LLE_NUM_WAITING		64

#define LLE_WATCHDOG_MS_MIN		1U
#define LLE_WATCHDOG_MS_MAX		60000U
#define LLE_WATCHDOG_DETECTION_MS	100U
#define LLE_WATCHDOG_RESTORATION_MS	200U

/**
 * enum lle_cmd - commands
 * @LLE_CMD_UNSPEC: not used
 * @LLE_CMD_SWITCH_GET: do: switch LLE_A_SWITCH; dump: all switches
 * @LLE_CMD_SWITCH_SET: change LLE_A_BUFFER or LLE_A_DISCARD of LLE_A_SWITCH
 * @LLE_CMD_PORT_GET: do: port LLE_A_IFINDEX; dump: all ports
 * @LLE_CMD_HISTORY_GET: past pauses. do: LLE_A_IFINDEX, LLE_A_PRIO and
 *	LLE_A_DIRECTION; dump: all that exist, of LLE_A_IFINDEX if given
 * @LLE_CMD_WATCHDOG_GET: do: LLE_A_IFINDEX and LLE_A_PRIO; dump: all priorities
 *	with a watchdog that is on or has detected a storm
 * @LLE_CMD_WATCHDOG_SET: LLE_A_IFINDEX, LLE_A_PRIOS, and any of
 *	LLE_A_DETECTION_MS, LLE_A_RESTORATION_MS, LLE_A_ACTION
 * @LLE_CMD_CLEAR: clear watchdog counters and high-water marks of
 *	LLE_A_IFINDEX, or of all ports; a stormed priority keeps its watchdog
 *	counters
 * @LLE_CMD_PAUSE_NTF: event: a priority was paused or resumed
 * @LLE_CMD_STORM_NTF: event: a storm was detected or has ended
 * @LLE_CMD_PORT_NTF: event: a port was created or changed
 * @LLE_CMD_PORT_DEL_NTF: event: a port was removed
 * @LLE_CMD_QUEUE_GET: queued packets of an egress port. do: LLE_A_IFINDEX and
 *	LLE_A_PRIO; dump: all queues with packets, of LLE_A_IFINDEX if given.
 *	Needs CAP_NET_ADMIN, as the port sends nothing meanwhile
 * @LLE_CMD_DEADLOCK_GET: dump: deadlocks that the switches remember, newest
 *	first per switch
 * @LLE_CMD_DEADLOCK_NTF: event: a switch has found a deadlock
 * @LLE_CMD_CONGESTION_GET: regional congestion mitigation. do: LLE_A_IFINDEX
 *	and LLE_A_PRIO; dump: all priorities with RCM, of LLE_A_IFINDEX if given
 * @LLE_CMD_CONGESTION_NTF: event: a priority of a port became the root of a
 *	congestion region, or ceased to be one
 * @LLE_CMD_PATH_GET: dump: path groups
 * @LLE_CMD_PATH_SET: create or replace the path group LLE_A_GROUP of the ports
 *	LLE_A_MEMBERS; LLE_A_ADAPTIVE and LLE_A_GAP_US default to 0
 * @LLE_CMD_PATH_DEL: delete the path group LLE_A_GROUP
 * @LLE_CMD_HEADROOM_NTF: event: a port has less headroom than it needs, or
 *	enough again
 * @LLE_CMD_UNACCOUNTED_NTF: event: a port queued packets of lossless priorities
 *	that no port of its switch received; at most one per port and minute
 * @__LLE_CMD_MAX: internal use
 */
enum lle_cmd {
	LLE_CMD_UNSPEC,
	LLE_CMD_SWITCH_GET,
	LLE_CMD_SWITCH_SET,
	LLE_CMD_PORT_GET,
	LLE_CMD_HISTORY_GET,
	LLE_CMD_WATCHDOG_GET,
	LLE_CMD_WATCHDOG_SET,
	LLE_CMD_CLEAR,
	LLE_CMD_PAUSE_NTF,
	LLE_CMD_STORM_NTF,
	LLE_CMD_PORT_NTF,
	LLE_CMD_PORT_DEL_NTF,
	LLE_CMD_QUEUE_GET,
	LLE_CMD_DEADLOCK_GET,
	LLE_CMD_DEADLOCK_NTF,
	LLE_CMD_CONGESTION_GET,
	LLE_CMD_CONGESTION_NTF,
	LLE_CMD_PATH_GET,
	LLE_CMD_PATH_SET,
	LLE_CMD_PATH_DEL,
	LLE_CMD_HEADROOM_NTF,
	LLE_CMD_UNACCOUNTED_NTF,
	__LLE_CMD_MAX
};

#define LLE_CMD_MAX (__LLE_CMD_MAX - 1)

/**
 * enum lle_wd_action - handling of a pause storm
 * @LLE_WD_DROP: drop packets to the port and from it
 * @LLE_WD_FORWARD: send packets in spite of the pauses
 * @LLE_WD_ALERT: only report the storm
 * @__LLE_WD_MAX: internal use
 */
enum lle_wd_action {
	LLE_WD_DROP,
	LLE_WD_FORWARD,
	LLE_WD_ALERT,
	__LLE_WD_MAX
};

#define LLE_WD_MAX (__LLE_WD_MAX - 1)

/**
 * enum lle_direction - direction of a pause
 * @LLE_DIR_RX: the link partner pauses the port
 * @LLE_DIR_TX: the port pauses its link partner
 */
enum lle_direction {
	LLE_DIR_RX,
	LLE_DIR_TX,
};

/**
 * enum - attributes
 * @LLE_A_UNSPEC: not used
 * @LLE_A_PAD: alignment of 64 bit attributes
 * @LLE_A_SWITCH: u32, number of the switch in its network namespace
 * @LLE_A_BUFFER: u32, bytes of its packet memory
 * @LLE_A_SHARED: u32, bytes of LLE_A_BUFFER that are neither reserved nor
 *	headroom
 * @LLE_A_USED: u64, bytes of LLE_A_SHARED in use
 * @LLE_A_USED_MAX: u64, high-water mark of LLE_A_USED, bytes
 * @LLE_A_PORTS: u32, number of ports
 * @LLE_A_DISCARD: u8, 1: all ports treat their lossless priorities with a
 *	watchdog as stormed, until this is 0 again
 * @LLE_A_IFINDEX: u32, ifindex of the port's device
 * @LLE_A_IFNAME: string, name of the device
 * @LLE_A_PEER: u32, ifindex of the other end of a link within this network
 *	namespace (veth); absent: not known
 * @LLE_A_PEER_MAC: binary, source address of the last PFC frame received;
 *	absent: none was received
 * @LLE_A_FACING: u8, enum lle_facing
 * @LLE_A_RATE: u64, bytes per second of the emulated link or of the device; 10
 *	Gbit/s if the device does not tell
 * @LLE_A_MTU: u32, bytes
 * @LLE_A_PFC_EN: u8, bit p: priority p is lossless
 * @LLE_A_TO_ALPHA: u8, see TCA_LOSSLESS_TO_ALPHA
 * @LLE_A_XOFF: u32, bytes, see TCA_LOSSLESS_XOFF
 * @LLE_A_HEADROOM: u32, bytes of headroom of each lossless priority group
 * @LLE_A_HEADROOM_NEED: u32, bytes of headroom that each of them needs
 * @LLE_A_STATS: binary, struct lle_prio_stats; one attribute per priority
 * @LLE_A_PRIO: u8, a priority
 * @LLE_A_PRIOS: u8, bit p: priority p; in LLE_CMD_PAUSE_NTF: was paused or
 *	resumed
 * @LLE_A_DIRECTION: u8, enum lle_direction
 * @LLE_A_PAUSED: u8, bit p: priority p is paused now
 * @LLE_A_TIME_NS: u64, time of the event, or of reading LLE_A_STATS, ns of
 *	CLOCK_MONOTONIC
 * @LLE_A_SINCE_NS: u64, start of the current pause, ns of CLOCK_MONOTONIC;
 *	absent: not paused. In LLE_CMD_STORM_NTF: since when the queue is stuck,
 *	or free of pauses. In LLE_CMD_CONGESTION_NTF: since when the port is, or
 *	was, a root
 * @LLE_A_COUNT: u64, number of pauses that ended
 * @LLE_A_TOTAL_NS: u64, their total duration, ns
 * @LLE_A_LONGEST_NS: u64, duration of the longest of them, ns
 * @LLE_A_EPISODES: binary, array of struct lle_episode, newest first
 * @LLE_A_DETECTION_MS: u32, detection time of the watchdog, ms; 0: off
 * @LLE_A_RESTORATION_MS: u32, its restoration time, ms; 0: no storm ends by
 *	itself
 * @LLE_A_ACTION: u8, enum lle_wd_action
 * @LLE_A_STORMED: u8, 1: stormed
 * @LLE_A_WATCHDOG: binary, struct lle_wd_stats
 * @LLE_A_BACKLOG: u32, bytes in the queue
 * @LLE_A_WAITING: binary, array of struct lle_waiting: the first LLE_QUEUE_LOOK
 *	packets by ingress port, at most LLE_NUM_WAITING ports
 * @LLE_A_SLOT: u8, number of the port in its switch, as in messages between
 *	switches; LLE_MAX_PORTS: none
 * @LLE_A_DEADLOCK: binary, struct lle_deadlock_info
 * @LLE_A_LOOP: binary, array of struct lle_deadlock_hop: the loop, from the
 *	switch that found it against the direction of the packets
 * @LLE_A_DEADLOCK_ACTION: u8, enum lle_deadlock_action
 * @LLE_A_DEADLOCK_STATS: binary, struct lle_deadlock_stats
 * @LLE_A_DEADLOCK_MODE: u8, enum lle_deadlock_mode
 * @LLE_A_CONGESTION: binary, struct lle_congestion
 * @LLE_A_CONGESTED: binary, array of struct lle_congested: isolated flows or
 *	destinations
 * @LLE_A_ROOT: u8, 1: root of a congestion region
 * @LLE_A_IDENTIFIED: u64, flows or destinations that CFR identified while the
 *	port is, or was, a root
 * @LLE_A_RCM: u8, bit p: priority p has regional congestion mitigation
 * @LLE_A_GROUP: u32, number of a path group in its network namespace
 * @LLE_A_MEMBERS: binary, array of u32: ifindexes of the ports of a path group
 * @LLE_A_ADAPTIVE: u8, 1: flows leave a congested path; 0: only a dead port
 * @LLE_A_GAP_US: u32, time without packets after which a flow may leave a
 *	congested path, us; 0: computed
 * @LLE_A_PATH_STATS: binary, struct lle_path_stats
 * @LLE_A_UNACCOUNTED: u64, packets, see struct lle_port_stats
 * @LLE_A_UNACCOUNTED_IFINDEX: u32, ifindex of the device that received the last
 *	of them; absent: none
 * @__LLE_A_MAX: internal use
 */
enum {
	LLE_A_UNSPEC,
	LLE_A_PAD,
	LLE_A_SWITCH,
	LLE_A_BUFFER,
	LLE_A_SHARED,
	LLE_A_USED,
	LLE_A_USED_MAX,
	LLE_A_PORTS,
	LLE_A_DISCARD,
	LLE_A_IFINDEX,
	LLE_A_IFNAME,
	LLE_A_PEER,
	LLE_A_PEER_MAC,
	LLE_A_FACING,
	LLE_A_RATE,
	LLE_A_MTU,
	LLE_A_PFC_EN,
	LLE_A_TO_ALPHA,
	LLE_A_XOFF,
	LLE_A_HEADROOM,
	LLE_A_HEADROOM_NEED,
	LLE_A_STATS,
	LLE_A_PRIO,
	LLE_A_PRIOS,
	LLE_A_DIRECTION,
	LLE_A_PAUSED,
	LLE_A_TIME_NS,
	LLE_A_SINCE_NS,
	LLE_A_COUNT,
	LLE_A_TOTAL_NS,
	LLE_A_LONGEST_NS,
	LLE_A_EPISODES,
	LLE_A_DETECTION_MS,
	LLE_A_RESTORATION_MS,
	LLE_A_ACTION,
	LLE_A_STORMED,
	LLE_A_WATCHDOG,
	LLE_A_BACKLOG,
	LLE_A_WAITING,
	LLE_A_SLOT,
	LLE_A_DEADLOCK,
	LLE_A_LOOP,
	LLE_A_DEADLOCK_ACTION,
	LLE_A_DEADLOCK_STATS,
	LLE_A_DEADLOCK_MODE,
	LLE_A_CONGESTION,
	LLE_A_CONGESTED,
	LLE_A_ROOT,
	LLE_A_IDENTIFIED,
	LLE_A_RCM,
	LLE_A_GROUP,
	LLE_A_MEMBERS,
	LLE_A_ADAPTIVE,
	LLE_A_GAP_US,
	LLE_A_PATH_STATS,
	LLE_A_UNACCOUNTED,
	LLE_A_UNACCOUNTED_IFINDEX,
	__LLE_A_MAX
};

#define LLE_A_MAX (__LLE_A_MAX - 1)

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
 * struct lle_wd_stats - counters of the watchdog of a priority of a port
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
struct lle_wd_stats {
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
 * enum lle_deadlock_cure - handling of a deadlock
 * @LLE_DEADLOCK_LEFT: nothing was done: alerts only, or the pause had ended
 * @LLE_DEADLOCK_RESUMED: the buffer had free bytes again, so the pause was
 *	ended
 * @LLE_DEADLOCK_PARKED: packets of the loop were parked beside the buffer
 * @LLE_DEADLOCK_DROPPED: packets of the loop were dropped
 * @LLE_DEADLOCK_DEMOTED: after repeated deadlocks the hop stopped pausing and
 *	is lossy until it is quiet
 */
enum lle_deadlock_cure {
	LLE_DEADLOCK_LEFT,
	LLE_DEADLOCK_RESUMED,
	LLE_DEADLOCK_PARKED,
	LLE_DEADLOCK_DROPPED,
	LLE_DEADLOCK_DEMOTED,
};

/**
 * struct lle_deadlock_info - a deadlock
 * @number: number of the deadlock, counted per switch
 * @prio: priority
 * @loop: 1: the whole loop is known
 * @cure: enum lle_deadlock_cure
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
 * @probes: probes sent; mode dcfit: messages sent
 * @cancels: messages sent that withdraw probes
 * @sent: messages sent in frames of their own
 * @received: messages received, in any frame
 * @ignored: messages ignored because they exceeded the rate limit
 * @deferred: times the switch let another one declare first
 * @evicted: stored probes that were evicted for lack of room
 * @capped: probes not sent because of the limit per ingress
 * @overrun: messages not sent: queue full, or no memory
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
	__u64 deferred;
	__u64 evicted;
	__u64 capped;
	__u64 overrun;
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
 * enum lle_crd_role - role of a port in a congestion region
 * @LLE_CRD_NONE: outside
 * @LLE_CRD_ROOT: root congestion point: the port itself is congested
 * @LLE_CRD_EDGE: a notification of the downstream neighbour is in force
 * @LLE_CRD_INNER: both
 */
enum lle_crd_role {
	LLE_CRD_NONE,
	LLE_CRD_ROOT,
	LLE_CRD_EDGE,
	LLE_CRD_INNER,
};

/**
 * struct lle_congestion - RCM of a priority of a port
 * @role: enum lle_crd_role
 * @fb: quantized F_b of the last sample, 0..63
 * @fbr: F_br of the last congestion notification
 * @window: 1: isolated and other packets share the port by a window
 * @class_held: 1: the downstream neighbour wants all isolated packets held
 * @tells_class: 1: the port wants its upstream neighbour to do so
 * @pad: 0
 * @w_bytes: W, bytes of the window, if @window
 * @wc_bytes: W_c, its part for isolated packets, bytes
 * @virtual_bytes: virtual queue of the packets that no neighbour wants held,
 *	bytes
 * @isolated_bytes: isolated bytes that wait
 * @ids: isolated flows or destinations
 * @held: those of @ids that may not send
 * @tells: destinations that the upstream neighbour is told to hold
 * @in_bytes: isolated bytes in the switch that this port received
 * @room_bytes: limit of @in_bytes, above which the upstream neighbour holds all
 *	of them; 0: it does not fit below XOFF, so no notifications are sent
 * @qeq_bytes: Q_eq, configured or computed, bytes
 * @identified: flows or destinations that CFR identified here so far
 * @overflows: times that the table of isolated ones was full
 * @cn_sent: congestion notifications sent, of all priorities
 * @cn_heard: notifications accepted
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
	__u8 pad[2];
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
	__u64 overflows;
	__u64 cn_sent;
	__u64 cn_heard;
	__u64 cn_ignored;
	__u64 regions;
	__u64 root_ns;
};

/* Maximum number of ports in a path group */
#define LLE_PATHS_MAX		32

/**
 * struct lle_path_stats - counters of a path group
 * @moved: times a flow left a congested path
 * @saved: times a flow left a dead port
 */
struct lle_path_stats {
	__u64 moved;
	__u64 saved;
};

/* Maximum number of entries of LLE_A_CONGESTED */
#define LLE_NUM_CONGESTED	32

/**
 * struct lle_congested - an isolated flow or destination
 * @name: its ID, a hash
 * @bytes: bytes that wait
 * @local: 1: CFR identified it at this port
 * @remote: 1: the downstream neighbour told to hold it
 * @held: 1: it may not send now
 * @told: number of ingress ports that tell their upstream neighbours to hold it
 */
struct lle_congested {
	__u32 name;
	__u32 bytes;
	__u8 local;
	__u8 remote;
	__u8 held;
	__u8 told;
};

#endif /* _UAPI_LINUX_LOSSLESS_H */
