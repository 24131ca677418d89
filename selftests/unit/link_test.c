// SPDX-License-Identifier: GPL-2.0
/* kmod/core/sched/link.h: no nanosecond is lost or gained. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/sched/link.h"
#include "../vectors/link.h"

static void test_gaps(struct kunit *test)
{
	unsigned int n;

	for_each_vector(v, link_gap_vectors) {
		struct lle_link_params p;
		struct lle_link link = {};
		u64 free_ns = 0;

		lle_link_params_init(&p, v->rate, v->overhead, 0);
		for (n = 0; n < v->n; n++)
			free_ns = lle_link_send(&link, &p, v->len, 1,
						link.free_ns);
		ok(free_ns == v->free_ns && link.free_ns == free_ns,
		   "%llu B/s, %u + %u bytes, %u frames: %llu ns", v->rate,
		   v->len, v->overhead, v->n, free_ns);
	}
}

static void test_params(struct kunit *test)
{
	struct lle_link_params p;
	struct lle_link link = {};

	lle_link_params_init(&p, RATE_1G, 24, LINK_BURST);
	is(p.rate, RATE_1G, "rate is kept");
	is(p.overhead_bytes, 24, "overhead is kept");
	is(p.credit_ns, LINK_CREDIT, "credit is the time of the burst");
	/* 65535 / 12.5 = 5242.8 */
	lle_link_params_init(&p, RATE_100G, 0, 65535);
	is(p.credit_ns, 5242, "credit is rounded down");
	lle_link_params_init(&p, 1000, 0, U32_MAX);
	is(p.credit_ns, 4294967295000000, "largest burst at the lowest rate");

	lle_link_params_init(&p, 0, 24, LINK_BURST);
	is(p.credit_ns, 0, "no rate, no credit");
	is(lle_link_send(&link, &p, 1500, 1, 777), 777, "no rate, no time");
	ok(lle_link_ready(&link, &p, 0) && lle_link_ready(&link, &p, 777) &&
	   !link.waiting, "no rate, always ready");
	link.free_ns = 5000;
	ok(lle_link_ready(&link, &p, 4999), "nor does it wait for the time of another rate");
}

/* 121.92 ns: the carried 0.92 of the first frame expire when idle */
static void test_fraction(struct kunit *test)
{
	struct lle_link_params p;
	struct lle_link link = {};

	lle_link_params_init(&p, RATE_100G, 24, LINK_BURST);
	lle_link_send(&link, &p, 1500, 1, 0);
	lle_link_idle(&link);
	is(lle_link_send(&link, &p, 1500, 1, 1000), 1121, "idle: no fraction");
	/* later than the credit, 2621 ns */
	lle_link_ready(&link, &p, 1120);
	is(lle_link_send(&link, &p, 1500, 1, 10000), 10000 - 2621 + 121,
	   "late: no fraction");
	/* 60 / 31 s = 1935483870.97 ns */
	lle_link_params_init(&p, 31, 0, 0);
	link = (struct lle_link){};
	is(lle_link_send(&link, &p, 60, 1, 1000), 1000 + 1935483870, "none at first");
}

static void test_late(struct kunit *test)
{
	struct lle_link_params p;
	struct lle_link link = {};
	unsigned int frames;

	lle_link_params_init(&p, RATE_1G, 24, LINK_BURST);
	for_each_vector(v, link_late_vectors) {
		bool ready;

		if (v->op == LINK_IDLE) {
			lle_link_idle(&link);
			continue;
		}
		ready = lle_link_ready(&link, &p, v->now_ns);
		if (ready)
			lle_link_send(&link, &p, LINK_FRAME, 1, v->now_ns);
		ok(ready == (v->op == LINK_READY) && link.free_ns == v->free_ns,
		   "at %llu: ready %d, free %llu", v->now_ns, ready,
		   link.free_ns);
	}

	/* the last frame ends earlier, another one waits */
	lle_link_ready(&link, &p, link.free_ns - 1);
	for (frames = 0; lle_link_ready(&link, &p, LINK_LATE_NS); frames++) {
		lle_link_send(&link, &p, LINK_FRAME, 1, LINK_LATE_NS);
		if (!frames)
			is(link.free_ns, LINK_LATE_FIRST_NS, "it is capped");
	}
	is(frames, LINK_LATE_FRAMES, "a late link catches up with its burst");
	is(link.free_ns, LINK_LATE_LAST_NS, "and no more");
}

/* A link that is late by less than its credit loses no time. */
static bool no_loss(u64 rate, u32 overhead, u64 *seed)
{
	struct lle_link_params p;
	struct lle_link link = {};
	u64 now_ns = 0, bytes = 0, want;
	u32 len, frames, i;

	lle_link_params_init(&p, rate, overhead, 1000000);
	for (i = 0; i < 20000; i++) {
		if (!lle_link_ready(&link, &p, now_ns)) {
			now_ns = link.free_ns +
				 prng(seed) % (p.credit_ns + 1);
			require(lle_link_ready(&link, &p, now_ns), "%u", i);
		}
		frames = i % 4 ? 1 : prng_range(seed, 2, 48);
		len = prng_range(seed, 1, 9022);
		bytes += (len < 60 * frames ? 60 * frames : len) +
			 overhead * frames;
		lle_link_send(&link, &p, len, frames, now_ns);
		want = mul_u64_u64_div_u64(bytes, NSEC_PER_SEC, rate);
		require(link.free_ns == want, "%u: %llu, want %llu", i,
			link.free_ns, want);
	}
	return true;
}

#define WINDOW_FRAMES	1500

/*
 * However late the timer: in any interval at most the rate, a burst, and the
 * frame that ends it. Rounding free_ns down gains a nanosecond once.
 */
static bool no_excess(u64 rate, u32 burst, u64 *seed)
{
	static u64 start_ns[WINDOW_FRAMES], sum[WINDOW_FRAMES];
	struct lle_link_params p;
	struct lle_link link = {};
	u64 now_ns = 0, bytes = 0;
	u32 len, i, j;

	lle_link_params_init(&p, rate, 24, burst);
	for (i = 0; i < WINDOW_FRAMES; i++) {
		if (!(prng(seed) % 8)) {
			lle_link_idle(&link);
			now_ns += prng(seed) % (3 * p.credit_ns + 1000);
		}
		if (!lle_link_ready(&link, &p, now_ns))
			now_ns = link.free_ns;
		if (!(prng(seed) % 8))
			now_ns += prng(seed) % (3 * p.credit_ns + 1000);
		len = prng_range(seed, 60, 1518);
		lle_link_send(&link, &p, len, 1, now_ns);
		start_ns[i] = now_ns;
		sum[i] = bytes;
		bytes += len + 24;
	}
	/* all frames from j on, before i */
	for (i = 0; i < WINDOW_FRAMES; i++)
		for (j = 0; j < i; j++) {
			u64 room = burst +
				mul_u64_u64_div_u64(start_ns[i] - start_ns[j] + 1,
						    rate, NSEC_PER_SEC);

			require(sum[i] - sum[j] <= room,
				"frames %u to %u: %llu bytes in %llu ns", j, i,
				sum[i] - sum[j], start_ns[i] - start_ns[j]);
		}
	return true;
}

static void test_rates(struct kunit *test)
{
	static const u64 rates[] = {
		RATE_10M, RATE_100M, RATE_1G, RATE_10G, RATE_25G, RATE_100G,
		RATE_400G, RATE_1T, 1000, 999999937, 7000000001ULL,
	};
	unsigned int i;
	u64 seed = 2;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		ok(no_loss(rates[i], 24, &seed),
		   "%llu B/s: late by less than the credit, no time is lost",
		   rates[i]);
		ok(no_excess(rates[i], LINK_BURST, &seed) &&
		   no_excess(rates[i], 0, &seed),
		   "%llu B/s: never more than rate and burst", rates[i]);
	}
}

tap_suite("lossless_link",
	  KUNIT_CASE(test_gaps),
	  KUNIT_CASE(test_params),
	  KUNIT_CASE(test_fraction),
	  KUNIT_CASE(test_late),
	  KUNIT_CASE(test_rates));
