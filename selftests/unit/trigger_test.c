// SPDX-License-Identifier: GPL-2.0
/* kmod/core/deadlock/trigger.c: which pause caused the pause of an ingress. */
#include "tap.h"

#include "exact_schedule.h"

/* Initial trigger of ingress 0 if it pauses now; XON is 4 */
static struct lle_dl_id blamed(void)
{
	pause_tx(0, 4);
	return d->port[0].trigger;
}

/* Ingress 0: five bytes at egress 1, six at egress 2 */
static void eleven(void)
{
	begin(&params);
	enq(1, 0, 5);
	enq(2, 0, 6);
	enq(1, 1, 9);
}

static void test_blame(struct kunit *test)
{
	struct lle_dl_id id;

	begin(&params);
	enq(0, 0, 9);
	is(blamed().sw, 7, "egress 0 is not paused: its own congestion");
	is(lle_dl_trigger_blame_until(0, 800), 900, "an eighth of 800 longer");
	is(lle_dl_trigger_blame_until(-800, 0), 100, "also across 0");

	eleven();
	id = blamed();
	ok(id.sw == 7 && id.port == 0 && id.seq == 1 && !id.host,
	   "no egress is paused: its own congestion");

	eleven();
	pause_because(1, 20);
	is(blamed().sw, 20, "five bytes at one that is keep it above XON");
	pause_because(2, 30);
	is(blamed().sw, 30, "most bytes are at egress 2");
	happen(&(struct dcfit_step){ RESUME_RX, 2 });
	is(blamed().sw, 20, "a pause that has ended is not blamed");
	now_ns += 100 * UNIT_NS;
	happen(&(struct dcfit_step){ PAUSE_RX, 2, .msg = {
		.hop_epoch = 2, .trig = { .sw = 30, .port = 1, .seq = 6 } } });
	lle_exact_resume_rx(d, 2, false, now_ns - 24 * UNIT_NS, now_ns, &out);
	now_ns += 2 * UNIT_NS;
	is(blamed().sw, 30, "unless it was 8 times as long as it is over");
	now_ns += UNIT_NS;
	is(blamed().sw, 20, "no longer the other one");
	happen(&(struct dcfit_step){ DEQ, 1, 0, 1 });
	is(blamed().sw, 7, "four bytes do not");
	happen(&(struct dcfit_step){ PAUSE_MUTE, 2 });
	is(blamed().sw, 0, "a pause that has not said why: none is known");
	happen(&(struct dcfit_step){ DEQ, 2, 0, 3 });
	is(blamed().sw, 20, "two together do: the one with more");
	happen(&(struct dcfit_step){ DEQ, 1, 0, 3 });
	is(blamed().sw, 7, "not with four bytes");

	eleven();
	happen(&(struct dcfit_step){ PAUSE_MUTE, 3 });
	enq(3, 0, 7);
	id = blamed();
	ok(id.host && id.sw == 7 && id.port == 3 && id.seq == 1,
	   "a host at port 3, its first pause");
}

tap_suite("lossless_trigger",
	  KUNIT_CASE(test_blame));
