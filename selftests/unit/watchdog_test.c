// SPDX-License-Identifier: GPL-2.0
/* kmod/core/pfc/watchdog.c: the storm watchdog. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/pfc/watchdog.c"
#include "../vectors/watchdog.h"

#define DETECTION	100
#define RESTORATION	200

static void run_vectors(struct kunit *test, const char *title,
			const struct lle_watchdog_config *p,
			const struct watchdog_step *v, unsigned int n)
{
	struct lle_watchdog_state state = {};
	unsigned int i;

	for (i = 0; i < n; i++, v++) {
		const struct lle_watchdog_view view = {
			.stuck_since_ns = v->stuck_since_ns,
			.quiet_since_ns = v->quiet_since_ns,
		};
		enum lle_watchdog_verdict verdict;
		u64 next;

		verdict = lle_watchdog_step(p, &state, &view, v->now_ns, &next);
		ok(verdict == v->verdict && next == v->next_ns,
		   "%s: %s: verdict %u, next %lld", title, v->name, verdict,
		   (long long)next);
		if (verdict == LLE_WATCHDOG_STORM)
			is(state.since_ns, v->now_ns, "%s: %s: since", title,
			   v->name);
	}
}

static void test_vectors(struct kunit *test)
{
	const struct lle_watchdog_config p = { DETECTION, RESTORATION };
	const struct lle_watchdog_config nic = { DETECTION };
	const struct lle_watchdog_config off = { 0, RESTORATION };

	run_vectors(test, "switch", &p, watchdog_switch_vectors,
		    ARRAY_SIZE(watchdog_switch_vectors));
	run_vectors(test, "nic", &nic, watchdog_nic_vectors,
		    ARRAY_SIZE(watchdog_nic_vectors));
	run_vectors(test, "off", &off, watchdog_off_vectors,
		    ARRAY_SIZE(watchdog_off_vectors));
}

/* Disabled during a storm, which still ends as usual. */
static void test_off_in_storm(struct kunit *test)
{
	const struct lle_watchdog_view view = { 0, 400 };
	struct lle_watchdog_config p = { DETECTION, RESTORATION };
	struct lle_watchdog_state state = {};
	u64 next;

	lle_watchdog_step(&p, &state, &view, 100, &next);
	p.detection_ns = 0;
	is(lle_watchdog_step(&p, &state, &view, 599, &next), LLE_WATCHDOG_NONE,
	   "off in a storm: goes on");
	is(lle_watchdog_step(&p, &state, &view, 600, &next),
	   LLE_WATCHDOG_RESTORE, "off in a storm: ends");
	is(lle_watchdog_step(&p, &state, &view, 900, &next), LLE_WATCHDOG_NONE,
	   "off in a storm: no other");
}

/* The oracle counts ns; the watchdog runs after changes, or when requested. */
struct random_peer {
	u64 prng;
	bool paused;
	bool waiting;
	u64 stuck_since;
	u64 quiet_since;
	u32 stuck_for;		/* by the oracle */
	u32 quiet_for;
	bool stormed;
};

static bool random_change(struct random_peer *r, u64 now)
{
	bool was_stuck = r->paused && r->waiting;
	u32 dice = prng(&r->prng) % 4096;

	/* both short and long times, to cross all limits */
	if (dice >= (r->stormed ? 24 : 40))
		return false;
	if (dice & 1) {
		r->paused = !r->paused;
		r->quiet_since = r->paused ? NEVER - RESTORATION : now;
	} else if (!r->paused || r->stormed || !r->waiting) {
		r->waiting = !r->waiting;
	}
	if (r->paused && r->waiting) {
		if (!was_stuck)
			r->stuck_since = now;
	} else {
		r->stuck_since = NEVER;
	}
	if (!r->paused || !r->waiting)
		r->stuck_for = 0;
	if (r->paused)
		r->quiet_for = 0;
	return true;
}

static enum lle_watchdog_verdict oracle(struct random_peer *r)
{
	if (!r->stormed && r->paused && r->waiting &&
	    r->stuck_for >= DETECTION) {
		r->stormed = true;
		return LLE_WATCHDOG_STORM;
	}
	if (r->stormed && !r->paused && r->quiet_for >= RESTORATION) {
		r->stormed = false;
		return LLE_WATCHDOG_RESTORE;
	}
	return LLE_WATCHDOG_NONE;
}

static void test_random(struct kunit *test)
{
	const struct lle_watchdog_config p = { DETECTION, RESTORATION };
	struct random_peer r = { .prng = 7, .stuck_since = NEVER };
	unsigned int storms = 0, wrong = 0;
	struct lle_watchdog_state state = {};
	u64 now, next = NEVER;

	for (now = 1; now < 1000000; now++) {
		enum lle_watchdog_verdict is = LLE_WATCHDOG_NONE, should;
		bool changed = random_change(&r, now);

		should = oracle(&r);
		if (changed || now >= next) {
			const struct lle_watchdog_view view = {
				.stuck_since_ns = r.stuck_since,
				.quiet_since_ns = r.quiet_since,
			};

			is = lle_watchdog_step(&p, &state, &view, now, &next);
		}
		wrong += is != should;
		storms += is == LLE_WATCHDOG_STORM;
		r.stuck_for += r.paused && r.waiting;
		r.quiet_for += !r.paused;
	}
	is(wrong, 0, "random: nanoseconds at which the verdict is wrong");
	ok(storms > 100, "random: %u storms", storms);
}

tap_suite("lossless_watchdog",
	  KUNIT_CASE(test_vectors),
	  KUNIT_CASE(test_off_in_storm),
	  KUNIT_CASE(test_random));
