// SPDX-License-Identifier: GPL-2.0
/* kmod/core/buffer/wred.c: the curve, its ends, exempt packets. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/buffer/wred.c"
#include "../vectors/wred.h"

static bool decides(const struct wred_vector *v, u32 rnd)
{
	enum lle_wred_verdict want = rnd < v->p_q32 ? v->below : LLE_WRED_PASS;
	struct lle_wred_params p = v->p;
	enum lle_wred_verdict got;

	lle_wred_params_init(&p);
	got = lle_wred_decide(&p, v->q, v->ect, rnd);
	require(got == want, "random number %u: %u, want %u", rnd, got, want);
	/* the shortcut by idle_bytes gives the same verdict */
	require(v->q >= p.idle_bytes || got == LLE_WRED_PASS, "idle below %u",
		p.idle_bytes);
	return true;
}

static bool decides_all(const struct wred_vector *v, u64 *seed)
{
	unsigned int i;

	if (v->p_q32 && v->p_q32 < Q32 &&
	    (!decides(v, v->p_q32 - 1) || !decides(v, v->p_q32)))
		return false;
	for (i = 0; i < 1000; i++)
		if (!decides(v, prng(seed)))
			return false;
	return decides(v, 0) && decides(v, U32_MAX);
}

static void test_idle(struct kunit *test)
{
	for_each_vector(v, wred_idle_vectors) {
		struct lle_wred_params p = v->p;

		lle_wred_params_init(&p);
		is(p.idle_bytes, v->idle_bytes, "idle below %u", v->idle_bytes);
	}
	is(LLE_WRED_OFF.idle_bytes, U32_MAX, "off is idle at any length");
}

/* Chi-square is sum((got - want)^2 / want). */
static bool frequencies(bool ect, enum lle_wred_verdict verdict, u64 seed)
{
	struct lle_wred_params p = { WRED_CURVE, .ecn = true };
	const u64 n = WRED_PACKETS;
	u64 sum = 0;

	lle_wred_params_init(&p);
	for_each_vector(v, wred_frequency_vectors) {
		u64 want = v->marks;
		u64 got = 0, off, chi2;
		u32 k;

		for (k = 0; k < n; k++)
			got += lle_wred_decide(&p, v->q, ect,
					       prng(&seed)) == verdict;
		/* marked and not marked: 1 / want + 1 / (n - want) */
		off = got > want ? got - want : want - got;
		chi2 = DIV_ROUND_UP(1000 * off * off * n, want * (n - want));
		require(chi2 < CHI2_1, "q %u: %llu of %llu, want %llu",
			v->q, got, n, want);
		sum += chi2;
	}
	require(sum < CHI2_ALL, "chi-square %llu", sum);
	return true;
}

/* p never falls, and is linear to 2^-32 in between. */
static bool curve(void)
{
	const u32 kmin = 3000, kmax = 90000, pmax = 0xc0000000;
	struct lle_wred_params p = {
		.kmin_bytes = kmin, .kmax_bytes = kmax, .pmax_q32 = pmax,
		.ecn = true,
	};
	u32 q;

	lle_wred_params_init(&p);
	for (q = kmin + 1; q < kmax; q++) {
		u32 at = (u64)(q - kmin) * pmax / (kmax - kmin);

		require(lle_wred_decide(&p, q, true, at) == LLE_WRED_PASS,
			"q %u", q);
		require(lle_wred_decide(&p, q, true, at - 1) == LLE_WRED_MARK,
			"q %u", q);
	}
	return true;
}

/* A packet that leaves is marked by the curve, also above buf_max. */
static bool leaves(u64 seed)
{
	struct lle_wred_params p = {
		WRED_CURVE, .ecn = true, .dequeue = true,
		.bufmax_bytes = 1000000,
	};
	struct lle_wred_params arrives = { WRED_CURVE, .ecn = true };
	u32 q, rnd, i;

	lle_wred_params_init(&p);
	lle_wred_params_init(&arrives);
	require(p.leave_bytes == p.kmin_bytes, "leave below %u", p.leave_bytes);
	require(arrives.leave_bytes == U32_MAX, "without dequeue");
	for (i = 0; i < 200000; i++) {
		q = prng(&seed) % 1200000;
		rnd = prng(&seed);
		require(lle_wred_marks_leaving(&p, q, rnd) ==
			(lle_wred_decide(&arrives, q, true, rnd) == LLE_WRED_MARK),
			"q %u, random number %u", q, rnd);
	}
	return true;
}

/* No parameters drop a packet of a lossless priority. */
static bool nodrop_never_drops(u64 seed)
{
	enum lle_wred_verdict got;
	u32 i;

	for (i = 0; i < 200000; i++) {
		u64 r = prng(&seed);
		u32 kmin = prng(&seed) >> (r & 31) >> 32;
		struct lle_wred_params p = {
			.kmin_bytes = kmin,
			.kmax_bytes = prng_range(&seed, kmin, U32_MAX),
			.pmax_q32 = prng(&seed),
			.nonect_bytes = r & 32 ? prng(&seed) : 0,
			.bufmax_bytes = r & 64 ? prng(&seed) : 0,
			.ecn = r & 128,
			.nodrop = true,
		};

		lle_wred_params_init(&p);
		got = lle_wred_decide(&p, prng(&seed), r & 256, prng(&seed));
		require(got == LLE_WRED_PASS ||
			(got == LLE_WRED_MARK && (r & 128) && (r & 256)),
			"step %u: %u", i, got);
	}
	return true;
}

static void test_decide(struct kunit *test)
{
	u64 seed = 8;

	for_each_vector(v, wred_vectors)
		ok(decides_all(v, &seed), "%s", v->name);
}

static void test_frequencies(struct kunit *test)
{
	ok(frequencies(true, LLE_WRED_MARK, 9), "frequency of marks");
	ok(frequencies(false, LLE_WRED_DROP, 10), "frequency of drops");
}

static void test_curve(struct kunit *test)
{
	ok(curve(), "the curve at every length between its ends");
}

static void test_leaves(struct kunit *test)
{
	ok(leaves(12), "marks of packets that leave");
	is(LLE_WRED_OFF.leave_bytes, U32_MAX, "off marks none that leaves");
}

static void test_nodrop(struct kunit *test)
{
	ok(nodrop_never_drops(11), "a lossless priority loses nothing");
}

tap_suite("lossless_wred",
	  KUNIT_CASE(test_decide),
	  KUNIT_CASE(test_idle),
	  KUNIT_CASE(test_frequencies),
	  KUNIT_CASE(test_curve),
	  KUNIT_CASE(test_leaves),
	  KUNIT_CASE(test_nodrop));
