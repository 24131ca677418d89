// SPDX-License-Identifier: GPL-2.0
/* kmod/core/deadlock/exact_declare.c: which ingress declares, and when. */
#include "exact_probe.h"

/* 2 or 3 bytes of ingress 0 at egresses 1 to 3, with four probes each; XON is 5 */
static void scatter(u32 bytes)
{
	struct lle_dl_params many = params;
	unsigned int p, i;

	many.ports = 8;
	many.fabric = 0xff;
	begin(&many);
	for (p = 1; p <= 3; p++) {
		enq(p, 0, bytes);
		pause_rx(p);
		for (i = 0; i < 4; i++)
			probe_rx(p, 10 * p + i, 1);
	}
	pause_tx(0, 5);
	probes();
	happen(&(struct dcfit_step){ REFRESH, 0 });
}

static void test_sets(struct kunit *test)
{
	unsigned int n;

	scatter(2);
	is(probes(), 1, "no pair of 12 holds it");
	scatter(3);
	is(probes(), 1 + 4, "of the pairs that do, 4 at a time");
	is(d->turn, 1, "the next search begins elsewhere");
	d->port[0].sent = CAP;
	lle_exact_declare_repeat(d, 0, lle_exact_time(now_ns), &out);
	is(probes(), 1, "none above the cap");

	/* the last of 7 IDs has 5 bytes, the others 1 */
	scatter(0);
	enq(1, 0, 1);
	enq(2, 0, 1);
	enq(3, 0, 5);
	happen(&(struct dcfit_step){ RX, 2, CANCEL(1, ID(22, 0, 1)) });
	happen(&(struct dcfit_step){ RX, 2, CANCEL(1, ID(23, 0, 1)) });
	d->turn = 0;
	probes();
	happen(&(struct dcfit_step){ REFRESH, 0 });
	is(probes(), 1 + 4, "its pairs hold the ingress");

	/* 2 bytes at egress 2, 10 at egress 1 */
	begin(&params);
	enq(1, 0, 10);
	enq(2, 0, 2);
	pause_rx(1);
	pause_rx(2);
	probe_rx(2, 9, 1);
	rx(1, LLE_DL_PROBE, 8, 0);
	pause_tx(0, 5);
	ok(!strcmp(said(), "0:pause " OWN "; " OTHER), "the first does not hold it");
	for (n = 0; n < 5; n++)
		happen(&(struct dcfit_step){ REFRESH, 0 });
	said();
	happen(&(struct dcfit_step){ REFRESH, 0 });
	ok(!strcmp(said(), "0:pause probe 8.0.1 min 7.0 hops 2"), "so it is not repeated");

	/* it waits for itself alone: pairs say nothing new */
	begin(&params);
	enq(1, 0, 10);
	enq(2, 0, 2);
	pause_rx(1);
	pause_rx(2);
	probe_rx(2, 9, 1);
	pause_tx(0, 5);
	happen(&(struct dcfit_step){ BACK(3, 7, 0) });
	said();
	happen(&(struct dcfit_step){ REFRESH, 0 });
	ok(!strcmp(said(), "0:pause probe 7.0.1 min 0.0 hops 1"), "no pairs");
	is(d->stats->declared, 1, "it is declared");

	/* 3 bytes wait for itself, 3 for another: together more than XON */
	begin(&params);
	enq(1, 0, 3);
	enq(2, 0, 3);
	pause_rx(1);
	pause_rx(2);
	probe_rx(2, 9, 1);
	pause_tx(0, 5);
	happen(&(struct dcfit_step){ BACK(3, 7, 0) });
	said();
	happen(&(struct dcfit_step){ REFRESH, 0 });
	ok(!strcmp(said(), AGAIN "; 0:probe 9.0.1 min 7.0 hops 2"), "a pair with itself");

	/* two probes hold it together, one of which waits for others */
	probed();
	enq(2, 0, 10);
	pause_rx(2);
	d->entry[0].waits = true;
	probe_rx(2, 8, 1);
	pause_tx(0, 5);
	ok(strstr(said(), "0:probe 8.0.1 min 7.0 hops 2 waits"), "the set waits");
}

/* A packet closed the loop, not evaluated yet */
static void about_to_declare(void)
{
	begin(&params);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	happen(&(struct dcfit_step){ DEQ, 1, 0, 5 });
	happen(&(struct dcfit_step){ RX, 1,
		PROBE(1, 3, 7, 0, ID(7, 0, 1)) });
	said();
	lle_exact_enq(d, 1, 0, 5);
}

static bool declares_after(const struct dcfit_step *s)
{
	about_to_declare();
	if (s)
		happen(s);
	run();
	return out.declared;
}

/* Packets of two ingresses close two loops before one evaluation. */
static void test_two(struct kunit *test)
{
	begin(&params);
	enq(1, 0, 5);
	enq(0, 2, 5);
	pause_tx(0, 5);
	pause_tx(2, 5);
	pause_rx(1);
	pause_rx(0);
	happen(&(struct dcfit_step){ BACK(3, 7, 0) });
	happen(&(struct dcfit_step){ RX, 0, PROBE(1, 3, 7, 2, ID(7, 2, 1)) });
	ok(!out.declared, "at XON no ingress waits for itself");
	lle_exact_enq(d, 1, 0, 1);
	lle_exact_enq(d, 0, 2, 1);
	run();
	is(out.declared, BIT(0) | BIT(2), "above it, both do");
}

/* The end of a pause leaves nothing of it. */
static void test_reset(struct kunit *test)
{
	struct lle_exact *e = new_exact(&params);
	struct lle_exact_port *port = &e->port[0];
	u64 *const sets[] = {
		&e->pausing, &e->initiators, &e->declared, &e->deferred,
		&e->unheld, &e->due, &e->recheck, &e->withdrawing, &e->refreshed,
	};
	unsigned int n, left = 0;

	for (n = 0; n < ARRAY_SIZE(sets); n++)
		*sets[n] = BIT(0) | BIT(2);
	port->sent = 1;
	port->again = 1;
	port->rival = 1;
	port->asked = 1;
	lle_exact_resume_tx(e, 0, false);
	for (n = 0; n < ARRAY_SIZE(sets); n++)
		left += *sets[n] != BIT(2);
	is(left, 0, "in the sets of ingresses");
	ok(!port->sent && !port->again && !port->rival && !port->asked,
	   "at its port");
	is(e->broken, BIT(0), "but what it could not withdraw");
	lle_exact_pause_tx(e, 0, 5, 0);
	is(e->broken, 0, "until the next pause");
	e->pausing = BIT(0) | BIT(2) | BIT(3);
	is(lle_exact_pausing(e), BIT(0) | BIT(2), "pauses of switches");
	ok(lle_exact_stats(e) == e->stats, "counters");
	kfree(e);
}

/* 255 questions, then an ingress declares, whatever the others say. */
static void test_asks(struct kunit *test)
{
	static const struct dcfit_step declared = { BACK(1, 0, 0) };
	static const struct dcfit_step answer = { ANSWER(1, 1, 0, 0) };
	unsigned int asked;

	for (asked = 253; asked <= 255; asked++) {
		begin(&params);
		enq(1, 0, 10);
		pause_tx(0, 5);
		pause_rx(1);
		happen(&declared);
		d->port[0].asked = asked;
		happen(&(struct dcfit_step){ WAIT, .n = 65 });
		is(out.declared, asked == 255, "after %u, at once", asked);
		happen(&answer);
		is(out.declared, asked > 253, "or with the answer");
	}
}

/* An evaluation begins with room for half of the messages. */
static void test_room(struct kunit *test)
{
	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	out.num = LLE_DL_SENDS / 2 + 1;
	run();
	ok(lle_exact_is_due(d), "a pause waits for it");
	out.num--;
	run();
	ok(!lle_exact_is_due(d), "no longer");
	lle_exact_deq(d, 1, 0, 5);
	out.num = LLE_DL_SENDS / 2 + 1;
	run();
	ok(lle_exact_is_due(d) && d->leaky == BIT(1), "so do cancels");
	out.num--;
	run();
	ok(!lle_exact_is_due(d), "no longer");
	is(out.num, LLE_DL_SENDS / 2 + 1, "a cancel");
	is(d->leaky, 0, "all egresses are checked");
}

/* 0.7 rounds of 5 hops of 2048 ns, in units of 1024 ns, rounded up */
static void test_defers(struct kunit *test)
{
	static const char *const why[] = {
		"it asks", "unless that one circles", "or does not hold it", "or does not wait",
	};
	static const struct dcfit_step stopped = { BACK(5, 6, 2) };
	unsigned int n;

	begin(&params);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	happen(&stopped);
	is(lle_exact_timer_wait(d, now_ns), 8192, "nanoseconds to wait");
	is(d->stats->deferred, 1, "counted");
	lle_exact_timer(d, now_ns + 7 * UNIT_NS, &out);
	is(d->deferred, BIT(0), "too early");
	lle_exact_timer(d, now_ns + 8 * UNIT_NS, &out);
	is(d->deferred, 0, "due");

	/* the own probe is back after 3 hops; one of a smaller initiator waits elsewhere */
	for (n = 0; n < 4; n++) {
		begin(&params);
		enq(1, 0, 10);
		pause_tx(0, 5);
		pause_rx(1);
		pause_rx(2);
		happen(&(struct dcfit_step){ RX, n == 2 ? 2 : 1, .msg = {
			.type = LLE_DL_PROBE, .hop_epoch = 1, .hops = n == 1 ? 6 : 5,
			.min = { .sw = 6 }, .id = { { .sw = 6, .seq = 1 } }, .waits = n != 3 } });
		said();
		happen(&(struct dcfit_step){ BACK(3, 7, 0) });
		is(out.declared, n ? BIT(0) : 0, "%s", why[n]);
	}

	/* 2.0 rounds of 5 hops for the answer */
	begin(&params);
	enq(1, 0, 10);
	pause_tx(0, 5);
	pause_rx(1);
	happen(&(struct dcfit_step){ BACK(5, 0, 0) });
	lle_exact_declare_waited(d, 0, lle_exact_time(now_ns), &out);
	is(d->port[0].defer, lle_exact_time(now_ns) + 21, "time to answer");
}

/* A loop that opened before the evaluation does not count. */
static void test_opened(struct kunit *test)
{
	ok(declares_after(NULL), "a loop is declared");
	ok(!declares_after(&(struct dcfit_step){ RESUME_RX, 1 }),
	   "but not when it is resumed");
	ok(!declares_after(&(struct dcfit_step){ EXPIRE, 1 }),
	   "nor when the pause has ended by itself");
	ok(!declares_after(&(struct dcfit_step){ RX, 1, BROKEN(1) }),
	   "nor when it is broken");
	ok(!declares_after(&(struct dcfit_step){ RX, 1, CANCEL(1, ID(7, 0, 1)) }),
	   "nor when that is taken back");
	ok(!declares_after(&(struct dcfit_step){ PAUSE_RX, 1, SAYS(2) }),
	   "nor when it is paused anew");
	ok(!declares_after(&(struct dcfit_step){ PAUSE_RX, 1, 5, 5, SAYS(1) }),
	   "nor when it will end by itself soon");
}

/* Without space for a cancel, the next output cancels all. */
static void test_full(struct kunit *test)
{
	const struct lle_dl_id other = { .sw = 9, .seq = 1 };

	probed();
	pause_tx(0, 5);
	out.num = LLE_DL_SENDS - 1;
	lle_exact_send_own(d, 0, lle_exact_time(now_ns), &out);
	is(out.num, LLE_DL_SENDS, "the last one");
	lle_exact_send_own(d, 0, lle_exact_time(now_ns), &out);
	ok(out.num == LLE_DL_SENDS && d->stats->overrun == 1, "has no successor");

	probed();
	lle_exact_pause_tx(d, 0, 5, now_ns);
	run();
	out.num = 0;
	d->ride[0].msg.num_ids = 2;
	d->ride[0].msg.id[1] = other;
	lle_exact_send_drop(d, 0, &other);
	leaves(0, true);
	ok(!strcmp(said(), "0:pause"), "a pair ends with its second member");

	probed();
	pause_tx(0, 5);
	said();
	out.num = LLE_DL_SENDS;
	lle_exact_resume_rx(d, 1, true, now_ns, now_ns, &out);
	is(d->stats->overrun, 1, "no room for a CANCEL");
	run();
	ok(lle_exact_is_due(d), "it is due until there is");
	out.num = 0;
	run();
	ok(!strcmp(said(), "0:cancel all"), "then all is taken back");
	ok(!lle_exact_is_due(d), "once");
	is(d->stats->cancels, 1, "and counted once");

	probed();
	pause_tx(0, 5);
	said();
	out.num = LLE_DL_SENDS;
	lle_exact_resume_rx(d, 1, true, now_ns, now_ns, &out);
	out.num = 0;
	lle_exact_resume_tx(d, 0, false);
	leaves(0, false);
	ok(!strcmp(said(), "0:resume broken"), "or the resume does it");
}

tap_suite("lossless_exact_declare",
	  KUNIT_CASE(test_sets),
	  KUNIT_CASE(test_two),
	  KUNIT_CASE(test_reset),
	  KUNIT_CASE(test_asks),
	  KUNIT_CASE(test_room),
	  KUNIT_CASE(test_defers),
	  KUNIT_CASE(test_opened),
	  KUNIT_CASE(test_full));
