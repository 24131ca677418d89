// SPDX-License-Identifier: GPL-2.0
/* kmod/core/notification/hold.c: budgets and their holds. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/notification/hold.c"

#define MTU	1500

static const struct {
	const char *name;
	u32 xoff, flight;
	bool fits;
	struct lle_rcm_budget b;
} budgets[] = {
	/* 60000 - 25000 - 3000; 3/4 of it; 25/32 of it is below @flight */
	{ "XOFF 60 KB", 60000, 25000, true, { 32000, 24000, 32000, 25000, MTU } },
	/* not 72000: 1.5 times the bytes in flight is enough */
	{ "XOFF 100 KB", 100000, 25000, true, { 37500, 28125, 37500, 29296, MTU } },
	{ "a slow link: 16 packets", 60000, 2000, true,
	  { 24000, 18000, 24000, 18750, MTU } },
	{ "what is in flight twice, and two packets", 53000, 25000, true,
	  { 25000, 18750, 25000, 25000, MTU } },
	{ "a byte less", 52999, 25000, false, {} },
	{ "no way at all: four packets", 6000, 0, true, { 3000, 2250, 3000, 2343, MTU } },
	{ "a byte less than four packets", 5999, 0, false, {} },
	{ "nothing overflows", U32_MAX, U32_MAX, false, {} },
};

static void test_budget(struct kunit *test)
{
	for_each_vector(v, budgets) {
		struct lle_rcm_budget b = {};

		is(lle_hold_budget_init(&b, v->xoff, v->flight, MTU), v->fits,
		   "fits: %s", v->name);
		ok(!memcmp(&b, &v->b, sizeof(b)), "budget: %s", v->name);
	}
}

static const struct {
	const char *name;
	u16 parts;
	u32 on, off;	/* least bytes to begin, and to keep, a hold */
} ids[] = {
	{ "none yet", 0, 32001, 25000 },
	{ "alone", 1, 32001, 25000 },
	{ "one of four", 4, 8001, 6250 },
	{ "one of many: two packets, and one", 100, 2 * MTU + 1, MTU + 1 },
};

static const struct {
	u16 roots;
	u32 on, off;
} roots[] = {
	{ 0, 32001, 25000 }, { 1, 16001, 25000 }, { 3, 8001, 8333 },
	{ 50, 2 * MTU + 1, 500 },
};

/* A hold begins at @on bytes and ends below @off. */
static void holds(struct kunit *test, const struct lle_rcm_limit *l, u32 on,
		  u32 off, const char *name, unsigned int n)
{
	ok(lle_hold_is_due(l, on, false) && !lle_hold_is_due(l, on - 1, false),
	   "held: %s, %u", name, n);
	ok(lle_hold_is_due(l, off, true) && !lle_hold_is_due(l, off - 1, true),
	   "let go: %s, %u", name, n);
}

static void test_holds(struct kunit *test)
{
	struct lle_rcm_budget b;

	lle_hold_budget_init(&b, 60000, 25000, MTU);
	for_each_vector(v, ids) {
		struct lle_rcm_ingress in = { .subs = v->parts };

		lle_hold_divide(&in, &b);
		holds(test, &in.id, v->on, v->off, v->name, v->parts);
		holds(test, &in.class, 32001, 24000, "all together", v->parts);
	}
	for_each_vector(v, roots) {
		struct lle_rcm_ingress in = { .roots = v->roots };

		lle_hold_divide(&in, &b);
		holds(test, &in.root, v->on, v->off, "roots", v->roots);
	}
}

static void test_no_budget(struct kunit *test)
{
	struct lle_rcm_ingress in = {};

	lle_hold_divide(&in, NULL);
	ok(in.id.on_bytes == U32_MAX && in.root.on_bytes == U32_MAX &&
	   in.class.on_bytes == U32_MAX, "no limit");
	ok(!lle_hold_is_due(&in.id, 1U << 31, false) &&
	   !lle_hold_is_due(&in.root, 1U << 31, false) &&
	   !lle_hold_is_due(&in.class, 1U << 31, false),
	   "nobody is told: nothing is held");
	ok(!lle_hold_is_due(&in.id, 1U << 31, true) &&
	   !lle_hold_is_due(&in.root, 1U << 31, true) &&
	   !lle_hold_is_due(&in.class, 1U << 31, true), "what was is let go");
}

static void test_nothing_waits(struct kunit *test)
{
	struct lle_rcm_ingress in = { .subs = 512, .roots = 64 };
	struct lle_rcm_budget b;

	/* the smallest budget, the largest number of queues */
	lle_hold_budget_init(&b, 4, 0, 1);
	lle_hold_divide(&in, &b);
	ok(!lle_hold_is_due(&in.id, 0, true) && !lle_hold_is_due(&in.root, 0, true) &&
	   !lle_hold_is_due(&in.class, 0, true), "what does not wait is not held");
}

static void test_stuck(struct kunit *test)
{
	struct lle_rcm_progress p = {};

	ok(!lle_hold_is_stuck(&p, 5000, 100, 1000), "packets have come");
	ok(!lle_hold_is_stuck(&p, 5000, 100, 1099), "none has left lately");
	ok(lle_hold_is_stuck(&p, 5000, 100, 1100), "nor for long");
	ok(lle_hold_is_stuck(&p, 9000, 100, 1200), "others that come do not help");
	ok(lle_hold_is_stuck(&p, 5000, 100, 1300), "only one that leaves");
	ok(!lle_hold_is_stuck(&p, 4999, 100, 1400), "does");
	ok(!lle_hold_is_stuck(&p, 6000, 100, 1490), "others come");
	ok(!lle_hold_is_stuck(&p, 6000, 100, 1589), "and time begins anew");
	ok(lle_hold_is_stuck(&p, 6000, 100, 1590), "until it is stuck again");
}

tap_suite("lossless_hold",
	  KUNIT_CASE(test_budget),
	  KUNIT_CASE(test_holds),
	  KUNIT_CASE(test_stuck),
	  KUNIT_CASE(test_no_budget),
	  KUNIT_CASE(test_nothing_waits));
