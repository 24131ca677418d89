/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_LDCP_H
#define LLE_CORE_LDCP_H

#include "../core.h"

/* One packet: windows and their changes are in 1/2^20 packets. */
#define LLE_LDCP_SHIFT		20
#define LLE_LDCP_ONE		((u32)BIT(LLE_LDCP_SHIFT))

/* Windows are below this number of packets. */
#define LLE_LDCP_WINDOW_END	4096U

/* How a window grows */
enum lle_ldcp_mode {
	LLE_LDCP_SMOOTH,	/* one equilibrium, short queue: ldcp.c */
	LLE_LDCP_DRAFT,		/* as in the draft */
};

/**
 * struct lle_ldcp_params - parameters of a flow, in 1/2^20 packets
 * @alpha: growth in an RTT without marks; with LLE_LDCP_SMOOTH, that of large
 *	windows after 16 such RTTs
 * @beta: decrease by a marked packet, from a window of one packet on
 * @gamma: growth by an unmarked packet, below one packet
 * @eta: factor of a marked packet there, in 1/2^20
 * @min: smallest window; with LLE_LDCP_DRAFT, @gamma
 * @max: largest window
 * @mode: enum lle_ldcp_mode
 * @tail: ECN capable packets at the end of the first RTT: 1 if one packet shows
 *	the receiver a loss (go-back-N), 3 if it takes three (SACK)
 */
struct lle_ldcp_params {
	u32 alpha;
	u32 beta;
	u32 gamma;
	u32 eta;
	u32 min;
	u32 max;
	u8 mode;
	u8 tail;
};

/* Phase of a flow */
enum lle_ldcp_phase {
	LLE_LDCP_FAST,		/* first RTT: nothing is acknowledged */
	LLE_LDCP_FULL,		/* until the initial window is acked */
	LLE_LDCP_COUNT,		/* after a loss in it: count arrivals */
	LLE_LDCP_STABLE,	/* each packet changes the window */
};

/**
 * struct lle_ldcp - state of a flow
 * @cw: window in 1/2^20 packets
 * @goal: window to return to after a burst of marks; not with LLE_LDCP_DRAFT,
 *	nor below one packet
 * @quiet: packets that arrived since a mark lowered @goal, including that one
 * @iw: initial window in packets
 * @acked: packets acknowledged in order, until the stable stage
 * @arrived: packets known to have arrived, until the stable stage
 * @phase: enum lle_ldcp_phase
 * @marks: marks in this window, up to a burst; stays there after a recent one
 * @burst: the last window with marks had a burst
 */
struct lle_ldcp {
	u32 cw;
	u32 goal;
	u32 quiet;
	u16 iw;
	u16 acked;
	u16 arrived;
	u8 phase;
	u8 marks;
	bool burst;
};

/**
 * struct lle_ldcp_ack - content of an ACK
 * @arrived: packets newly known to have arrived
 * @marked: marked packets among @arrived
 * @acked: packets newly acknowledged in order
 * @whole: the last packet of the initial window has arrived, others are missing
 * @limited: the window was full
 */
struct lle_ldcp_ack {
	u32 arrived;
	u32 marked;
	u32 acked;
	bool whole;
	bool limited;
};

/**
 * lle_ldcp_params_are_good() - check the parameters of a flow
 * @p: the parameters
 *
 * The rules of LLE_LDCP_SMOOTH must meet at a window of one packet.
 */
bool lle_ldcp_params_are_good(const struct lle_ldcp_params *p);

/*
 * Growth of a window by an unmarked packet, and window after a marked one.
 * Source: equation 1 and section 2.2 of
 * draft-dai-tsvwg-pfc-free-congestion-control-01.
 */
u32 lle_ldcp_up(const struct lle_ldcp_params *p, const struct lle_ldcp *s);
u32 lle_ldcp_down(const struct lle_ldcp_params *p, u32 cw);

/**
 * lle_ldcp_start() - start a flow
 * @s: the flow
 * @iw: initial window in packets, a BDP; 0 counts as 1
 */
void lle_ldcp_start(struct lle_ldcp *s, unsigned int iw);

/**
 * lle_ldcp_idle() - restart an idle flow that sends again
 * @s: the flow
 * @iw: as in lle_ldcp_start(); used after ten RTTs
 * @idle_ns: time without packets under way
 * @srtt_ns: its RTT
 *
 * After an RTT the network may have less capacity: the flow sends its window as
 * in a first RTT, which does not delay other flows.
 * Return: true: it was restarted.
 */
bool lle_ldcp_idle(struct lle_ldcp *s, unsigned int iw, u64 idle_ns, u64 srtt_ns);

/**
 * lle_ldcp_is_ect() - decide whether a new packet is ECN capable
 * @s: the flow
 * @p: parameters
 * @number: packets sent since the flow started
 * @left: packets of its message that will follow
 *
 * Retransmissions always are. Source: section 3.1 of the draft.
 */
bool lle_ldcp_is_ect(const struct lle_ldcp *s, const struct lle_ldcp_params *p,
		     unsigned int number, unsigned int left);

/**
 * lle_ldcp_ack() - update the window by an ACK
 * @s: the flow
 * @p: parameters
 * @ack: its content; excess @ack->marked of a lying peer is ignored
 */
void lle_ldcp_ack(struct lle_ldcp *s, const struct lle_ldcp_params *p,
		  const struct lle_ldcp_ack *ack);

/**
 * lle_ldcp_lost() - reduce the window by a loss, once per flight
 * @s: the flow
 * @p: parameters
 * @sack: packets after the lost one count; else they are resent
 *
 * The draft has no rule for the stable stage: there a loss halves the window.
 */
void lle_ldcp_lost(struct lle_ldcp *s, const struct lle_ldcp_params *p, bool sack);

/**
 * lle_ldcp_timeout() - reduce the window by a retransmission time-out
 * @s: the flow
 * @p: parameters
 */
void lle_ldcp_timeout(struct lle_ldcp *s, const struct lle_ldcp_params *p);

/* Packets that may be under way */
static inline u32 lle_ldcp_window(const struct lle_ldcp *s)
{
	return max(s->cw >> LLE_LDCP_SHIFT, 1U);
}

/**
 * lle_ldcp_recovery() - compute how many packets may be sent during recovery
 * @s: the flow
 * @flight: packets under way when the first loss was found
 * @delivered: packets known to have arrived since
 * @sent: packets sent since
 *
 * The flight shrinks with each arrival. If it shrank at once, a flow without
 * further ACKs would wait for its timer.
 * Return: number of packets; at least one until one is sent.
 * Source: RFC 6937, proportional part.
 */
u32 lle_ldcp_recovery(const struct lle_ldcp *s, u32 flight, u32 delivered, u32 sent);

/**
 * lle_ldcp_within() - adapt parameters to the retransmission time-out
 * @p: parameters
 * @rtt_ns: RTT of the flow, with the time in queues
 * @rto_ns: shortest time-out, before which a paced packet must leave
 * Return: @p, with a smallest window that is sent twice in @rto_ns; with
 * LLE_LDCP_DRAFT, @p.
 */
struct lle_ldcp_params lle_ldcp_within(const struct lle_ldcp_params *p, u64 rtt_ns,
				       u64 rto_ns);

/**
 * lle_ldcp_gap_ns() - compute the time between packets of a window below one
 * @s: the flow
 * @p: parameters
 * @srtt_ns: its RTT, with the time in queues
 * @rnd: uniform random number, unused with LLE_LDCP_DRAFT
 * Return: nanoseconds, random so that flows with equal windows do not send
 * together; 0: the window is at least one packet.
 * Source: section 2.2 of the draft.
 */
u64 lle_ldcp_gap_ns(const struct lle_ldcp *s, const struct lle_ldcp_params *p,
		    u64 srtt_ns, u32 rnd);

#endif /* LLE_CORE_LDCP_H */
