// SPDX-License-Identifier: GPL-2.0
/* kmod/core/buffer/headroom.c: shares, by hand and at random. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/buffer/headroom.c"

#define PORTS	8

#define AUTO(n, base, need) \
	{ .lossless = n, .computed = true, .base_bytes = base, .need_bytes = need }
#define FIXED(bytes) { .fixed_bytes = bytes }

static const struct {
	const char *name;
	u64 size;
	struct lle_headroom_ask ask[PORTS];
	u32 share[PORTS];
	bool is_short;
} vectors[] = {
	{ "enough for all", 2000,
	  { AUTO(1, 300, 300), AUTO(2, 100, 100) }, { 300, 100 } },
	{ "exactly enough", 1000,
	  { AUTO(1, 300, 300), AUTO(2, 100, 100) }, { 300, 100 } },
	{ "a byte is missing", 998,
	  { AUTO(1, 300, 300), AUTO(2, 100, 100) }, { 299, 99 }, true },
	{ "the same fraction of each need", 400,
	  { AUTO(1, 100, 100), AUTO(1, 300, 300) }, { 50, 150 }, true },
	{ "eight ports of 100 Gbit/s", 12 << 20,
	  { AUTO(1, 1267439, 1267439), AUTO(1, 1267439, 1267439),
	    AUTO(1, 1267439, 1267439), AUTO(1, 1267439, 1267439),
	    AUTO(1, 1267439, 1267439), AUTO(1, 1267439, 1267439),
	    AUTO(1, 1267439, 1267439), AUTO(1, 1267439, 1267439) },
	  { 786432, 786432, 786432, 786432, 786432, 786432, 786432, 786432 },
	  true },
	{ "what is configured comes first", 2000,
	  { FIXED(800), AUTO(1, 100, 100), AUTO(1, 300, 300) },
	  { 0, 50, 150 }, true },
	{ "it is more than half", 2000,
	  { FIXED(1500), AUTO(1, 100, 100) }, { 0, 0 }, true },
	{ "nothing lossless, which takes nothing", 100,
	  { AUTO(0, 300, 300), AUTO(1, 50, 50) }, { 300, 50 } },
	{ "there is room for what was measured", 1000,
	  { AUTO(1, 100, 250), AUTO(1, 100, 100) }, { 250, 100 } },
	/* 300 are left, so each port could have 150 more */
	{ "no more of it than others could have", 1000,
	  { AUTO(1, 100, 100000), AUTO(1, 100, 100) }, { 250, 100 } },
	{ "others ask for it, too", 1000,
	  { AUTO(1, 100, 100000), AUTO(1, 100, 200) }, { 250, 200 } },
	{ "each priority of a port counts", 1000,
	  { AUTO(2, 100, 100000), AUTO(1, 100, 100000) }, { 166, 166 } },
	{ "nothing is left of it when all are short", 400,
	  { AUTO(1, 100, 100000), AUTO(1, 300, 300) }, { 50, 150 }, true },
	{ "the largest numbers", U64_MAX,
	  { AUTO(8, U32_MAX, U32_MAX), AUTO(8, 0, U32_MAX) },
	  { U32_MAX, U32_MAX } },
};

static void add_all(struct lle_headroom_demand *d,
		    const struct lle_headroom_ask *ask)
{
	unsigned int i;

	*d = (struct lle_headroom_demand) {};
	for (i = 0; i < PORTS; i++)
		lle_headroom_add(d, &ask[i]);
}

static void test_vectors(struct kunit *test)
{
	struct lle_headroom_demand d;
	unsigned int i;

	for_each_vector(v, vectors) {
		add_all(&d, v->ask);
		for (i = 0; i < PORTS; i++)
			if (v->ask[i].computed)
				is(lle_headroom_share(&d, v->size, &v->ask[i]),
				   v->share[i], "%s: %u", v->name, i);
		is(lle_headroom_is_short(&d, v->size), v->is_short, "%s: short",
		   v->name);
	}
}

static void draw(struct lle_headroom_ask *ask, u64 *seed)
{
	*ask = (struct lle_headroom_ask) {
		.lossless = prng(seed) % 9,
		.computed = prng(seed) % 4,
		.fixed_bytes = prng(seed) % 3 ? 0 : prng(seed) % 100000,
		.base_bytes = prng(seed) % 2 ? 5000 : prng(seed) % 100000,
	};
	ask->need_bytes = ask->base_bytes +
			  (prng(seed) % 3 ? 0 : prng(seed) % 1000000);
}

/* All ports get the same fraction of their need. */
static bool fair(const struct lle_headroom_demand *d, u64 size,
		 const struct lle_headroom_ask *ask)
{
	u64 room = lle_headroom_room(d, size), sum = 0;
	bool is_short = lle_headroom_is_short(d, size);
	unsigned int i, k;
	u32 share[PORTS];

	for (i = 0; i < PORTS; i++) {
		if (!ask[i].computed || !ask[i].lossless)
			continue;
		share[i] = lle_headroom_share(d, size, &ask[i]);
		sum += (u64)share[i] * ask[i].lossless;
		require(share[i] <= ask[i].need_bytes, "%u", i);
		require(is_short ? share[i] <= ask[i].base_bytes :
				   share[i] >= ask[i].base_bytes, "%u", i);
		for (k = 0; is_short && k < i; k++) {
			s64 x, y;

			if (!ask[k].computed || !ask[k].lossless)
				continue;
			x = (u64)share[i] * ask[k].base_bytes;
			y = (u64)share[k] * ask[i].base_bytes;
			require(x - y <= (s64)ask[i].base_bytes &&
				y - x <= (s64)ask[k].base_bytes, "%u, %u", i, k);
		}
	}
	require(sum <= room, "%llu of %llu", sum, room);
	return true;
}

/* A neighbour's measurement does not change other shares. */
static bool harmless(u64 size, struct lle_headroom_ask *ask, unsigned int liar,
		     u64 *seed)
{
	struct lle_headroom_ask before = ask[liar];
	struct lle_headroom_demand d, with;
	bool good = true;
	unsigned int i;

	add_all(&d, ask);
	ask[liar].need_bytes += prng(seed) % (U32_MAX - ask[liar].need_bytes);
	add_all(&with, ask);
	for (i = 0; i < PORTS; i++)
		if (i != liar && ask[i].computed)
			good &= lle_headroom_share(&d, size, &ask[i]) ==
				lle_headroom_share(&with, size, &ask[i]);
	ask[liar] = before;
	return good;
}

/* If lle_headroom_same() is true, other shares stay. */
static bool same_is_true(const struct lle_headroom_demand *d, u64 size,
			 struct lle_headroom_ask *ask, unsigned int changed,
			 u64 *seed)
{
	u64 then = prng(seed) % 2 ? size : prng(seed) % 2000000;
	struct lle_headroom_ask before = ask[changed];
	struct lle_headroom_demand next = *d;
	unsigned int i;

	lle_headroom_sub(&next, &ask[changed]);
	draw(&ask[changed], seed);
	lle_headroom_add(&next, &ask[changed]);
	for (i = 0; i < PORTS; i++)
		require(i == changed || !ask[i].computed ||
				!lle_headroom_same(d, size, &next, then) ||
				lle_headroom_share(d, size, &ask[i]) ==
					lle_headroom_share(&next, then,
							   &ask[i]),
			"%u", i);
	lle_headroom_sub(&next, &ask[changed]);
	ask[changed] = before;
	lle_headroom_add(&next, &before);
	require(!memcmp(d, &next, sizeof(next)), "%u", changed);
	return true;
}

static bool drawn(u64 seed, unsigned int *shorts)
{
	struct lle_headroom_ask ask[PORTS];
	struct lle_headroom_demand d;
	unsigned int n, i;
	u64 size;

	for (n = 0; n < 20000; n++) {
		for (i = 0; i < PORTS; i++)
			draw(&ask[i], &seed);
		size = prng(&seed) % 4000000;
		add_all(&d, ask);
		*shorts += lle_headroom_is_short(&d, size);
		require(fair(&d, size, ask), "%u", n);
		require(harmless(size, ask, n % PORTS, &seed), "%u", n);
		require(same_is_true(&d, size, ask, n % PORTS, &seed), "%u", n);
	}
	return true;
}

static void test_random(struct kunit *test)
{
	unsigned int shorts = 0;

	ok(drawn(1, &shorts), "random: fair, and others do not matter");
	ok(shorts > 1000 && shorts < 19000, "random: short or not");
}

tap_suite("lossless_headroom",
	  KUNIT_CASE(test_vectors),
	  KUNIT_CASE(test_random));
