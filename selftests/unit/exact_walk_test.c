// SPDX-License-Identifier: GPL-2.0
/* kmod/core/deadlock/exact_walk.c: the path of a walk, and its hops. */
#include "tap.h"

#include "exact_core.h"
#include "../../kmod/core/deadlock/exact_walk.c"

#define SECOND	1000000000ULL

static const struct lle_dl_params params = {
	.sw = 7,
	.prio = 3,
	.ports = 4,
	.fabric = 0x7,
	.guard_ns = 10000,
	.hop_ns = 2000,
};

static u64 memory[4096 / sizeof(u64)];
static struct lle_dl_out out;
static struct lle_exact *d;

/* Switch 3, port 1, third pause */
static struct lle_dl_msg walk_of(void)
{
	return (struct lle_dl_msg) {
		.type = LLE_DL_WALK,
		.prio = 3,
		.num_ids = 1,
		.hop_epoch = 9,
		.id[0] = { .sw = 3, .port = 1, .seq = 3 },
	};
}

/* A switch pauses egress 0; @probe: of the initiator of walk_of(). */
static void hold(bool probe)
{
	struct lle_dl_msg msg = walk_of();

	msg.type = LLE_DL_PROBE;
	msg.min = msg.id[0];
	msg.hops = 1;
	if (!probe) {
		msg.type = LLE_DL_NONE;
		msg.num_ids = 0;
	}
	lle_exact_pause_rx(d, 0, &msg, SECOND, 0, &out);
}

static void begin(void)
{
	d = lle_exact_init(memory, &params);
	memset(&out, 0, sizeof(out));
}

static void pause(unsigned int ingress, u32 bytes)
{
	lle_exact_enq(d, 0, ingress, bytes);
	lle_exact_pause_tx(d, ingress, 100, 0);
	lle_exact_run(d, 0, &out);
}

static void test_way(struct kunit *test)
{
	struct lle_dl_msg msg = walk_of();

	begin();
	is(lle_exact_walk_next(d, 0, &msg), 0, "nobody waits");
	hold(true);
	pause(1, 1000);
	pause(2, 2000);
	is(lle_exact_walk_next(d, 0, &msg), 0x6, "all that wait");
	lle_exact_deq(d, 0, 2, 1950);
	is(lle_exact_walk_next(d, 0, &msg), 0x2, "if it holds them above XON");
	is(lle_exact_walk_next(d, 1, &msg), 0, "at that egress");
	lle_exact_enq(d, 0, 2, 1000);
	d->entry[0].sent &= ~BIT_ULL(2);
	is(lle_exact_walk_next(d, 0, &msg), 0x2, "if they have sent the probe");
	lle_exact_deq(d, 0, 2, 1000);
	lle_exact_run(d, 0, &out);

	lle_exact_deq(d, 0, 2, 50);
	msg.type = LLE_DL_PROBE;
	msg.min = msg.id[0];
	lle_exact_pause_rx(d, 1, &msg, SECOND, 0, &out);
	lle_exact_enq(d, 1, 2, 1000);
	lle_exact_run(d, 0, &out);
	is(lle_exact_walk_next(d, 0, &msg), 0x2, "not those of another egress");
}

/* The probe may have been evicted. */
static void test_way_unknown(struct kunit *test)
{
	struct lle_dl_msg msg = walk_of();

	begin();
	hold(false);
	pause(1, 1000);
	is(lle_exact_walk_next(d, 0, &msg), 0x2, "those that are as hard");
}

static void test_begin(struct kunit *test)
{
	struct lle_dl_pad pad;
	struct lle_dl_msg msg;

	begin();
	hold(true);
	pause(1, 1000);
	lle_exact_walk_begin(d, 1, &msg);
	is(msg.type, LLE_DL_WALK, "a walk");
	is(msg.id[0].sw, 7, "of this switch");
	is(msg.id[0].port, 1, "and port");
	is(msg.id[0].seq, d->port[1].epoch, "and pause");
	lle_dl_wire_encode(&pad, &msg);
	ok(lle_dl_wire_parse((const u8 *)&pad, &msg), "that others understand");
	is(msg.type, LLE_DL_WALK, "as a walk");
}

static void test_hop(struct kunit *test)
{
	struct lle_dl_wire_hop wire;
	struct lle_dl_hop hop, same;

	begin();
	hold(true);
	pause(1, 1000);
	lle_exact_walk_hop(d, 0, 1, &hop);
	is(hop.sw, 7, "switch");
	is(hop.ingress, 1, "ingress");
	is(hop.egress, 0, "egress");
	is(hop.bytes, 1000, "bytes");
	hop.age_ns = 0x123456789aULL;
	hop.trigger =
		(struct lle_dl_id) { .sw = 9, .port = 5, .host = 1, .seq = 77 };
	lle_exact_walk_encode_hop(&wire, &hop);
	lle_exact_walk_parse_hop(&wire, &same);
	ok(same.age_ns == hop.age_ns && same.bytes == hop.bytes, "what was said");
	ok(lle_dl_id_same(same.trigger, hop.trigger) && same.trigger.host,
	   "is what is heard");
	wire.host = 2;
	lle_exact_walk_parse_hop(&wire, &same);
	is(same.trigger.host, 0, "a flag that is none");
}

/* Two egresses have a trigger: the pause of an ingress has it from one of them. */
static void test_cause(struct kunit *test)
{
	struct lle_dl_id host = { .sw = 9, .port = 5, .host = 1, .seq = 77 };
	struct lle_dl_msg msg = { .trig = host, .hop_epoch = 1 };

	begin();
	lle_exact_enq(d, 2, 0, 1000);
	lle_exact_pause_rx(d, 2, &msg, SECOND, 0, &out);
	lle_exact_pause_tx(d, 0, 100, 0);
	lle_exact_enq(d, 1, 0, 2000);
	lle_exact_pause_rx(d, 1, &msg, SECOND, 0, &out);
	is(lle_exact_walk_egress(d, 0, host), 2, "the first one");
	host.port--;
	is(lle_exact_walk_egress(d, 0, host), -1, "not another trigger");

	host.port++;
	lle_exact_pause_tx(d, 1, 100, 0);
	is(d->port[1].cause, 4, "an ingress that is its own trigger has no cause");
	is(lle_exact_walk_egress(d, 1, host), 1, "so any egress counts");

	begin();
	lle_exact_enq(d, 3, 0, 1000);
	lle_exact_pause_rx(d, 3, NULL, SECOND, 0, &out);
	lle_exact_pause_tx(d, 0, 100, 0);
	is(lle_exact_walk_egress(d, 0, d->port[0].trigger), -1, "nor has a host a message");
}

/* The egress that received a trigger, by any of its pauses. */
static void test_trigger(struct kunit *test)
{
	struct lle_dl_id host = { .sw = 9, .port = 5, .host = 1, .seq = 77 };
	struct lle_dl_msg msg = walk_of();

	begin();
	is(lle_exact_walk_egress(d, 0, host), -1, "it was not");
	msg.type = LLE_DL_NONE;
	msg.trig = host;
	msg.num_ids = 0;
	lle_exact_pause_rx(d, 2, &msg, SECOND, 0, &out);
	is(lle_exact_walk_egress(d, 0, host), 2, "by that egress");
	host.seq--;
	is(lle_exact_walk_egress(d, 0, host), 2, "it goes on and on");
	lle_exact_resume_rx(d, 2, false, 0, 0, &out);
	is(lle_exact_walk_egress(d, 0, host), 2, "until now");
	host.port--;
	is(lle_exact_walk_egress(d, 0, host), -1, "another one was not");

	msg.trig.sw = 10;
	lle_exact_pause_rx(d, 0, &msg, SECOND, 0, &out);
	is(lle_exact_walk_egress(d, 0, msg.trig), 0, "by the first port");

	lle_exact_pause_rx(d, 3, NULL, SECOND, 0, &out);
	host = d->port[3].held_by;
	ok(host.host && host.sw == 7, "a host pauses port 3");
	is(lle_exact_walk_egress(d, 0, host), -1, "which gets no message");
}

static void test_all_ports(struct kunit *test)
{
	struct lle_dl_params all = params;
	struct lle_exact *exact;

	all.ports = LLE_MAX_PORTS;
	all.fabric = U64_MAX;
	exact = lle_exact_init(kmalloc(lle_exact_size(&all), GFP_KERNEL), &all);
	is(lle_exact_walk_egress(exact, 0, walk_of().id[0]), -1, "none of 64 ports");
	lle_exact_enq(exact, 1, 0, 1000);
	lle_exact_pause_tx(exact, 0, 100, 0);
	is(lle_exact_walk_egress(exact, 0, exact->port[0].trigger), -1, "nor is 64 a port");
	kfree(exact);
}

tap_suite("lossless_exact_walk",
	  KUNIT_CASE(test_way),
	  KUNIT_CASE(test_way_unknown),
	  KUNIT_CASE(test_begin),
	  KUNIT_CASE(test_hop),
	  KUNIT_CASE(test_cause),
	  KUNIT_CASE(test_trigger),
	  KUNIT_CASE(test_all_ports));
