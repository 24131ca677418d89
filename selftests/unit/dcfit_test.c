// SPDX-License-Identifier: GPL-2.0
/* kmod/core/deadlock/dcfit.c: networks of the paper's figures. */
#include "prng.h"
#include "tap.h"

#include "../vectors/dcfit.h"

#include "../../kmod/core/deadlock/wire.c"
#include "../../kmod/core/deadlock/map.c"
#include "../../kmod/core/deadlock/trigger.c"
#include "../../lab/dcfit/dcfit_round2.c"
#include "../../lab/dcfit/dcfit_round1.c"
#include "../../lab/dcfit/dcfit.c"
#include "../../lab/dcfit/dcfit_walk.c"
#include "schedule.h"

#define SWITCHES	5
#define PORTS		4
#define FRAMES		256
#define NOBODY		0xff

enum kind { PAUSE, RESUME, MESSAGE };

struct frame {
	u8 sw, port;
	enum kind kind;
	bool says;
	struct lle_dl_pad pad;
};

/* Switch n has the ID n + 1; ports without a peer lead to hosts. */
static struct lle_dcfit *d[SWITCHES];
static u64 memory[SWITCHES][512];
static u8 peer_sw[SWITCHES][PORTS], peer_port[SWITCHES][PORTS];
static struct frame frame[FRAMES];
static unsigned int first, last;

/* Separate messages by type, and declarations */
static unsigned int alone[6], declared;
static unsigned int who_sw, who_port;

static void link_up(unsigned int a, unsigned int p, unsigned int b,
		    unsigned int q)
{
	peer_sw[a][p] = b;
	peer_port[a][p] = q;
	peer_sw[b][q] = a;
	peer_port[b][q] = p;
}

static void no_links(void)
{
	memset(peer_sw, NOBODY, sizeof(peer_sw));
}

static void begin(void)
{
	struct lle_dl_params p = { .prio = 3, .ports = PORTS };
	unsigned int sw, port;

	for (sw = 0; sw < SWITCHES; sw++) {
		p.sw = sw + 1;
		p.fabric = 0;
		for (port = 0; port < PORTS; port++)
			if (peer_sw[sw][port] != NOBODY)
				p.fabric |= BIT(port);
		d[sw] = lle_dcfit_init(memory[sw], &p);
	}
	memset(&out, 0, sizeof(out));
	memset(alone, 0, sizeof(alone));
	declared = 0;
	first = 0;
	last = 0;
}

static void put(unsigned int sw, unsigned int port, enum kind kind,
		const struct lle_dl_msg *msg)
{
	struct frame *f = &frame[last++ % FRAMES];

	*f = (struct frame){
		.sw = peer_sw[sw][port], .port = peer_port[sw][port],
		.kind = kind, .says = msg,
	};
	if (msg)
		lle_dl_wire_encode(&f->pad, msg);
}

static void obey(unsigned int sw)
{
	unsigned int n;

	while (lle_dcfit_is_due(d[sw]))
		lle_dcfit_run(d[sw], &out);
	for (n = 0; n < out.num; n++) {
		alone[out.send[n].msg.type]++;
		put(sw, out.send[n].port, MESSAGE, &out.send[n].msg);
	}
	out.num = 0;
	if (!out.declared)
		return;
	declared++;
	who_sw = sw;
	who_port = __ffs64(out.declared);
	out.declared = 0;
}

static void put_pause(unsigned int sw, unsigned int ingress)
{
	struct lle_dl_msg msg;

	if (peer_sw[sw][ingress] != NOBODY &&
	    lle_dcfit_ride(d[sw], ingress, true, &msg))
		put(sw, ingress, PAUSE, &msg);
}

static void pause(unsigned int sw, unsigned int ingress)
{
	lle_dcfit_pause_tx(d[sw], ingress, 0);
	put_pause(sw, ingress);
	obey(sw);
}

static void resume(unsigned int sw, unsigned int ingress)
{
	lle_dcfit_resume_tx(d[sw], ingress);
	put(sw, ingress, RESUME, NULL);
	obey(sw);
}

static void refresh(unsigned int sw, unsigned int ingress)
{
	lle_dcfit_refresh(d[sw], ingress, &out);
	put_pause(sw, ingress);
	obey(sw);
}

static void host_pauses(unsigned int sw, unsigned int egress)
{
	lle_dcfit_pause_rx(d[sw], egress, NULL, &out);
	obey(sw);
}

static void enq(unsigned int sw, unsigned int egress, unsigned int ingress,
		u32 bytes)
{
	lle_dcfit_enq(d[sw], egress, ingress, bytes);
	obey(sw);
}

static void deliver(void)
{
	struct frame *f = &frame[first++ % FRAMES];
	struct lle_dl_msg msg;
	bool known = f->says && lle_dl_wire_parse((u8 *)&f->pad, &msg);

	switch (f->kind) {
	case PAUSE:
		lle_dcfit_pause_rx(d[f->sw], f->port, known ? &msg : NULL,
				   &out);
		break;
	case RESUME:
		lle_dcfit_resume_rx(d[f->sw], f->port, &out);
		break;
	case MESSAGE:
		if (known)
			lle_dcfit_message_rx(d[f->sw], f->port, &msg, &out);
		break;
	}
	obey(f->sw);
}

static void deliver_all(void)
{
	while (first != last)
		deliver();
}

static void deliver_until(unsigned int type)
{
	while (first != last && !alone[type])
		deliver();
}

/* Packets: 0 -> 1 -> 2 -> 0, egress 1, ingress 0; pauses go back. Port 2: host. */
static void ring(void)
{
	unsigned int sw;

	no_links();
	for (sw = 0; sw < 3; sw++)
		link_up(sw, 1, (sw + 1) % 3, 0);
	begin();
	for (sw = 0; sw < 3; sw++)
		enq(sw, 1, 0, 100);
}

/* Switch 0 pauses first. */
static void ring_pauses(void)
{
	pause(0, 0);
	deliver_all();
	pause(2, 0);
	deliver_all();
	pause(1, 0);
}

static void test_on_loop(struct kunit *test)
{
	struct lle_dl_report report;

	ring();
	ring_pauses();
	is(alone[LLE_DL_CHECK], 0,
	   "on loop: the first round is in the pauses");
	is(declared, 0, "nobody is sure before the second one");
	deliver_all();
	is(alone[LLE_DL_CONSISTENCY], 3, "the second one is three frames");
	ok(declared == 1 && who_sw == 0 && who_port == 0, "the trigger declares");
	lle_dcfit_report(d[0], 0, &report);
	ok(report.trigger.sw == 1 && report.trigger.port == 0 &&
	   !report.trigger.host, "and is the trigger");
	is(report.hops, 3, "of a loop of three");
	is(report.egresses, BIT(1), "by egress 1");
	refresh(1, 0);
	refresh(0, 0);
	deliver_all();
	is(declared, 1, "once");
}

static void test_out_of_loop(struct kunit *test)
{
	struct lle_dl_report report;

	ring();
	enq(0, 2, 0, 200);
	host_pauses(0, 2);
	ring_pauses();
	deliver_all();
	is(alone[LLE_DL_CHECK], 4,
	   "out of loop: one round more, of the middle switch; "
	   "the trigger stops where it is known");
	is(alone[LLE_DL_CONSISTENCY], 3, "then the second one");
	ok(declared == 1 && who_sw == 0 && who_port == 0,
	   "the middle switch declares");
	lle_dcfit_report(d[0], 0, &report);
	ok(report.trigger.sw == 1 && report.trigger.port == 2 &&
	   report.trigger.host, "because of the host");
}

/*
 * Figure 4 of the paper, against the packets: a host pauses 0, 0 pauses 1 and 2.
 *
 *	        1
 *	      /   \
 *	4 - 3       0 - host
 *	      \   /
 *	        2
 */
static void test_diamond(struct kunit *test)
{
	no_links();
	link_up(3, 0, 1, 0);
	link_up(3, 1, 2, 0);
	link_up(1, 1, 0, 0);
	link_up(2, 1, 0, 1);
	link_up(4, 0, 3, 2);
	begin();
	enq(0, 2, 0, 100);
	enq(0, 2, 1, 100);
	enq(1, 1, 0, 100);
	enq(2, 1, 0, 100);
	enq(3, 0, 2, 100);
	enq(3, 1, 2, 100);
	enq(4, 0, 1, 100);
	host_pauses(0, 2);
	pause(0, 0);
	pause(0, 1);
	deliver_all();
	pause(1, 0);
	deliver_all();
	pause(3, 2);
	deliver_all();
	pause(2, 0);
	deliver_all();
	ok(d[3]->port[1].later, "switch 3 hears of the host by two ports");
	is(alone[LLE_DL_CHECK], 2, "and says so, and of the host, to switch 4");
	is(alone[LLE_DL_CONSISTENCY], 0, "there is no loop");
	is(declared, 0, "and nothing is declared");
}

static void test_resume(struct kunit *test)
{
	ring();
	ring_pauses();
	deliver_until(LLE_DL_CONSISTENCY);
	resume(1, 0);
	deliver_all();
	is(declared, 0, "who is asked last has resumed");

	ring();
	ring_pauses();
	deliver_until(LLE_DL_CONSISTENCY);
	/* switch 2 resumes before the check: switch 1 is free */
	resume(2, 0);
	deliver();
	deliver();
	deliver_all();
	is(declared, 0, "who is on the way has resumed");

	/* same Seq, but another pause */
	pause(2, 0);
	deliver_all();
	refresh(1, 0);
	deliver_all();
	is(declared, 1, "and pauses again: the tag is cleared");

	ring();
	ring_pauses();
	deliver_until(LLE_DL_CONSISTENCY);
	resume(0, 0);
	lle_dcfit_pause_tx(d[0], 0, 0);
	deliver_all();
	is(declared, 0, "the trigger begins another episode");
	refresh(0, 0);
	deliver_all();
	is(declared, 1, "which decides");
}

/* Messages about a trigger return to its own switch. */
static void test_over(struct kunit *test)
{
	struct lle_dl_msg msg;

	ring();
	enq(0, 1, 2, 100);
	pause(0, 0);
	deliver_all();
	pause(2, 0);
	deliver_all();
	lle_dcfit_pause_tx(d[1], 0, 0);
	put_pause(1, 0);
	deliver_all();
	lle_dcfit_pause_tx(d[0], 2, 0);
	d[0]->port[2].fabric = true;
	ok(lle_dcfit_ride(d[0], 2, true, &msg) && msg.type == LLE_DL_CHECK &&
		   msg.trig.sw == 1 && !msg.trig.port,
	   "while it pauses, who waits for it tells of it");
	resume(0, 0);
	ok(lle_dcfit_ride(d[0], 2, true, &msg) && msg.type == LLE_DL_NONE,
	   "not once it has resumed");
	pause(0, 0);
	ok(lle_dcfit_ride(d[0], 2, true, &msg) && msg.type == LLE_DL_NONE,
	   "nor when it pauses again");
	d[0]->port[1].trig =
		(struct lle_dl_id) { .sw = 1, .port = 63, .seq = 1 };
	ok(lle_dcfit_ride(d[0], 2, true, &msg) && msg.type == LLE_DL_NONE,
	   "nor of a port that the switch does not have");
}

static void test_walk(struct kunit *test)
{
	struct lle_dl_msg msg;
	struct lle_dl_pad pad;
	struct lle_dl_hop hop;

	ring();
	ring_pauses();
	deliver_all();
	lle_dcfit_walk_begin(d[0], 0, &msg);
	lle_dl_wire_encode(&pad, &msg);
	ok(lle_dl_wire_parse((u8 *)&pad, &msg) && msg.type == LLE_DL_WALK,
	   "a walk begins");
	is(msg.id[0].seq, 1, "of the first pause of the trigger");
	is(lle_dcfit_walk_next(d[2], 1), 0x1, "it goes on where packets wait");
	enq(2, 1, 2, 500);
	is(lle_dcfit_walk_next(d[2], 1), 0x1, "by ingresses that pause");
	is(lle_dcfit_walk_next(d[2], 2), 0, "and not by any other egress");
	lle_dcfit_walk_hop(d[2], 1, 0, &hop);
	ok(hop.sw == 3 && hop.ingress == 0 && hop.egress == 1, "the hop");
	is(hop.bytes, 100, "what waits");
	ok(hop.trigger.sw == 1 && !hop.trigger.port && !hop.trigger.host,
	   "because of whom");
}

/* Fabric ports are set later; numbers continue after @first. */
static void test_configure(struct kunit *test)
{
	const struct lle_dl_params p = {
		.sw = 7,
		.prio = 3,
		.ports = PORTS,
		.first = 77,
	};
	static u64 late[128];
	struct lle_dcfit *q = lle_dcfit_init(late, &p);
	struct lle_dl_msg msg;

	lle_dcfit_pause_tx(q, 0, 0);
	lle_dcfit_pause_tx(q, 1, 0);
	ok(!lle_dcfit_ride(q, 0, true, &msg), "nobody is told");
	is(lle_dcfit_pausing(q), 0, "or has to be");
	lle_dcfit_configure(q, BIT(0) | BIT(2));
	ok(lle_dcfit_ride(q, 0, true, &msg), "but a switch is");
	is(msg.id[0].seq, 78, "which pause it is");
	is(lle_dcfit_pausing(q), BIT(0), "as long as it lasts");
	lle_dcfit_resume_tx(q, 0);
	is(lle_dcfit_pausing(q), 0, "and no longer");
}

/* Switch 7, at the end of @lonely: ASan sees overruns. */
static u64 lonely[64];
static struct lle_dcfit *one;
static char caused[TEXT];

static void begin_schedule(void)
{
	const struct lle_dl_params p = {
		.sw = 7,
		.prio = 3,
		.ports = PORTS,
		.fabric = 0x7,
	};

	one = lle_dcfit_init((u8 *)lonely + sizeof(lonely) - lle_dcfit_size(&p),
			     &p);
	memset(&out, 0, sizeof(out));
}

static int put_msg(char *text, int at, const struct lle_dl_msg *m)
{
	if (m->type == LLE_DL_NONE)
		return at;
	at = put_text(text, at, "%s ",
		       m->type == LLE_DL_CHECK ? "check" : "sure");
	at = put_id(text, at, m->id[0]);
	if (lle_dl_id_same(m->id[0], m->trig)) {
		at = put_text(text, at, "%s", m->trig.host ? "h" : "");
	} else {
		at = put_text(text, at, " for ");
		at = put_id(text, at, m->trig);
	}
	return put_text(text, at, " hops %u", m->hops);
}

/* A refresh after the end of a pause sends none. */
static bool frame_leaves(const struct dcfit_step *s)
{
	if (s->event == REFRESH)
		return one->port[s->port].pausing;
	return s->event == PAUSE_TX || s->event == RESUME_TX;
}

static const char *said(void)
{
	return caused;
}

static void happen(const struct dcfit_step *s)
{
	struct lle_dl_msg msg = s->msg;
	int at = 0;

	caused[0] = 0;
	msg.num_ids = !!msg.id[0].sw;
	switch (s->event) {
	case ENQ:
		lle_dcfit_enq(one, s->port, s->from, s->n);
		break;
	case DEQ:
		lle_dcfit_deq(one, s->port, s->from, s->n);
		break;
	case PAUSE_TX:
		lle_dcfit_pause_tx(one, s->port, s->n);
		break;
	case REFRESH:
		lle_dcfit_refresh(one, s->port, &out);
		break;
	case RESUME_TX:
		lle_dcfit_resume_tx(one, s->port);
		break;
	case PAUSE_RX:
	case PAUSE_MUTE:
		lle_dcfit_pause_rx(one, s->port,
				   s->event == PAUSE_RX ? &msg : NULL, &out);
		break;
	case RESUME_RX:
		lle_dcfit_resume_rx(one, s->port, &out);
		break;
	default:
		lle_dcfit_message_rx(one, s->port, &msg, &out);
	}
	while (lle_dcfit_is_due(one))
		lle_dcfit_run(one, &out);

	if (frame_leaves(s) &&
	    lle_dcfit_ride(one, s->port, s->event != RESUME_TX, &msg)) {
		at = put_text(caused, at, "%u:pause%s", s->port,
			       msg.type ? " " : "");
		at = put_msg(caused, at, &msg);
	}
	put_out(caused, at);
}

static void test_schedules(struct kunit *test)
{
	for_each_vector(v, dcfit_paper_vectors)
		ok(follow(v), "%s", v->name);
}

static void check_rx(unsigned int seq)
{
	happen(&(struct dcfit_step){ PAUSE_RX, 2, CHECK(1, ID(9, 0, seq)) });
}

/* The paper, section 5: 0.1 KB for 4 ports, 1 KB for 64. */
static void state_is(unsigned int ports, unsigned int bytes)
{
	struct lle_dl_params p = { .sw = 1, .ports = ports };
	unsigned int state = lle_dcfit_state_size(&p);

	is(state, bytes, "%u ports: bytes of state", ports);
	tap_metric("dcfit.%u.state %u", ports, state);
	tap_metric("dcfit.%u.counters %u", ports,
		   (unsigned int)lle_dcfit_size(&p) - state);
}

static void test_bounds(struct kunit *test)
{
	unsigned int seq;

	state_is(4, 80 + sizeof(void *));
	state_is(64, 980 + sizeof(void *));

	begin_schedule();
	happen(&(struct dcfit_step){ ENQ, 2, 0, 10 });
	happen(&(struct dcfit_step){ PAUSE_TX, 0 });
	for (seq = 0; seq < 50; seq++)
		check_rx(seq);
	is(one->stats->probes, LLE_DL_CAP,
	   "so many messages between two refreshes");
	is(one->stats->capped, 50 - LLE_DL_CAP, "the others are counted");
	happen(&(struct dcfit_step){ REFRESH, 0 });
	check_rx(50);
	is(one->stats->probes, LLE_DL_CAP + 2, "after it there is room again");
	for (seq = 51; seq < 100; seq++)
		check_rx(seq);
	happen(&(struct dcfit_step){ RESUME_TX, 0 });
	happen(&(struct dcfit_step){ PAUSE_TX, 0 });
	check_rx(100);
	is(one->stats->probes, 2 * LLE_DL_CAP + 1, "and in the next pause");
}

/* The state stays valid, and bounds on messages hold. */
static void test_noise(struct kunit *test)
{
	struct lle_dl_msg msg;
	struct lle_dl_pad pad;
	unsigned int n;
	u64 seed = 7;

	begin_schedule();
	for (n = 0; n < 9; n++)
		happen(&(struct dcfit_step){ ENQ, n / 3, n % 3, 100 });
	for (n = 0; n < 3; n++)
		happen(&(struct dcfit_step){ PAUSE_TX, n });
	for (n = 0; n < 3; n++)
		happen(&(struct dcfit_step){ PAUSE_MUTE, n });
	for (n = 0; n < 100000; n++) {
		msg = (struct lle_dl_msg) {
			.type = prng(&seed) % 6,
			.hops = prng(&seed) % 70,
			.trig = { .sw = prng(&seed) % 9,
				  .port = prng(&seed) % 64,
				  .host = prng(&seed) % 2,
				  .seq = prng(&seed) % 4 },
			.id = { { .sw = 1 + prng(&seed) % 9,
				  .port = prng(&seed) % 64,
				  .seq = prng(&seed) % 4 } },
		};
		msg.num_ids = msg.type != LLE_DL_NONE &&
			      msg.type != LLE_DL_BROKEN;
		lle_dl_wire_encode(&pad, &msg);
		if (!lle_dl_wire_parse((u8 *)&pad, &msg))
			continue;
		lle_dcfit_message_rx(one, prng(&seed) % PORTS, &msg, &out);
		out.num = 0;
		out.declared = 0;
	}
	is(one->stats->probes, 3 * LLE_DL_CAP, "messages of three ingresses");
}

tap_suite("lossless_dcfit",
	  KUNIT_CASE(test_on_loop),
	  KUNIT_CASE(test_out_of_loop),
	  KUNIT_CASE(test_diamond),
	  KUNIT_CASE(test_resume),
	  KUNIT_CASE(test_over),
	  KUNIT_CASE(test_walk),
	  KUNIT_CASE(test_configure),
	  KUNIT_CASE(test_schedules),
	  KUNIT_CASE(test_bounds),
	  KUNIT_CASE(test_noise));
