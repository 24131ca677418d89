// SPDX-License-Identifier: GPL-2.0
/* kmod/core/sched/sched.c: the order of service. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/sched/sched.c"
#include "../vectors/sched.h"

static bool script(const struct sched_vector *v)
{
	struct lle_sched s = {};
	unsigned int i, prio;

	for (i = 0; i < SCHED_STEPS && v->steps[i].ready; i++) {
		prio = lle_sched_pick(&s, &v->p, v->steps[i].ready,
				      v->steps[i].head);
		require(prio == v->steps[i].prio, "step %u: %u, want %u", i,
			prio, v->steps[i].prio);
	}
	return true;
}

/* Some bands may have no priority. */
static void random_params(struct lle_sched_params *p, u64 *seed,
			  u32 min_quantum, u32 max_quantum)
{
	unsigned int i;

	memset(p, 0, sizeof(*p));
	p->bands = prng_range(seed, 1, LLE_SCHED_BANDS);
	p->strict = prng_range(seed, 0, p->bands);
	for (i = 0; i < LLE_NUM_PRIO; i++)
		p->prios[prng(seed) % p->bands] |= 1 << i;
	for (i = p->strict; i < p->bands; i++)
		p->quantum_bytes[i] = prng_range(seed, min_quantum,
						 max_quantum);
}

static unsigned int band_of(const struct lle_sched_params *p, unsigned int prio)
{
	unsigned int b = 0;

	while (!(p->prios[b] >> prio & 1))
		b++;
	return b;
}

/* Any parameters: picks a ready queue, and strict bands first. */
static bool picks_what_is_ready(u64 seed)
{
	struct lle_sched_params p;
	struct lle_sched s = {};
	u32 head[LLE_NUM_PRIO];
	unsigned int i, b, prio;

	for (i = 0; i < 60000; i++) {
		u8 ready = prng(&seed);

		if (!(i % 100))
			random_params(&p, &seed, 64, 20000);
		if (!ready)
			continue;
		for (b = 0; b < LLE_NUM_PRIO; b++)
			head[b] = prng_range(&seed, 1, 9022);
		prio = lle_sched_pick(&s, &p, ready, head);
		require(prio < LLE_NUM_PRIO && (ready >> prio & 1),
			"step %u: %u of %#x", i, prio, ready);
		for (b = 0; b < p.strict && b < band_of(&p, prio); b++)
			require(!(p.prios[b] & ready),
				"step %u: %u, band %u is ready", i, prio, b);
	}
	return true;
}

/*
 * Bands with packets: after k turns more than k quanta less the longest packet,
 * at most k quanta; none is more than a turn ahead. So shares do not drift.
 */
static bool fair(u64 seed, u32 min_quantum, u32 max_quantum, u32 longest)
{
	u64 sent[LLE_SCHED_BANDS] = {}, most = 0;
	struct lle_sched_params p;
	struct lle_sched s = {};
	u32 head[LLE_NUM_PRIO];
	unsigned int i, b, prio;

	random_params(&p, &seed, min_quantum, max_quantum);
	p.strict = 0;
	for (b = 0; b < p.bands; b++)
		p.quantum_bytes[b] = prng_range(&seed, min_quantum,
						max_quantum);
	for (i = 0; i < LLE_NUM_PRIO; i++)
		head[i] = prng_range(&seed, 60, longest);

	for (i = 0; i < 40000; i++) {
		prio = lle_sched_pick(&s, &p, 0xff, head);
		b = band_of(&p, prio);
		sent[b] += head[prio];
		head[prio] = prng_range(&seed, 60, longest);

		/* the deficit is below a packet; then comes a quantum */
		require(s.deficit_bytes[b] < p.quantum_bytes[b] + longest,
			"step %u: band %u has %u", i, b, s.deficit_bytes[b]);
		/* turns that b must have had for this */
		most = max_t(u64, most, (sent[b] + p.quantum_bytes[b] - 1) /
					p.quantum_bytes[b]);
		for (b = 0; b < p.bands; b++)
			require(!p.prios[b] || sent[b] + longest >
				(most - 1) * p.quantum_bytes[b],
				"step %u: band %u has sent %llu in %llu turns",
				i, b, sent[b], most);
	}
	return true;
}

/* Two priorities of a band: never the same twice while both are ready. */
static bool alternate(u64 seed, u8 strict)
{
	struct lle_sched_params p = {
		.bands = 1, .strict = strict, .prios = { 0xff },
		.quantum_bytes = { 3000 },
	};
	struct lle_sched s = {};
	u32 head[LLE_NUM_PRIO];
	unsigned int a, b, i, k, prio, last;

	for (a = 0; a < LLE_NUM_PRIO; a++)
		for (b = 0; b < a; b++) {
			last = LLE_NUM_PRIO;
			for (i = 0; i < 50; i++) {
				for (k = 0; k < LLE_NUM_PRIO; k++)
					head[k] = prng_range(&seed, 60, 9022);
				prio = lle_sched_pick(&s, &p, 1 << a | 1 << b,
						      head);
				require(prio != last, "%u of %u and %u", prio,
					a, b);
				last = prio;
			}
		}
	return true;
}

/* The turn may be at any band when bands become fewer, or more strict. */
static bool turn_outside(void)
{
	struct lle_sched_params p = {
		.bands = 3, .strict = 1,
		.prios = { 0x01, 0x02, 0xfc, 0x06, 0x06, 0x06, 0x06, 0x06 },
		.quantum_bytes = { 0, 100, 100, 100, 100, 100, 100, 100 },
	};
	const u32 head[LLE_NUM_PRIO] = { 100, 100, 100 };
	unsigned int band;

	for (band = 0; band < LLE_SCHED_BANDS; band++) {
		struct lle_sched s = {
			.band = band,
			.deficit_bytes = { 0, 0, 0, 500, 500, 500, 500, 500 },
		};
		unsigned int first = lle_sched_pick(&s, &p, 6, head);
		unsigned int second = lle_sched_pick(&s, &p, 6, head);

		require(first + second == 3 && first != second,
			"band %u: %u, %u", band, first, second);
		require(s.band == 1 || s.band == 2, "band %u", s.band);
	}
	return true;
}

static void test_scripts(struct kunit *test)
{
	for_each_vector(v, sched_vectors)
		ok(script(v), "%s", v->name);
}

static void test_random(struct kunit *test)
{
	unsigned int i;

	ok(picks_what_is_ready(12), "a ready queue, strict bands first");
	for (i = 0; i < 20; i++)
		ok(fair(100 + i, 9022, 30000, 9022) &&
		   fair(200 + i, 64, 3000, 1518),
		   "shares of round robin, configuration %u", i);
}

static void test_turns(struct kunit *test)
{
	ok(alternate(13, 1), "two priorities of a strict band alternate");
	ok(alternate(14, 0), "two priorities of a round robin band alternate");
	ok(turn_outside(), "turn outside the round after a change");
}

tap_suite("lossless_sched",
	  KUNIT_CASE(test_scripts),
	  KUNIT_CASE(test_random),
	  KUNIT_CASE(test_turns));
