/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_LDCP_H
#define LLE_CORE_LDCP_H

#include "../core.h"

/* One packet of a window. Windows and their changes are in 1/2^20 packets. */
#define LLE_LDCP_SHIFT		20
#define LLE_LDCP_ONE		((u32)BIT(LLE_LDCP_SHIFT))

/* Windows have less packets than this */
#define LLE_LDCP_WINDOW_END	4096U

/**
 * enum lle_ldcp_mode - how a window grows
 * @LLE_LDCP_SMOOTH: slower if it is small, so that there is one equilibrium, and
 *	at the window at which marks begin, so that the queue is short
 * @LLE_LDCP_DRAFT: as in the draft
 */
enum lle_ldcp_mode {
	LLE_LDCP_SMOOTH,
	LLE_LDCP_DRAFT,
};

/**
 * struct lle_ldcp_params - parameters of a flow, in 1/2^20 packets
 * @alpha: growth in an RTT without marks; with LLE_LDCP_SMOOTH, the growth of
 *	large windows after 16 RTTs without marks
 * @beta: decrease by a marked packet, of windows from one packet on
 * @gamma: growth by a packet that is not marked, of windows below one packet
 * @eta: factor of a marked packet there, in 1/2^20
 * @min: smallest window; with LLE_LDCP_DRAFT, @gamma
 * @max: largest window
 * @mode: enum lle_ldcp_mode
 * @tail: number of ECN capable packets at the end of the first RTT: 1 if one
 *	packet shows the receiver a loss (go-back-N), 3 if it takes three (SACK)
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

/**
 * enum lle_ldcp_phase - phase of a flow
 * @LLE_LDCP_FAST: first RTT: nothing is acknowledged
 * @LLE_LDCP_FULL: until the initial window is acknowledged; the window stays
 * @LLE_LDCP_COUNT: a packet of the initial window is lost, others may still
 *	arrive; the window is the number of those that have
 * @LLE_LDCP_STABLE: each acknowledged packet changes the window
 */
enum lle_ldcp_phase {
	LLE_LDCP_FAST,
	LLE_LDCP_FULL,
	LLE_LDCP_COUNT,
	LLE_LDCP_STABLE,
};

/**
 * struct lle_ldcp - state of a flow
 * @cw: window in 1/2^20 packets
 * @goal: window to which the flow returns after a burst of marks; not of
 *	LLE_LDCP_DRAFT, nor of windows below one packet
 * @quiet: packets that have arrived since a mark lowered @goal, and that one
 * @iw: initial window in packets
 * @acked: packets acknowledged in order; counted until the stable stage
 * @arrived: packets known to have arrived; counted until the stable stage
 * @phase: enum lle_ldcp_phase
 * @marks: in this window, up to those that are a burst; as many from the
 *	beginning if the window cannot have one
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
 * @arrived: packets that are newly known to have arrived
 * @marked: number of those that were marked
 * @acked: packets that are newly acknowledged in order
 * @whole: the last packet of the initial window has arrived, not all before it
 * @limited: the flow had as many packets under way as its window allows
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
 * LLE_LDCP_SMOOTH needs 1 - @beta = @eta and @gamma <= @alpha, so that the
 * rules above and below a window of one packet meet there.
 */
bool lle_ldcp_params_are_good(const struct lle_ldcp_params *p);

/**
 * lle_ldcp_up() - compute the growth of a window by a packet without mark
 * @p: parameters
 * @s: the flow
 *
 * Source: equation 1 and section 2.2 of
 * draft-dai-tsvwg-pfc-free-congestion-control-01.
 */
u32 lle_ldcp_up(const struct lle_ldcp_params *p, const struct lle_ldcp *s);

/**
 * lle_ldcp_down() - compute a window after a marked packet
 * @p: parameters
 * @cw: the window before
 *
 * Source: as of lle_ldcp_up().
 */
u32 lle_ldcp_down(const struct lle_ldcp_params *p, u32 cw);

/**
 * lle_ldcp_start() - start a flow
 * @s: the flow
 * @iw: initial window in packets, which is a BDP; 0 counts as 1
 */
void lle_ldcp_start(struct lle_ldcp *s, unsigned int iw);

/**
 * lle_ldcp_idle() - restart a flow that was idle and sends again
 * @s: the flow
 * @iw: as of lle_ldcp_start()
 * @idle_ns: time for which it had no packets under way
 * @srtt_ns: its RTT
 *
 * After an RTT the network may have less capacity for the flow. It sends its
 * window as in a first RTT, which does not delay other flows. After ten RTTs it
 * starts with @iw.
 *
 * Return: true: it was restarted.
 */
bool lle_ldcp_idle(struct lle_ldcp *s, unsigned int iw, u64 idle_ns, u64 srtt_ns);

/**
 * lle_ldcp_is_ect() - tell whether a new packet should be ECN capable
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
 * @ack: its content; @ack->marked counts up to @ack->arrived, as a peer may lie
 */
void lle_ldcp_ack(struct lle_ldcp *s, const struct lle_ldcp_params *p,
		  const struct lle_ldcp_ack *ack);

/**
 * lle_ldcp_lost() - reduce the window by a loss, once for all packets under way
 * @s: the flow
 * @p: parameters
 * @sack: count packets that arrived after the lost one; else they are resent
 *
 * The draft has no rule for a loss in the stable stage. It means that the
 * buffer is full, so the window is halved.
 */
void lle_ldcp_lost(struct lle_ldcp *s, const struct lle_ldcp_params *p, bool sack);

/**
 * lle_ldcp_timeout() - reduce the window by a retransmission time-out
 * @s: the flow
 * @p: parameters
 */
void lle_ldcp_timeout(struct lle_ldcp *s, const struct lle_ldcp_params *p);

/**
 * lle_ldcp_window() - compute how many packets may be under way
 * @s: the flow
 */
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
 * The packets under way shrink to the window with each arrival, not at once: so
 * known losses are repaired even while more than the window is under way. Else
 * a flow that has lost its last packets, and gets no ACK for them, would wait
 * for its timer.
 *
 * Source: RFC 6937, proportional part.
 *
 * Return: number of packets; at least one until one is sent.
 */
u32 lle_ldcp_recovery(const struct lle_ldcp *s, u32 flight, u32 delivered, u32 sent);

/**
 * lle_ldcp_within() - adapt parameters to the retransmission time-out
 * @p: parameters
 * @rtt_ns: RTT of the flow, with the time in queues
 * @rto_ns: shortest time after which it takes a packet for lost
 *
 * A packet that waits for its turn must leave before that.
 *
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
 * @rnd: uniform random number
 *
 * The time is random, or flows with the same window would send together; with
 * LLE_LDCP_DRAFT it is not.
 *
 * Return: nanoseconds; 0: the window is at least one packet.
 * Source: section 2.2 of the draft.
 */
u64 lle_ldcp_gap_ns(const struct lle_ldcp *s, const struct lle_ldcp_params *p,
		    u64 srtt_ns, u32 rnd);

#endif /* LLE_CORE_LDCP_H */
