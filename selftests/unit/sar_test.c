// SPDX-License-Identifier: GPL-2.0
/* kmod/core/path/sar.c: which flows leave a path, when, to where. */
#include "tap.h"

#include "../../kmod/core/path/sar.c"

#define GAP	100000ULL

static struct lle_sar_path path(u8 degree)
{
	return (struct lle_sar_path){ .known = true, .degree = degree };
}

static void test_seen(struct kunit *test)
{
	bool good = true;
	unsigned int n;

	for (n = 0; n < 32; n++)
		good &= lle_sar_seen(n, 0) &&
			lle_sar_last(lle_sar_seen(n, 0)) == n &&
			lle_sar_last(lle_sar_seen(n, U64_MAX)) == n;
	ok(good, "a note keeps the path, at any time, and is never 0");
}

static void test_age(struct kunit *test)
{
	u64 t = 1000 * LLE_SAR_TICK_NS, note = lle_sar_seen(3, t);

	is(lle_sar_age(0, GAP, t), LLE_SAR_NEW, "without packets");
	is(lle_sar_age(note, GAP, t), LLE_SAR_GOES_ON, "at once");
	is(lle_sar_age(note, GAP, t + GAP - 1), LLE_SAR_GOES_ON,
	   "just before the gap");
	is(lle_sar_age(note, GAP, t + GAP), LLE_SAR_PAUSED, "after it");
	is(lle_sar_age(note, GAP, t + LLE_SAR_FORGET * GAP - 1), LLE_SAR_PAUSED,
	   "just before it is forgotten");
	is(lle_sar_age(note, GAP, t + LLE_SAR_FORGET * GAP), LLE_SAR_NEW,
	   "then");
	is(lle_sar_age(note, GAP, t - 1), LLE_SAR_GOES_ON,
	   "by the clock of another CPU");
}

static void test_leaves(struct kunit *test)
{
	unsigned int bits;

	for (bits = 0; bits < 16; bits++) {
		struct lle_sar_path p = {
			.known = bits & 1, .congested = bits & 2,
			.paused = bits & 4, .identified = bits & 8,
		};

		is(lle_sar_leaves(&p), bits == 3 || bits == 5 || bits == 7,
		   "known %u, congested %u, paused %u, identified %u", p.known,
		   p.congested, p.paused, p.identified);
	}
}

static void test_least(struct kunit *test)
{
	struct lle_sar_path p[4] = { path(40), path(30), path(10), path(20) };

	is(lle_sar_choose(p, 4, 0), 2, "the least");
	is(lle_sar_choose(p, 4, 2), 2, "its own is the least");
	is(lle_sar_choose(p, 2, 0), 1, "of two");
	is(lle_sar_choose(p, 1, 0), 0, "of one");
	p[2].known = false;
	is(lle_sar_choose(p, 4, 0), 3, "but one of which nothing is known");
	p[3].paused = true;
	is(lle_sar_choose(p, 4, 0), 1, "but one that is paused");
	p[1].paused = true;
	is(lle_sar_choose(p, 4, 0), 0, "its own, if all others are worse");
}

static void test_margin(struct kunit *test)
{
	struct lle_sar_path p[2] = { path(10), path(8) };

	is(lle_sar_choose(p, 2, 0), 0, "better by 2 is not enough");
	p[1].degree = 7;
	is(lle_sar_choose(p, 2, 0), 1, "by 3 is");
	p[0] = path(1);
	p[1] = path(0);
	is(lle_sar_choose(p, 2, 0), 0, "nothing is better than nearly nothing");
	p[0].paused = true;
	is(lle_sar_choose(p, 2, 0), 1, "unless its own is paused");
	p[1].degree = 30;
	is(lle_sar_choose(p, 2, 0), 0, "and the other is not worse still");
}

tap_suite("lossless_sar",
	  KUNIT_CASE(test_seen),
	  KUNIT_CASE(test_age),
	  KUNIT_CASE(test_leaves),
	  KUNIT_CASE(test_least),
	  KUNIT_CASE(test_margin));
