// SPDX-License-Identifier: GPL-2.0
/* kmod/core/deadlock/exact_table.c: which sets stay if there is no room. */
#include "tap.h"

#include "exact_core.h"

static struct lle_exact *new_exact(u8 pool)
{
	const struct lle_dl_params p = {
		.sw = 7, .ports = 4, .pool = pool, .fabric = 0xf,
	};

	return lle_exact_init(kmalloc(lle_exact_size(&p), GFP_KERNEL), &p);
}

/* The set of switch @a, or of @a and @b, arrives at an egress. */
static void store(struct lle_exact *d, unsigned int egress, u16 a, u16 b)
{
	const struct lle_dl_id x = { .sw = a, .seq = 1 }, y = { .sw = b, .seq = 1 };
	const struct lle_dl_msg msg = { .min = x, .hops = 1 };

	lle_exact_table_store(d, egress, b ? lle_dl_set_two(x, y) :
			      lle_dl_set_one(x), &msg);
}

/* Largest switch of each set in turn, as decimal digits */
static u64 stored(const struct lle_exact *d)
{
	const struct lle_exact_entry *e;
	u64 all = 0;

	lle_exact_for_each_entry(d, e)
		all = 100 * all + (e->set.id[1].sw ?: e->set.id[0].sw);
	return all;
}

/* From the fullest egresses, the largest set */
static void test_fullest(struct kunit *test)
{
	struct lle_exact *d = new_exact(4);

	store(d, 0, 50, 0);
	store(d, 0, 51, 0);
	store(d, 1, 20, 0);
	store(d, 1, 21, 0);
	store(d, 2, 10, 0);
	is(stored(d), 50102021, "two at egress 0 and at 1: 51 goes");
	is(d->evicted, BIT(0), "from egress 0");
	kfree(d);

	d = new_exact(4);
	store(d, 0, 90, 0);
	store(d, 1, 20, 0);
	store(d, 1, 21, 0);
	store(d, 1, 22, 0);
	store(d, 2, 10, 0);
	is(stored(d), 90202110, "one at egress 0, three at 1: 22 goes");
	is(d->evicted, BIT(1), "from egress 1");
	is(d->stats->evicted, 1, "counted");
	kfree(d);
}

static void test_pairs(struct kunit *test)
{
	struct lle_exact *d = new_exact(16);

	store(d, 1, 8, 9);
	store(d, 1, 8, 12);
	store(d, 1, 8, 10);
	store(d, 1, 8, 11);
	store(d, 1, 40, 0);
	is(stored(d), 9401011, "of pairs with the same first, by the second");
	store(d, 1, 8, 0);
	is(stored(d), 840, "one of them says more than its pairs");
	store(d, 1, 8, 9);
	is(stored(d), 840, "which are not stored again");
	kfree(d);
}

/* The same set once more: what it says of the loop is updated. */
static void test_again(struct kunit *test)
{
	const struct lle_dl_set set = lle_dl_set_one((struct lle_dl_id){ .sw = 9 });
	struct lle_dl_msg msg = { .min = { .sw = 6, .port = 2 }, .hops = 5 };
	struct lle_exact *d = new_exact(4);
	const struct lle_exact_entry *e = d->entry;

	lle_exact_table_store(d, 1, set, &msg);
	ok(e->min_sw == 6 && e->min_port == 2 && e->hops == 5 && !e->waits,
	   "the first time");
	msg = (struct lle_dl_msg){ .min = { .sw = 6, .port = 3 }, .hops = 7, .waits = true };
	lle_exact_table_store(d, 1, set, &msg);
	ok(e->min_port == 2 && e->hops == 7, "a larger initiator, more hops");
	ok(e->waits, "it waits for others, too");
	msg = (struct lle_dl_msg){ .min = { .sw = 5, .port = 4 }, .hops = 6 };
	lle_exact_table_store(d, 1, set, &msg);
	ok(e->min_sw == 5 && e->min_port == 4 && e->hops == 6,
	   "a smaller initiator, fewer hops");
	ok(e->waits, "that it waits is not forgotten");
	kfree(d);
}

tap_suite("lossless_exact_table",
	  KUNIT_CASE(test_again),
	  KUNIT_CASE(test_fullest),
	  KUNIT_CASE(test_pairs));
