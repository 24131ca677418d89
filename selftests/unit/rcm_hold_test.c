// SPDX-License-Identifier: GPL-2.0
/* kmod/core/rcm_hold.c: budgets, and when something is held upstream because of them. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/rcm_hold.c"

#define MTU	1500

static const struct {
	const char *name;
	u32 xoff, flight;
	bool fits;
	struct lle_rcm_budget b;
} budgets[] = {
	/* 60000 - 25000 - 3000; 3/4 of it; 25/32 of it is less than what is in flight */
	{ "XOFF 60 KB", 60000, 25000, true, { 32000, 24000, 32000, 25000, MTU } },
	{ "XOFF 100 KB", 100000, 25000, true, { 72000, 54000, 72000, 56250, MTU } },
	{ "what is in flight twice, and two packets", 53000, 25000, true,
	  { 25000, 18750, 25000, 25000, MTU } },
	{ "a byte less", 52999, 25000, false, {} },
	{ "no way at all: four packets", 6000, 0, true, { 3000, 2250, 3000, 2343, MTU } },
	{ "a byte less than four packets", 5999, 0, false, {} },
	{ "nothing overflows", U32_MAX, U32_MAX, false, {} },
};

static void test_budget(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(budgets); i++) {
		struct lle_rcm_budget b = {};

		is(lle_rcm_budget_init(&b, budgets[i].xoff, budgets[i].flight, MTU),
		   budgets[i].fits, "fits: %s", budgets[i].name);
		ok(!memcmp(&b, &budgets[i].b, sizeof(b)), "budget: %s",
		   budgets[i].name);
	}
}

static const struct {
	const char *name;
	u16 parts;
	u32 on, off;	/* first bytes that are held; that still are */
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

static void test_holds(struct kunit *test)
{
	struct lle_rcm_budget b;
	unsigned int i;

	lle_rcm_budget_init(&b, 60000, 25000, MTU);
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		struct lle_rcm_ingress in = { .subs = ids[i].parts };
		u32 on = ids[i].on, off = ids[i].off;

		ok(lle_rcm_holds_id(&b, &in, on, false) &&
		   !lle_rcm_holds_id(&b, &in, on - 1, false), "held: %s",
		   ids[i].name);
		ok(lle_rcm_holds_id(&b, &in, off, true) &&
		   !lle_rcm_holds_id(&b, &in, off - 1, true), "let go: %s",
		   ids[i].name);
	}
	for (i = 0; i < ARRAY_SIZE(roots); i++) {
		struct lle_rcm_ingress in = { .roots = roots[i].roots };
		u32 on = roots[i].on, off = roots[i].off;

		ok(lle_rcm_holds_root(&b, &in, on, false) &&
		   !lle_rcm_holds_root(&b, &in, on - 1, false),
		   "held: %u roots before", roots[i].roots);
		ok(lle_rcm_holds_root(&b, &in, off, true) &&
		   !lle_rcm_holds_root(&b, &in, off - 1, true),
		   "let go: one of %u roots", roots[i].roots);
	}
}

static void test_class(struct kunit *test)
{
	struct lle_rcm_ingress in = { .bytes = 32000 };
	struct lle_rcm_budget b;

	lle_rcm_budget_init(&b, 60000, 25000, MTU);
	ok(!lle_rcm_holds_class(&b, &in), "32000 bytes are within the budget");
	in.bytes++;
	ok(lle_rcm_holds_class(&b, &in), "one more is not");
	in.class_held = true;
	in.bytes = 24000;
	ok(lle_rcm_holds_class(&b, &in), "held down to 24000");
	in.bytes--;
	ok(!lle_rcm_holds_class(&b, &in), "then let go");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_budget),
	KUNIT_CASE(test_holds),
	KUNIT_CASE(test_class),
	{}
};

tap_suite("lossless_rcm_hold", cases);
