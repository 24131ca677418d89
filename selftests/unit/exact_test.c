// SPDX-License-Identifier: GPL-2.0
/* kmod/core/deadlock/exact.c: schedules, bounds, memory. */
#include "exact_probe.h"

static void test_init(struct kunit *test)
{
	struct lle_dl_params restarted = params, many = params;
	struct lle_exact *exact = new_exact(&params);

	is((u8 *)(exact->port + params.ports) - (u8 *)exact,
	   lle_exact_size(&params), "all of its memory");
	is(lle_exact_size(&params) - lle_exact_state_size(&params),
	   lle_dl_map_size(4) + 4 * sizeof(struct lle_dl_sums) +
	   sizeof(struct lle_dl_stats) + 4 * sizeof(void *), "counters");
	is(exact->pool, 4 * LLE_EXACT_PER_EGRESS, "four entries per egress");
	kfree(exact);
	many.ports = 11;
	exact = new_exact(&many);
	is(exact->pool, LLE_EXACT_POOL, "at most 40");
	kfree(exact);

	restarted.first = 100;
	begin(&restarted);
	happen(&(struct dcfit_step){ ENQ, 1, 0, 10 });
	happen(&(struct dcfit_step){ PAUSE_RX, 1, SAYS(1) });
	happen(&(struct dcfit_step){ PAUSE_TX, 0, .n = 5 });
	is(frame.send.msg.hop_epoch, 101, "number of the first pause");
	is(frame.send.msg.prio, 3, "its priority");
	ok(!strcmp(said(), "0:pause probe 7.0.101 min 7.0 hops 1"),
	   "and in its probe");
	ok(lle_exact_news(d, 0), "which is new");
	ok(!lle_exact_news(d, 0), "once");
	happen(&(struct dcfit_step){ PAUSE_TX, 2, .n = 5 });
	is(frame.send.msg.hop_epoch, 101, "at each ingress");
	lle_exact_configure(d, 0x3, params.guard_ns, 1ULL << 32, false);
	is(d->hop_ns, U32_MAX, "longest time per hop");
	is(d->fabric, 0x3, "ports to switches");
}

static void test_schedules(struct kunit *test)
{
	for_each_vector(v, dcfit_vectors)
		ok(follow(v), "%s", v->name);
}

/* At most CAP between two refreshes: probes could circulate for ever. */
static void test_cap(struct kunit *test)
{
	unsigned int seq;

	begin(&params);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	is(probes(), 1, "its own");
	for (seq = 0; seq < 50; seq++)
		probe_rx(1, 6, seq);
	is(probes(), CAP, "CAP of others");
	is(d->stats->capped, 50 - CAP, "the others are counted");
	happen(&(struct dcfit_step){ REFRESH, 0 });
	is(probes(), 2, "a refresh sends the last one, and its own");
	for (seq = 0; seq < LLE_EXACT_AGAIN; seq++)
		happen(&(struct dcfit_step){ REFRESH, 0 });
	is(d->port[0].again, LLE_EXACT_AGAIN + 1, "later ones repeat less");
	probes();
	probe_rx(1, 6, 50);
	is(probes(), 1, "and there is room for more");
	is(d->port[0].again, LLE_EXACT_AGAIN / 2, "half of all is repeated again");
}

static bool stored(unsigned int sw)
{
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (e->set.id[0].sw == sw)
			return true;
	return false;
}

/* The smallest and the last ID stay; evicted ones are cancelled. */
static void test_eviction(struct kunit *test)
{
	unsigned int sw, wrong = 0;

	begin(&params);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	probes();
	for (sw = 30; sw > 10; sw--) {
		probe_rx(1, sw, 1);
		wrong += probes() != (30 - sw < CAP);
	}
	is(wrong, 0, "each is sent on, up to CAP");
	for (sw = 11; sw < 11 + LLE_EXACT_PER_EGRESS; sw++)
		wrong += !stored(sw);
	is(wrong, 0, "the smallest are kept");
	probe_rx(1, 40, 1);
	ok(stored(40) && !stored(10 + LLE_EXACT_PER_EGRESS),
	   "the last one is kept, too");
	happen(&(struct dcfit_step){ RX, 1,
		PROBE(1, 3, 7, 0, ID(7, 0, 1)) });
	ok(stored(7), "its own is kept");
	probes();
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	ok(!strcmp(said(), "0:cancel all"),
	   "what is not known any more is taken back as a whole");

	begin(&params);
	enq(1, 0, 10);
	enq(1, 2, 10);
	pause_tx(0, 5);
	pause_tx(2, 5);
	pause_rx(1);
	for (sw = 20; sw > 15; sw--)
		probe_rx(1, sw, 1);
	probes();
	happen(&(struct dcfit_step){ RX, 1, CANCEL(1, ID(16, 0, 1)) });
	ok(!strcmp(said(), "0:cancel 16.0.1; 2:cancel 16.0.1"), "one is known");
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	ok(!strcmp(said(), "0:cancel all; 2:cancel all"), "by each ingress");
}

/* A search for pairs visits all entries, and only those of the ingress. */
static void test_pairs(struct kunit *test)
{
	struct lle_dl_params many = params;
	unsigned int i;

	many.ports = 8;
	many.fabric = 0xff;
	many.pool = 11;
	begin(&many);
	enq(1, 0, 4);
	enq(2, 0, 4);
	for (i = 1; i <= 5; i++)
		pause_rx(i);
	for (i = 0; i < 4; i++)
		probe_rx(4, 20 + i, 1);
	probe_rx(1, 8, 1);
	for (i = 0; i < 4; i++)
		probe_rx(5, 24 + i, 1);
	probe_rx(2, 9, 1);
	pause_tx(0, 5);
	probes();
	happen(&(struct dcfit_step){ REFRESH, 0 });
	ok(!strcmp(said(), AGAIN "; 0:probe 8.0.1+9.0.1 min 7.0 hops 2"),
	   "the pair of entries 4 and 9");
}

/* All egresses share a pool, but none takes the share of another. */
static void test_pool(struct kunit *test)
{
	struct lle_dl_params small = params;
	unsigned int sw, p, n, least = ~0U;
	const struct lle_exact_entry *e;

	small.pool = 7;
	begin(&small);
	for (p = 0; p < 3; p++)
		pause_rx(p);
	for (sw = 10; sw < 30; sw++)
		for (p = 0; p < 3; p++)
			probe_rx(p, p ? sw + 20 : sw, 1);
	for (p = 0; p < 3; p++) {
		n = 0;
		lle_exact_for_each_entry(d, e)
			n += e->egress == p;
		least = min(least, n);
	}
	is(least, 2, "7 entries are 2 or 3 for each of 3 egresses");
}

/* A single own initiator counts as smallest, if its pause lasts. */
static void test_own(struct kunit *test)
{
	const struct lle_dl_id me = { .sw = 7, .seq = 1 }, less = { .sw = 1, .seq = 1 };
	const struct lle_dl_set one = lle_dl_set_one(me), small = lle_dl_set_one(less);
	const struct lle_dl_set pair = lle_dl_set_two(me, (struct lle_dl_id){ .sw = 8 });

	begin(&params);
	ok(lle_exact_before(d, one, small) && !lle_exact_before(d, small, one), "a single one");
	ok(!lle_exact_before(d, pair, small) && lle_exact_before(d, small, pair), "not in a pair");
	pause_rx(1);
	pause_tx(0, 5);
	happen(&(struct dcfit_step){ RESUME_TX, 0 });
	probe_rx(1, 7, 1);
	ok(!stored(7), "its pause is over");
	pause_tx(0, 5);
	probe_rx(1, 7, 2);
	ok(stored(7), "it lasts");
	happen(&(struct dcfit_step){ RESUME_TX, 0 });
	ok(!stored(7), "no longer");

	/* sets of other egresses do not count, nor older ones */
	begin(&params);
	pause_rx(1);
	pause_rx(2);
	probe_rx(1, 8, 5);
	happen(&(struct dcfit_step){ RX, 2, PROBE(1, 1, 8, 0, ID(8, 0, 5), ID(9, 0, 5)) });
	ok(d->entry[1].egress == 2 && d->entry[1].set.id[1].sw == 9, "a pair at egress 2");
	happen(&(struct dcfit_step){ RX, 2, PROBE(1, 1, 8, 0, ID(8, 0, 5), ID(9, 0, 4)) });
	is(d->entry[1].set.id[1].seq, 5, "an earlier one is ignored");
	d->entry[0].sent = BIT(0) | BIT(2);
	lle_exact_table_set_sent(d, d->entry[0].set, 0, false);
	is(d->entry[0].sent, BIT(2), "that of one ingress is withdrawn");
	lle_exact_table_clear_sent(d, 1);
	is(d->entry[0].sent, BIT(2), "or that of another");
}


/* A pause frame leaves before or after the evaluation. */
static void test_ride(struct kunit *test)
{
	unsigned int n;

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	ok(lle_exact_is_due(d), "a pause that is hard is evaluated");
	leaves(0, true);
	ok(!strcmp(said(), "0:pause"), "but its frame does not wait for that");
	run();
	ok(!strcmp(said(), "0:" OWN "; " OTHER),
	   "then all probes go alone");

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	run();
	ok(!lle_exact_is_due(d), "what is evaluated is not due");
	leaves(0, true);
	ok(!strcmp(said(), "0:pause " OWN "; " OTHER),
	   "the frame takes the first one");
	leaves(0, true);
	ok(!strcmp(said(), "0:pause"), "once");

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	run();
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	leaves(0, true);
	ok(!strcmp(said(), "0:pause " OWN "; " OTHER "; 0:cancel 8.0.1"),
	   "one that is taken back does not wait any more");

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	run();
	lle_exact_resume_tx(d, 0, false);
	said();
	lle_exact_pause_tx(d, 0, 10, now_ns);
	leaves(0, true);
	ok(!strcmp(said(), "0:pause"), "nor one of the pause before");

	probed();
	pause_tx(0, 5);
	for (n = 0; n < 5; n++)
		happen(&(struct dcfit_step){ REFRESH, 0 });
	lle_exact_refresh(d, 0, now_ns, &out);
	is(d->ride[0].msg.id[0].sw, 8, "the sixth refresh repeats the other one");
	said();
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	leaves(0, true);
	ok(!strcmp(said(), "0:pause; 0:cancel 8.0.1"), "unless it is over");
}

/* A cancel is not repeated, unless a probe has said it again since. */
static void test_cancels(struct kunit *test)
{
	begin(&params);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	said();
	rx(1, LLE_DL_PROBE, 9, 0);
	rx(1, LLE_DL_CANCEL, 9, 0);
	rx(1, LLE_DL_PROBE, 8, 9);
	rx(1, LLE_DL_CANCEL, 9, 0);
	ok(!strcmp(said(), "0:probe 9.0.1 min 7.0 hops 2; 0:cancel 9.0.1; "
		   "0:probe 8.0.1+9.0.1 min 7.0 hops 2; 0:cancel 8.0.1; "
		   "0:cancel 9.0.1"), "twice, as its pair was new");
	is(d->stats->cancels, 3, "counted");
	is(d->stats->probes, 3, "as are probes");
}

/* At most four ingresses have a probe that waits for a pause frame. */
static void test_rides(struct kunit *test)
{
	struct lle_dl_params many = params;
	unsigned int i, riding = 0;

	many.ports = 8;
	many.fabric = 0xff;
	begin(&many);
	pause_rx(7);
	for (i = 0; i < 6; i++) {
		enq(7, i, 10);
		lle_exact_pause_tx(d, i, 5, now_ns);
	}
	run();
	is(probes(), 6 - LLE_EXACT_RIDES, "the others go alone");
	for (i = 0; i < 6; i++) {
		leaves(i, true);
		riding += probes();
	}
	is(riding, LLE_EXACT_RIDES, "four ride");
}

/* Events before the evaluation count. */
static void test_late(struct kunit *test)
{
	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	lle_exact_resume_tx(d, 0, false);
	ok(!lle_exact_is_due(d), "a pause that has ended is not evaluated");

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	lle_exact_deq(d, 1, 0, 5);
	run();
	ok(!strcmp(said(), ""), "nor is one that is not hard any more");

	probed();
	pause_tx(0, 5);
	said();
	lle_exact_deq(d, 1, 0, 4);
	lle_exact_deq(d, 1, 0, 6);
	ok(lle_exact_is_due(d), "packets that leave a held egress are");
	lle_exact_enq(d, 2, 0, 10);
	run();
	ok(!strcmp(said(), "0:cancel 8.0.1"), "even if none is left there");

	probed();
	pause_tx(0, 5);
	said();
	lle_exact_deq(d, 1, 0, 5);
	lle_exact_enq(d, 1, 0, 5);
	run();
	ok(!strcmp(said(), ""), "what is true again need not be taken back");

	probed();
	pause_tx(0, 5);
	said();
	lle_exact_deq(d, 1, 0, 5);
	lle_exact_resume_tx(d, 0, false);
	leaves(0, false);
	ok(!strcmp(said(), "0:resume broken"), "a resume comes first: broken");
	leaves(0, false);
	ok(!strcmp(said(), "0:resume broken"), "so does its repetition");
	lle_exact_pause_tx(d, 0, 5, now_ns);
	leaves(0, true);
	lle_exact_resume_tx(d, 0, false);
	leaves(0, false);
	ok(!strcmp(said(), ""), "the next resume is not");

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	leaves(0, true);
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	ok(!strcmp(said(), "0:pause; 0:cancel 8.0.1"),
	   "what was due is not said when it is over");
}

/* Only a pause of a switch that is hard is evaluated, by the next event. */
static void test_due(struct kunit *test)
{
	static const struct lle_dl_msg none = { .hop_epoch = 1 };
	unsigned int n;

	begin(&params);
	pause_rx(1);
	lle_exact_pause_tx(d, 3, 5, now_ns);
	lle_exact_enq(d, 1, 3, 10);
	ok(!lle_exact_is_due(d), "that of a host is not");
	lle_exact_resume_tx(d, 3, false);
	lle_exact_pause_tx(d, 3, 5, now_ns);
	ok(!lle_exact_is_due(d), "nor if its packets came before");
	lle_exact_pause_tx(d, 0, 5, now_ns);
	lle_exact_enq(d, 1, 0, 5);
	lle_exact_pause_tx(d, 2, 5, now_ns);
	ok(!lle_exact_is_due(d), "nor one at XON");
	lle_exact_enq(d, 1, 0, 1);
	lle_exact_enq(d, 1, 2, 6);
	is(d->due, BIT(0) | BIT(2), "packets make two hard");
	lle_exact_resume_tx(d, 0, false);
	lle_exact_resume_tx(d, 2, false);
	lle_exact_pause_tx(d, 0, 5, now_ns);
	lle_exact_pause_tx(d, 2, 5, now_ns);
	is(d->due, BIT(0) | BIT(2), "they are at once, when they begin");

	for (n = 0; n < 3; n++) {
		probed();
		lle_exact_pause_tx(d, 0, 5, now_ns);
		if (n == 0)
			lle_exact_pause_rx(d, 2, NULL, now_ns + UNIT_NS, now_ns, &out);
		else if (n == 1)
			lle_exact_message_rx(d, 1, &none, now_ns, &out);
		else
			lle_exact_timer(d, now_ns, &out);
		ok(!lle_exact_is_due(d), "evaluated by event %u", n);
	}

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	lle_exact_refresh(d, 0, now_ns, &out);
	leaves(0, true);
	ok(!strcmp(said(), "0:pause " OWN "; " OTHER), "a refresh evaluates once");
	probed();
	pause_tx(0, 5);
	ok(lle_exact_news(d, 0), "a new probe is news");
	happen(&(struct dcfit_step){ REFRESH, 0 });
	ok(!lle_exact_news(d, 0), "but a repetition is not");
}

/* Statements become false with packets: the next event withdraws them first. */
static void test_amend(struct kunit *test)
{
	static const struct dcfit_step events[] = {
		{ RESUME_RX, 1 }, { EXPIRE, 1 }, { PAUSE_RX, 1, SAYS(2) }, { RX, 1, BROKEN(1) },
	};
	struct lle_dl_out *o = &out;

	for_each_vector(v, events) {
		probed();
		pause_tx(0, 5);
		said();
		lle_exact_deq(d, 1, 0, 10);
		happen(v);
		ok(!strcmp(said(), "0:cancel 8.0.1"), "event %d", (int)(v - events));
	}

	probed();
	pause_tx(0, 5);
	said();
	lle_exact_deq(d, 1, 0, 5);
	run();
	ok(!strcmp(said(), "0:cancel 8.0.1"), "5 bytes of 5");
	lle_exact_enq(d, 1, 0, 1);
	run();
	ok(!strcmp(said(), OTHER), "6 bytes: it is said again");

	probed();
	lle_exact_enq(d, 1, 2, 10);
	pause_tx(0, 5);
	pause_tx(2, 5);
	said();
	lle_exact_deq(d, 1, 0, 5);
	lle_exact_deq(d, 1, 2, 5);
	run();
	ok(!strcmp(said(), "0:cancel 8.0.1; 2:cancel 8.0.1"), "two withdraw");
	lle_exact_resume_tx(d, 0, false);
	lle_exact_resume_tx(d, 2, false);
	is(d->broken, BIT(0) | BIT(2), "both resume without draining");

	probed();
	lle_exact_enq(d, 1, 2, 10);
	pause_tx(0, 5);
	pause_tx(2, 5);
	said();
	o->num = LLE_DL_SENDS;
	lle_exact_resume_rx(d, 1, true, now_ns, now_ns, o);
	o->num = 0;
	run();
	ok(!strcmp(said(), "0:cancel all; 2:cancel all"), "two, when there is room");
}

/* Sets of an egress with evictions, which all hold ingress @ingress */
static void evict(unsigned int ingress)
{
	unsigned int sw;

	begin(&params);
	enq(1, ingress, 10);
	pause_rx(1);
	for (sw = 20; sw > 15; sw--)
		probe_rx(1, sw, 1);
}

/* An egress has lost sets: all of an ingress is withdrawn, and what is true said anew. */
static void test_evicted(struct kunit *test)
{
	evict(0);
	pause_tx(0, 5);
	said();
	lle_exact_deq(d, 1, 0, 5);
	run();
	ok(!strcmp(said(), "0:cancel all"), "after packets left");

	evict(0);
	pause_tx(0, 5);
	enq(2, 0, 10);
	pause_rx(2);
	probe_rx(2, 9, 1);
	said();
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	ok(!strcmp(said(), "0:cancel all; 0:probe 9.0.1 min 7.0 hops 2"), "or the pause");

	evict(0);
	lle_exact_pause_tx(d, 0, 5, now_ns);
	run();
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	out.num = 0;
	leaves(0, true);
	ok(!strcmp(said(), "0:pause"), "also a probe that waits for its frame");

	evict(0);
	enq(1, 2, 10);
	pause_tx(0, 5);
	pause_tx(2, 5);
	said();
	out.num = LLE_DL_SENDS;
	lle_exact_resume_rx(d, 1, true, now_ns, now_ns, &out);
	out.num = 0;
	ok(lle_exact_is_due(d), "without room, later");
	run();
	ok(!strcmp(said(), "0:cancel all; 2:cancel all"), "by both");

	evict(0);
	pause_tx(0, 5);
	happen(&(struct dcfit_step){ RX, 1, .msg = { .type = LLE_DL_CANCEL, .hop_epoch = 1 } });
	probe_rx(1, 8, 1);
	said();
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	ok(!strcmp(said(), "0:cancel 8.0.1"), "not of sets that came later");

	evict(0);
	pause_tx(0, 5);
	happen(&(struct dcfit_step){ RESUME_RX, 1 });
	happen(&(struct dcfit_step){ RESUME_RX, 2 });
	pause_rx(1);
	probe_rx(1, 8, 1);
	said();
	happen(&(struct dcfit_step){ EXPIRE, 1 });
	ok(!strcmp(said(), "0:cancel 8.0.1"), "nor of the next pause");

	begin(&params);
	pause_rx(1);
	pause_rx(2);
	happen(&(struct dcfit_step){ RESUME_RX, 1 });
	happen(&(struct dcfit_step){ RESUME_RX, 2 });
	is(d->lately, BIT(1) | BIT(2), "two pauses that were lately");
}

/* Bytes of state per lossless priority, as in section 5 of the paper */
static void state_is_at_most(unsigned int ports, unsigned int bytes)
{
	struct lle_dl_params p = { .sw = 1, .ports = ports };
	unsigned int state = lle_exact_state_size(&p);

	ok(state <= bytes, "%u ports: %u bytes, at most %u", ports, state, bytes);
	tap_metric("exact.%u.state %u", ports, state);
	tap_metric("exact.%u.counters %u", ports,
		   (unsigned int)lle_exact_size(&p) - state);
}

static void test_memory(struct kunit *test)
{
	state_is_at_most(64, 3072);
	state_is_at_most(4, 1024);
	is(sizeof(struct lle_exact_entry), 24, "bytes of an entry");
}

/* `alert` breaks no loop: one report is enough. */
static void test_keeps(struct kunit *test)
{
	static const struct dcfit_step declared = { BACK(1, 0, 0) };

	begin(&params);
	lle_exact_configure(d, params.fabric, params.guard_ns, params.hop_ns,
			    true);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	happen(&declared);
	ok(lle_exact_timer_wait(d, now_ns) == U64_MAX,
	   "one that has declared is waited for, for ever");
	is(out.declared, 0, "so it is not declared twice");

	begin(&params);
	lle_exact_configure(d, params.fabric, params.guard_ns, params.hop_ns, true);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	d->declared = BIT(2);
	probe_rx(1, 8, 1);
	d->entry[0].set.id[0].port = 2;
	happen(&(struct dcfit_step){ BACK(1, 7, 0) });
	is(out.declared, BIT(0), "a port of another switch is no rival");
}

static void test_report(struct kunit *test)
{
	struct lle_dl_report report;

	begin(&params);
	enq(1, 0, 10);
	enq(2, 0, 3);
	pause_because(1, 20);
	pause_because(2, 30);
	pause_tx(0, 5);
	happen(&(struct dcfit_step){ RX, 1,
		PROBE(1, 3, 7, 0, ID(7, 0, 1)) });
	is(out.declared, BIT(0), "declared");
	lle_exact_report(d, 0, now_ns, &report);
	ok(lle_dl_id_same(report.initiator, lle_exact_me(d, 0)), "by itself");
	is(report.hops, 3, "hops of the loop");
	is(report.egresses, BIT(1), "where it waits for itself");
	is(report.trigger.sw, 20, "its trigger");
	is(d->port[1].held_by.sw, 20, "and that of the egress");

	begin(&params);
	enq(1, 0, 10);
	pause_rx(1);
	pause_rx(2);
	pause_tx(0, 5);
	happen(&(struct dcfit_step){ RX, 2, PROBE(1, 7, 7, 0, ID(7, 0, 1)) });
	happen(&(struct dcfit_step){ RX, 1, PROBE(1, 3, 7, 0, ID(7, 0, 1)) });
	lle_exact_report(d, 0, now_ns, &report);
	ok(report.hops == 3 && report.egresses == BIT(1),
	   "an egress without packets of it does not count");
}

/* The row of the last ingress ends where that of the next egress begins. */
static void test_rows(struct kunit *test)
{
	u32 expire;

	begin(&params);
	enq(2, 0, 100);
	pause_rx(0);
	expire = d->port[0].expire;
	pause_rx(1);
	is(d->port[0].expire, expire, "a pause of egress 1 concerns its row alone");
	happen(&(struct dcfit_step){ RESUME_RX, 1 });
	is(d->port[0].expire, expire, "as does its end");
	is(d->map.sums[0].held, 0, "none of it is held");
	enq(0, 0, 7);
	lle_dl_map_hold(&d->map, 0);
	is(d->map.sums[0].held, 7, "its bytes are held once");
}

/* All counters return to 0. */
static void test_map(struct kunit *test)
{
	static struct { u8 p, i; u32 len; } k[500];
	unsigned int n, round, bad = 0;
	u64 seed = 3;

	begin(&params);
	for (round = 0; round < 20; round++) {
		for (n = 0; n < ARRAY_SIZE(k); n++) {
			k[n].p = prng(&seed) % 4;
			k[n].i = prng(&seed) % 4;
			k[n].len = prng_range(&seed, 60, 9000);
			if (prng(&seed) % 4 == 0)
				pause_rx(prng(&seed) % 4);
			if (prng(&seed) % 4 == 0)
				happen(&(struct dcfit_step){ RESUME_RX,
					prng(&seed) % 4 });
			lle_exact_enq(d, k[n].p, k[n].i, k[n].len);
		}
		for (n = 0; n < ARRAY_SIZE(k); n++)
			lle_exact_deq(d, k[n].p, k[n].i, k[n].len);
		for (n = 0; n < 16; n++)
			bad += d->map.bytes[n] || d->map.sums[n % 4].held;
	}
	is(bad, 0, "counters are 0 when all have left");
	is(out.num, 0, "and nobody has been told anything");
}

/* No amplification and no declaration */
static void test_noise(struct kunit *test)
{
	unsigned int n, i, received = 0, sent = 0, dead = 0;
	u64 seed = 11;

	begin(&params);
	for (i = 0; i < 3; i++) {
		enq((i + 1) % 3, i, 100);
		pause_tx(i, 5);
	}
	for (i = 0; i < 3; i++)
		pause_rx(i);
	out.num = 0;
	for (n = 0; n < 100000; n++) {
		struct dcfit_step s = { RX, prng(&seed) % 4, PROBE(1,
			prng(&seed) % 80, prng(&seed) % 9, prng(&seed) % 4,
			ID(8 + prng(&seed) % 40, prng(&seed) % 64,
			   prng(&seed) % 8),
			ID(prng(&seed) % 2 * (8 + prng(&seed) % 40),
			   prng(&seed) % 64, prng(&seed) % 8)) };

		if (prng(&seed) % 8 == 0)
			s.msg.type = LLE_DL_CANCEL;
		if (s.msg.type == LLE_DL_CANCEL)
			s.msg.id[1].sw = 0;
		happen(&s);
		received++;
		sent += out.num;
		dead += !!out.declared;
		out.num = 0;
	}
	is(dead, 0, "nobody is declared by others' IDs");
	ok(sent < received, "%u messages are sent for %u", sent, received);
}

tap_suite("lossless_exact",
	  KUNIT_CASE(test_init),
	  KUNIT_CASE(test_schedules),
	  KUNIT_CASE(test_pairs),
	  KUNIT_CASE(test_cancels),
	  KUNIT_CASE(test_rows),
	  KUNIT_CASE(test_cap),
	  KUNIT_CASE(test_eviction),
	  KUNIT_CASE(test_pool),
	  KUNIT_CASE(test_own),
	  KUNIT_CASE(test_ride),
	  KUNIT_CASE(test_rides),
	  KUNIT_CASE(test_late),
	  KUNIT_CASE(test_due),
	  KUNIT_CASE(test_amend),
	  KUNIT_CASE(test_evicted),
	  KUNIT_CASE(test_memory),
	  KUNIT_CASE(test_keeps),
	  KUNIT_CASE(test_report),
	  KUNIT_CASE(test_map),
	  KUNIT_CASE(test_noise));
