// SPDX-License-Identifier: GPL-2.0
/*
 * lle_sb_headroom_need() on a simulated link: enough for any frames of the peer,
 * and within a cell of the worst sequence. A byte takes whole picoseconds.
 */
#include "prng.h"
#include "tap.h"

#include "sb_oracle.h"
#include "../../kmod/core/sched/link.h"
#include "../../kmod/core/buffer/credit.c"
#include "../../kmod/core/buffer/sb.c"
#include "../vectors/headroom.h"

#define PS		1000ULL
#define CELL		64
#define NS_PER_METRE	5
#define RATES		7

static const struct {
	const char *name;
	u64 rate;
	u32 ps_per_byte;
} rates[RATES] = {
	{ "10M", 1250000, 800000 }, { "100M", 12500000, 80000 },
	{ "1G", 125000000, 8000 }, { "10G", 1250000000, 800 },
	{ "25G", 3125000000ULL, 320 }, { "100G", 12500000000ULL, 80 },
	{ "400G", 50000000000ULL, 20 },
};

static u64 wire_ps(const struct lle_sb_headroom *h, u32 len)
{
	return (len + h->overhead_bytes) * (1000000000000ULL / h->rate);
}

/* Time of a piece that ends with a frame of @len bytes. */
static u64 piece_ps(const struct lle_sb_headroom *h, u32 len)
{
	return wire_ps(h, h->piece_bytes - h->frame_bytes + len) +
	       (h->piece_frames - 1) * wire_ps(h, 0);
}

/*
 * When the peer stops: our link was busy for @began_ps with a piece that ends
 * with a frame of @busy bytes, then sends the pause.
 */
static u64 stop_ps(const struct lle_sb_headroom *h, u32 busy, u64 began_ps)
{
	u64 t = piece_ps(h, busy);

	t = t > began_ps ? t - began_ps : 0;
	return t + wire_ps(h, 60) + (h->delay_ns + h->reaction_ns) * PS;
}

/*
 * Bytes after XOFF: its cause left the peer a propagation time ago, others follow
 * back to back, and the peer may lag by its burst. A piece that begins when the
 * peer stops is still sent.
 */
static u64 arrive(const struct lle_sb_headroom *h, u64 stop, u32 first,
		  u32 second, u32 rest)
{
	s64 at = -(s64)(h->delay_ns * PS) -
		 (s64)(h->burst_bytes * (1000000000000ULL / h->rate));
	u64 bytes, rest_ps = wire_ps(h, rest);

	bytes = first;
	at += wire_ps(h, first);
	if (at > (s64)stop)
		return bytes + h->piece_bytes - h->frame_bytes;
	bytes += second;
	for (at += wire_ps(h, second); at <= (s64)stop; at += rest_ps)
		bytes += rest;
	return bytes + h->piece_bytes - h->frame_bytes;
}

struct worst {
	u64 bytes;
	u32 first, second;
};

static void search(const struct lle_sb_headroom *h, u32 step, struct worst *w)
{
	u64 stop = stop_ps(h, h->frame_bytes, 0);
	u32 second[] = { h->frame_bytes, h->frame_bytes - 100 };
	u32 len, i;
	u64 got;

	w->first = h->frame_bytes;
	w->second = h->frame_bytes;
	w->bytes = arrive(h, stop, w->first, w->second, h->frame_bytes);
	for (i = 0; i < ARRAY_SIZE(second); i++)
		for (len = 60; len <= h->frame_bytes; len += step) {
			got = arrive(h, stop, len, second[i], h->frame_bytes);
			if (got <= w->bytes)
				continue;
			*w = (struct worst){ got, len, second[i] };
		}
}

/* Other phases of our link and frame sizes are never worse. */
static bool milder(const struct lle_sb_headroom *h, u64 need, u64 *seed)
{
	u32 i, busy, rest;
	u64 got;

	for (i = 0; i < 20; i++) {
		busy = prng_range(seed, 60, h->frame_bytes);
		rest = prng_range(seed, 60, h->frame_bytes);
		got = arrive(h, stop_ps(h, busy, prng(seed) %
					piece_ps(h, busy)),
			     prng_range(seed, 60, h->frame_bytes),
			     prng_range(seed, 60, h->frame_bytes), rest);
		require(got <= need, "%llu", got);
		got = arrive(h, stop_ps(h, h->frame_bytes, 0), rest, busy,
			     rest);
		require(got <= need, "%llu", got);
	}
	return true;
}

static bool covers(struct lle_sb_headroom h, u32 step, u64 *seed)
{
	struct worst w;
	u64 need;

	need = lle_sb_headroom_need(&h);
	if (need == U32_MAX) {
		require(h.rate * 2 * h.delay_ns / 1000000000 >= U32_MAX,
			"too much");
		return true;
	}
	/* the frame that causes XOFF may have used its part */
	need -= h.piece_bytes;
	search(&h, step, &w);
	require(w.bytes <= need && need <= w.bytes + CELL,
		"%llu B/s, %llu + %llu ns, piece %u, frame %u + %u, burst %u: need %llu, %llu (%u, %u, %u)",
		h.rate, h.delay_ns, h.reaction_ns, h.piece_bytes, h.frame_bytes,
		h.overhead_bytes, h.burst_bytes, need, w.bytes, w.first,
		w.second, h.frame_bytes);
	return milder(&h, need, seed);
}

static bool covers_rate(unsigned int r, u64 *seed)
{
	static const u32 reactions[] = { 0, 614, 2017, 100000 };
	static const u32 overheads[] = { 0, 24, 256 };
	static const u32 frames[][3] = {
		{ 1518, 1518, 1 },
		{ 9022, 9022, 1 },
		{ 1518, 45 * 1518, 45 },
		{ 9018, 45 * 1518, 45 },
	};
	u32 metres, f, o, n;

	for (metres = 0; metres <= 1000; metres += metres < 10 ? 1 : 47)
		for (n = 0; n < ARRAY_SIZE(reactions); n++)
			for (o = 0; o < ARRAY_SIZE(overheads); o++)
				for (f = 0; f < ARRAY_SIZE(frames); f++) {
					struct lle_sb_headroom h = {
						.rate = rates[r].rate,
						.delay_ns =
							metres * NS_PER_METRE,
						.reaction_ns = reactions[n],
						.frame_bytes = frames[f][0],
						.piece_bytes = frames[f][1],
						.piece_frames = frames[f][2],
						.overhead_bytes = overheads[o],
						.burst_bytes =
							metres % 3 ? 0 : 32768,
					};

					if (!covers(h, 8, seed))
						return false;
				}
	return true;
}

/* Each nanosecond of a range in which the rest of w takes all values. */
static bool covers_every_ns(unsigned int r, u64 *seed)
{
	u32 step = rates[r].ps_per_byte / 1000 + 1, ns;

	for (ns = 0; ns < 1600 * step; ns += step) {
		struct lle_sb_headroom h = {
			.rate = rates[r].rate,
			.reaction_ns = ns,
			.frame_bytes = 1518,
			.piece_bytes = 1518,
			.piece_frames = 1,
			.overhead_bytes = 24,
		};

		if (!covers(h, 16, seed))
			return false;
	}
	return true;
}

/* 50 ms: 10000 km */
static bool covers_far(unsigned int r, u64 *seed)
{
	struct lle_sb_headroom h = {
		.rate = rates[r].rate,
		.delay_ns = 50000000,
		.reaction_ns = 100000,
		.frame_bytes = 1518,
		.piece_bytes = 1518,
		.piece_frames = 1,
		.overhead_bytes = 24,
		.burst_bytes = 32768,
	};

	return covers(h, 30, seed);
}

/* A group admits the worst sequence, but not with a byte less of headroom. */
static bool loses(const struct lle_sb_headroom *h, const struct worst *w,
		  u32 headroom, u32 threshold)
{
	struct lle_sb_params p = {
		.xoff_bytes = threshold,
		.xon_delta_bytes = 2 * h->frame_bytes,
		.headroom_bytes = headroom,
	};
	struct lle_sb sb = { .size = (1 << 30) + headroom, .carved = headroom };
	struct lle_sb_pg pg = { .lossless = true };
	u64 left = w->bytes;
	u32 len, n;

	while (!pg.xoff)
		sb_in(&sb, &p, &pg, h->frame_bytes);
	for (n = 0; left; n++, left -= len) {
		len = n == 0 ? w->first : n == 1 ? w->second : h->frame_bytes;
		if (sb_in(&sb, &p, &pg, len) != LLE_SB_ADMIT)
			return true;
	}
	return false;
}

static void test_buffer(struct kunit *test)
{
	unsigned int r;

	for (r = 0; r < RATES; r++) {
		struct lle_sb_headroom h = {
			.rate = rates[r].rate,
			.delay_ns = 500,
			.reaction_ns = 2017,
			.frame_bytes = 1518,
			.piece_bytes = 1518,
			.piece_frames = 1,
			.overhead_bytes = 24,
		};
		struct worst w;

		search(&h, 1, &w);
		ok(!loses(&h, &w, lle_sb_headroom_need(&h), 100000),
		   "%s: what is needed is enough", rates[r].name);
		ok(loses(&h, &w, w.bytes - 1, 100000),
		   "%s: a byte less than the worst case loses", rates[r].name);
	}
}

static bool emulated_peer(unsigned int r, u64 seed)
{
	struct lle_sb_headroom h = {
		.rate = rates[r].rate,
		.frame_bytes = 1518,
		.piece_bytes = 1518,
		.piece_frames = 1,
		.overhead_bytes = 24,
		.burst_bytes = 32768,
	};
	struct lle_link_params p;
	u32 i, n, len;

	lle_link_params_init(&p, h.rate, 24, h.burst_bytes);
	for (i = 0; i < 300; i++) {
		u64 now_ns, sent_ns, stop = 0, bytes = 0, need;
		struct lle_link link = {};

		h.delay_ns = 1 + prng(&seed) % 20000;
		h.reaction_ns = prng(&seed) % 200000;
		need = lle_sb_headroom_need(&h);
		now_ns = 0;
		for (n = 0; !stop || now_ns <= stop; n++) {
			if (!lle_link_ready(&link, &p, now_ns)) {
				now_ns = link.free_ns;
				if (!(prng(&seed) % 16))
					now_ns += prng(&seed) %
						  (2 * p.credit_ns);
				continue;
			}
			len = i % 2 ? 1518 : prng_range(&seed, 60, 1518);
			sent_ns = lle_link_send(&link, &p, len, 1, now_ns);
			if (stop)
				bytes += len;
			/* frame 50 enters the buffer as early as possible */
			if (n >= 50 && !stop)
				stop = max(sent_ns + h.delay_ns, now_ns) +
				       stop_ps(&h, 1518, 0) / PS;
		}
		require(bytes <= need, "%llu + %llu ns: %llu, need %llu",
			h.delay_ns, h.reaction_ns, bytes, need);
	}
	return true;
}

static void test_by_hand(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sb_headroom_vectors); i++) {
		u64 need = lle_sb_headroom_need(&sb_headroom_vectors[i].h);
		u64 want = sb_headroom_vectors[i].bytes;

		/* w is rounded up to a whole byte, or to the next one */
		ok(need == want || (need == want + 1 && need <= U32_MAX),
		   "by hand, row %u: %llu, want %llu", i, need, want);
	}
}

static void test_rates(struct kunit *test)
{
	unsigned int i;
	u64 seed = 20;

	for (i = 0; i < RATES; i++) {
		ok(covers_rate(i, &seed), "%s: enough and tight, to 1000 m",
		   rates[i].name);
		ok(covers_every_ns(i, &seed), "%s: enough and tight, each ns",
		   rates[i].name);
		ok(covers_far(i, &seed), "%s: enough and tight, 50 ms",
		   rates[i].name);
		ok(emulated_peer(i, 30 + i), "%s: a peer with a late timer",
		   rates[i].name);
	}
}

tap_suite("lossless_sb_headroom",
	  KUNIT_CASE(test_by_hand),
	  KUNIT_CASE(test_rates),
	  KUNIT_CASE(test_buffer));
