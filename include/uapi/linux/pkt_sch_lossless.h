/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Netlink contract of the "lossless" qdisc: options (TCA_OPTIONS) and
 * statistics (TCA_STATS_APP).
 */
#ifndef _UAPI_LINUX_PKT_SCH_LOSSLESS_H
#define _UAPI_LINUX_PKT_SCH_LOSSLESS_H

#include <linux/types.h>
#include <linux/lossless_frame.h>

/* Bands of the scheduler, as many as there are priorities. */
#define LLE_NUM_BAND		LLE_NUM_PRIO

/* alpha = 2^(to_alpha - 10), as devlink-sb counts it; 6 is 1/16 */
#define LLE_TO_ALPHA_ONE	10
#define LLE_TO_ALPHA_MAX	20
#define LLE_TO_ALPHA_DEFAULT	6

#define LLE_BUFFER_MIN		65536U
#define LLE_BUFFER_MAX		(1U << 30)
#define LLE_BUFFER_DEFAULT	(12U << 20)
#define LLE_OVERHEAD_MAX	256U
#define LLE_OVERHEAD_DEFAULT	24U	/* preamble 8, FCS 4, inter-frame gap 12 */
#define LLE_BURST_DEFAULT	32768U
#define LLE_RATE_MIN		1000ULL		/* bytes per second */
#define LLE_RATE_MAX		125000000000ULL	/* 1 Tbit/s */
#define LLE_DELAY_MAX_NS	1000000000ULL
#define LLE_WIRE_MAX		(64U << 20)	/* bytes in flight on a wire */
#define LLE_QUANTUM_MIN		64U
#define LLE_QUANTUM_MAX		(1U << 24)
#define LLE_REACTION_DEFAULT_NS	100000U
#define LLE_RX_UNLIMITED	(~0ULL)

/**
 * enum lle_trust - where the priority of an arriving packet comes from
 * @LLE_TRUST_DSCP: the DSCP of IPv4 and IPv6 through the port's map; a packet
 *	without one has the PCP of its VLAN tag, or priority 0
 * @LLE_TRUST_PCP: the PCP of the VLAN tag, or 0 without one
 * @LLE_TRUST_NONE: 0 for what arrives; what this host sends keeps the priority
 *	its socket gave it
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
 * enum lle_facing - what is at the other end of the link
 * @LLE_FACING_EDGE: a host
 * @LLE_FACING_FABRIC: another switch of the same management
 * @__LLE_FACING_MAX: internal use
 */
enum lle_facing {
	LLE_FACING_EDGE,
	LLE_FACING_FABRIC,
	__LLE_FACING_MAX
};

#define LLE_FACING_MAX (__LLE_FACING_MAX - 1)

/**
 * enum lle_role - what the device is
 * @LLE_ROLE_SWITCH: a port of a switch, or a NIC that takes what arrives at once
 * @LLE_ROLE_HOST: a host's NIC: what arrives waits in a receive buffer, the port's
 *	priority groups, until it is taken
 * @__LLE_ROLE_MAX: internal use
 */
enum lle_role {
	LLE_ROLE_SWITCH,
	LLE_ROLE_HOST,
	__LLE_ROLE_MAX
};

#define LLE_ROLE_MAX (__LLE_ROLE_MAX - 1)

/**
 * enum lle_deadlock_action - what a switch does about deadlocks that it is part of
 * @LLE_DEADLOCK_OFF: it does not look for them
 * @LLE_DEADLOCK_ALERT: it reports them
 * @LLE_DEADLOCK_LOSSLESS: and breaks them without loss: packets of the loop wait beside the
 *	buffer for a while
 * @LLE_DEADLOCK_DROP: or by dropping as few as need be
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
 * enum lle_deadlock_mode - how a switch looks for deadlocks
 * @LLE_DEADLOCK_EXACT: what it finds is one
 * @LLE_DEADLOCK_DCFIT: as the paper says, for comparison: it may find what is none
 * @__LLE_DEADLOCK_MODE_MAX: internal use
 */
enum lle_deadlock_mode {
	LLE_DEADLOCK_EXACT,
	LLE_DEADLOCK_DCFIT,
	__LLE_DEADLOCK_MODE_MAX
};

#define LLE_DEADLOCK_MODE_MAX (__LLE_DEADLOCK_MODE_MAX - 1)

/**
 * enum lle_deadlock_trigger - what is done with who has begun a deadlock that is broken
 * @LLE_DEADLOCK_TRIGGER_RESOLVE: a host is quarantined until it behaves; a hop that locks again
 *	and again because of a switch is lossy until it is quiet
 * @LLE_DEADLOCK_TRIGGER_LEAVE: nothing
 * @__LLE_DEADLOCK_TRIGGER_MAX: internal use
 */
enum lle_deadlock_trigger {
	LLE_DEADLOCK_TRIGGER_RESOLVE,
	LLE_DEADLOCK_TRIGGER_LEAVE,
	__LLE_DEADLOCK_TRIGGER_MAX
};

#define LLE_DEADLOCK_TRIGGER_MAX (__LLE_DEADLOCK_TRIGGER_MAX - 1)

/**
 * enum lle_crd_sample - when a port looks whether it is congested
 * @LLE_CRD_PACKET: by each packet, against the queue some time ago
 * @LLE_CRD_QCN: after as many bytes as the table of 802.1Qau says, against the queue at
 *	the sample before
 * @__LLE_CRD_SAMPLE_MAX: internal use
 */
enum lle_crd_sample {
	LLE_CRD_PACKET,
	LLE_CRD_QCN,
	__LLE_CRD_SAMPLE_MAX
};

#define LLE_CRD_SAMPLE_MAX (__LLE_CRD_SAMPLE_MAX - 1)

/**
 * enum lle_cfr_rule - who is a congested flow
 * @LLE_CFR_STANDS_OUT: whose share is a quarter over the mean of the others
 * @LLE_CFR_LITERAL: who is there at all; the paper's
 * @__LLE_CFR_RULE_MAX: internal use
 */
enum lle_cfr_rule {
	LLE_CFR_STANDS_OUT,
	LLE_CFR_LITERAL,
	__LLE_CFR_RULE_MAX
};

#define LLE_CFR_RULE_MAX (__LLE_CFR_RULE_MAX - 1)

/**
 * enum lle_rcc_rule - what congested flows may do that have used up their window
 * @LLE_RCC_CONSERVING: send when nobody else has anything to
 * @LLE_RCC_STRICT: nothing; the paper's
 * @__LLE_RCC_RULE_MAX: internal use
 */
enum lle_rcc_rule {
	LLE_RCC_CONSERVING,
	LLE_RCC_STRICT,
	__LLE_RCC_RULE_MAX
};

#define LLE_RCC_RULE_MAX (__LLE_RCC_RULE_MAX - 1)

/* RCM, where nothing is said */
#define LLE_RCM_WQ_DEFAULT	2
#define LLE_RCM_WQ_MAX		16
#define LLE_RCM_WREMOTE_DEFAULT	0x80000000U
#define LLE_RCM_CAM_DEFAULT	32
#define LLE_RCM_CAM_MAX		64

/**
 * enum lle_drop_reason - why a packet was dropped; each has its own counter
 * @LLE_DROP_THRESHOLD: priority group over its dynamic threshold or static
 *	xoff, priority not lossless
 * @LLE_DROP_BUFFER: no room left in the switch's shared buffer, or no memory for a
 *	packet that has to wait at a host
 * @LLE_DROP_HEADROOM: lossless priority, headroom exhausted: the pause took
 *	longer to take effect than the headroom was sized for
 * @LLE_DROP_LIMIT: port over its limit; or a packet of this host, of which more
 *	than the size of the buffer is queued
 * @LLE_DROP_WRED: by the WRED curve
 * @LLE_DROP_WRED_NONECT: packet without ECN, queue at or over nonect
 * @LLE_DROP_WRED_BUFMAX: queue over bufmax
 * @LLE_DROP_NOMEM: no memory to segment the packet
 * @LLE_DROP_STORM: was to leave by a port with a storm, or waited there
 * @LLE_DROP_DEADLOCK: waited on a loop of pauses, which was broken by that
 * @LLE_DROP_PURGE: was queued when the qdisc was reset or deleted, or when the
 *	port went down; or waited at a host then, or when that became a switch
 * @LLE_DROP_STORM_RX: came by a port with a storm
 * @__LLE_DROP_MAX: internal use
 *
 * The first three are decided by the ingress side and are counted at the port
 * on which the packet arrived, and so is the last; the others at the port it was to
 * leave by, or, of a host, at the one at which it waited.
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
	LLE_DROP_PURGE,
	LLE_DROP_STORM_RX,
	__LLE_DROP_MAX
};

#define LLE_NUM_DROP __LLE_DROP_MAX

/**
 * enum - options of the qdisc, nested in TCA_OPTIONS
 * @TCA_LOSSLESS_UNSPEC: not used
 * @TCA_LOSSLESS_PAD: alignment of 64 bit attributes
 * @TCA_LOSSLESS_RATE64: u64, bytes per second of the emulated link; 0: as fast
 *	as the device takes packets
 * @TCA_LOSSLESS_DELAY_NS: u64, propagation time of the emulated wire. Not 0: a
 *	frame arrives when its last bit does; 0: when its first bit is sent
 * @TCA_LOSSLESS_OVERHEAD: u32, bytes that a frame occupies on the link beyond
 *	its own (preamble, FCS, gap)
 * @TCA_LOSSLESS_BURST: u32, bytes the link may catch up after its timer was
 *	late; an idle link earns none
 * @TCA_LOSSLESS_LIMIT: u32, bytes queued in the port over which arrivals of
 *	priorities without PFC are dropped; 0: only the shared buffer limits
 * @TCA_LOSSLESS_BANDS: u8, number of bands of the scheduler, 1..8
 * @TCA_LOSSLESS_STRICT: u8, the first that many bands are strict priority
 * @TCA_LOSSLESS_QUANTA: binary, u32 for each band after the strict ones: bytes
 *	a round of deficit round robin
 * @TCA_LOSSLESS_PRIOMAP: binary, 1 to 8 u8: band of each priority; those that
 *	are left out go to the last band
 * @TCA_LOSSLESS_PFC_EN: u8, bit p: priority p is lossless
 * @TCA_LOSSLESS_PAUSE_QUANTA: u16, time advertised in pause frames, 1..65535;
 *	refused if so short that a refresh would come too late
 * @TCA_LOSSLESS_SWITCH: u32, the switch of this network namespace that the
 *	port belongs to
 * @TCA_LOSSLESS_BUFFER: u32, bytes of packet memory of that switch, including
 *	what is reserved and the headroom; the last port to say so decides
 * @TCA_LOSSLESS_RESERVED: u32, bytes each priority group has for itself
 * @TCA_LOSSLESS_TO_ALPHA: u8, threshold of each priority group as a share of
 *	the free shared buffer: 2^(to_alpha - 10)
 * @TCA_LOSSLESS_XOFF: u32, static threshold in bytes; 0: dynamic, by to_alpha
 * @TCA_LOSSLESS_XON_DELTA: u32, bytes below the XOFF point at which a paused
 *	priority group resumes; 0: computed, two frames of the device's MTU
 * @TCA_LOSSLESS_HEADROOM: u32, bytes of headroom of each lossless priority group;
 *	0: computed from rate, delay, MTU, burst and reaction time
 * @TCA_LOSSLESS_REACTION_NS: u32, reaction time to assume for computed headroom
 *	until a longer one is measured
 * @TCA_LOSSLESS_TRUST: u8, enum lle_trust
 * @TCA_LOSSLESS_DSCP_PRIO: binary, u8[64]: priority of each DSCP
 * @TCA_LOSSLESS_FACING: u8, enum lle_facing
 * @TCA_LOSSLESS_WRED: nested, TCA_LOSSLESS_WRED_*; may come once per priority
 * @TCA_LOSSLESS_CLEARMAX: flag, set only: start high-water marks anew
 * @TCA_LOSSLESS_XON_DELTA_NOW: u32, dump only: what is in use
 * @TCA_LOSSLESS_HEADROOM_NOW: u32, dump only: what is in use
 * @TCA_LOSSLESS_HEADROOM_NEED: u32, dump only: what computed headroom would be
 * @TCA_LOSSLESS_SHARED: u32, dump only: bytes of the buffer that are shared
 * @TCA_LOSSLESS_ROLE: u8, enum lle_role
 * @TCA_LOSSLESS_RX_RATE64: u64, bytes per second that a host takes of what
 *	arrives, in frames without overhead; 0: it takes none; LLE_RX_UNLIMITED: at once
 * @TCA_LOSSLESS_DEADLOCK: u8, enum lle_deadlock_action, of the switch; the last port to say
 *	so decides
 * @TCA_LOSSLESS_DEADLOCK_MODE: u8, enum lle_deadlock_mode, of the switch, likewise
 * @TCA_LOSSLESS_DEADLOCK_TRIGGER: u8, enum lle_deadlock_trigger, of the switch, likewise
 * @TCA_LOSSLESS_RCM: u8, 1: regional congestion mitigation of the priorities with PFC
 * @TCA_LOSSLESS_RCM_QEQ: u32, Q_eq in bytes; 0: computed
 * @TCA_LOSSLESS_RCM_WQ: u8, w_q
 * @TCA_LOSSLESS_RCM_WREMOTE: u32, w of a neighbour's degree, in 1/2^32
 * @TCA_LOSSLESS_RCM_CAM: u8, packets that are remembered by whose they are, 1..64
 * @TCA_LOSSLESS_RCM_SAMPLE: u8, enum lle_crd_sample
 * @TCA_LOSSLESS_RCM_CFR: u8, enum lle_cfr_rule
 * @TCA_LOSSLESS_RCM_RCC: u8, enum lle_rcc_rule
 * @TCA_LOSSLESS_RCM_HOST_CN: u8, 1: the host that the port faces obeys congestion
 *	notifications
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
	TCA_LOSSLESS_RCM_WQ,
	TCA_LOSSLESS_RCM_WREMOTE,
	TCA_LOSSLESS_RCM_CAM,
	TCA_LOSSLESS_RCM_SAMPLE,
	TCA_LOSSLESS_RCM_CFR,
	TCA_LOSSLESS_RCM_RCC,
	TCA_LOSSLESS_RCM_HOST_CN,
	__TCA_LOSSLESS_MAX
};

#define TCA_LOSSLESS_MAX (__TCA_LOSSLESS_MAX - 1)

/**
 * enum - WRED of one priority, nested in TCA_LOSSLESS_WRED
 * @TCA_LOSSLESS_WRED_UNSPEC: not used
 * @TCA_LOSSLESS_WRED_PRIO: u8, 0..7
 * @TCA_LOSSLESS_WRED_KMIN: u32, bytes queued from which the curve rises from 0
 * @TCA_LOSSLESS_WRED_KMAX: u32, bytes queued from which its probability is 1
 * @TCA_LOSSLESS_WRED_PMAX: u32, probability just below kmax, in 1/2^32
 * @TCA_LOSSLESS_WRED_NONECT: u32, packets without ECN are dropped from this
 *	queue on and never below; 0: the curve holds for them, too
 * @TCA_LOSSLESS_WRED_BUFMAX: u32, queue over which everything is dropped; 0:
 *	no such limit
 * @TCA_LOSSLESS_WRED_ECN: u8, 1: mark ECN capable packets instead of dropping
 * @TCA_LOSSLESS_WRED_OFF: flag, this priority has no WRED any more
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
 * @TCA_LOSSLESS_STATS_PRIO: binary, struct lle_prio_stats; once per priority of
 *	which anything is not 0. In a class's TCA_STATS_APP there is nothing but this and
 *	the next
 * @TCA_LOSSLESS_STATS_RCM: binary, array of struct lle_prio_rcm, of the priorities that
 *	have RCM; absent: none has
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
 * struct lle_port_stats - statistics of a port that are not of a priority
 * @shared_used: bytes of the switch's shared buffer in use
 * @shared_max: its high-water mark
 * @reaction_ns: longest reaction measured: from an XOFF decision to the last packet that
 *	arrived in spite of it, without the time that link and wire take
 * @rx_malformed: MAC control frames dropped as truncated, tagged, not to the reserved
 *	address or of unknown opcode
 * @rx_link_pause: 802.3x PAUSE frames ignored
 * @rx_pfc_excess: PFC frames of an edge host beyond what it may make the switch do: obeyed
 *	at once, but evaluated several together
 * @rx_bypass: packets that tc or BPF redirected at ingress, past the receive hook; they
 *	are charged, and are part of rx_packets
 * @unaccounted: packets of lossless priorities that came to the queues of the port from a
 *	device that is no port of its switch: they are charged to nobody, and nobody is
 *	paused for them. Packets that the host itself makes are not counted
 * @wire_bytes: bytes in flight on the emulated wire, without pauses
 *
 * One attribute, for the reason that struct lle_prio_stats has.
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
 * @rx_packets: packets that arrived at the port and were given a priority: data, also
 *	what a storm then drops, but no MAC control frames and no messages of DCFIT and RCM.
 *	Those that tc or BPF redirects to a port count when they come to its queue; a copy
 *	that they make for a port counts, too, since it is charged
 * @rx_bytes: their bytes
 * @occupancy: bytes that arrived at this port and wait anywhere in the switch
 * @occupancy_max: its high-water mark
 * @headroom: bytes of that which are in headroom
 * @headroom_max: its high-water mark
 * @tx_packets: packets sent
 * @tx_bytes: their bytes
 * @backlog: bytes queued to leave by this port
 * @backlog_max: its high-water mark
 * @ecn_marked: packets marked CE here
 * @rx_pause: frames received that pause this priority
 * @rx_resume: frames received that resume it
 * @rx_pause_transition: times it went from sending to paused
 * @rx_pause_duration: microseconds it was paused
 * @rx_paused: 1 while it is
 * @tx_pause: frames sent that pause the peer's priority
 * @tx_resume: frames sent that resume it
 * @tx_pause_transition: times the peer's priority was to be paused: the priority group
 *	had crossed XOFF, and was not discarded as stormed
 * @tx_pause_duration: microseconds it was
 * @tx_paused: 1 while it is
 * @drop_bytes: bytes dropped, for whatever reason
 * @drops: packets dropped, by enum lle_drop_reason
 *
 * One attribute and not one for each member, because all of a port's have to fit
 * into a message of a page.
 */
struct lle_prio_stats {
	__u64 prio;
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
	__u64 rx_paused;
	__u64 tx_pause;
	__u64 tx_resume;
	__u64 tx_pause_transition;
	__u64 tx_pause_duration;
	__u64 tx_paused;
	__u64 drop_bytes;
	__u64 drops[LLE_NUM_DROP];
};

/**
 * struct lle_prio_rcm - regional congestion mitigation of one priority of a port
 * @identified: flows or destinations that CFR identified here so far
 * @overflows: times that there was no room for one more
 * @isolated_bytes: bytes that wait and are isolated
 * @w_bytes: W of the window by which they share the port; 0: there is none
 * @wc_bytes: W_c, what they may send of it
 * @ids: flows or destinations that are isolated
 * @prio: the priority
 * @role: enum lle_crd_role, see lossless.h
 *
 * As small as it is because of that message: counters have 32 bits, as those of struct
 * gnet_stats_queue do. Those of struct lle_congestion have 64.
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
};

#endif /* _UAPI_LINUX_PKT_SCH_LOSSLESS_H */
