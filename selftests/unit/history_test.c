// SPDX-License-Identifier: GPL-2.0
/* kmod/core/pfc/history.c: past pauses. */
#include "tap.h"

#include "../../kmod/core/pfc/history.c"

static bool last_is(const struct lle_history *h, unsigned int n, u64 start_ns,
		    u64 ns)
{
	const struct lle_episode *e = lle_history_last(h, n);

	return e && e->start_ns == start_ns && e->ns == ns;
}

static void test_few(struct kunit *test)
{
	struct lle_history h = {};

	ok(!lle_history_last(&h, 0), "few: none yet");
	lle_history_add(&h, 1000, 1500);
	lle_history_add(&h, 2000, 2100);
	lle_history_add(&h, 3000, 3000);
	is(h.count, 3, "few: count");
	is(h.total_ns, 600, "few: total");
	is(h.longest_ns, 500, "few: longest");
	ok(last_is(&h, 0, 3000, 0), "few: newest, of no length");
	ok(last_is(&h, 2, 1000, 500), "few: oldest");
	ok(!lle_history_last(&h, 3), "few: no more");
}

static void test_many(struct kunit *test)
{
	struct lle_history h = {};
	u64 i, total = 0;

	for (i = 1; i <= 1000; i++) {
		lle_history_add(&h, i * 10000, i * 10000 + i);
		total += i;
	}
	is(h.count, 1000, "many: count");
	is(h.total_ns, total, "many: total");
	is(h.longest_ns, 1000, "many: longest");
	for (i = 0; i < LOSSLESS_NUM_EPISODE; i++)
		ok(last_is(&h, i, (1000 - i) * 10000, 1000 - i),
		   "many: %u before the newest", (unsigned int)i);
	ok(!lle_history_last(&h, LOSSLESS_NUM_EPISODE), "many: the rest is forgotten");
}

tap_suite("lossless_history",
	  KUNIT_CASE(test_few),
	  KUNIT_CASE(test_many));
