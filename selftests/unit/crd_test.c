// SPDX-License-Identifier: GPL-2.0
/* kmod/core/congestion/crd.c: RCM equations 1 and 2, virtual queue, roles. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/congestion/crd.c"

static unsigned int arrive(struct lle_crd *c, const struct lle_crd_params *p,
			   u32 len, u64 now_ns)
{
	lle_crd_arrive(c, p, len, now_ns);
	return lle_crd_sample(c, p);
}

/* 100 Gb/s: 12.5 bytes/ns; F_b of 15000 * (2 * 2 + 1) = 75000 bytes is 63 */
#define PARAMS		.rate = 12500000000ULL, .qeq_bytes = 15000, \
			.onset_bytes = 4000, .ref_ns = 1000

static struct lle_crd_params params(void)
{
	struct lle_crd_params p = { PARAMS };

	lle_crd_params_init(&p);
	return p;
}

static const struct {
	s64 fb_bytes;
	unsigned int fb;
} quantized[] = {
	{ -75000, 0 }, { -1, 0 }, { 0, 0 },
	{ 1, 1 },		/* any F_b > 0 is congestion */
	{ 2380, 1 }, { 2381, 2 },	/* 2 * 75000 / 63 = 2380.95 */
	{ 37500, 31 }, { 74999, 62 }, { 75000, 63 }, { 1 << 30, 63 },
};

static void test_quantize(struct kunit *test)
{
	struct lle_crd_params p = params();

	for_each_vector(v, quantized)
		is(lle_crd_quantize(&p, v->fb_bytes), v->fb,
		   "F_b of %lld bytes", (long long)v->fb_bytes);
}

static void test_large(struct kunit *test)
{
	struct lle_crd_params p = params();

	p.qeq_bytes = U32_MAX / 2;
	lle_crd_params_init(&p);
	is(p.cap_bytes, U32_MAX, "a large Q_eq does not wrap the virtual queue");
	is(p.fb_bytes, U32_MAX, "nor what is quantized");
	is(lle_crd_quantize(&p, U32_MAX), LLE_CRD_FB_MAX, "to 63");
	p = (struct lle_crd_params){ .rate = 1000000ULL * NSEC_PER_SEC, .ref_ns = 7 };
	lle_crd_params_init(&p);
	is(p.fb_bytes, 1, "Q_eq of 0: no division by 0");
	is(p.step_ns, 1, "a step is 1 ns at least");
	is(p.rate_q16, 1000000ULL << 16, "10^6 bytes a nanosecond");
}

/* Q' is the record of 7 steps ago. Nothing leaves: F_b = 3 * Q - 15000 - 2 * Q'. */
static void test_points(struct kunit *test)
{
	static const struct { u64 now_ns, point_ns; } steps[] = {
		/* steps of 125 ns, anew from now on after more than 2 * T_ref */
		{ 1502, 1500 }, { 2002, 2000 }, { 2003, 2003 },
	};
	struct lle_crd_params p = { PARAMS };
	struct lle_crd c;
	unsigned int n;

	p.rate = 0;
	lle_crd_params_init(&p);
	lle_crd_reset(&c, 0, 0);
	for (n = 0; n < 24; n++) {
		unsigned int fb = arrive(&c, &p, 1000, n * 125);

		/* Q = 1000 * (n + 1), Q' = 1000 * (n - 7) */
		if (n >= 7)
			is(fb, 1000 * (n + 2) * 63 / 75000, "F_b at step %u", n);
	}
	p.ref_ns = 1001;
	for_each_vector(v, steps) {
		lle_crd_reset(&c, 0, 0);
		lle_crd_advance(&c, &p, v->now_ns);
		is(c.point_ns, v->point_ns, "the last step until %llu", v->now_ns);
	}
}

static void test_drain(struct kunit *test)
{
	struct lle_crd_params p = params();
	struct lle_crd c;

	lle_crd_reset(&c, 10000, 5000);
	is(lle_crd_queue(&c, &p, 5000), 10000, "nothing has been sent yet");
	is(lle_crd_queue(&c, &p, 5001), 9987, "12.5 bytes a nanosecond: 9987.5");
	is(lle_crd_queue(&c, &p, 5002), 9975, "the half byte is not lost");
	is(lle_crd_queue(&c, &p, 5400), 5000, "400 ns are 5000 bytes");
	is(lle_crd_queue(&c, &p, 5800), 0, "all is sent");
	is(lle_crd_queue(&c, &p, ~0ULL), 0, "a long time after");
	lle_crd_reset(&c, 1000, 0);
	arrive(&c, &p, 1 << 30, 0);
	is(lle_crd_queue(&c, &p, 0), 60000, "no more than 4 * Q_eq");
}

/* 1000 bytes each 40 ns, twice the rate: + 500. Q' of 7/8 to 1 T_ref ago: 12500 less. */
static void test_onset(struct kunit *test)
{
	struct lle_crd_params p = params();
	unsigned int fb = 0, ns;
	struct lle_crd c;

	lle_crd_reset(&c, 0, 0);
	for (ns = 0; !fb && ns < 10000; ns += 40)
		fb = arrive(&c, &p, 1000, ns);
	ns -= 40;
	/* until T_ref: F_b = 3 * Q - 15000 > 0; Q = 1000 + 500 * (n - 1): n = 10, 360 ns */
	is(ns, 360, "a burst at twice the rate is seen after 360 ns");
	is(fb, 1, "and is small by then");
	ok(c.local, "the port is a root");
	for (; ns < 3000; ns += 40)
		fb = arrive(&c, &p, 1000, ns + 40);
	/*
	 * 3000 ns: Q = 1000 + 500 * 75 = 38500. Oldest sample at 2125, 54 packets
	 * and 5 ns: 1000 + 500 * 53 - 62 = 27438. F_b = 23500 + 2 * 11062 = 45624: 38.3
	 */
	is(fb, 38, "F_b at 3 us");
}

/* A sudden queue counts thrice; a full link is no congestion. */
static void test_weights(struct kunit *test)
{
	struct lle_crd_params p = params();
	struct lle_crd c;
	unsigned int i, fb;

	/* Q - Q_eq + 2 * (Q - 0) = 0 */
	lle_crd_reset(&c, 0, 0);
	is(arrive(&c, &p, 5000, 0), 0, "Q = Q_eq / 3 at once is no congestion");
	is(arrive(&c, &p, 1, 0), 1, "a byte more is");
	lle_crd_reset(&c, 0, 0);
	for (i = fb = 0; i < 1000; i++)
		fb |= arrive(&c, &p, 1500, i * 120);
	is(fb, 0, "a full link is no congestion");
	/* after a long time no record of the full queue is left */
	for (i = 0; i < 10; i++)
		arrive(&c, &p, 60000, 200000 + 125 * i);
	is(arrive(&c, &p, 5000, 300000), 0, "Q = Q_eq / 3, once more");
	is(arrive(&c, &p, 1, 300000), 1, "a byte more");
}

static void test_end(struct kunit *test)
{
	struct lle_crd_params p = params();
	struct lle_crd c;

	lle_crd_reset(&c, 0, 0);
	arrive(&c, &p, 100, 0);
	ok(!c.local, "not congested");
	arrive(&c, &p, 30000, 0);
	ok(c.local, "congested");
	is(arrive(&c, &p, 100, 10000), 0, "congestion has ended");
	ok(c.local, "one sample is not enough");
	arrive(&c, &p, 100, 10100);
	ok(!c.local, "two are");
	arrive(&c, &p, 30000, 20000);
	arrive(&c, &p, 100, 30000);
	arrive(&c, &p, 30000, 40000);
	arrive(&c, &p, 100, 50000);
	ok(c.local, "they have to follow each other");
}

static const struct {
	unsigned int fb, fbr, remote, blend;
} blends[] = {
	{ 0, 0, true, 0 }, { 63, 0, false, 63 }, { 63, 0, true, 31 },
	{ 0, 63, true, 31 }, { 63, 63, true, 63 }, { 10, 50, true, 30 },
	{ 2, 0, true, 1 },
};

static void test_blend(struct kunit *test)
{
	for_each_vector(v, blends)
		is(lle_crd_blend(v->fb, v->fbr, v->remote), v->blend,
		   "F_b' of %u and %u %s", v->fb, v->fbr, v->remote ? ", by halves" : "");
}

/* RCM paper, section 3.2 */
static void test_roles(struct kunit *test)
{
	is(lle_crd_role(false, false), LOSSLESS_CRD_ROLE_NONE, "neither: outside");
	is(lle_crd_role(true, false), LOSSLESS_CRD_ROLE_ROOT, "local: root");
	is(lle_crd_role(false, true), LOSSLESS_CRD_ROLE_EDGE, "remote: edge");
	is(lle_crd_role(true, true), LOSSLESS_CRD_ROLE_INNER, "both: inner");
}

/* Exact queue in units of 1/2 byte */
static bool exact(void)
{
	struct lle_crd_params p = params();
	u64 half = 0, now = 0, seed = 3;
	struct lle_crd c;
	unsigned int i;

	lle_crd_reset(&c, 0, 0);
	for (i = 0; i < 100000; i++) {
		u32 ns = prng_range(&seed, 0, 300), len;

		len = prng_range(&seed, 64, 4000);
		now += ns;
		half -= min_t(u64, half, 25 * ns);
		require(lle_crd_queue(&c, &p, now) == half / 2,
			"step %u: %u, want %llu", i, lle_crd_queue(&c, &p, now),
			half / 2);
		require(c.vq_q16 == half << 15, "step %u: %llu / 2^16", i,
			c.vq_q16);
		arrive(&c, &p, len, now);
		half = min_t(u64, half + 2 * len, 120000);
	}
	return true;
}

static void test_exact(struct kunit *test)
{
	ok(exact(), "the virtual queue is exact for ever");
}

tap_suite("lossless_crd",
	  KUNIT_CASE(test_quantize),
	  KUNIT_CASE(test_large),
	  KUNIT_CASE(test_points),
	  KUNIT_CASE(test_drain),
	  KUNIT_CASE(test_onset),
	  KUNIT_CASE(test_weights),
	  KUNIT_CASE(test_end),
	  KUNIT_CASE(test_blend),
	  KUNIT_CASE(test_roles),
	  KUNIT_CASE(test_exact));
