// SPDX-License-Identifier: GPL-2.0
/*
 * LDCP: a window cw that each acknowledged packet changes.
 *
 *	cw >= 1:  not marked: cw + growth / cw   marked: cw - beta
 *	cw <  1:  not marked: cw + gamma(cw)     marked: max(min, eta * cw)
 *
 *	growth =  cw < goal:  4 * alpha(cw)
 *		  else:       max(gamma / cw, alpha(cw) * min(2, t / 16))
 *
 * goal is the window that the flow had before marks came in a burst, t the time
 * in RTTs since a mark lowered the goal. The first mark in a window does so. The
 * third one returns that: such a burst is other traffic, unless it follows
 * another one within two RTTs.
 *
 * In the first RTT a flow sends a BDP, which switches drop rather than queue.
 *
 * Deviations from the draft, which LLE_LDCP_DRAFT does not have:
 *  1. alpha(cw) = min(alpha, gamma * sqrt(cw)), and gamma(cw) = gamma * (1 + 3
 *     cw) / 4. In the draft both are constant: then two windows are stable at
 *     one share of marks, one of them alpha / gamma times the other.
 *  2. The growth in an RTT is not alpha. The share of marks at which a window is
 *     stable, and with it the queue, is proportional to the growth: so it is
 *     slow at the goal, and speeds up while no mark comes. Below the goal it is
 *     fast, as what reduced the window was a burst of other traffic.
 *  3. The smallest window is less than gamma: from a window of gamma, one
 *     unmarked packet would double the rate, of all flows at once.
 *  4. The gap between packets is random, so that flows with the same window do
 *     not send together.
 */
#include "ldcp.h"

/* RTTs without packets after which the window is no longer valid */
#define LLE_LDCP_FORGET		10

/* Growth below the goal, and its maximum above, over alpha(cw) */
#define LLE_LDCP_REGAIN		4
#define LLE_LDCP_SPEED		2

/* RTTs without a mark after which growth is alpha(cw), as a shift */
#define LLE_LDCP_QUIET_SHIFT	4

/* A mark lowers the goal by this part of what it is above the window, too. */
#define LLE_LDCP_NEAR_SHIFT	3

/*
 * So many marks in a window are a burst of other traffic, unless the last such
 * window was less than so many RTTs ago: then the flow's own window is too large.
 */
#define LLE_LDCP_BURST		3
#define LLE_LDCP_APART		2

/* Packets that @quiet counts: growth is at its maximum then */
#define LLE_LDCP_QUIET_MAX \
	(LLE_LDCP_SPEED * LLE_LDCP_WINDOW_END << LLE_LDCP_QUIET_SHIFT)

static u32 lle_ldcp_mul(u32 a, u32 b)
{
	return (u64)a * b >> LLE_LDCP_SHIFT;
}

bool lle_ldcp_params_are_good(const struct lle_ldcp_params *p)
{
	if (!p->alpha || p->alpha > LLE_LDCP_ONE ||
	    !p->beta || p->beta > LLE_LDCP_ONE ||
	    !p->gamma || p->gamma > LLE_LDCP_ONE ||
	    !p->eta || p->eta >= LLE_LDCP_ONE ||
	    !p->min || p->min > LLE_LDCP_ONE ||
	    p->max < LLE_LDCP_ONE)
		return false;
	if (p->mode == LLE_LDCP_DRAFT)
		return p->min == p->gamma;
	return p->beta + p->eta == LLE_LDCP_ONE && p->gamma <= p->alpha;
}

static u32 lle_ldcp_alpha(const struct lle_ldcp_params *p, u32 cw)
{
	return min(p->alpha, lle_ldcp_mul(p->gamma, int_sqrt64((u64)cw << LLE_LDCP_SHIFT)));
}

/* Growth of a window of one packet or more in an RTT without marks */
static u32 lle_ldcp_growth(const struct lle_ldcp_params *p, const struct lle_ldcp *s)
{
	u32 alpha, slow;
	u64 fast;

	if (p->mode == LLE_LDCP_DRAFT)
		return p->alpha;
	alpha = lle_ldcp_alpha(p, s->cw);
	if (s->cw < s->goal)
		return LLE_LDCP_REGAIN * alpha;
	slow = div_u64((u64)p->gamma << LLE_LDCP_SHIFT, s->cw);
	fast = div_u64((u64)alpha * s->quiet << (LLE_LDCP_SHIFT - LLE_LDCP_QUIET_SHIFT),
		       s->cw);
	return max_t(u64, slow, min_t(u64, fast, LLE_LDCP_SPEED * alpha));
}

u32 lle_ldcp_up(const struct lle_ldcp_params *p, const struct lle_ldcp *s)
{
	if (s->cw >= LLE_LDCP_ONE)
		return div_u64((u64)lle_ldcp_growth(p, s) << LLE_LDCP_SHIFT, s->cw);
	if (p->mode == LLE_LDCP_DRAFT)
		return p->gamma;
	return p->gamma / 4 + lle_ldcp_mul(p->gamma - p->gamma / 4, s->cw);
}

u32 lle_ldcp_down(const struct lle_ldcp_params *p, u32 cw)
{
	if (cw >= LLE_LDCP_ONE)
		return max(cw - p->beta, p->min);
	return max(lle_ldcp_mul(p->eta, cw), p->min);
}

void lle_ldcp_start(struct lle_ldcp *s, unsigned int iw)
{
	iw = min(max(iw, 1U), LLE_LDCP_WINDOW_END - 1);
	*s = (struct lle_ldcp){
		.phase = LLE_LDCP_FAST, .iw = iw, .cw = iw << LLE_LDCP_SHIFT,
	};
}

bool lle_ldcp_idle(struct lle_ldcp *s, unsigned int iw, u64 idle_ns, u64 srtt_ns)
{
	if (!srtt_ns || idle_ns <= srtt_ns)
		return false;
	if (idle_ns <= LLE_LDCP_FORGET * srtt_ns)
		iw = min(iw, lle_ldcp_window(s));
	lle_ldcp_start(s, iw);
	return true;
}

bool lle_ldcp_is_ect(const struct lle_ldcp *s, const struct lle_ldcp_params *p,
		     unsigned int number, unsigned int left)
{
	return s->phase != LLE_LDCP_FAST || number + p->tail >= s->iw ||
	       left < p->tail;
}

/* Set a window that no mark has made: it is the goal, too. */
static void lle_ldcp_set(struct lle_ldcp *s, u32 cw)
{
	s->cw = cw;
	s->goal = cw;
	s->quiet = 0;
}

/* The window is the number of packets that the network has delivered. */
static void lle_ldcp_count(struct lle_ldcp *s, unsigned int packets)
{
	packets = min_t(unsigned int, max(packets, 1U), s->iw);
	lle_ldcp_set(s, packets << LLE_LDCP_SHIFT);
}

static void lle_ldcp_ack_first(struct lle_ldcp *s, const struct lle_ldcp_ack *ack)
{
	s->acked = min_t(u32, s->acked + min_t(u32, ack->acked, U16_MAX), s->iw);
	s->arrived = min_t(u32, s->arrived + min_t(u32, ack->arrived, U16_MAX), s->iw);
	if (s->phase == LLE_LDCP_FAST)
		s->phase = LLE_LDCP_FULL;
	if (s->phase == LLE_LDCP_COUNT)
		lle_ldcp_count(s, s->arrived);
	/* packets that arrive from now on are retransmissions */
	if (s->acked == s->iw || (s->phase == LLE_LDCP_COUNT && ack->whole))
		s->phase = LLE_LDCP_STABLE;
}

static void lle_ldcp_grow(struct lle_ldcp *s, const struct lle_ldcp_params *p,
			  u32 packets)
{
	u32 limit = p->max;

	for (; packets && s->cw < LLE_LDCP_ONE; packets--) {
		s->cw += lle_ldcp_up(p, s);
		s->goal = s->cw;
	}
	if (!packets)
		return;
	/* above the goal growth is slower */
	if (p->mode != LLE_LDCP_DRAFT && s->cw < s->goal)
		limit = s->goal;
	s->cw = min_t(u64, s->cw + (u64)packets * lle_ldcp_up(p, s), limit);
	s->goal = max(s->goal, s->cw);
}

/* A marked packet, the first one in a window, lowers the goal. */
static void lle_ldcp_lower(struct lle_ldcp *s, const struct lle_ldcp_params *p)
{
	u32 goal = max(s->cw, lle_ldcp_down(p, s->goal));

	s->goal = goal - ((goal - s->cw) >> LLE_LDCP_NEAR_SHIFT);
	if (!s->burst || s->quiet >= LLE_LDCP_APART * lle_ldcp_window(s))
		s->marks = 0;
	s->burst = false;
	s->quiet = 0;
}

static void lle_ldcp_shrink(struct lle_ldcp *s, const struct lle_ldcp_params *p,
			    u32 packets)
{
	bool first = s->quiet >= lle_ldcp_window(s);

	while (packets-- && s->cw > p->min) {
		s->cw = lle_ldcp_down(p, s->cw);
		if (first)
			lle_ldcp_lower(s, p);
		first = false;
		if (s->marks < LLE_LDCP_BURST && ++s->marks == LLE_LDCP_BURST) {
			s->goal += p->beta;
			s->burst = true;
		}
	}
}

void lle_ldcp_ack(struct lle_ldcp *s, const struct lle_ldcp_params *p,
		  const struct lle_ldcp_ack *ack)
{
	u32 marked = min(ack->marked, ack->arrived);

	if (s->phase != LLE_LDCP_STABLE) {
		lle_ldcp_ack_first(s, ack);
		return;
	}
	s->quiet = min(s->quiet + min(ack->arrived, LLE_LDCP_QUIET_MAX),
		       LLE_LDCP_QUIET_MAX);
	/* an unused window does not show that the network can take more */
	if (ack->limited)
		lle_ldcp_grow(s, p, ack->arrived - marked);
	lle_ldcp_shrink(s, p, marked);
}

void lle_ldcp_lost(struct lle_ldcp *s, const struct lle_ldcp_params *p, bool sack)
{
	switch (s->phase) {
	case LLE_LDCP_FAST:
	case LLE_LDCP_FULL:
		lle_ldcp_count(s, sack ? s->arrived : s->acked);
		s->phase = sack ? LLE_LDCP_COUNT : LLE_LDCP_STABLE;
		break;
	case LLE_LDCP_COUNT:
		break;
	default:
		lle_ldcp_set(s, max(s->cw / 2, p->min));
	}
}

void lle_ldcp_timeout(struct lle_ldcp *s, const struct lle_ldcp_params *p)
{
	s->phase = LLE_LDCP_STABLE;
	lle_ldcp_set(s, max(min(s->cw / 2, LLE_LDCP_ONE), p->min));
}

u32 lle_ldcp_recovery(const struct lle_ldcp *s, u32 flight, u32 delivered, u32 sent)
{
	u64 due = (u64)lle_ldcp_window(s) * delivered;

	flight = max(flight, 1U);
	due = max_t(u64, div_u64(due + flight - 1, flight), 1);
	return due > sent ? due - sent : 0;
}

struct lle_ldcp_params lle_ldcp_within(const struct lle_ldcp_params *p, u64 rtt_ns,
				       u64 rto_ns)
{
	struct lle_ldcp_params within = *p;

	if (p->mode == LLE_LDCP_DRAFT)
		return within;
	/* no division for the usual RTT, which is much shorter */
	if (rtt_ns >= rto_ns / 2)
		within.min = LLE_LDCP_ONE;
	else if (2 * rtt_ns << LLE_LDCP_SHIFT > p->min * rto_ns)
		within.min = div64_u64(2 * rtt_ns << LLE_LDCP_SHIFT, rto_ns);
	return within;
}

u64 lle_ldcp_gap_ns(const struct lle_ldcp *s, const struct lle_ldcp_params *p,
		    u64 srtt_ns, u32 rnd)
{
	u64 gap_ns;

	if (s->cw >= LLE_LDCP_ONE)
		return 0;
	/* with an hour at most the shift does not overflow */
	gap_ns = div_u64(min_t(u64, srtt_ns, 3600 * (u64)NSEC_PER_SEC)
			 << LLE_LDCP_SHIFT, s->cw);
	if (p->mode == LLE_LDCP_DRAFT)
		return gap_ns;
	/* from 1/2 to 3/2 of it */
	return gap_ns / 2 + mul_u64_u64_div_u64(gap_ns, rnd, 1ULL << 32);
}
