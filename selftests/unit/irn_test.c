// SPDX-License-Identifier: GPL-2.0
/* IRN's selective repeat: SIGCOMM 2018, section 3.1. */
#include "../../lab/rnic/irn.c"
#include "prng.h"
#include "tap.h"

/* 0 to 9 were sent, 3 is missing: it is repeated once. */
static void one_loss(struct kunit *test)
{
	struct irn_sender s = {};
	u32 packet;

	irn_acked(&s, 0, 3);
	is(irn_lost(&s), IRN_NONE, "nothing is lost before a NAK");
	for (packet = 4; packet < 10; packet++)
		irn_nak(&s, 3, 10, packet);
	is(irn_lost(&s), 3, "the first packet that is missing");
	irn_repaired(&s, 3);
	is(irn_lost(&s), IRN_NONE, "the receiver has all others");
	irn_acked(&s, 3, 10);
	ok(!s.recovers, "recovery has ended");
}

static void later_packets_prove_a_loss(struct kunit *test)
{
	struct irn_sender s = {};

	irn_nak(&s, 0, 10, 1);
	is(irn_lost(&s), 0, "the first");
	irn_repaired(&s, 0);
	is(irn_lost(&s), IRN_NONE, "2 to 9 may still arrive");
	irn_nak(&s, 0, 12, 5);
	is(irn_lost(&s), 2, "before 5");
	irn_repaired(&s, 2);
	is(irn_lost(&s), 3, "before 5");
	irn_nak(&s, 0, 12, 3);
	is(irn_lost(&s), 4, "3 has arrived late");
	irn_acked(&s, 0, 9);
	ok(s.recovers, "9 was sent when recovery began");
	irn_acked(&s, 9, 10);
	ok(!s.recovers, "10 was not");
}

/* Only a time-out repeats it again. */
static void timeout_repairs_again(struct kunit *test)
{
	struct irn_sender s = {};

	irn_nak(&s, 0, 4, 1);
	irn_repaired(&s, irn_lost(&s));
	irn_nak(&s, 0, 4, 3);
	irn_repaired(&s, irn_lost(&s));
	is(irn_lost(&s), IRN_NONE, "0 and 2 are sent again, once");
	irn_timeout(&s, 0, 4);
	is(irn_lost(&s), 0, "again after a time-out");
	irn_repaired(&s, 0);
	is(irn_lost(&s), 2, "as is the other one");
}

/* Without a NAK the loss is not known: the first packet only. */
static void timeout_alone(struct kunit *test)
{
	struct irn_sender s = {};

	irn_timeout(&s, 0, 8);
	is(irn_lost(&s), 0, "the first one");
	irn_repaired(&s, 0);
	is(irn_lost(&s), IRN_NONE, "no other one");
}

static void receiver_keeps_packets(struct kunit *test)
{
	struct irn_receiver r = {};

	ok(irn_arrives(&r, 2), "2 is new");
	ok(!irn_arrives(&r, 2), "2 is not");
	ok(irn_arrives(&r, 3), "3 is new");
	is(irn_in_order(&r, 0), 1, "1 is missing");
	is(irn_in_order(&r, 1), 4, "1 to 3 are there");
	is(irn_in_order(&r, 4), 5, "and leave no bits");
}

#define PACKETS	20000
#define WINDOW	1000
#define PATH	300

/* Loses a tenth, and reorders. All arrive. Returns needless repetitions. */
static u64 lossy_path(struct kunit *test, u32 overtaken)
{
	struct irn_sender s = {};
	struct irn_receiver r = {};
	static u32 path[PATH];
	u32 on_path = 0, next = 0, acked = 0, expected = 0, idle = 0, i, packet;
	u64 seed = 1, lost = 0, again = 0, known = 0;

	while (acked < PACKETS && idle < 10000000) {
		packet = on_path < PATH ? irn_lost(&s) : IRN_NONE;
		if (packet != IRN_NONE) {
			known += irn_bit(s.sacked, packet);
			irn_repaired(&s, packet);
			again++;
		} else if (on_path < PATH && next < PACKETS && next - acked < WINDOW) {
			packet = next++;
		}
		if (packet != IRN_NONE) {
			if (prng_range(&seed, 0, 9))
				path[on_path++] = packet;
			else
				lost++;
			continue;
		}
		idle++;
		if (!on_path) {
			irn_timeout(&s, acked, next);
			continue;
		}
		i = prng_range(&seed, 0, min(on_path - 1, overtaken));
		packet = path[i];
		path[i] = path[0];
		memmove(path, path + 1, --on_path * sizeof(*path));
		if (packet > expected) {
			irn_arrives(&r, packet);
			irn_acked(&s, acked, expected);
			acked = expected;
			irn_nak(&s, acked, next, packet);
		} else if (packet == expected) {
			expected = irn_in_order(&r, expected);
			irn_acked(&s, acked, expected);
			acked = expected;
		}
	}
	is(acked, PACKETS, "all arrive");
	is(known, 0, "no packet is sent again that is known to have arrived");
	return again - lost;
}

static void in_order(struct kunit *test)
{
	is(lossy_path(test, 0), 0, "each loss is repaired once");
}

static void out_of_order(struct kunit *test)
{
	ok(lossy_path(test, 2) > 0, "a late packet counts as lost");
}

tap_suite("lossless_irn",
	  KUNIT_CASE(one_loss),
	  KUNIT_CASE(later_packets_prove_a_loss),
	  KUNIT_CASE(timeout_repairs_again),
	  KUNIT_CASE(timeout_alone),
	  KUNIT_CASE(receiver_keeps_packets),
	  KUNIT_CASE(in_order),
	  KUNIT_CASE(out_of_order));
