// SPDX-License-Identifier: GPL-2.0
/* kmod/core/pfc/pause.c: pauses received and sent. */
#include "prng.h"
#include "tap.h"

#include "pause_oracle.h"
#include "../../kmod/core/pfc/history.c"
#include "../../kmod/core/pfc/pause.c"
#include "../vectors/pause.h"

static void test_quanta(struct kunit *test)
{
	for_each_vector(v, pause_quanta_vectors)
		is(lle_pause_quanta_to_ns(v->quanta, v->rate), v->ns,
		   "%u quanta at %llu B/s", v->quanta, v->rate);
	for_each_vector(v, pause_min_vectors)
		is(lle_pause_quanta_min(v->frame_bytes, v->overhead_bytes),
		   v->quanta, "shortest with frames of %u", v->frame_bytes);
	is(lle_pause_quanta_min(101, 0), 6, "2 * (101 + 60) bytes are 5 quanta and a bit");
}

static void test_rx(struct kunit *test)
{
	struct lle_pause_rx rx = {};
	unsigned int p;

	for_each_vector(v, pause_rx_vectors) {
		u64 next = v->next_ns ? v->next_ns : U64_MAX;
		u8 ended = 0, paused;

		if (v->pfc.enable)
			ended = lle_pause_rx_frame(&rx, &v->pfc, v->obey,
						   PAUSE_RATE, v->now_ns);
		paused = lle_pause_rx_update(&rx, v->now_ns);
		ok(ended == v->ended && paused == v->paused &&
		   lle_pause_rx_next(&rx, 0xff) == next,
		   "rx: %s: ended %#x, paused %#x, next %llu", v->name, ended,
		   paused, lle_pause_rx_next(&rx, 0xff));
	}
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		is(rx.pauses[p], pause_rx_counters[p].pauses,
		   "rx: pauses of %u", p);
		is(rx.resumes[p], pause_rx_counters[p].resumes,
		   "rx: resumes of %u", p);
		is(lle_pause_rx_transitions(&rx, p),
		   pause_rx_counters[p].transitions,
		   "rx: transitions of %u", p);
		is(rx.history[p].total_ns, pause_rx_counters[p].duration_ns,
		   "rx: duration of %u", p);
	}
}

/* 1000 quanta from 1000 on: until 513000; class 1: 2000 quanta, 1025000 */
static void test_rx_reads(struct kunit *test)
{
	static const struct lle_pfc pause = { 0x03, { 1000, 2000 } };
	struct lle_pause_rx rx = {};

	lle_pause_rx_frame(&rx, &pause, 0xff, PAUSE_RATE, 1000);
	is(lle_pause_rx_next(&rx, 0x02), 1025000, "next: of class 1");
	is(lle_pause_rx_next(&rx, 0xfc), U64_MAX, "next: of the others");
	is(lle_pause_rx_duration(&rx, 0, 1000), 0, "duration: as it begins");
	is(lle_pause_rx_duration(&rx, 0, 501000), 500000, "duration: goes on");
	is(lle_pause_rx_duration(&rx, 0, 9000000), 512000,
	   "duration: ends by itself, seen or not");
	is(rx.paused, 0x03, "duration: changes nothing");
	is(lle_pause_rx_duration(&rx, 2, 9000000), 0, "duration: of another");

	lle_pause_rx_clear(&rx, 0xfd, 600000);
	is(rx.paused, 0x02, "clear: the classes asked for");
	is(rx.history[0].total_ns, 512000, "clear: had expired before");
	lle_pause_rx_clear(&rx, 0xff, 601000);
	is(rx.paused, 0, "clear: all");
	is(rx.history[1].total_ns, 600000, "clear: ends when it is called");
	is(rx.resumes[0] + rx.resumes[1], 0, "clear: no frame to count");
}

/* 1000 quanta of 64 bytes at 10 Gbit/s: 51200 ns */
static void test_quiet_since(struct kunit *test)
{
	static const struct lle_pfc pause = { 0x08, { [3] = 1000 } };
	static const struct lle_pfc resume = { 0x08, {} };
	struct lle_pause_rx rx = {};

	is(lle_pause_rx_quiet_since(&rx, 3), 0, "never paused");
	lle_pause_rx_frame(&rx, &pause, 0xff, 1250000000, 5000);
	is(lle_pause_rx_quiet_since(&rx, 3), 56200, "a pause ends by itself");
	is(lle_pause_rx_quiet_since(&rx, 2), 0, "of another class");
	lle_pause_rx_frame(&rx, &resume, 0xff, 1250000000, 7000);
	is(lle_pause_rx_quiet_since(&rx, 3), 7000, "or by a frame");
}

static void test_tx(struct kunit *test)
{
	struct lle_pause_tx tx = {};
	struct lle_pfc pfc;
	unsigned int p;
	bool right;

	for_each_vector(v, pause_tx_vectors) {
		bool due = lle_pause_tx_due(&tx, v->want, v->now_ns);

		is(due, v->due, "tx: %s", v->name);
		if (!due)
			continue;
		memset(&pfc, 0xa5, sizeof(pfc));
		lle_pause_tx_build(&tx, v->want, PAUSE_TX_QUANTA, PAUSE_RATE,
				   v->now_ns, &pfc);
		right = pfc.enable == v->enable && tx.sent == v->want;
		for (p = 0; p < LLE_NUM_PRIO; p++)
			right = right && pfc.quanta[p] ==
				(v->want & BIT(p) ? PAUSE_TX_QUANTA : 0);
		ok(right, "tx: %s: frame", v->name);
	}
	for (p = 0; p < LLE_NUM_PRIO; p++)
		ok(tx.pauses[p] == pause_tx_counters[p].pauses &&
		   tx.resumes[p] == pause_tx_counters[p].resumes,
		   "tx: %llu pauses and %llu resumes of %u", tx.pauses[p],
		   tx.resumes[p], p);

	/* 335539 / 2, rounded down: a refresh is due at half of the pause */
	lle_pause_tx_build(&tx, 1, 65535, 12500000000ULL, 7, &pfc);
	is(tx.refresh_ns, 167776, "tx: refresh of the longest at 100 Gbit/s");
	/* a quantum at 1 Tbit/s takes no time: always due */
	lle_pause_tx_build(&tx, 1, 1, 125000000000ULL, 7, &pfc);
	ok(lle_pause_tx_due(&tx, 1, 7), "tx: time shorter than the clock's");
}

/* Random frames at random times, sometimes without a query. */
static bool rx_oracle(u64 seed, u32 longest)
{
	struct pause_oracle o = {};
	struct lle_pause_rx rx = {};
	struct lle_pfc pfc;
	unsigned int i, p;
	u8 obey, ended, paused;

	for (i = 0; i < 30000; i++) {
		u64 r = prng(&seed);

		pause_oracle_wait(&o, prng(&seed) % longest);
		obey = r % 4 ? 0xff : r >> 8;
		switch (r >> 16 & 7) {
		case 0:
			lle_pause_rx_clear(&rx, r >> 24, o.now_ns);
			pause_oracle_clear(&o, r >> 24);
			break;
		case 1:
			break;
		default:
			pfc.enable = r >> 32;
			for (p = 0; p < LLE_NUM_PRIO; p++)
				pfc.quanta[p] = prng(&seed) % 3 ?
						prng(&seed) % longest : 0;
			ended = rx.paused;
			paused = lle_pause_rx_frame(&rx, &pfc, obey,
						    ORACLE_RATE, o.now_ns);
			pause_oracle_frame(&o, &pfc, obey);
			ended &= ~pause_oracle_paused(&o);
			require(paused == ended, "step %u: %#x, not %#x", i,
				paused, ended);
		}
		require(pause_oracle_agrees(&o, &rx, prng(&seed) % 2),
			"step %u at %llu ns", i, o.now_ns);
	}
	return true;
}

/* If frames leave when due, the receiver follows the sender without a gap. */
static bool both_ends(u64 seed, u16 quanta, u64 rate)
{
	struct lle_pause_tx tx = {};
	struct lle_pause_rx rx = {};
	u64 now_ns = 0, frames = 0;
	struct lle_pfc pfc;
	unsigned int i;
	u8 want = 0;

	for (i = 0; i < 20000; i++) {
		u64 r = prng(&seed);

		if (!(r % 16))
			want = r >> 8;
		if (lle_pause_tx_due(&tx, want, now_ns)) {
			lle_pause_tx_build(&tx, want, quanta, rate, now_ns,
					   &pfc);
			lle_pause_rx_frame(&rx, &pfc, 0xff, rate, now_ns);
			frames++;
		}
		require(lle_pause_rx_update(&rx, now_ns) == want,
			"step %u at %llu", i, now_ns);
		require(!want || lle_pause_rx_next(&rx, want) > now_ns,
			"step %u at %llu", i, now_ns);
		/* at the sender's timer, or an event before it */
		if (want && r >> 63)
			now_ns = tx.refresh_ns;
		else
			now_ns += want ? prng(&seed) %
					 (tx.refresh_ns - now_ns + 1) : 1000;
	}
	require(frames > 1000, "%llu frames", frames);
	return true;
}

static void test_random(struct kunit *test)
{
	ok(rx_oracle(3, 20), "rx: against a clock, short pauses");
	ok(rx_oracle(4, 600), "rx: against a clock, long pauses");
	ok(both_ends(5, 65535, 12500000000ULL), "both ends, 100 Gbit/s");
	ok(both_ends(6, 100, 125000000ULL), "both ends, 1 Gbit/s, 100 quanta");
	ok(both_ends(7, 65535, 1250000ULL), "both ends, 10 Mbit/s");
}

tap_suite("lossless_pause",
	  KUNIT_CASE(test_quanta),
	  KUNIT_CASE(test_rx),
	  KUNIT_CASE(test_rx_reads),
	  KUNIT_CASE(test_quiet_since),
	  KUNIT_CASE(test_tx),
	  KUNIT_CASE(test_random));
