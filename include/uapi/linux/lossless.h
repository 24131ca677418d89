/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Generic netlink family "lossless": what switches and ports do, storms, watchdogs.
 * Documentation/netlink/specs/lossless.yaml says the same in YNL.
 *
 * Everything is about the network namespace of the socket. Whoever may open one
 * may look; to change something takes CAP_NET_ADMIN in the initial user namespace.
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

/* Pauses that are remembered one by one, of each priority and direction */
#define LLE_NUM_EPISODE		8

/* Packets at the head of a queue that LLE_CMD_QUEUE_GET looks at, and ports it tells */
#define LLE_QUEUE_LOOK		8192
#define LLE_NUM_WAITING		64

#define LLE_WATCHDOG_MS_MIN		1U
#define LLE_WATCHDOG_MS_MAX		60000U
#define LLE_WATCHDOG_DETECTION_MS	100U
#define LLE_WATCHDOG_RESTORATION_MS	200U

/**
 * enum lle_cmd - commands
 * @LLE_CMD_UNSPEC: not used
 * @LLE_CMD_SWITCH_GET: do: the switch LLE_A_SWITCH; dump: all
 * @LLE_CMD_SWITCH_SET: change LLE_A_BUFFER or LLE_A_DISCARD of LLE_A_SWITCH
 * @LLE_CMD_PORT_GET: do: the port LLE_A_IFINDEX; dump: all
 * @LLE_CMD_HISTORY_GET: pauses of the past. do: LLE_A_IFINDEX and LLE_A_PRIO; dump:
 *	all priorities of all ports, or of LLE_A_IFINDEX, that have any
 * @LLE_CMD_WATCHDOG_GET: do: LLE_A_IFINDEX and LLE_A_PRIO; dump: all priorities
 *	whose watchdog is on or has seen a storm
 * @LLE_CMD_WATCHDOG_SET: LLE_A_IFINDEX, LLE_A_PRIOS, and what to change of
 *	LLE_A_DETECTION_MS, LLE_A_RESTORATION_MS, LLE_A_ACTION
 * @LLE_CMD_CLEAR: clear watchdog counters and high-water marks of LLE_A_IFINDEX,
 *	all ports without; a priority that is stormed keeps its counters
 * @LLE_CMD_PAUSE_NTF: event: a priority was paused or resumed
 * @LLE_CMD_STORM_NTF: event: a storm was detected or has ended
 * @LLE_CMD_PORT_NTF: event: a port was made or changed
 * @LLE_CMD_PORT_DEL_NTF: event: a port is gone
 * @LLE_CMD_QUEUE_GET: who waits to leave by a port. do: LLE_A_IFINDEX and LLE_A_PRIO;
 *	dump: all queues of all ports, or of LLE_A_IFINDEX, that are not empty. As the
 *	commands that change something: with CAP_NET_ADMIN only
 * @LLE_CMD_DEADLOCK_GET: dump: the deadlocks that switches remember, of each the newest
 *	first
 * @LLE_CMD_DEADLOCK_NTF: event: a switch has found a deadlock
 * @LLE_CMD_CONGESTION_GET: regional congestion mitigation. do: LLE_A_IFINDEX and
 *	LLE_A_PRIO; dump: all priorities that have it, of LLE_A_IFINDEX if it is given
 * @LLE_CMD_CONGESTION_NTF: event: a priority of a port has become the root of a region of
 *	congestion, or is none any more
 * @LLE_CMD_PATH_GET: dump: groups of ports that lead to the same hosts
 * @LLE_CMD_PATH_SET: make the group LLE_A_GROUP of the ports LLE_A_MEMBERS, or make it
 *	anew; LLE_A_ADAPTIVE and LLE_A_GAP_US are 0 if they are not given
 * @LLE_CMD_PATH_DEL: end the group LLE_A_GROUP
 * @LLE_CMD_HEADROOM_NTF: event: a port has come to have less headroom than it needs, or
 *	has enough again
 * @LLE_CMD_UNACCOUNTED_NTF: event: packets of lossless priorities leave by a port, and
 *	came by a device that is no port of its switch; of a port at most once a minute
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
 * enum lle_wd_action - what is done about a storm
 * @LLE_WD_DROP: packets to the port and from it are dropped
 * @LLE_WD_FORWARD: packets are sent in spite of the pauses
 * @LLE_WD_ALERT: it is only reported
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
 * enum lle_direction - who pauses
 * @LLE_DIR_RX: the peer pauses the port
 * @LLE_DIR_TX: the port pauses its peer
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
 * @LLE_A_SHARED: u32, bytes of that which are neither reserved nor headroom
 * @LLE_A_USED: u64, bytes of LLE_A_SHARED in use
 * @LLE_A_USED_MAX: u64, their high-water mark
 * @LLE_A_PORTS: u32, number of ports
 * @LLE_A_DISCARD: u8, 1: the priorities with PFC whose watchdog is on are treated
 *	as stormed on all ports, whatever happens, until this is 0 again
 * @LLE_A_IFINDEX: u32, index of the port's device
 * @LLE_A_IFNAME: string, name of the device
 * @LLE_A_PEER: u32, index of the device at the other end of a link within this
 *	machine (veth); absent: not known
 * @LLE_A_PEER_MAC: binary, address that the last PFC frame came from; absent:
 *	none has come
 * @LLE_A_FACING: u8, enum lle_facing
 * @LLE_A_RATE: u64, bytes per second of the link; 0: not known
 * @LLE_A_MTU: u32, bytes
 * @LLE_A_PFC_EN: u8, bit p: priority p is lossless
 * @LLE_A_TO_ALPHA: u8, see TCA_LOSSLESS_TO_ALPHA
 * @LLE_A_XOFF: u32, bytes, see TCA_LOSSLESS_XOFF
 * @LLE_A_HEADROOM: u32, bytes of headroom of each lossless priority group
 * @LLE_A_HEADROOM_NEED: u32, bytes it should have
 * @LLE_A_STATS: binary, struct lle_prio_stats; comes once for each priority
 * @LLE_A_PRIO: u8, a priority
 * @LLE_A_PRIOS: u8, bit p: priority p; of LLE_CMD_PAUSE_NTF: it was paused or resumed
 * @LLE_A_DIRECTION: u8, enum lle_direction
 * @LLE_A_PAUSED: u8, bit p: priority p is paused now
 * @LLE_A_TIME_NS: u64, time of an event, or when LLE_A_STATS were read, ns of
 *	CLOCK_MONOTONIC
 * @LLE_A_SINCE_NS: u64, since when it is paused, ns of CLOCK_MONOTONIC; absent: it
 *	is not. Of LLE_CMD_STORM_NTF: since when the queue was stuck, or pauses are
 *	gone. Of LLE_CMD_CONGESTION_NTF: since when it is a root, or was
 * @LLE_A_COUNT: u64, pauses that have ended
 * @LLE_A_TOTAL_NS: u64, time they took
 * @LLE_A_LONGEST_NS: u64, time the longest took
 * @LLE_A_EPISODES: binary, array of struct lle_episode, the newest first
 * @LLE_A_DETECTION_MS: u32, ms a queue has to be stuck for a storm; 0: off
 * @LLE_A_RESTORATION_MS: u32, ms without pauses until it is lossless again; 0:
 *	never by itself
 * @LLE_A_ACTION: u8, enum lle_wd_action
 * @LLE_A_STORMED: u8, 1: there is a storm
 * @LLE_A_WATCHDOG: binary, struct lle_wd_stats
 * @LLE_A_BACKLOG: u32, bytes in the queue
 * @LLE_A_WAITING: binary, array of struct lle_waiting, of the first LLE_QUEUE_LOOK
 *	packets and at most LLE_NUM_WAITING ports
 * @LLE_A_SLOT: u8, number of the port in its switch, which messages between switches
 *	name it by; LLE_MAX_PORTS: it has none
 * @LLE_A_DEADLOCK: binary, struct lle_deadlock_info
 * @LLE_A_LOOP: binary, array of struct lle_deadlock_hop: the loop, from who has found it
 *	against the direction of the packets
 * @LLE_A_DEADLOCK_ACTION: u8, enum lle_deadlock_action
 * @LLE_A_DEADLOCK_STATS: binary, struct lle_deadlock_stats
 * @LLE_A_DEADLOCK_MODE: u8, enum lle_deadlock_mode
 * @LLE_A_CONGESTION: binary, struct lle_congestion
 * @LLE_A_CONGESTED: binary, array of struct lle_congested: what is isolated
 * @LLE_A_ROOT: u8, 1: it is the root of a region of congestion
 * @LLE_A_IDENTIFIED: u64, flows or destinations identified since it is one, or was
 * @LLE_A_RCM: u8, bit p: priority p has regional congestion mitigation
 * @LLE_A_GROUP: u32, number of a group of ports in its network namespace
 * @LLE_A_MEMBERS: binary, array of u32: indexes of the devices of a group
 * @LLE_A_ADAPTIVE: u8, 1: flows leave a path that is congested; 0: only a dead port
 * @LLE_A_GAP_US: u32, time without packets after which a flow may do so; 0: computed
 * @LLE_A_PATH_STATS: binary, struct lle_path_stats
 * @LLE_A_UNACCOUNTED: u64, packets, see struct lle_port_stats
 * @LLE_A_UNACCOUNTED_IFINDEX: u32, index of the device that the last of them came by;
 *	absent: there were none
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
 * struct lle_episode - a pause that has ended
 * @start_ns: when it began, ns of CLOCK_MONOTONIC
 * @ns: how long it was
 */
struct lle_episode {
	__u64 start_ns;
	__u64 ns;
};

/**
 * struct lle_waiting - packets in a queue that came by the same port
 * @ifindex: index of its device; 0: they were made by this host
 * @packets: how many
 * @bytes: theirs
 */
struct lle_waiting {
	__u32 ifindex;
	__u32 packets;
	__u64 bytes;
};

/**
 * struct lle_wd_stats - what the watchdog of a priority of a port has seen
 * @detected: storms detected
 * @restored: storms that have ended
 * @since_ns: when the last storm was detected, ns of CLOCK_MONOTONIC; 0: never
 * @until_ns: when it ended; 0: it has not
 * @tx_packets: packets sent by the port in storms
 * @tx_dropped: packets to the port that storms have dropped
 * @rx_packets: packets that came by the port in storms and were accepted
 * @rx_dropped: packets that came by the port and were dropped for storms
 * @quarantined: storms among @detected that were none, but the host's pauses had led to a
 *	deadlock
 * @last_tx_packets: those since the last storm began, or of it if it has ended, and
 *	so on
 * @last_tx_dropped: see there
 * @last_rx_packets: see there
 * @last_rx_dropped: see there
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
 * struct lle_deadlock_who - a pause: of a port of a switch, or of a host
 * @sw: number of the switch, not 0
 * @slot: number of the port in it
 * @host: 1: it is not the port that pauses its peer, but a host at that port that pauses
 *	it
 * @seq: which of its pauses
 */
struct lle_deadlock_who {
	__u16 sw;
	__u8 slot;
	__u8 host;
	__u32 seq;
};

/**
 * struct lle_deadlock_hop - a switch on a loop
 * @sw: its number
 * @ingress: number of the port whose peer it pauses
 * @egress: number of the port at which packets from there wait
 * @trigger: who has made it pause
 * @bytes: that wait, from @ingress to @egress
 * @age_ns: how long it had paused by then
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
 * enum lle_deadlock_cure - what was done about a deadlock
 * @LLE_DEADLOCK_LEFT: nothing, as nothing was to be, or it was gone
 * @LLE_DEADLOCK_RESUMED: there was room by then, so its pause was ended
 * @LLE_DEADLOCK_PARKED: packets of the loop were taken out of the buffer's account
 * @LLE_DEADLOCK_DROPPED: some were dropped
 * @LLE_DEADLOCK_DEMOTED: it has come back too often, so the hop does not pause any more,
 *	and is lossy, until it is quiet
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
 * @number: counts those of the switch
 * @prio: the priority
 * @loop: the loop is known as a whole
 * @cure: enum lle_deadlock_cure
 * @resolved: who has begun it was dealt with, or its switch was asked to
 * @initiator: the pause that was found to wait for itself
 * @trigger: who has begun it
 * @since_ns: when that pause began, ns of CLOCK_MONOTONIC
 * @declared_ns: when it was found
 * @reported_ns: when it was reported, the question that went round the loop being back,
 *	or lost; 0: it has not been yet
 * @bytes: that wait
 * @parked_bytes: that were parked to break it, to begin with
 * @dropped_bytes: that were dropped to break it
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
 * struct lle_deadlock_stats - what a switch has done to find deadlocks
 * @declared: deadlocks found
 * @probes: probes sent; mode dcfit: messages sent
 * @cancels: messages sent that take back probes
 * @sent: messages sent in frames of their own
 * @received: messages received, in any frame
 * @ignored: those that came too fast
 * @deferred: times that another switch was let find a deadlock first
 * @evicted: probes that there was no room for
 * @capped: probes not sent, too many at a time
 * @overrun: messages not sent, too many at once, or for want of memory
 * @timers: times that it has looked because time has passed
 * @broken: deadlocks that it has broken
 * @demoted: times that a hop was made lossy, because it has locked again and again
 * @lossy: hops that are so now
 * @parked_bytes: bytes that were parked for that
 * @parking_bytes: those that are now
 * @parking_max_bytes: most of them so far
 * @parking_limit_bytes: how many there may have been when it last broke one
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
 * enum lle_crd_role - where a port is in a region of congestion
 * @LLE_CRD_NONE: outside of it
 * @LLE_CRD_ROOT: congested by itself: a root congestion point
 * @LLE_CRD_EDGE: a neighbour names what leaves by it
 * @LLE_CRD_INNER: both
 */
enum lle_crd_role {
	LLE_CRD_NONE,
	LLE_CRD_ROOT,
	LLE_CRD_EDGE,
	LLE_CRD_INNER,
};

/**
 * struct lle_congestion - regional congestion mitigation of a priority of a port
 * @role: enum lle_crd_role
 * @fb: F_b as quantized, 0..63, at the last sample
 * @fbr: F_br, of the last congestion notification
 * @window: congested flows and the others share the port by a window
 * @class_held: the neighbour wants none of the packets that it lately asked to hold
 * @tells_class: the neighbour on the way in is told so
 * @pad: 0
 * @w_bytes: W; of a window
 * @wc_bytes: W_c
 * @virtual_bytes: virtual queue of packets that no neighbour asked to hold
 * @isolated_bytes: bytes that wait and are isolated
 * @ids: flows or destinations that are isolated
 * @held: those that may not send
 * @tells: destinations that the neighbour on the way in is told to hold
 * @in_bytes: bytes that came by the port and are isolated where they wait
 * @room_bytes: those that may be; 0: there is no room below XOFF, so nobody is told
 * @qeq_bytes: Q_eq, as set or computed
 * @identified: flows or destinations that CFR identified here so far
 * @overflows: times that there was no room for one more
 * @cn_sent: congestion notifications sent, of all priorities
 * @cn_heard: those that were heard
 * @cn_ignored: those that came too fast, too late, or for a priority without
 * @regions: times that it has become the root of a region
 * @root_ns: time that it was one
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

/* Ports of a group at most */
#define LLE_PATHS_MAX		32

/**
 * struct lle_path_stats - what a group of ports has done
 * @moved: times that a flow has left a congested path
 * @saved: times that a flow has left a dead port
 */
struct lle_path_stats {
	__u64 moved;
	__u64 saved;
};

/* Of those that are isolated, LLE_A_CONGESTED has so many at most */
#define LLE_NUM_CONGESTED	32

/**
 * struct lle_congested - a flow or destination that is isolated
 * @name: its number, a hash of what makes it
 * @bytes: that wait
 * @local: the port has found it
 * @remote: a neighbour asked to hold it
 * @held: it may not send
 * @told: ingresses whose neighbours are told to hold it
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
