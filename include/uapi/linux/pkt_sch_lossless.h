/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Netlink interface of the "lossless" qdisc: options (TCA_OPTIONS) and
 * statistics (TCA_STATS_APP).
 */
#ifndef _UAPI_LINUX_PKT_SCH_LOSSLESS_H
#define _UAPI_LINUX_PKT_SCH_LOSSLESS_H

#include <linux/types.h>
#include <linux/lossless_frame.h>

/* Bands of the scheduler, as many as there are priorities. */
#define LLE_NUM_BAND		LLE_NUM_PRIO

/* alpha = 2^(to_alpha - 10), as in devlink-sb; 6 is 1/16 */
#define LLE_TO_ALPHA_ONE	10
#define LLE_TO_ALPHA_MAX	20
#define LLE_TO_ALPHA_DEFAULT	6

#define LLE_BUFFER_MIN		65536U
#define LLE_BUFFER_MAX		(1U << 30)
#define LLE_BUFFER_DEFAULT	(12U << 20)
#define LLE_OVERHEAD_MAX	256U
#define LLE_OVERHEAD_DEFAULT	24U	/* preamble 8, FCS 4, gap 12 */
#define LLE_BURST_DEFAULT	32768U
#define LLE_RATE_MIN		1000ULL		/* bytes per second */
#define LLE_RATE_MAX		125000000000ULL	/* 1 Tbit/s */
#define LLE_DELAY_MAX_NS	1000000000ULL
#define LLE_WIRE_MAX		(64U << 20)	/* bytes in flight on a wire */
#define LLE_QUANTUM_MIN		64U
#define LLE_QUANTUM_MAX		(1U << 24)
#define LLE_REACTION_DEFAULT_NS	100000U
#define LLE_RX_UNLIMITED	(~0ULL)

/*
 * Kind of netdevs that delay packets themselves: they get a packet as it takes the
 * link, and skb->tstamp is the time when it arrives at the other end.
 */
#define LLE_WIRE_KIND		"lle_wire"
#define LLE_WIRE_ENDS		0x200000U	/* numbers of ends are less */

/**
 * enum lle_wire_attr - attributes of such a netdev, in IFLA_INFO_DATA
 * @LLE_WIRE_UNSPEC: unused
 * @LLE_WIRE_END: its number, u32: 2 * N and 2 * N + 1 are the ends of a link
 * @LLE_WIRE_DELAY_NS: time that a packet takes at least, u64, not 0
 * @__LLE_WIRE_ATTR_MAX: internal use
 */
enum lle_wire_attr {
	LLE_WIRE_UNSPEC,
	LLE_WIRE_END,
	LLE_WIRE_DELAY_NS,
	__LLE_WIRE_ATTR_MAX
};

#define LLE_WIRE_ATTR_MAX (__LLE_WIRE_ATTR_MAX - 1)

/**
 * enum lle_trust - source of a packet's priority
 * @LLE_TRUST_DSCP: the DSCP of IPv4 and IPv6, by the map of the port; other
 *	packets as LLE_TRUST_PCP
 * @LLE_TRUST_PCP: the PCP of the VLAN tag; untagged packets as LLE_TRUST_NONE
 * @LLE_TRUST_NONE: 0 for received packets; packets of this host keep the
 *	priority of their socket
 * @__LLE_TRUST_MAX: internal use
 */
enum lle_trust {
	LLE_TRUST_DSCP,
	LLE_TRUST_PCP,
	LLE_TRUST_NONE,
	__LLE_TRUST_MAX
};

#define LLE_TRUST_MAX (__LLE_TRUST_MAX - 1)

/**
 * enum lle_facing - device at the other end of the link
 * @LLE_FACING_EDGE: a host
 * @LLE_FACING_FABRIC: another switch under the same management
 * @__LLE_FACING_MAX: internal use
 */
enum lle_facing {
	LLE_FACING_EDGE,
	LLE_FACING_FABRIC,
	__LLE_FACING_MAX
};

#define LLE_FACING_MAX (__LLE_FACING_MAX - 1)

/**
 * enum lle_gso_mode - what is queued and sent of a GSO packet
 * @LLE_GSO_AUTO: LLE_GSO_WHOLE where that delays a pause little and where
 *	marks need not be finer, else LLE_GSO_SPLIT
 * @LLE_GSO_SPLIT: its segments, one by one
 * @LLE_GSO_WHOLE: the packet as it is; it counts as its segments
 * @__LLE_GSO_MODE_MAX: internal use
 */
enum lle_gso_mode {
	LLE_GSO_AUTO,
	LLE_GSO_SPLIT,
	LLE_GSO_WHOLE,
	__LLE_GSO_MODE_MAX
};

#define LLE_GSO_MODE_MAX (__LLE_GSO_MODE_MAX - 1)

/**
 * enum lle_role - role of the device
 * @LLE_ROLE_SWITCH: a switch port, or a NIC that takes received packets at once
 * @LLE_ROLE_HOST: a host's NIC: received packets wait in a receive buffer, the
 *	priority groups of the port, until the host takes them
 * @__LLE_ROLE_MAX: internal use
 */
enum lle_role {
	LLE_ROLE_SWITCH,
	LLE_ROLE_HOST,
	__LLE_ROLE_MAX
};

#define LLE_ROLE_MAX (__LLE_ROLE_MAX - 1)

/**
 * enum lle_deadlock_action - what a switch does about deadlocks that it is part
 *	of
 * @LLE_DEADLOCK_OFF: no detection
 * @LLE_DEADLOCK_ALERT: detect and report
 * @LLE_DEADLOCK_LOSSLESS: report and break them without loss: packets of the
 *	loop are parked beside the buffer for a while
 * @LLE_DEADLOCK_DROP: report and break them by dropping as few packets as
 *	needed
 * @__LLE_DEADLOCK_ACTION_MAX: internal use
 */
enum lle_deadlock_action {
	LLE_DEADLOCK_OFF,
	LLE_DEADLOCK_ALERT,
	LLE_DEADLOCK_LOSSLESS,
	LLE_DEADLOCK_DROP,
	__LLE_DEADLOCK_ACTION_MAX
};

#define LLE_DEADLOCK_ACTION_MAX (__LLE_DEADLOCK_ACTION_MAX - 1)

/**
 * enum lle_deadlock_mode - algorithm of the deadlock detection
 * @LLE_DEADLOCK_EXACT: declares real deadlocks only
 * @LLE_DEADLOCK_DCFIT: the paper's, for comparison: it may declare a deadlock
 *	that is none
 * @__LLE_DEADLOCK_MODE_MAX: internal use
 */
enum lle_deadlock_mode {
	LLE_DEADLOCK_EXACT,
	LLE_DEADLOCK_DCFIT,
	__LLE_DEADLOCK_MODE_MAX
};

#define LLE_DEADLOCK_MODE_MAX (__LLE_DEADLOCK_MODE_MAX - 1)

/**
 * enum lle_deadlock_trigger - handling of the initial trigger of a broken
 *	deadlock
 * @LLE_DEADLOCK_TRIGGER_RESOLVE: a host is quarantined until it behaves; a hop
 *	with repeated deadlocks of the same trigger is lossy until it is quiet
 * @LLE_DEADLOCK_TRIGGER_LEAVE: none
 * @__LLE_DEADLOCK_TRIGGER_MAX: internal use
 */
enum lle_deadlock_trigger {
	LLE_DEADLOCK_TRIGGER_RESOLVE,
	LLE_DEADLOCK_TRIGGER_LEAVE,
	__LLE_DEADLOCK_TRIGGER_MAX
};

#define LLE_DEADLOCK_TRIGGER_MAX (__LLE_DEADLOCK_TRIGGER_MAX - 1)

/* Defaults and limits of RCM */
#define LLE_RCM_LAS_DEFAULT	0
#define LLE_RCM_LAS_MAX		255

/**
 * enum lle_drop_reason - reason of a drop; each has its own counter
 * @LLE_DROP_THRESHOLD: lossy priority, priority group above its dynamic
 *	threshold or static XOFF
 * @LLE_DROP_BUFFER: shared buffer full, or no memory for a packet that has to
 *	wait at a host
 * @LLE_DROP_HEADROOM: lossless priority, headroom exhausted: the pause took
 *	effect later than the headroom allows for
 * @LLE_DROP_LIMIT: lossy priority, port above its limit; or packet of this
 *	host, of which more than the size of the buffer is queued
 * @LLE_DROP_WRED: by the WRED curve
 * @LLE_DROP_WRED_NONECT: packet without ECN, queue at or above nonect
 * @LLE_DROP_WRED_BUFMAX: queue above bufmax
 * @LLE_DROP_NOMEM: no memory to segment the packet
 * @LLE_DROP_STORM: for an egress port with a storm, or queued there
 * @LLE_DROP_DEADLOCK: queued on a loop of pauses that was broken by dropping
 * @LLE_DROP_COPY: copy of a packet for a monitor, such as a mirror: these never
 *	pause a neighbour
 * @LLE_DROP_PURGE: queued when the qdisc was reset or deleted, or when the port
 *	went down; or waiting at a host then, or when the host became a switch
 * @LLE_DROP_STORM_RX: received by a port with a storm
 * @LLE_DROP_BURST: dropped by the kernel in front of the queue, beyond
 *	net.core.qdisc_max_burst
 * @__LLE_DROP_MAX: internal use
 *
 * The ingress side decides the first three and LLE_DROP_STORM_RX. They count at
 * the port that received the packet, the others at its egress port, or at the
 * host's port at which it waited.
 */
enum lle_drop_reason {
	LLE_DROP_THRESHOLD,
	LLE_DROP_BUFFER,
	LLE_DROP_HEADROOM,
	LLE_DROP_LIMIT,
	LLE_DROP_WRED,
	LLE_DROP_WRED_NONECT,
	LLE_DROP_WRED_BUFMAX,
	LLE_DROP_NOMEM,
	LLE_DROP_STORM,
	LLE_DROP_DEADLOCK,
	LLE_DROP_COPY,
	LLE_DROP_PURGE,
	LLE_DROP_STORM_RX,
	LLE_DROP_BURST,
	__LLE_DROP_MAX
};

#define LLE_NUM_DROP __LLE_DROP_MAX

/**
 * enum - options of the qdisc, nested in TCA_OPTIONS
 * @TCA_LOSSLESS_UNSPEC: not used
 * @TCA_LOSSLESS_PAD: alignment of 64 bit attributes
 * @TCA_LOSSLESS_RATE64: u64, bytes per second of the emulated link; 0: as fast
 *	as the device takes packets
 * @TCA_LOSSLESS_DELAY_NS: u64, propagation time of the emulated wire, ns. If it
 *	is not 0 a frame arrives with its last bit, else when its first bit is
 *	sent
 * @TCA_LOSSLESS_OVERHEAD: u32, bytes that a frame occupies on the link beyond
 *	its own (preamble, FCS, gap)
 * @TCA_LOSSLESS_BURST: u32, bytes that the link may send at once after its
 *	timer was late; an idle link earns none
 * @TCA_LOSSLESS_LIMIT: u32, bytes queued in the port above which packets of
 *	lossy priorities are dropped; 0: only the shared buffer limits
 * @TCA_LOSSLESS_BANDS: u8, number of bands of the scheduler, 1..8
 * @TCA_LOSSLESS_STRICT: u8, number of strict priority bands, the first ones
 * @TCA_LOSSLESS_QUANTA: binary, u32 for each band after the strict ones: bytes
 *	per round of deficit round robin
 * @TCA_LOSSLESS_PRIOMAP: binary, 1 to 8 u8: band of each priority; the
 *	remaining priorities use the last band
 * @TCA_LOSSLESS_PFC_EN: u8, bit p: priority p is lossless
 * @TCA_LOSSLESS_PAUSE_QUANTA: u16, time advertised in PFC frames, quanta,
 *	1..65535; refused if a refresh would come too late
 * @TCA_LOSSLESS_SWITCH: u32, number of the port's switch in this network
 *	namespace
 * @TCA_LOSSLESS_BUFFER: u32, bytes of packet memory of that switch, including
 *	reserved bytes and headroom; the last port that sets it decides
 * @TCA_LOSSLESS_RESERVED: u32, bytes reserved for each priority group
 * @TCA_LOSSLESS_TO_ALPHA: u8, threshold of each priority group as a share of
 *	the free shared buffer: 2^(to_alpha - 10)
 * @TCA_LOSSLESS_XOFF: u32, static threshold in bytes; 0: dynamic, by to_alpha
 * @TCA_LOSSLESS_XON_DELTA: u32, bytes below XOFF at which a paused priority
 *	group resumes; 0: computed, two frames of the device's MTU
 * @TCA_LOSSLESS_HEADROOM: u32, bytes of headroom of each lossless priority
 *	group; 0: computed from rate, delay, MTU, burst and reaction time
 * @TCA_LOSSLESS_REACTION_NS: u32, reaction time assumed for computed headroom
 *	until a longer one is measured, ns
 * @TCA_LOSSLESS_TRUST: u8, enum lle_trust
 * @TCA_LOSSLESS_DSCP_PRIO: binary, u8[64]: priority of each DSCP
 * @TCA_LOSSLESS_FACING: u8, enum lle_facing
 * @TCA_LOSSLESS_WRED: nested, TCA_LOSSLESS_WRED_*; may come once per priority
 * @TCA_LOSSLESS_CLEARMAX: flag, set only: restart the high-water marks
 * @TCA_LOSSLESS_XON_DELTA_NOW: u32, dump only: bytes in use
 * @TCA_LOSSLESS_HEADROOM_NOW: u32, dump only: bytes in use
 * @TCA_LOSSLESS_HEADROOM_NEED: u32, dump only: bytes that computed headroom
 *	would have
 * @TCA_LOSSLESS_SHARED: u32, dump only: bytes of the buffer that are shared
 * @TCA_LOSSLESS_ROLE: u8, enum lle_role
 * @TCA_LOSSLESS_RX_RATE64: u64, bytes per second at which a host takes received
 *	frames, without overhead; 0: it takes none; LLE_RX_UNLIMITED: at once
 * @TCA_LOSSLESS_DEADLOCK: u8, enum lle_deadlock_action, of the switch; the last
 *	port that sets it decides
 * @TCA_LOSSLESS_DEADLOCK_MODE: u8, enum lle_deadlock_mode, of the switch,
 *	likewise
 * @TCA_LOSSLESS_DEADLOCK_TRIGGER: u8, enum lle_deadlock_trigger, of the switch,
 *	likewise
 * @TCA_LOSSLESS_RCM: u8, 1: regional congestion mitigation of the lossless
 *	priorities
 * @TCA_LOSSLESS_RCM_QEQ: u32, Q_eq in bytes; 0: computed
 * @TCA_LOSSLESS_RCM_HOST_CN: u8, 1: the host at the port obeys congestion
 *	notifications
 * @TCA_LOSSLESS_RCM_LAS: u8, first bytes of a flow, in Q_eq, that are sent
 *	before those of flows that have sent more; 0: none
 * @TCA_LOSSLESS_GSO: u8, enum lle_gso_mode
 * @TCA_LOSSLESS_GSO_NOW: u8, dump only: LLE_GSO_SPLIT or LLE_GSO_WHOLE
 * @__TCA_LOSSLESS_MAX: internal use
 */
enum {
	TCA_LOSSLESS_UNSPEC,
	TCA_LOSSLESS_PAD,
	TCA_LOSSLESS_RATE64,
	TCA_LOSSLESS_DELAY_NS,
	TCA_LOSSLESS_OVERHEAD,
	TCA_LOSSLESS_BURST,
	TCA_LOSSLESS_LIMIT,
	TCA_LOSSLESS_BANDS,
	TCA_LOSSLESS_STRICT,
	TCA_LOSSLESS_QUANTA,
	TCA_LOSSLESS_PRIOMAP,
	TCA_LOSSLESS_PFC_EN,
	TCA_LOSSLESS_PAUSE_QUANTA,
	TCA_LOSSLESS_SWITCH,
	TCA_LOSSLESS_BUFFER,
	TCA_LOSSLESS_RESERVED,
	TCA_LOSSLESS_TO_ALPHA,
	TCA_LOSSLESS_XOFF,
	TCA_LOSSLESS_XON_DELTA,
	TCA_LOSSLESS_HEADROOM,
	TCA_LOSSLESS_REACTION_NS,
	TCA_LOSSLESS_TRUST,
	TCA_LOSSLESS_DSCP_PRIO,
	TCA_LOSSLESS_FACING,
	TCA_LOSSLESS_WRED,
	TCA_LOSSLESS_CLEARMAX,
	TCA_LOSSLESS_XON_DELTA_NOW,
	TCA_LOSSLESS_HEADROOM_NOW,
	TCA_LOSSLESS_HEADROOM_NEED,
	TCA_LOSSLESS_SHARED,
	TCA_LOSSLESS_ROLE,
	TCA_LOSSLESS_RX_RATE64,
	TCA_LOSSLESS_DEADLOCK,
	TCA_LOSSLESS_DEADLOCK_MODE,
	TCA_LOSSLESS_DEADLOCK_TRIGGER,
	TCA_LOSSLESS_RCM,
	TCA_LOSSLESS_RCM_QEQ,
	TCA_LOSSLESS_RCM_HOST_CN,
	TCA_LOSSLESS_RCM_LAS,
	TCA_LOSSLESS_GSO,
	TCA_LOSSLESS_GSO_NOW,
	__TCA_LOSSLESS_MAX
};

#define TCA_LOSSLESS_MAX (__TCA_LOSSLESS_MAX - 1)

/**
 * enum - WRED of one priority, nested in TCA_LOSSLESS_WRED
 * @TCA_LOSSLESS_WRED_UNSPEC: not used
 * @TCA_LOSSLESS_WRED_PRIO: u8, 0..7
 * @TCA_LOSSLESS_WRED_KMIN: u32, queued bytes from which the curve rises from 0
 * @TCA_LOSSLESS_WRED_KMAX: u32, queued bytes from which the probability is 1
 * @TCA_LOSSLESS_WRED_PMAX: u32, probability just below kmax, in 1/2^32
 * @TCA_LOSSLESS_WRED_NONECT: u32, queued bytes from which packets without ECN
 *	are dropped, and below which they are not; 0, or absent: the curve
 *	holds for them, too
 * @TCA_LOSSLESS_WRED_BUFMAX: u32, queued bytes above which all packets are
 *	dropped; 0, or absent: no limit
 * @TCA_LOSSLESS_WRED_ECN: u8, 1: mark ECN capable packets instead of dropping
 * @TCA_LOSSLESS_WRED_OFF: flag, switch WRED of this priority off
 * @__TCA_LOSSLESS_WRED_MAX: internal use
 */
enum {
	TCA_LOSSLESS_WRED_UNSPEC,
	TCA_LOSSLESS_WRED_PRIO,
	TCA_LOSSLESS_WRED_KMIN,
	TCA_LOSSLESS_WRED_KMAX,
	TCA_LOSSLESS_WRED_PMAX,
	TCA_LOSSLESS_WRED_NONECT,
	TCA_LOSSLESS_WRED_BUFMAX,
	TCA_LOSSLESS_WRED_ECN,
	TCA_LOSSLESS_WRED_OFF,
	__TCA_LOSSLESS_WRED_MAX
};

#define TCA_LOSSLESS_WRED_MAX (__TCA_LOSSLESS_WRED_MAX - 1)

/**
 * enum - statistics of a port, nested in TCA_STATS_APP of the qdisc
 * @TCA_LOSSLESS_STATS_UNSPEC: not used
 * @TCA_LOSSLESS_STATS_PORT: binary, struct lle_port_stats
 * @TCA_LOSSLESS_STATS_PRIO: binary, struct lle_prio_stats; once per priority
 *	with a counter that is not 0. TCA_STATS_APP of a class has only this and
 *	the next
 * @TCA_LOSSLESS_STATS_RCM: binary, struct lle_prio_rcm; once per priority with
 *	RCM
 * @__TCA_LOSSLESS_STATS_MAX: internal use
 */
enum {
	TCA_LOSSLESS_STATS_UNSPEC,
	TCA_LOSSLESS_STATS_PORT,
	TCA_LOSSLESS_STATS_PRIO,
	TCA_LOSSLESS_STATS_RCM,
	__TCA_LOSSLESS_STATS_MAX
};

#define TCA_LOSSLESS_STATS_MAX (__TCA_LOSSLESS_STATS_MAX - 1)

/**
 * struct lle_port_stats - statistics of a port that belong to no priority
 * @shared_used: bytes of the switch's shared buffer in use
 * @shared_max: high-water mark of @shared_used and of the bytes that queues have
 *	borrowed
 * @reaction_ns: longest reaction measured: from an XOFF decision to the last
 *	packet that still arrived, without the time of link and wire, ns
 * @rx_malformed: MAC control frames dropped: truncated, tagged, not sent to the
 *	reserved address, or with an unknown opcode
 * @rx_link_pause: 802.3x PAUSE frames ignored
 * @rx_pfc_excess: PFC frames of an edge host above its rate limit: obeyed at
 *	once, but evaluated together
 * @rx_bypass: packets that tc or BPF redirected at ingress, past the receive
 *	hook; they are charged, and part of rx_packets
 * @unaccounted: packets of lossless priorities that the port queued, but no
 *	port of its switch received: not charged, so they cause no pause.
 *	Packets of this host do not count
 * @wire_bytes: bytes in flight on the emulated wire, without PFC frames
 *
 * One attribute for all, for the reason that struct lle_prio_stats gives.
 */
struct lle_port_stats {
	__u64 shared_used;
	__u64 shared_max;
	__u64 reaction_ns;
	__u64 rx_malformed;
	__u64 rx_link_pause;
	__u64 rx_pfc_excess;
	__u64 rx_bypass;
	__u64 unaccounted;
	__u64 wire_bytes;
};

/**
 * struct lle_prio_stats - statistics of one priority of a port
 * @prio: the priority
 * @rx_paused: 1: paused now
 * @tx_paused: 1: pauses the link partner's priority now
 * @reserved: 0
 * @rx_packets: packets received and classified: data, also packets that a storm
 *	then drops, but no MAC control frames and no messages of DCFIT and RCM.
 *	Packets that tc or BPF redirects to a port count when they are queued
 *	there; so do copies, which are charged, too
 * @rx_bytes: their bytes
 * @occupancy: bytes that this port received and that wait in the switch
 * @occupancy_max: its high-water mark
 * @headroom: bytes of @occupancy in headroom
 * @headroom_max: its high-water mark
 * @tx_packets: packets sent
 * @tx_bytes: their bytes
 * @backlog: bytes queued at this port
 * @backlog_max: its high-water mark
 * @ecn_marked: packets that this port marked CE
 * @rx_pause: PFC frames received that pause this priority
 * @rx_resume: PFC frames received that resume it
 * @rx_pause_transition: changes from sending to paused
 * @rx_pause_duration: time paused, us
 * @tx_pause: PFC frames sent that pause the link partner's priority
 * @tx_resume: PFC frames sent that resume it
 * @tx_pause_transition: decisions to pause the link partner: the priority group
 *	crossed XOFF, and was not discarded as stormed
 * @tx_pause_duration: time that these were in force, us
 * @drop_bytes: bytes dropped, for any reason but LLE_DROP_BURST
 * @drops: packets dropped, by enum lle_drop_reason
 *
 * One attribute for all members, since those of all priorities have to fit into
 * a message of one page.
 */
struct lle_prio_stats {
	__u8 prio;
	__u8 rx_paused;
	__u8 tx_paused;
	__u8 reserved[5];
	__u64 rx_packets;
	__u64 rx_bytes;
	__u64 occupancy;
	__u64 occupancy_max;
	__u64 headroom;
	__u64 headroom_max;
	__u64 tx_packets;
	__u64 tx_bytes;
	__u64 backlog;
	__u64 backlog_max;
	__u64 ecn_marked;
	__u64 rx_pause;
	__u64 rx_resume;
	__u64 rx_pause_transition;
	__u64 rx_pause_duration;
	__u64 tx_pause;
	__u64 tx_resume;
	__u64 tx_pause_transition;
	__u64 tx_pause_duration;
	__u64 drop_bytes;
	__u64 drops[LLE_NUM_DROP];
};

/**
 * struct lle_prio_rcm - RCM of one priority of a port
 * @identified: flows or destinations that CFR identified here so far
 * @overflows: times that the table of isolated ones was full
 * @isolated_bytes: isolated bytes that wait
 * @w_bytes: W, bytes of the window by which isolated and other packets share
 *	the port; 0: none
 * @wc_bytes: W_c, its part for isolated packets, bytes
 * @ids: isolated flows or destinations
 * @prio: the priority
 * @role: enum lossless_crd_role, see lossless.h
 * @overtook: packets that LAS sent before those of flows that have sent more
 *
 * Part of the same message, so counters have 32 bits, as in struct
 * gnet_stats_queue. Those of struct lle_congestion have 64.
 */
struct lle_prio_rcm {
	__u32 identified;
	__u32 overflows;
	__u32 isolated_bytes;
	__u32 w_bytes;
	__u32 wc_bytes;
	__u16 ids;
	__u8 prio;
	__u8 role;
	__u32 overtook;
};

#endif /* _UAPI_LINUX_PKT_SCH_LOSSLESS_H */
