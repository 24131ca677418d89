// SPDX-License-Identifier: GPL-2.0
/* kmod/core/congestion/rcc.c: RCM equations 3 to 6, limits. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/congestion/rcc.c"

#define MTU	1500

/* 12.5 bytes per nanosecond */
static const struct lle_rcc_params params = {
	.rate_q16 = 819200, .min_bytes = 16000, .mtu_bytes = MTU,
};

static void test_start(struct kunit *test)
{
	struct lle_rcc_params stands = { .min_bytes = 16000 };
	struct lle_rcc r = {};

	lle_rcc_start(&r, &params, 20000, 128, 1000);
	is(r.w_bytes, 20000, "W is the backlog");
	is(r.wc_bytes, 10000, "half of it is congested");
	is(r.until_ns, 1000 + 2000, "1.25 * 20000 / 12.5 ns");
	ok(!lle_rcc_is_over(&r, 2999), "a window has its time");
	ok(lle_rcc_is_over(&r, 3000), "and ends after it");
	ok(lle_rcc_may_send(&r, true), "its first packet may be isolated");
	r.sent_c_bytes = 9999;
	r.sent_n_bytes = 10000;
	ok(!lle_rcc_is_over(&r, 2999), "W - 1 bytes are sent");
	r.sent_c_bytes++;
	ok(lle_rcc_is_over(&r, 2999), "W bytes end it, too");
	lle_rcc_start(&r, &stands, 0, 128, 0);
	ok(!lle_rcc_is_over(&r, NSEC_PER_SEC), "a rate below 2^-16: no end by time");
	lle_rcc_start(&r, &params, 100, 256, 0);
	is(r.w_bytes, 16000, "W is W_min at least");
	ok(!r.sent_c_bytes && !r.sent_n_bytes, "nothing of it is sent");
	is(r.wc_bytes, 16000, "all may be congested");
	lle_rcc_stop(&r);
	ok(!r.active, "it ends");
}

static const struct {
	const char *name;
	u32 w, wc;
	unsigned int fb, num_c, num_n;
	u32 want;
} cuts[] = {
	{ "F_b = 0: nothing", 20000, 10000, 0, 1, 99, 10000 },
	{ "F_bmax: exactly half", 20000, 10000, 63, 1, 99, 5000 },
	{ "F_b = 21: a sixth", 20000, 12000, 21, 1, 99, 10000 },
	{ "not below the fair share of 1 of 5", 20000, 6000, 63, 1, 4, 4000 },
	{ "which does not raise it", 20000, 3000, 63, 4, 1, 3000 },
	{ "nobody else: all is fair", 20000, 20000, 63, 1, 0, 20000 },
	{ "not below a packet", 20000, 2000, 63, 1, 99, MTU },
	{ "others: one flow at least is left to them", 20000, 20000, 0, 3, 1, 15000 },
	{ "however few those are that are congested", 20000, 20000, 0, 1, 1, 10000 },
	{ "no flow is known", 20000, 10000, 63, 0, 0, 5000 },
	{ "a packet is more than W", 1000, 500, 63, 1, 99, 1000 },
	{ "nothing overflows", U32_MAX, U32_MAX, 63, 1, 1, 2147483647 },
};

static void test_cut(struct kunit *test)
{
	for_each_vector(v, cuts) {
		struct lle_rcc r = {
			.active = true, .w_bytes = v->w, .wc_bytes = v->wc,
		};

		lle_rcc_next(&r, &params, v->fb, v->num_c, v->num_n, 0);
		is(r.wc_bytes, v->want, "cut: %s", v->name);
		is(r.w_bytes, v->w, "W stays: %s", v->name);
	}
}

/* Both kinds always have packets: checks their shares of a window. */
static bool shares(u32 wc, u32 len_c, u32 len_n)
{
	struct lle_rcc r = { .active = true, .w_bytes = 60000, .wc_bytes = wc };
	u64 c = 0, n = 0, fair;
	unsigned int i;

	for (i = 0; i < 10000; i++) {
		bool congested = lle_rcc_may_send(&r, true);
		u32 len = congested ? len_c : len_n;

		lle_rcc_sent(&r, &params, congested, len);
		if (congested)
			c += len;
		else
			n += len;
		if (r.sent_c_bytes + r.sent_n_bytes >= r.w_bytes)
			lle_rcc_next(&r, &params, 0, 9, 1, 0);
	}
	/* to 2 %: a window may end a packet late */
	fair = (c + n) * wc / 60000;
	require(max(c, fair) - min(c, fair) <= (c + n) / 50, "%llu, want %llu",
		c, fair);
	return true;
}

static void test_shares(struct kunit *test)
{
	ok(shares(30000, 1500, 1500), "half and half");
	ok(shares(12000, 1500, 1500), "a fifth");
	ok(shares(12000, 1500, 64), "a fifth, against small packets");
	ok(shares(48000, 64, 1500), "four fifths of small packets");
}

static void test_conserving(struct kunit *test)
{
	struct lle_rcc r = {
		.active = true, .w_bytes = 20000, .wc_bytes = 5000,
		.sent_c_bytes = 5000, .sent_n_bytes = 15000,
	};

	ok(!lle_rcc_may_send(&r, true), "W_c is used up");
	ok(lle_rcc_may_send(&r, false),
	   "but if nobody else has anything, it goes on");
	r.sent_c_bytes = 4999;
	ok(lle_rcc_may_send(&r, true), "before that, it may");
	r.sent_n_bytes = 0;
	ok(!lle_rcc_may_send(&r, true), "not ahead of the others");
	lle_rcc_sent(&r, &params, true, 1500);
	ok(r.sent_c_bytes == 6499 && !r.turn_bytes, "a window needs no turns");
}

static void test_turns(struct kunit *test)
{
	struct lle_rcc r = {};
	unsigned int i, c = 0, n = 0;

	for (i = 0; i < 1000; i++) {
		bool congested = lle_rcc_may_send(&r, true);

		lle_rcc_sent(&r, &params, congested, congested ? 1500 : 500);
		c += congested ? 1500 : 0;
		n += congested ? 0 : 500;
	}
	ok(c > n ? c - n <= 2 * MTU : n - c <= 2 * MTU, "%u and %u bytes", c, n);
	for (i = 0; i < 1000; i++)
		lle_rcc_sent(&r, &params, true, 1500);
	lle_rcc_sent(&r, &params, false, 1500);
	ok(lle_rcc_may_send(&r, true),
	   "who sends while nobody else does owes a packet at most");
}

tap_suite("lossless_rcc",
	  KUNIT_CASE(test_start),
	  KUNIT_CASE(test_cut),
	  KUNIT_CASE(test_shares),
	  KUNIT_CASE(test_conserving),
	  KUNIT_CASE(test_turns));
