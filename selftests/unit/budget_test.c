// SPDX-License-Identifier: GPL-2.0
/* kmod/core/pfc/budget.h: a burst, then one per gap. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/pfc/budget.h"

#define GAP	1000
#define BURST	8

static unsigned int take_all(struct lle_budget *b, u64 now_ns)
{
	unsigned int n = 0;

	while (lle_budget_take(b, GAP, BURST, now_ns))
		n++;
	return n;
}

static void test_burst(struct kunit *test)
{
	struct lle_budget b = {};
	u64 now = 5000000;

	is(take_all(&b, now), BURST + 1, "burst: and the one that is due");
	is(lle_budget_next(&b, GAP, BURST), now + GAP, "burst: the next is due");
	is(take_all(&b, now + GAP - 1), 0, "burst: not earlier");
	is(take_all(&b, now + GAP), 1, "burst: then one");
	is(take_all(&b, now + 3 * GAP), 2, "burst: then one a gap");
	is(take_all(&b, now + 1000 * GAP), BURST + 1,
	   "burst: no more after a long time");
}

static void test_first(struct kunit *test)
{
	struct lle_budget b = {};

	is(lle_budget_next(&b, GAP, BURST), 0, "first: nothing to wait for");
	is(take_all(&b, 0), BURST + 1, "first: at time 0");
}

/* 1 MiB takes 83.9 us at 100 Gb/s, 839 us at 10 Gb/s, 8.39 ms at 1 Gb/s. */
static void test_pause_gap(struct kunit *test)
{
	is(lle_budget_pause_gap_ns(12500000000ULL), 83886, "pause gap: 100 Gb/s");
	is(lle_budget_pause_gap_ns(1250000000ULL), 838860, "pause gap: 10 Gb/s");
	is(lle_budget_pause_gap_ns(1048576000), 1000000, "pause gap: 1 MiB in 1 ms");
	is(lle_budget_pause_gap_ns(125000000ULL), 1000000, "pause gap: 1 Gb/s");
}

/* Any window has at most the burst, one per gap, and one more. */
static void test_bound(struct kunit *test)
{
	u64 seed = 1, now = 1, start = 1, taken = 0, refused = 0;
	struct lle_budget b = {};
	bool held = true;
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		now += prng_range(&seed, 0, GAP);
		if (lle_budget_take(&b, GAP, BURST, now))
			taken++;
		else
			refused++;
		held &= taken <= BURST + 1 + (now - start) / GAP;
	}
	ok(held, "bound: never more than the rate and the burst");
	ok(refused, "bound: some are refused");
	ok(taken >= (now - start) / GAP, "bound: the rate is reached");
}

tap_suite("lossless_budget",
	  KUNIT_CASE(test_burst),
	  KUNIT_CASE(test_first),
	  KUNIT_CASE(test_pause_gap),
	  KUNIT_CASE(test_bound));
