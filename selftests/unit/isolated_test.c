// SPDX-License-Identifier: GPL-2.0
/* kmod/core/congestion/isolated.c; las_test.c shows order of flows. */
#include "tap.h"

#include "../../kmod/core/congestion/isolated.c"

#define NOW	1000
#define ALL	U64_MAX

static struct lle_rcm_ids *new_ids(void)
{
	struct lle_rcm_ids *ids = kmalloc(sizeof(*ids), GFP_KERNEL);

	lle_isolated_init(ids);
	return ids;
}

static void test_table(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	unsigned int id, n, found;

	is(lle_isolated_find(ids, 5), 0, "nothing is isolated");
	id = lle_isolated_make(ids, 5);
	is(lle_isolated_find(ids, 5), id, "what is made is found");
	is(lle_isolated_make(ids, 5), id, "and made once only");
	/* all in the bucket of 5 */
	for (n = 1; n < LLE_RCM_IDS; n++)
		lle_isolated_make(ids, 5 + n * LLE_RCM_BUCKETS);
	is(ids->count, LLE_RCM_IDS, "it is full");
	is(lle_isolated_make(ids, 6), 0, "one more has no room");
	lle_isolated_drop(ids, id);
	is(lle_isolated_find(ids, 5), 0, "what is dropped is not found");
	for (n = 1, found = 0; n < LLE_RCM_IDS; n++)
		found += !!lle_isolated_find(ids, 5 + n * LLE_RCM_BUCKETS);
	is(found, LLE_RCM_IDS - 1, "all others are");
	ok(lle_isolated_make(ids, 6), "there is room again");
	lle_isolated_drop(ids, lle_isolated_find(ids, 5 + LLE_RCM_BUCKETS));
	lle_isolated_drop(ids, lle_isolated_find(ids, 5 + 2 * LLE_RCM_BUCKETS));
	ok(lle_isolated_make(ids, 7) && lle_isolated_make(ids, 8) &&
	   lle_isolated_find(ids, 7) != lle_isolated_find(ids, 8), "for two");
	is(lle_isolated_make(ids, 9), 0, "not for three");
	kfree(ids);
}

/* 100 * name + ingress of the next queue; 0: none */
static unsigned int serve(struct lle_rcm_ids *ids, u32 seq, u64 not_held)
{
	struct lle_rcm_others others = { .first = seq, .front = seq };
	unsigned int sub = lle_isolated_next(ids, false, &others, not_held),
		     who;

	if (!sub)
		return 0;
	who = ids->id[ids->sub[sub].id].name * 100 + ids->sub[sub].ingress;
	lle_isolated_pop(ids, sub, false, 10);
	return who;
}

static void test_turns(struct kunit *test)
{
	static const unsigned int want[] = { 101, 204, 102, 204, 103, 204, 101,
					     102, 101, 0 };
	struct lle_rcm_ids *ids = new_ids();
	unsigned int a = lle_isolated_make(ids, 1);
	unsigned int b = lle_isolated_make(ids, 2), i;

	for (i = 0; i < 3; i++) {
		lle_isolated_push(ids, a, 1, false, 10, 0);
		if (i < 2)
			lle_isolated_push(ids, a, 2, false, 10, 0);
		if (i < 1)
			lle_isolated_push(ids, a, 3, false, 10, 0);
		lle_isolated_push(ids, b, 4, false, 10, 0);
	}
	is(ids->bytes, 90, "nine packets wait");
	ids->turn = b;
	for (i = 0; i < ARRAY_SIZE(want); i++)
		is(serve(ids, 0, ALL), want[i], "turn %u: IDs, then ingresses", i);
	kfree(ids);
}

static void test_barrier(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	unsigned int a = lle_isolated_make(ids, 1);
	unsigned int b = lle_isolated_make(ids, 2);
	struct lle_rcm_others others = { .first = 2, .front = 2, .next = 3 };
	struct lle_rcm_others more = { .first = 2, .front = 2, .next = 9 };

	/* the other queue continues with number 2, after a wrap */
	lle_isolated_push(ids, a, 1, false, 10, 2);
	is(serve(ids, U32_MAX, ALL), 0, "packets before it wait");
	is(serve(ids, 1, ALL), 0, "one of them waits");
	lle_isolated_push(ids, b, 1, false, 10, 1);
	is(serve(ids, 1, ALL), 201, "which does not concern another");
	is(serve(ids, 2, ALL), 101, "none does any more");
	lle_isolated_push(ids, a, 1, false, 10, 2);
	lle_isolated_wait(ids, ids->id[a].last, 1, &others);
	is(serve(ids, 2, ALL), 101, "a packet that has left is not waited for");
	lle_isolated_push(ids, a, 1, false, 10, 2);
	lle_isolated_wait(ids, ids->id[a].last, 3, &others);
	is(serve(ids, 2, ALL), 101, "nor is one that has not come");
	lle_isolated_push(ids, a, 1, false, 10, 2);
	lle_isolated_wait(ids, ids->id[a].last, 2, &others);
	is(serve(ids, 2, ALL), 0, "one that has not is");
	is(serve(ids, 3, ALL), 101, "until it has left, too");
	lle_isolated_push(ids, a, 1, false, 10, 2);
	lle_isolated_wait(ids, ids->id[a].last, 7, &more);
	lle_isolated_wait(ids, ids->id[a].last, 3, &more);
	is(serve(ids, 7, ALL), 0, "the later one of two is waited for");
	is(serve(ids, 8, ALL), 101, "until it has left");
	kfree(ids);
}

/* IDs of the second word of each set */
static void test_many(struct kunit *test)
{
	struct lle_rcm_others others = { 0, 0, 0, 0 };
	struct lle_rcm_ids *ids = new_ids();
	unsigned int n, sub;

	for (n = 1; n <= 65; n++)
		lle_isolated_make(ids, n);
	lle_isolated_drop(ids, 63);
	lle_isolated_drop(ids, 64);
	is(lle_isolated_each(ids, 62), 65, "dropped IDs are not visited");
	for (n = 1; n <= 62; n++)
		lle_isolated_drop(ids, n);
	is(lle_isolated_each(ids, 0), 65, "the only one");
	is(lle_isolated_each(ids, 65), 0, "is the last one");
	sub = lle_isolated_push(ids, 65, 1, false, 10, 0);
	is(lle_isolated_next(ids, false, &others, ALL), sub, "its queue is served");
	n = lle_isolated_make(ids, 66);
	sub = lle_isolated_push(ids, n, 1, false, 10, 0);
	ids->turn = LLE_RCM_IDS;
	is(lle_isolated_next(ids, false, &others, ALL), sub,
	   "after the last ID comes the first one");
	kfree(ids);
}

/* A walk and the turns go through all IDs, in order. */
static void test_walk(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	static const unsigned int turns[][2] = {
		{ 63, 64 }, { 64, 65 }, { 65, 127 }, { 127, 128 }, { 128, 1 },
	};
	struct lle_rcm_others others = { 0, 0, 0, 0 };
	unsigned int id, n, step;

	for (n = 1; n <= LLE_RCM_IDS; n++)
		lle_isolated_make(ids, n);
	lle_isolated_push(ids, 2, 0, false, 10, 0);
	for_each_vector(v, turns)
		lle_isolated_push(ids, (*v)[1], 0, false, 10, 0);
	for_each_vector(v, turns) {
		ids->turn = (*v)[0];
		id = lle_isolated_next(ids, false, &others, ALL);
		is(ids->sub[id].id, (*v)[1], "after ID %u", (*v)[0]);
	}
	for (step = 1; step <= 2; step++) {
		for (id = 0, n = 1; (id = lle_isolated_each(ids, id)); n += step)
			ok(id == n, "ID %u", n);
		is(n, LLE_RCM_IDS + 1, "is the last one");
		for (n = 2; n <= LLE_RCM_IDS; n += 2)
			if (step == 1)
				lle_isolated_drop(ids, n);
	}
	kfree(ids);
}

static void test_holds(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	unsigned int a = lle_isolated_make(ids, 1);
	unsigned int b = lle_isolated_make(ids, 2), i;

	for (i = 0; i < 3; i++) {
		lle_isolated_push(ids, a, 1, false, 10, 0);
		lle_isolated_push(ids, b, 1, false, 10, 0);
	}
	lle_isolated_hold(ids, a, NOW);
	is(serve(ids, 0, ALL), 201, "one is held, the other goes");
	is(serve(ids, 0, ALL), 201, "and again");
	lle_isolated_push(ids, a, 1, false, 10, 0);
	lle_isolated_hold(ids, b, NOW);
	is(serve(ids, 0, ALL), 0, "both are held");
	lle_isolated_hold(ids, a, 0);
	is(serve(ids, 0, ALL), 101, "one is let go");
	ids->id[a].remote_until_ns = NOW + 1;
	is(serve(ids, 0, NOW), 0, "what a neighbour names is left out");
	is(serve(ids, 0, NOW + 1), 101, "as long as it does");
	kfree(ids);
}

static void test_room(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	unsigned int i, n = 0, id;

	for (i = 0; i < LLE_RCM_SUBS; i++) {
		id = lle_isolated_make(ids, i / 8);
		n += !!lle_isolated_push(ids, id, i % 8, false, 10, 0);
	}
	is(n, LLE_RCM_SUBS, "room for four ingresses of each ID, as they come");
	is(lle_isolated_push(ids, id, LLE_RCM_INGRESSES - 1, false, 10, 0), 0,
	   "there is no room for one more");
	is(ids->bytes, 10 * LLE_RCM_SUBS, "which is not counted");
	ok(lle_isolated_push(ids, id, 0, false, 10, 0),
	   "but for a packet more");
	serve(ids, 0, ALL);
	ok(lle_isolated_push(ids, id, LLE_RCM_INGRESSES - 1, false, 10, 0),
	   "and for a queue if another becomes empty");
	kfree(ids);
}

/* Young packets are found in any queue, unless their ID waits. */
static void test_young(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	unsigned int a = lle_isolated_make(ids, 1), sub;
	struct lle_rcm_others others = { 0, 0, 0, 0 };

	lle_isolated_push(ids, a, 1, false, 10, 0);
	lle_isolated_push(ids, a, 2, false, 10, 0);
	is(lle_isolated_next(ids, true, &others, ALL), 0, "no packet is young");
	lle_isolated_push(ids, a, 3, true, 10, 0);
	lle_isolated_push(ids, a, 2, true, 20, 0);
	is(ids->young_bytes, 30, "two are");
	sub = lle_isolated_next(ids, true, &others, ALL);
	is(ids->sub[sub].ingress, 2, "one in the second queue");
	lle_isolated_pop(ids, sub, true, 20);
	ok(ids->young_bytes == 10 && ids->id[a].young_bytes == 10, "one is left");
	sub = lle_isolated_push(ids, a, 1, false, 10, 0);
	lle_isolated_pop(ids, sub, false, 10);
	sub = lle_isolated_next(ids, true, &others, ALL);
	is(ids->sub[sub].ingress, 3, "and one in the third");
	lle_isolated_hold(ids, a, NOW);
	is(lle_isolated_next(ids, true, &others, ALL), 0, "which may be held");
	lle_isolated_hold(ids, a, 0);
	lle_isolated_pop(ids, sub, true, 10);
	is(lle_isolated_next(ids, true, &others, ALL), 0, "all have left");
	is(ids->bytes, 20, "but two that are grown");
	kfree(ids);
}

tap_suite("lossless_isolated",
	  KUNIT_CASE(test_table),
	  KUNIT_CASE(test_turns),
	  KUNIT_CASE(test_barrier),
	  KUNIT_CASE(test_many),
	  KUNIT_CASE(test_walk),
	  KUNIT_CASE(test_holds),
	  KUNIT_CASE(test_room),
	  KUNIT_CASE(test_young));
