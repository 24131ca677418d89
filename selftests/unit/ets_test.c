// SPDX-License-Identifier: GPL-2.0
/* kmod/core/sched/ets.c: conversion of bands to traffic classes and back. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/sched/ets.c"
#include "../vectors/ets.h"

static bool same_sched(const struct lle_sched_params *a,
		       const struct lle_sched_params *b)
{
	unsigned int i;

	require(a->bands == b->bands && a->strict == b->strict,
		"bands %u, strict %u", a->bands, a->strict);
	for (i = 0; i < a->bands; i++) {
		require(a->prios[i] == b->prios[i], "band %u: %#x", i,
			a->prios[i]);
		require(i < a->strict ||
			a->quantum_bytes[i] == b->quantum_bytes[i],
			"band %u: %u bytes", i, a->quantum_bytes[i]);
	}
	return true;
}

static bool same_ets(const struct lle_ets *a, const struct lle_ets *b)
{
	unsigned int i;

	require(a->shared == b->shared, "shared %#x", a->shared);
	for (i = 0; i < LLE_NUM_PRIO; i++) {
		require(a->prio_tc[i] == b->prio_tc[i], "priority %u: %u", i,
			a->prio_tc[i]);
		require(a->tc_bw[i] == b->tc_bw[i], "class %u: %u %%", i,
			a->tc_bw[i]);
	}
	return true;
}

static bool show(const struct ets_show_vector *v)
{
	struct lle_ets ets;

	lle_ets_from_sched(&v->p, &ets);
	return same_ets(&ets, &v->ets);
}

static bool set(const struct ets_set_vector *v)
{
	const struct lle_sched_params before = {
		.bands = 3, .strict = 1, .prios = { 0x80, 0x08, 0x77 },
		.quantum_bytes = { 0, 3001, 1000 },
	};
	struct lle_sched_params p = before;

	require(lle_ets_to_sched(&v->ets, ETS_FRAME, &p) == v->done,
		"not %u", v->done);
	return same_sched(&p, v->done ? &v->p : &before);
}

static void random_sched(struct lle_sched_params *p, u64 *seed)
{
	unsigned int i;

	memset(p, 0, sizeof(*p));
	p->bands = prng_range(seed, 1, LLE_SCHED_BANDS);
	p->strict = prng_range(seed, 0, p->bands);
	for (i = 0; i < LLE_NUM_PRIO; i++)
		p->prios[prng(seed) % p->bands] |= 1 << i;
	for (i = p->strict; i < p->bands; i++)
		p->quantum_bytes[i] = prng_range(seed, 64, 1 << 24);
}

/* Each class that shares has at least 1 %. */
static void random_ets(struct lle_ets *ets, u64 *seed)
{
	unsigned int i, shares = prng_range(seed, 0, LLE_SCHED_BANDS);
	unsigned int left = 100 - shares;

	memset(ets, 0, sizeof(*ets));
	for (i = 0; i < LLE_NUM_PRIO; i++)
		ets->prio_tc[i] = prng(seed) % LLE_SCHED_BANDS;
	for (i = 0; i < shares; i++) {
		unsigned int more = prng_range(seed, 0, left);

		if (i == shares - 1)
			more = left;
		ets->tc_bw[i] = 1 + more;
		ets->shared |= 1 << i;
		left -= more;
	}
}

static bool round_trip(u64 seed)
{
	struct lle_sched_params p, before;
	struct lle_ets ets, shown;
	unsigned int i, b;

	for (i = 0; i < 20000; i++) {
		random_sched(&p, &seed);
		before = p;
		lle_ets_from_sched(&p, &shown);
		require(lle_ets_to_sched(&shown, ETS_FRAME, &p), "step %u", i);
		require(same_sched(&p, &before), "step %u", i);

		random_ets(&ets, &seed);
		require(lle_ets_to_sched(&ets, prng_range(&seed, 86, 65553),
					 &p), "step %u", i);
		for (b = p.strict; b < p.bands; b++)
			require(p.quantum_bytes[b] >= 64 &&
				p.quantum_bytes[b] <= 1 << 24,
				"step %u: %u bytes", i, p.quantum_bytes[b]);
		lle_ets_from_sched(&p, &shown);
		require(same_ets(&shown, &ets), "step %u", i);
	}
	return true;
}

static void test_show(struct kunit *test)
{
	for_each_vector(v, ets_show_vectors)
		ok(show(v), "%s", v->name);
}

static void test_set(struct kunit *test)
{
	for_each_vector(v, ets_set_vectors)
		ok(set(v), "%s", v->name);
}

static void test_round_trip(struct kunit *test)
{
	ok(round_trip(15), "what is set is what is shown");
}

tap_suite("lossless_ets",
	  KUNIT_CASE(test_show),
	  KUNIT_CASE(test_set),
	  KUNIT_CASE(test_round_trip));
