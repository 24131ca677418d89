// SPDX-License-Identifier: GPL-2.0
/* Merges, orders and dates the deadlocks that one or more switches report. */
#include "../unit/tap.h"
#include "../../daemon/lib/deadlock.c"

#define PRIO	3
#define RING	4
#define US	1000ULL
#define WALK	(10 * US)	/* of a message, per switch */
#define CLOSED	(5000 * US)

/* Start of the pauses that switches 1 to 4 of the ring send. */
static const u64 since_ns[RING] = {
	CLOSED - 300 * US, CLOSED - 100 * US, CLOSED, CLOSED - 200 * US,
};

/*
 * Ring: packets travel from switch 1 to 2 to 3 to 4 to 1, and through each
 * switch from slot 0 to slot 1. Switch @first declares the deadlock, @late_ns
 * after the last pause began.
 */
static struct lle_nl_deadlock ring(unsigned int first, u64 number, u64 late_ns)
{
	struct lle_nl_deadlock d = {
		.sw = first, .num_hops = RING,
		.info = { .number = number, .prio = PRIO, .loop = 1,
			  .declared_ns = CLOSED + late_ns,
			  .reported_ns = CLOSED + late_ns + RING * WALK },
	};

	for (unsigned int i = 0; i < RING; i++) {
		unsigned int sw = (first - 1 + RING - i) % RING;

		d.hops[i] = (struct lle_deadlock_hop){
			.sw = sw + 1, .egress = 1, .bytes = 1000 * (sw + 1),
			.age_ns = CLOSED + late_ns + i * WALK - since_ns[sw],
		};
	}
	return d;
}

/* The deadlock @d, declared again @later_ns later. */
static struct lle_nl_deadlock again(struct lle_nl_deadlock d, u64 later_ns)
{
	d.info.number++;
	d.info.declared_ns += later_ns;
	d.info.reported_ns += later_ns;
	return d;
}

static void order_test(struct kunit *test)
{
	struct lle_nl_deadlock d;
	unsigned int first, n;

	for (first = 1; first <= RING; first++) {
		d = ring(first, 1, 0);
		for (n = 0; n < RING; n++)
			is(lle_nl_deadlock_hop(&d, n)->sw, n + 1,
			   "found by %u: hop %u", first, n);
		is(!lle_nl_deadlock_hop(&d, RING), true, "found by %u: the end", first);
	}
	is(lle_nl_deadlock_switches(&d), RING, "switches");
	is(lle_nl_deadlock_bytes(&d), 10000, "bytes");

	/* switch 3 becomes a second passage of switch 1, at ingress 7 */
	d.hops[1].sw = 1;
	d.hops[1].ingress = 7;
	is(lle_nl_deadlock_switches(&d), RING - 1, "one is passed twice");
	is(lle_nl_deadlock_hop(&d, 0)->ingress, 0, "begins at the lower ingress");
	is(lle_nl_deadlock_hop(&d, 2)->ingress, 7, "the other is where it was");

	d.info.loop = 0;
	is(lle_nl_deadlock_hop(&d, 0)->sw, 4, "not known as a whole: who has found it");
	is(!lle_nl_deadlock_hop(&d, 1), true, "and no other");
	is(lle_nl_deadlock_switches(&d), 1, "one switch");
	is(lle_nl_deadlock_bytes(&d), 4000, "its bytes");
}

static void times_test(struct kunit *test)
{
	struct lle_nl_deadlock d;
	unsigned int first, i;

	for (first = 1; first <= RING; first++) {
		d = ring(first, 1, 12 * US);
		for (i = 0; i < RING; i++)
			is(lle_nl_deadlock_since(&d, i), since_ns[d.hops[i].sw - 1],
			   "found by %u: %u pauses", first, d.hops[i].sw);
		is(lle_nl_deadlock_formed(&d), CLOSED - 300 * US, "formed");
		is(lle_nl_deadlock_closed(&d), CLOSED, "closed");
	}
	/* impossible times */
	d.hops[0].age_ns = ~0ULL;
	is(lle_nl_deadlock_formed(&d), 0, "older than time");
	d.hops[3].age_ns = 0;
	is(lle_nl_deadlock_closed(&d), d.info.declared_ns, "found before it was closed");
	d.info.reported_ns = 0;
	is(lle_nl_deadlock_since(&d, 3), d.info.declared_ns, "reported before it was found");
}

static void same_test(struct kunit *test)
{
	struct lle_nl_deadlock a = ring(2, 1, 12 * US), b = ring(3, 1, 42 * US), c;

	is(lle_nl_deadlock_same(&a, &b), true, "two have found it");
	is(lle_nl_deadlock_same(&b, &a), true, "in any order");
	c = ring(3, 1, 12 * US);
	c.info.prio = PRIO + 1;
	is(lle_nl_deadlock_same(&a, &c), false, "another priority");
	c = ring(3, 1, 12 * US);
	c.hops[2].egress = 2;
	is(lle_nl_deadlock_same(&a, &c), false, "another way through a switch");
	c = ring(3, 1, 12 * US);
	c.hops[0] = c.hops[1];
	is(lle_nl_deadlock_same_loop(&c, &a), false, "nothing in common to begin with");

	c = again(b, 1000 * US);
	is(lle_nl_deadlock_same_loop(&a, &c), true, "the same loop");
	is(lle_nl_deadlock_same(&a, &c), false, "anew: it was broken in between");
	/* one pause of the loop ended, the others continue */
	c = again(b, 1000 * US);
	c.hops[1].age_ns += 1000 * US;
	c.hops[2].age_ns += 1000 * US;
	c.hops[3].age_ns += 1000 * US;
	is(lle_nl_deadlock_same(&a, &c), false, "one pause is new");
	c.hops[0].age_ns += 1000 * US;
	is(lle_nl_deadlock_same(&a, &c), true, "none is new");

	c = ring(3, 1, 42 * US);
	c.info.loop = 0;
	is(lle_nl_deadlock_same(&a, &c), false, "a loop that is not known");
	is(lle_nl_deadlock_same(&c, &c), true, "what one switch says twice");
}

static void unite_test(struct kunit *test)
{
	struct lle_nl_deadlock all[] = {
		again(ring(1, 1, 20 * US), 9000 * US), ring(3, 1, 42 * US),
		ring(4, 1, 30 * US), ring(2, 1, 12 * US),
	};

	is(lle_nl_deadlock_unite(all, 4), 2, "one, and one that is newer");
	is(all[0].sw, 1, "the newer one");
	is(all[0].duplicates, 0, "found once");
	is(all[1].sw, 2, "who was first");
	is(all[1].duplicates, 2, "so many were later");
	is(lle_nl_deadlock_is_last(all, 0), true, "the last of the loop");
	is(lle_nl_deadlock_is_last(all, 1), false, "not the last");
	all[1].sw = 1;
	all[1].info.prio++;
	is(lle_nl_deadlock_is_last(all, 1), true, "the last of another priority");
	all[1].info.prio--;
	all[1].info.loop = 0;
	is(lle_nl_deadlock_is_last(all, 1), false, "not the last of the switch");
	is(lle_nl_deadlock_unite(all, 0), 0, "none");
}

/* Port 0 of switch 2 sends a pause, port 1 is paused. */
static void holds_test(struct kunit *test)
{
	struct lle_nl_port port[2] = {
		{ .who.sw = 2, .stats[PRIO].tx_paused = 1 },
		{ .who.sw = 2, .slot = 1, .stats[PRIO].rx_paused = 1 },
	};
	struct lle_nl_ports ports = { .all = port, .num = 2 };
	struct lle_nl_deadlock d = ring(3, 1, 0);

	is(lle_nl_deadlock_holds(&d, &ports), LLE_NL_HOLDS, "holds");
	port[0].stats[PRIO].tx_paused = 0;
	is(lle_nl_deadlock_holds(&d, &ports), LLE_NL_OVER, "one does not pause");
	port[0].stats[PRIO].tx_paused = 1;
	port[1].stats[PRIO].rx_paused = 0;
	is(lle_nl_deadlock_holds(&d, &ports), LLE_NL_OVER, "one may send");
	port[1].who.sw = 9;
	is(lle_nl_deadlock_holds(&d, &ports), LLE_NL_HOLDS, "it is of another switch");
	port[0].who.sw = 9;
	is(lle_nl_deadlock_holds(&d, &ports), LLE_NL_UNKNOWN, "none is known");
	port[0] = (struct lle_nl_port){ .who.sw = 2, .slot = 64 };
	d.hops[1].ingress = 64;
	is(lle_nl_deadlock_holds(&d, &ports), LLE_NL_UNKNOWN, "64 is no port");
}

tap_suite("deadlocks",
	  KUNIT_CASE(order_test),
	  KUNIT_CASE(times_test),
	  KUNIT_CASE(same_test),
	  KUNIT_CASE(unite_test),
	  KUNIT_CASE(holds_test));
