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
 * goal is the window before a burst of marks; t, in RTTs, is the time since a
 * mark lowered the goal. The first mark in a window lowers it; the third one
 * undoes that: such a burst is other traffic, unless another burst is less than
 * two RTTs old. In the first RTT a flow sends a BDP, which switches drop rather
 * than queue.
 *
 * Deviations from the draft, not in LLE_LDCP_DRAFT:
 *  1. alpha(cw) = min(alpha, gamma * sqrt(cw)), and gamma(cw) = gamma * (1 + 3
 *     cw) / 4. With constants two windows, at a ratio of alpha / gamma, are
 *     stable at one share of marks.
 *  2. The growth in an RTT is not alpha. The stable share of marks, and with it
 *     the queue, is proportional to the growth: so it is slow at the goal, and
 *     speeds up while no mark arrives. Below the goal it is fast, as a burst of
 *     other traffic reduced the window.
 *  3. The smallest window is below gamma: from gamma, one unmarked packet would
 *     double the rate of all flows at once.
 *  4. The gap between packets is random, so that flows with the same window do
 *     not send together.
 */
#include "ldcp.h"

/* RTTs without packets that invalidate the window */
#define LLE_LDCP_FORGET		10

/* Growth below the goal, and its maximum above, in units of alpha(cw) */
#define LLE_LDCP_REGAIN		4
#define LLE_LDCP_SPEED		2

/* RTTs without marks until growth is alpha(cw), as a shift */
#define LLE_LDCP_QUIET_SHIFT	4

/* A mark also lowers the goal by 1/8 of its distance to the window. */
#define LLE_LDCP_NEAR_SHIFT	3

/* Marks in a window that make a burst; RTTs between bursts of other traffic */
#define LLE_LDCP_BURST		3
#define LLE_LDCP_APART		2

/* Saturation of @quiet: growth is at its maximum */
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

/* Set a window not caused by marks: also the goal. */
static void lle_ldcp_set(struct lle_ldcp *s, u32 cw)
{
	s->cw = cw;
	s->goal = cw;
	s->quiet = 0;
}

/* The window becomes the number of delivered packets. */
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
	/* growth slows down at the goal */
	if (p->mode != LLE_LDCP_DRAFT && s->cw < s->goal)
		limit = s->goal;
	s->cw = min_t(u64, s->cw + (u64)packets * lle_ldcp_up(p, s), limit);
	s->goal = max(s->goal, s->cw);
}

/* The first marked packet of a window lowers the goal. */
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
	/* an unused window does not show spare capacity */
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
	/* no division for the usual, much shorter RTT */
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
	/* capped at an hour: the shift does not overflow */
	gap_ns = div_u64(min_t(u64, srtt_ns, 3600 * (u64)NSEC_PER_SEC)
			 << LLE_LDCP_SHIFT, s->cw);
	if (p->mode == LLE_LDCP_DRAFT)
		return gap_ns;
	/* 1/2 to 3/2 of it */
	return gap_ns / 2 + mul_u64_u64_div_u64(gap_ns, rnd, 1ULL << 32);
}
