/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_LDCP_H
#define LLE_CORE_LDCP_H

#include "../core.h"

/* A packet of a window; windows and what changes them are in 1/2^20. */
#define LLE_LDCP_SHIFT		20
#define LLE_LDCP_ONE		((u32)BIT(LLE_LDCP_SHIFT))

/* Packets, below which a window is */
#define LLE_LDCP_WINDOW_END	4096U

/**
 * enum lle_ldcp_mode - how a window grows
 * @LLE_LDCP_SMOOTH: by less at small windows, so that there is one equilibrium
 * @LLE_LDCP_DRAFT: as the draft says
 */
enum lle_ldcp_mode {
	LLE_LDCP_SMOOTH,
	LLE_LDCP_DRAFT,
};

/**
 * struct lle_ldcp_params - parameters of a flow, in 1/2^20
 * @alpha: growth in an RTT without marks
 * @beta: decrease by a marked packet, from a window of one on
 * @gamma: growth by a packet that is not marked, below a window of one
 * @eta: factor by which a marked packet decreases the window there
 * @min: smallest window; with LLE_LDCP_DRAFT, @gamma
 * @max: largest window
 * @mode: enum lle_ldcp_mode
 * @tail: packets at the end of the first RTT's that are ECN capable: 1 if one packet tells the
 *	receiver what it lacks (go-back-N), 3 if it takes as many (SACK)
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
 * enum lle_ldcp_phase - where a flow is
 * @LLE_LDCP_FAST: first RTT: nothing has been acknowledged
 * @LLE_LDCP_FULL: after it, until the initial window has been; the window stays
 * @LLE_LDCP_COUNT: a packet of the initial window is lost, others may still arrive; the window
 *	is what has
 * @LLE_LDCP_STABLE: after that: each packet that is acknowledged changes the window
 */
enum lle_ldcp_phase {
	LLE_LDCP_FAST,
	LLE_LDCP_FULL,
	LLE_LDCP_COUNT,
	LLE_LDCP_STABLE,
};

/**
 * struct lle_ldcp - a flow
 * @cw: its window; the only state of the stable stage
 * @iw: packets of its initial window
 * @acked: packets acknowledged in order since it has begun, until the stable stage
 * @arrived: packets of which is known that they have arrived, until then
 * @phase: enum lle_ldcp_phase
 */
struct lle_ldcp {
	u32 cw;
	u16 iw;
	u16 acked;
	u16 arrived;
	u8 phase;
};

/**
 * struct lle_ldcp_ack - what an ACK says
 * @arrived: packets that were not known to have arrived
 * @marked: of those, how many were marked
 * @acked: packets that are acknowledged in order now, and were not
 * @whole: the last packet of the initial window has arrived, though not all before it
 * @limited: the flow had as much under way as its window allows
 */
struct lle_ldcp_ack {
	u32 arrived;
	u32 marked;
	u32 acked;
	bool whole;
	bool limited;
};

/**
 * lle_ldcp_params_are_good() - can a flow have these parameters?
 * @p: the parameters
 *
 * LLE_LDCP_SMOOTH needs 1 - @beta = @eta and @gamma <= @alpha, or its rules did not meet at a
 * window of one.
 */
bool lle_ldcp_params_are_good(const struct lle_ldcp_params *p);

/**
 * lle_ldcp_up() - by how much a packet that is not marked increases a window
 * @p: parameters
 * @cw: the window
 *
 * Source: equation 1 and section 2.2 of draft-dai-tsvwg-pfc-free-congestion-control-01.
 */
u32 lle_ldcp_up(const struct lle_ldcp_params *p, u32 cw);

/**
 * lle_ldcp_down() - what a marked packet leaves of a window
 * @p: parameters
 * @cw: the window
 *
 * Source: as of lle_ldcp_up().
 */
u32 lle_ldcp_down(const struct lle_ldcp_params *p, u32 cw);

/**
 * lle_ldcp_start() - a flow begins
 * @s: the flow
 * @iw: packets of its initial window, which is a BDP; at least one is taken
 */
void lle_ldcp_start(struct lle_ldcp *s, unsigned int iw);

/**
 * lle_ldcp_idle() - a flow has something to send again
 * @s: the flow
 * @iw: as of lle_ldcp_start()
 * @idle_ns: how long nothing of it was under way
 * @srtt_ns: its RTT
 *
 * After an RTT a window is not what the network has room for: as much of it is sent as in a
 * first RTT, which harms nobody. After ten, the flow is a new one.
 *
 * Return: it begins anew.
 */
bool lle_ldcp_idle(struct lle_ldcp *s, unsigned int iw, u64 idle_ns, u64 srtt_ns);

/**
 * lle_ldcp_is_ect() - is a packet ECN capable?
 * @s: the flow
 * @p: parameters
 * @number: how many the flow has sent since it has begun
 * @left: how many of its message will follow
 *
 * One that is sent again always is. Source: section 3.1 of the draft.
 */
bool lle_ldcp_is_ect(const struct lle_ldcp *s, const struct lle_ldcp_params *p,
		     unsigned int number, unsigned int left);

/**
 * lle_ldcp_ack() - an ACK has come
 * @s: the flow
 * @p: parameters
 * @ack: what it says; @ack->marked is not believed if it is more than @ack->arrived
 */
void lle_ldcp_ack(struct lle_ldcp *s, const struct lle_ldcp_params *p,
		  const struct lle_ldcp_ack *ack);

/**
 * lle_ldcp_lost() - a packet is lost; once for all that are under way
 * @s: the flow
 * @p: parameters
 * @sack: what has arrived behind it counts; else all of that is sent again
 *
 * In the stable stage the draft does not say what it means: the buffer is full.
 */
void lle_ldcp_lost(struct lle_ldcp *s, const struct lle_ldcp_params *p, bool sack);

/**
 * lle_ldcp_timeout() - nothing is known of any packet that is under way
 * @s: the flow
 * @p: parameters
 */
void lle_ldcp_timeout(struct lle_ldcp *s, const struct lle_ldcp_params *p);

/**
 * lle_ldcp_window() - how many packets may be under way
 * @s: the flow
 */
static inline u32 lle_ldcp_window(const struct lle_ldcp *s)
{
	return max(s->cw >> LLE_LDCP_SHIFT, 1U);
}

/**
 * lle_ldcp_recovery() - how many packets may be sent now, while losses are repaired
 * @s: the flow
 * @flight: packets that were under way when the first loss was found
 * @delivered: of which is known that they have arrived since
 * @sent: packets that were sent since
 *
 * What is under way shrinks to the window with each packet that arrives, not at once:
 * losses that are known are repaired although more than the window is under way. Else
 * a flow that has lost its tail, of which no ACK comes, would wait for its timer.
 *
 * Source: RFC 6937, proportional part.
 *
 * Return: it; at least one until one is sent.
 */
u32 lle_ldcp_recovery(const struct lle_ldcp *s, u32 flight, u32 delivered, u32 sent);

/**
 * lle_ldcp_within() - parameters of a flow that waits for its retransmission timer, too
 * @p: parameters
 * @rtt_ns: its RTT, with what it waits in queues
 * @rto_ns: shortest time after which it takes a packet for lost
 *
 * A packet that waits for its turn must leave before that.
 *
 * Return: the same, with a smallest window that is sent twice in @rto_ns; with
 * LLE_LDCP_DRAFT, the same.
 */
struct lle_ldcp_params lle_ldcp_within(const struct lle_ldcp_params *p, u64 rtt_ns,
				       u64 rto_ns);

/**
 * lle_ldcp_gap_ns() - from one packet to the next, of a window below one
 * @s: the flow
 * @p: parameters
 * @srtt_ns: its RTT, with what it waits in queues
 * @rnd: uniform random number
 *
 * Not the same for all flows that have the same window, or they would send together;
 * with LLE_LDCP_DRAFT it is.
 *
 * Return: it; 0: the window is one at least. Source: section 2.2 of the draft.
 */
u64 lle_ldcp_gap_ns(const struct lle_ldcp *s, const struct lle_ldcp_params *p,
		    u64 srtt_ns, u32 rnd);

#endif /* LLE_CORE_LDCP_H */
