// SPDX-License-Identifier: GPL-2.0
/* kmod/core/congestion/cfr.c: memory of packets, identified flows. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/congestion/cfr.c"

#define BURST	100
#define INCAST	1

/* A burst (half of the packets) and four incasts, interleaved */
static void arrive(struct lle_cfr *c, unsigned int packets)
{
	unsigned int i;

	for (i = 0; i < packets; i++)
		lle_cfr_arrive(c, i & 1 ? BURST : INCAST + i / 2 % 4, false);
}

/* RCM paper, figure 6: half is the burst, 1/8 each incast. */
static void test_stands_out(struct kunit *test)
{
	struct lle_cfr c;
	unsigned int i;

	lle_cfr_clear(&c);
	arrive(&c, 31);
	ok(!lle_cfr_is_congested(&c, BURST),
	   "31 packets of 32 do not tell");
	lle_cfr_arrive(&c, BURST, false);
	is(c.distinct, 5, "five are there");
	is(lle_cfr_hits(&c, BURST), 16, "half of 32 are the burst's");
	ok(lle_cfr_is_congested(&c, BURST),
	   "16 >= 1.25 * 32 / 5: the burst is congested");
	for (i = 0; i < 4; i++) {
		is(lle_cfr_hits(&c, INCAST + i), 4, "an eighth is incast %u's", i);
		ok(!lle_cfr_is_congested(&c, INCAST + i),
		   "4 < 8: incast %u is not", i);
	}
}

/* identified iff hits >= 1.25 * D / distinct: 20 of 32 packets of two */
static void test_edge(struct kunit *test)
{
	struct lle_cfr c;
	unsigned int i;

	lle_cfr_clear(&c);
	for (i = 0; i < 32; i++)
		lle_cfr_arrive(&c, i < 19, false);
	ok(!lle_cfr_is_congested(&c, 1), "19 of 32 do not stand out");
	for (i = 0; i < 32; i++)
		lle_cfr_arrive(&c, i < 20, false);
	ok(lle_cfr_is_congested(&c, 1), "20 of 32 do");
	/* the only flow: 1.25 * 32 > 32 */
	for (i = 0; i < 32; i++)
		lle_cfr_arrive(&c, 5, false);
	ok(!lle_cfr_is_congested(&c, 5), "who is alone does not");
}

static void test_isolated(struct kunit *test)
{
	unsigned int burst, i;
	struct lle_cfr c;
	bool any = false;

	lle_cfr_clear(&c);
	arrive(&c, 32);
	lle_cfr_arrive(&c, BURST, true);
	is(c.isolated_hits, 17, "with the next packet, all that it has are isolated");
	is(c.isolated_distinct, 1, "of one");
	for (burst = 16; burst; burst--) {
		for (i = 0; i < 32; i++)
			if (i < burst)
				lle_cfr_arrive(&c, BURST, true);
			else
				lle_cfr_arrive(&c, INCAST + i % 4, false);
		is(c.isolated_hits, burst, "%u of 32 are the burst's", burst);
		for (i = 0; i < 4; i++)
			any |= lle_cfr_is_congested(&c, INCAST + i);
	}
	ok(!any, "no incast ever stands out because of that");
	for (i = 0; i < 32; i++)
		lle_cfr_arrive(&c, i % 3 ? 50 : BURST, i % 3 == 0);
	ok(!lle_cfr_is_congested(&c, 50),
	   "who is alone with it does not");
	for (i = 0; i < 32; i++)
		lle_cfr_arrive(&c, i % 3 ? 50 : INCAST + i % 2, false);
	ok(lle_cfr_is_congested(&c, 50), "a second burst does");
	/* 16 of 32 are isolated: 4 * hits * 2 >= 5 * (32 - 16) */
	for (i = 0; i < 32; i++)
		lle_cfr_arrive(&c, i < 16 ? BURST : i < 26 ? 50 : 51, i < 16);
	ok(lle_cfr_is_congested(&c, 50), "10 of the other 16 do");
	ok(!lle_cfr_is_congested(&c, 51), "6 do not");
	lle_cfr_arrive(&c, BURST, false);
	lle_cfr_arrive(&c, 50, true);
	lle_cfr_arrive(&c, 50, false);
	is(c.isolated_hits, 0, "who is let go counts again, with all that he has");
	is(c.isolated_distinct, 0, "nobody is isolated");
}

static bool lasting(const struct lle_cfr *c)
{
	return lle_cfr_is_lasting(c, BURST);
}

static void test_lasting(struct kunit *test)
{
	struct lle_cfr c;
	unsigned int i;

	lle_cfr_clear(&c);
	arrive(&c, 4 * 32 - 1);
	ok(!lasting(&c), "who stands out three times in a row does not do so lastingly");
	lle_cfr_arrive(&c, BURST, false);
	ok(lasting(&c), "four times, he does");
	ok(!lle_cfr_is_lasting(&c, INCAST), "others do not");
	arrive(&c, 31);
	ok(lasting(&c), "it lasts");
	for (i = 0; i < 33; i++)
		lle_cfr_arrive(&c, i % 5 ? INCAST + i % 5 : BURST, false);
	ok(!lasting(&c), "until he does not once");
	arrive(&c, 3 * 32);
	ok(!lasting(&c), "three times anew");
	arrive(&c, 32);
	ok(lasting(&c), "four times anew");

	lle_cfr_clear(&c);
	for (i = 0; i < 31; i++)
		lle_cfr_arrive(&c, 200 + i, false);
	lle_cfr_arrive(&c, BURST, false);
	arrive(&c, 4 * 32);
	ok(lasting(&c), "the last ID of a full memory");

	lle_cfr_clear(&c);
	for (i = 0; i < 4 * 32; i++)
		lle_cfr_arrive(&c, BURST, true);
	ok(!lle_cfr_is_lasting(&c, INCAST), "no ID that is not there");

	lle_cfr_clear(&c);
	for (i = 0; i < 8 * 32; i++) {
		lle_cfr_arrive(&c, i & 1 ? INCAST + i / 2 % 4 : BURST, false);
		if (i == 4 * 32 - 1)
			ok(lasting(&c), "the first ID of an empty memory");
	}
	ok(lasting(&c), "after eight times, too");
}

static void test_clear(struct kunit *test)
{
	struct lle_cfr c;

	lle_cfr_clear(&c);
	arrive(&c, 80);
	lle_cfr_clear(&c);
	is(lle_cfr_hits(&c, BURST), 0, "cleared: nobody is there");
	ok(!lle_cfr_full(&c), "and it is not full");
	ok(!lle_cfr_next(&c, NULL), "there is no first one");
	arrive(&c, 32);
	is(lle_cfr_hits(&c, BURST), 16, "it fills again");
}

/* Compares the memory with a plain list of the last D packets. */
static bool remembers(unsigned int ids, u64 seed)
{
	const struct lle_cfr_entry *entry;
	u32 last[LLE_CFR_DEPTH];
	unsigned int i, j, n;
	struct lle_cfr c;

	lle_cfr_clear(&c);
	for (i = 0; i < 20000; i++) {
		u32 id = prng_range(&seed, 0, ids - 1) * LLE_CFR_BUCKETS / 2;

		lle_cfr_arrive(&c, id, false);
		last[i % LLE_CFR_DEPTH] = id;
		if (i + 1 < LLE_CFR_DEPTH)
			continue;
		for (j = n = 0; j < LLE_CFR_DEPTH; j++)
			n += last[j] == id;
		require(lle_cfr_hits(&c, id) == n, "packet %u: %u, want %u", i,
			lle_cfr_hits(&c, id), n);
		n = 0;
		j = 0;
		for (entry = NULL; (entry = lle_cfr_next(&c, entry)); j++)
			n += entry->hits;
		require(n == LLE_CFR_DEPTH && j == c.distinct, "packet %u: %u of %u",
			i, n, j);
	}
	return true;
}

static void test_remembers(struct kunit *test)
{
	ok(remembers(1, 1), "32 packets of one");
	ok(remembers(5, 2), "of few");
	ok(remembers(500, 3), "of many in few buckets");
}

tap_suite("lossless_cfr",
	  KUNIT_CASE(test_stands_out),
	  KUNIT_CASE(test_edge),
	  KUNIT_CASE(test_isolated),
	  KUNIT_CASE(test_lasting),
	  KUNIT_CASE(test_clear),
	  KUNIT_CASE(test_remembers));
