/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
#ifndef _UAPI_LINUX_PKT_SCH_LOSSLESS_GENERATED_H
#define _UAPI_LINUX_PKT_SCH_LOSSLESS_GENERATED_H

#define LLE_BUFFER_MIN	65536U	/* 64kb */
#define LLE_BUFFER_MAX	1073741824U	/* 1gb */
#define LLE_BUFFER_DEFAULT	12582912U	/* 12mb */
#define LLE_RATE_MIN	1000ULL	/* 8kbit */
#define LLE_RATE_MAX	125000000000ULL	/* 1tbit */
#define LLE_DELAY_MAX_NS	1000000000U	/* 1s */
#define LLE_TO_ALPHA_MAX	20U
#define LLE_TO_ALPHA_DEFAULT	6U

/**
 * enum lle_trust - source of a packet's priority
 * @LLE_TRUST_DSCP: the DSCP of IPv4 and IPv6, by the map of the port;
 *	other packets as pcp
 * @LLE_TRUST_PCP: the PCP of the VLAN tag; untagged packets as none
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
 * @LLE_GSO_AUTO: whole where that delays a pause little and where marks
 *	need not be finer, else split
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
 * @LLE_ROLE_SWITCH: a switch port, or a NIC that takes received packets
 *	at once
 * @LLE_ROLE_HOST: a host's NIC: received packets wait in a receive
 *	buffer, the priority groups of the port, until the host takes them
 * @__LLE_ROLE_MAX: internal use
 */
enum lle_role {
	LLE_ROLE_SWITCH,
	LLE_ROLE_HOST,
	__LLE_ROLE_MAX
};

#define LLE_ROLE_MAX (__LLE_ROLE_MAX - 1)

/**
 * enum lle_deadlock_action - what a switch does about deadlocks that it
 *	is part of
 * @LLE_DEADLOCK_OFF: no detection
 * @LLE_DEADLOCK_ALERT: detect and report
 * @LLE_DEADLOCK_LOSSLESS: report and break them without loss: packets of
 *	the loop are parked beside the buffer for a while
 * @LLE_DEADLOCK_DROP: report and break them by dropping as few packets
 *	as needed
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
 * enum lle_deadlock_trigger - handling of the initial trigger of a
 *	broken deadlock
 * @LLE_DEADLOCK_TRIGGER_RESOLVE: a host is quarantined until it behaves;
 *	a hop with repeated deadlocks of the same trigger is lossy until it is
 *	quiet
 * @LLE_DEADLOCK_TRIGGER_LEAVE: none
 * @__LLE_DEADLOCK_TRIGGER_MAX: internal use
 */
enum lle_deadlock_trigger {
	LLE_DEADLOCK_TRIGGER_RESOLVE,
	LLE_DEADLOCK_TRIGGER_LEAVE,
	__LLE_DEADLOCK_TRIGGER_MAX
};

#define LLE_DEADLOCK_TRIGGER_MAX (__LLE_DEADLOCK_TRIGGER_MAX - 1)

/**
 * enum - options of the qdisc, nested in TCA_OPTIONS
 * @TCA_LOSSLESS_UNSPEC: not used
 * @TCA_LOSSLESS_PAD: alignment of 64 bit attributes
 * @TCA_LOSSLESS_RATE64: u64: bytes per second of the emulated link; 0:
 *	as fast as the device takes packets
 * @TCA_LOSSLESS_DELAY_NS: u64: propagation time of the emulated wire,
 *	ns. If it is not 0 a frame arrives with its last bit, else when its
 *	first bit is sent
 * @TCA_LOSSLESS_OVERHEAD: u32: bytes that a frame occupies on the link
 *	beyond its own (preamble, FCS, gap)
 * @TCA_LOSSLESS_BURST: u32: bytes that the link may send at once after
 *	its timer was late; an idle link earns none
 * @TCA_LOSSLESS_LIMIT: u32: bytes queued in the port above which packets
 *	of lossy priorities are dropped; 0: only the shared buffer limits
 * @TCA_LOSSLESS_BANDS: u8: number of bands of the scheduler, 1..8
 * @TCA_LOSSLESS_STRICT: u8: number of strict priority bands, the first
 *	ones
 * @TCA_LOSSLESS_QUANTA: binary: for each band after the strict ones:
 *	bytes per round of deficit round robin
 * @TCA_LOSSLESS_PRIOMAP: binary: band of each priority; the remaining
 *	priorities use the last band
 * @TCA_LOSSLESS_PFC_EN: bitfield32: bit p of the value: priority p is
 *	lossless. The selector has the priorities that are set; the others
 *	stay
 * @TCA_LOSSLESS_PAUSE_QUANTA: u16: time advertised in PFC frames,
 *	quanta, 1..65535; refused if a refresh would come too late
 * @TCA_LOSSLESS_SWITCH: u32: number of the port's switch in this network
 *	namespace
 * @TCA_LOSSLESS_BUFFER: u32: bytes of packet memory of that switch,
 *	including reserved bytes and headroom; the last port that sets it
 *	decides
 * @TCA_LOSSLESS_RESERVED: u32: bytes reserved for each priority group
 * @TCA_LOSSLESS_TO_ALPHA: u8: threshold of each priority group as a
 *	share of the free shared buffer: 2^(to-alpha - 10)
 * @TCA_LOSSLESS_XOFF: u32: static threshold in bytes; 0: dynamic, by
 *	to-alpha
 * @TCA_LOSSLESS_XON_DELTA: u32: bytes below XOFF at which a paused
 *	priority group resumes; 0: computed, two frames of the device's MTU
 * @TCA_LOSSLESS_HEADROOM: u32: bytes of headroom of each lossless
 *	priority group; 0: computed from rate, delay, MTU, burst and reaction
 *	time
 * @TCA_LOSSLESS_REACTION_NS: u32: reaction time assumed for computed
 *	headroom until a longer one is measured, ns
 * @TCA_LOSSLESS_TRUST: u8: source of the priority of a packet
 * @TCA_LOSSLESS_DSCP_PRIO: binary: priority of each DSCP; 255: the DSCP
 *	keeps the one that it has
 * @TCA_LOSSLESS_FACING: u8: device at the other end of the link
 * @TCA_LOSSLESS_WRED: nest: WRED of a priority; may come once per
 *	priority
 * @TCA_LOSSLESS_CLEARMAX: flag: set only: restart the high-water marks
 * @TCA_LOSSLESS_XON_DELTA_NOW: u32, dump only: xon-delta in use, bytes
 * @TCA_LOSSLESS_HEADROOM_NOW: u32, dump only: headroom in use, bytes
 * @TCA_LOSSLESS_HEADROOM_NEED: u32, dump only: bytes that computed
 *	headroom would have
 * @TCA_LOSSLESS_SHARED: u32, dump only: bytes of the buffer that are
 *	shared
 * @TCA_LOSSLESS_ROLE: u8: role of the device
 * @TCA_LOSSLESS_RX_RATE64: u64: bytes per second at which a host takes
 *	received frames, without overhead; 0: it takes none; 2^64 - 1: at once
 * @TCA_LOSSLESS_DEADLOCK: u8: what the switch does about deadlocks; the
 *	last port that sets it decides
 * @TCA_LOSSLESS_DEADLOCK_TRIGGER: u8: handling of the initial trigger,
 *	of the switch
 * @TCA_LOSSLESS_RCM: u8: 1: regional congestion mitigation of the
 *	lossless priorities
 * @TCA_LOSSLESS_RCM_QEQ: u32: Q_eq in bytes; 0: computed
 * @TCA_LOSSLESS_RCM_HOST_CN: u8: 1: the host at the port obeys
 *	congestion notifications
 * @TCA_LOSSLESS_RCM_LAS: u8: first bytes of a flow, in Q_eq, that are
 *	sent before those of flows that have sent more; 0: none
 * @TCA_LOSSLESS_GSO: u8: what is queued and sent of a GSO packet
 * @TCA_LOSSLESS_GSO_NOW: u8, dump only: split or whole
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
 * @TCA_LOSSLESS_WRED_PRIO: u8: the priority, 0..7
 * @TCA_LOSSLESS_WRED_KMIN: u32: queued bytes from which the curve rises
 *	from 0
 * @TCA_LOSSLESS_WRED_KMAX: u32: queued bytes from which the probability
 *	is 1
 * @TCA_LOSSLESS_WRED_PMAX: u32: probability just below kmax, in 1/2^32
 * @TCA_LOSSLESS_WRED_NONECT: u32: queued bytes from which packets
 *	without ECN are dropped, and below which they are not; 0, or absent:
 *	the curve holds for them, too
 * @TCA_LOSSLESS_WRED_BUFMAX: u32: queued bytes above which all packets
 *	are dropped; 0, or absent: no limit
 * @TCA_LOSSLESS_WRED_ECN: u8: 1: mark ECN capable packets instead of
 *	dropping
 * @TCA_LOSSLESS_WRED_OFF: flag: switch WRED of this priority off
 * @TCA_LOSSLESS_WRED_DEQUEUE: u8: 1: mark when a packet leaves, by the
 *	queue behind it; 0, or absent: when it arrives
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
	TCA_LOSSLESS_WRED_DEQUEUE,
	__TCA_LOSSLESS_WRED_MAX
};

#define TCA_LOSSLESS_WRED_MAX (__TCA_LOSSLESS_WRED_MAX - 1)

/**
 * enum lle_drop_reason - reason of a drop; each has its own counter
 * @LLE_DROP_THRESHOLD: packets of a lossy priority dropped because the
 *	priority group was at its threshold (cong_discard)
 * @LLE_DROP_BUFFER: packets of a lossy priority dropped because the
 *	shared buffer was full; with role host, also packets that had to wait
 *	and for which there was no memory (buf_discard)
 * @LLE_DROP_HEADROOM: packets of a lossless priority dropped because the
 *	headroom was full (headroom_discard)
 * @LLE_DROP_LIMIT: packets of a priority without PFC dropped because the
 *	port was over its limit; and packets of this host, or unaccounted
 *	ones, dropped because they occupied twice as much memory as the buffer
 *	has bytes (limit_discard)
 * @LLE_DROP_WRED: packets dropped by the curve of WRED; a priority with
 *	PFC has none (wred_discard)
 * @LLE_DROP_WRED_NONECT: packets that are not ECN capable, dropped
 *	because the queue was at or above nonect; a priority with PFC has none
 *	(nonect_discard)
 * @LLE_DROP_WRED_BUFMAX: packets dropped because the queue was above
 *	bufmax; a priority with PFC has none (bufmax_discard)
 * @LLE_DROP_NOMEM: GSO packets dropped because they could not be cut:
 *	into more than 128 pieces, or for lack of memory; counted as their
 *	segments (nomem_discard)
 * @LLE_DROP_STORM: packets dropped because this priority of their egress
 *	port was stormed with the action drop, or because of losslessctl
 *	switch discard (storm_discard)
 * @LLE_DROP_DEADLOCK: packets dropped to break a deadlock; they waited
 *	for a port of the loop (deadlock_discard)
 * @LLE_DROP_COPY: copies of packets for a monitor, such as those of a
 *	mirror, that were dropped (copy_discard)
 * @LLE_DROP_PURGE: packets dropped because they waited when the qdisc
 *	was replaced or deleted, or when the port went down, or because they
 *	were on its emulated wire then (purge_discard)
 * @LLE_DROP_STORM_RX: packets dropped because they arrived while this
 *	priority was stormed with the action drop, or because of losslessctl
 *	switch discard (storm_rx_discard)
 * @LLE_DROP_BURST: packets that the kernel dropped in front of the queue
 *	of this port, because more than net.core.qdisc_max_burst waited for
 *	its lock (burst_discard)
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
 * struct lle_port_stats - statistics of a port that belong to no
 *	priority
 * @shared_used: bytes of the switch's shared buffer in use
 * @shared_max: high-water mark of shared_used, and of the bytes that
 *	queues have borrowed, up to 128 KB a queue
 * @reaction_ns: longest reaction measured: from an XOFF decision to the
 *	last packet that still arrived, without the time of link and wire, ns
 * @rx_malformed: MAC control frames dropped: truncated, tagged, not sent
 *	to the reserved address, or with an unknown opcode
 * @rx_link_pause: 802.3x PAUSE frames ignored
 * @rx_pfc_excess: PFC frames of an edge host above its rate limit:
 *	obeyed at once, but evaluated together
 * @rx_bypass: packets that tc or BPF redirected at ingress, past the
 *	receive hook; they are charged, and part of rx_packets
 * @unaccounted: packets of lossless priorities that the port queued, but
 *	no port of its switch received: not charged, so they cause no pause.
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
 * @rx_paused: 1 while the neighbour pauses this priority
 * @tx_paused: 1 while the neighbour has to be paused
 * @reserved: 0
 * @rx_packets: packets of this priority that arrived at the port, also
 *	those that a storm watchdog then drops, but no MAC control frames and
 *	no messages of deadlock detection and of RCM
 * @rx_bytes: bytes of rx_packets, with the Ethernet header and VLAN
 *	tags, without FCS
 * @occupancy: bytes of packets that arrived at this port and wait in a
 *	queue of any port of the switch; with role host also those that wait
 *	for the host
 * @occupancy_max: high-water mark of occupancy since the port was made,
 *	or since the marks were cleared
 * @headroom: bytes of occupancy in headroom; 0 while the priority is
 *	lossy
 * @headroom_max: high-water mark of headroom; cleared as occupancy_max
 * @tx_packets: packets of this priority that the port has sent, without
 *	PFC frames, messages of deadlock detection and congestion
 *	notifications
 * @tx_bytes: bytes of tx_packets, with the Ethernet header and VLAN
 *	tags, without FCS
 * @backlog: bytes that wait in the queues of this port
 * @backlog_max: high-water mark of backlog; cleared as occupancy_max
 * @ecn_marked: packets that this port marked CE (congestion experienced)
 * @rx_pause: PFC frames received that pause this priority, including
 *	those that extend a pause
 * @rx_resume: PFC frames received that resume this priority, even if it
 *	was not paused
 * @rx_pause_transition: times that this priority went from sending to
 *	paused
 * @rx_pause_duration: time that this priority was paused, us: the sum of
 *	all pauses, with the present one up to now
 * @tx_pause: PFC frames sent that pause this priority at the neighbour,
 *	including those that repeat a pause
 * @tx_resume: PFC frames sent that resume this priority at the neighbour
 * @tx_pause_transition: times that the neighbour had to be paused,
 *	because the priority group reached XOFF
 * @tx_pause_duration: time that the neighbour had to be paused, us: the
 *	sum of all pauses, with the present one up to now
 * @drop_bytes: bytes of this priority dropped at this port, for any
 *	reason but burst_discard
 * @drop_threshold: packets of a lossy priority dropped because the
 *	priority group was at its threshold
 * @drop_buffer: packets of a lossy priority dropped because the shared
 *	buffer was full; with role host, also packets that had to wait and for
 *	which there was no memory
 * @drop_headroom: packets of a lossless priority dropped because the
 *	headroom was full
 * @drop_limit: packets of a priority without PFC dropped because the
 *	port was over its limit; and packets of this host, or unaccounted
 *	ones, dropped because they occupied twice as much memory as the buffer
 *	has bytes
 * @drop_wred: packets dropped by the curve of WRED; a priority with PFC
 *	has none
 * @drop_wred_nonect: packets that are not ECN capable, dropped because
 *	the queue was at or above nonect; a priority with PFC has none
 * @drop_wred_bufmax: packets dropped because the queue was above bufmax;
 *	a priority with PFC has none
 * @drop_nomem: GSO packets dropped because they could not be cut: into
 *	more than 128 pieces, or for lack of memory; counted as their segments
 * @drop_storm: packets dropped because this priority of their egress
 *	port was stormed with the action drop, or because of losslessctl
 *	switch discard
 * @drop_deadlock: packets dropped to break a deadlock; they waited for a
 *	port of the loop
 * @drop_copy: copies of packets for a monitor, such as those of a
 *	mirror, that were dropped
 * @drop_purge: packets dropped because they waited when the qdisc was
 *	replaced or deleted, or when the port went down, or because they were
 *	on its emulated wire then
 * @drop_storm_rx: packets dropped because they arrived while this
 *	priority was stormed with the action drop, or because of losslessctl
 *	switch discard
 * @drop_burst: packets that the kernel dropped in front of the queue of
 *	this port, because more than net.core.qdisc_max_burst waited for its
 *	lock
 *
 * One attribute for all members, since those of all priorities have to fit into
 * a message of one page. New members come last; readers take what they know,
 * and missing ones for 0.
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
	__u64 drop_threshold;
	__u64 drop_buffer;
	__u64 drop_headroom;
	__u64 drop_limit;
	__u64 drop_wred;
	__u64 drop_wred_nonect;
	__u64 drop_wred_bufmax;
	__u64 drop_nomem;
	__u64 drop_storm;
	__u64 drop_deadlock;
	__u64 drop_copy;
	__u64 drop_purge;
	__u64 drop_storm_rx;
	__u64 drop_burst;
};

#endif /* _UAPI_LINUX_PKT_SCH_LOSSLESS_GENERATED_H */
