// SPDX-License-Identifier: GPL-2.0
/* DCQCN's reaction point: SIGCOMM 2015, section 3. */
#include "../../lab/rnic/dcqcn.c"
#include "tap.h"

#define US	1000ULL
#define GBIT	125000000ULL

static const struct dcqcn_params p = {
	.line = 40 * GBIT,
	.min = GBIT / 25,
	.ai = GBIT / 25,
	.hai = GBIT / 5,
	.g_shift = 4,
	.rounds = 5,
	.alpha_ns = 55 * US,
	.cut_ns = 50 * US,
	.timer_ns = 60 * US,
	.bytes = 10 << 20,
	.clamp = true,
};

static bool near(u64 got, u64 want)
{
	u64 off = got > want ? got - want : want - got;

	return off <= want / 1000;
}

/* Eq. 1 with alpha = 1: the rate halves, alpha stays 1. */
static void first_cnp_halves(struct kunit *test)
{
	struct dcqcn s;

	dcqcn_init(&s, &p);
	is(dcqcn_send(&s, &p, 1500, 0), p.line, "begins at line rate");
	dcqcn_cnp(&s, &p, 100 * US);
	is(s.rate, p.line / 2, "first CNP: half");
	is(s.target, p.line, "recovers to what it was");
	is(s.alpha, DCQCN_ONE, "(1 - g) * 1 + g = 1");
}

static void one_cut_an_interval(struct kunit *test)
{
	struct dcqcn s;

	dcqcn_init(&s, &p);
	dcqcn_cnp(&s, &p, 100 * US);
	dcqcn_cnp(&s, &p, 150 * US - 1);
	is(s.rate, p.line / 2, "no second cut within 50 us");
	dcqcn_cnp(&s, &p, 150 * US);
	is(s.rate, p.line / 4, "one after 50 us");
}

/* Eq. 2: alpha *= 15/16 each 55 us without a CNP */
static void alpha_decays(struct kunit *test)
{
	struct dcqcn s;
	unsigned int i;
	u64 want = DCQCN_ONE;

	dcqcn_init(&s, &p);
	dcqcn_cnp(&s, &p, US);
	dcqcn_send(&s, &p, 1500, US + 10 * 55 * US);
	for (i = 0; i < 10; i++)
		want = want * 15 / 16;
	ok(near(s.alpha, want), "ten intervals: (15/16)^10");
	dcqcn_cnp(&s, &p, US + 1000000 * US);
	ok(near(s.rate, p.line), "after a second a CNP cuts hardly anything");
}

/* Eq. 3: rounds halve the distance to the target; the fifth (not < F) adds RAI. */
static void recovers(struct kunit *test)
{
	struct dcqcn s;
	u64 distance = p.line / 4, cut = p.line / 2;
	unsigned int round;

	dcqcn_init(&s, &p);
	dcqcn_cnp(&s, &p, US);
	dcqcn_cnp(&s, &p, 51 * US);
	is(s.target, cut, "the target is the rate before the cut");
	for (round = 1; round < 5; round++) {
		distance /= 2;
		dcqcn_send(&s, &p, 0, 51 * US + round * 60 * US);
		is(s.rate, cut - distance, "round %u", round);
		is(s.target, cut, "target in round %u", round);
	}
	dcqcn_send(&s, &p, 0, 51 * US + 5 * 60 * US);
	is(s.target, cut + p.ai, "then additive increase");
}

/* Hyper increase needs more than F rounds of bytes and time. */
static void increases_by_bytes(struct kunit *test)
{
	struct dcqcn s;
	unsigned int round;
	u64 target;

	dcqcn_init(&s, &p);
	dcqcn_cnp(&s, &p, US);
	dcqcn_cnp(&s, &p, 51 * US);
	for (round = 1; round < 5; round++)
		dcqcn_send(&s, &p, p.bytes, 52 * US);
	is(s.target, p.line / 2, "four rounds by bytes");
	dcqcn_send(&s, &p, p.bytes, 52 * US);
	is(s.target, p.line / 2 + p.ai, "the fifth adds");
	dcqcn_send(&s, &p, p.bytes, 52 * US);
	is(s.target, p.line / 2 + 2 * p.ai, "the sixth, too");
	dcqcn_send(&s, &p, 0, 51 * US + 5 * 60 * US);
	target = s.target;
	is(target, p.line / 2 + 7 * p.ai, "as do five by time");
	dcqcn_send(&s, &p, 0, 51 * US + 6 * 60 * US);
	is(s.target, target + p.hai, "six of both: hyper increase");
}

static void within_bounds(struct kunit *test)
{
	struct dcqcn s;
	unsigned int i;

	dcqcn_init(&s, &p);
	for (i = 1; i < 100; i++)
		dcqcn_cnp(&s, &p, i * 50 * US);
	is(s.rate, p.min, "never below the least rate");
	is(dcqcn_send(&s, &p, 0, 100000000 * US), p.line,
	   "and at line rate again in the end");
	ok(s.target <= p.line, "target within the line rate");
}

/* A CNP at 1 us: ticks of cuts at 51 us + 1 ns and each 50 us, of alpha at 56 us and each 55 us. */
static void ticks_begin_with_the_first_cnp(struct kunit *test)
{
	struct dcqcn_params q = p;
	u64 alpha = DCQCN_ONE - (DCQCN_ONE >> p.g_shift);
	struct dcqcn s;

	q.ticks = true;
	dcqcn_init(&s, &q);
	dcqcn_cnp(&s, &q, US);
	is(dcqcn_send(&s, &q, 0, 51 * US), q.line, "before the tick nothing is cut");
	is(dcqcn_send(&s, &q, 0, 51 * US + 1), q.line / 2, "at the tick the rate halves");
	dcqcn_send(&s, &q, 0, 56 * US);
	is(s.alpha, alpha, "no CNP since the first one: alpha decays");
	dcqcn_cnp(&s, &q, 57 * US);
	dcqcn_cnp(&s, &q, 58 * US);
	is(dcqcn_send(&s, &q, 0, 101 * US), q.line / 2, "the next cut waits, too");
	dcqcn_send(&s, &q, 0, 101 * US + 1);
	ok(near(s.rate, q.line / 2 - q.line / 4 * alpha / DCQCN_ONE), "two CNPs are one cut");
	is(s.target, q.line / 2, "the target is the rate before it");
	dcqcn_send(&s, &q, 0, 111 * US);
	is(s.alpha, alpha - (alpha >> q.g_shift) + (DCQCN_ONE >> q.g_shift),
	   "alpha grows after CNPs");
	dcqcn_send(&s, &q, 0, 161 * US);
	is(s.time_rounds, 0, "a round of time begins with the cut");
	dcqcn_send(&s, &q, 0, 161 * US + 1);
	is(s.time_rounds, 1, "and ends 60 us later");
}

/* After seconds without packets: alpha has decayed to nothing, and its ticks are skipped. */
static void ticks_pass_while_idle(struct kunit *test)
{
	struct dcqcn_params q = p;
	struct dcqcn s;

	q.ticks = true;
	dcqcn_init(&s, &q);
	dcqcn_cnp(&s, &q, US);
	dcqcn_send(&s, &q, 0, 1000000000 * US);
	ok(s.alpha >> q.g_shift == 0 && s.rate == q.line, "no alpha, and line rate");
	ok(s.alpha_due_ns > 1000000000 * US && (s.alpha_due_ns - US) % (55 * US) == 0,
	   "ticks keep their distance");
}

/* Without clamp, a cut before the first round leaves the target. */
static void without_clamp(struct kunit *test)
{
	struct dcqcn_params q = p;
	struct dcqcn s;

	q.clamp = false;
	dcqcn_init(&s, &q);
	dcqcn_cnp(&s, &q, US);
	dcqcn_cnp(&s, &q, 51 * US);
	is(s.target, q.line, "no round has ended");
	dcqcn_send(&s, &q, 0, 112 * US);
	dcqcn_cnp(&s, &q, 113 * US);
	ok(s.target < q.line, "one has");
}

tap_suite("lossless_dcqcn",
	  KUNIT_CASE(first_cnp_halves),
	  KUNIT_CASE(one_cut_an_interval),
	  KUNIT_CASE(alpha_decays),
	  KUNIT_CASE(recovers),
	  KUNIT_CASE(increases_by_bytes),
	  KUNIT_CASE(within_bounds),
	  KUNIT_CASE(ticks_begin_with_the_first_cnp),
	  KUNIT_CASE(ticks_pass_while_idle),
	  KUNIT_CASE(without_clamp));
