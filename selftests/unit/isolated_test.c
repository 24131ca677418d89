// SPDX-License-Identifier: GPL-2.0
/*
 * kmod/core/congestion/isolated.c: table, turns, barriers. Also that no flow is
 * ever reordered, together with kmod/core/congestion/mice.c.
 */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/congestion/mice.c"
#include "../../kmod/core/congestion/isolated.c"

#define NOW	1000
#define ALL	U64_MAX

static struct lle_rcm_ids *new_ids(void)
{
	struct lle_rcm_ids *ids = kmalloc(sizeof(*ids), GFP_KERNEL);

	lle_rcm_ids_init(ids);
	return ids;
}

static void test_table(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	unsigned int id, n, found;

	is(lle_rcm_ids_find(ids, 5), 0, "nothing is isolated");
	id = lle_rcm_ids_make(ids, 5);
	is(lle_rcm_ids_find(ids, 5), id, "what is made is found");
	is(lle_rcm_ids_make(ids, 5), id, "and made once only");
	/* all in the bucket of 5 */
	for (n = 1; n < LLE_RCM_IDS; n++)
		lle_rcm_ids_make(ids, 5 + n * LLE_RCM_BUCKETS);
	is(ids->count, LLE_RCM_IDS, "it is full");
	is(lle_rcm_ids_make(ids, 6), 0, "one more has no room");
	lle_rcm_ids_drop(ids, id);
	is(lle_rcm_ids_find(ids, 5), 0, "what is dropped is not found");
	for (n = 1, found = 0; n < LLE_RCM_IDS; n++)
		found += !!lle_rcm_ids_find(ids, 5 + n * LLE_RCM_BUCKETS);
	is(found, LLE_RCM_IDS - 1, "all others are");
	ok(lle_rcm_ids_make(ids, 6), "there is room again");
	kfree(ids);
}

/* Serves the next queue. Returns 100 * name + ingress; 0: none. */
static unsigned int serve(struct lle_rcm_ids *ids, u32 seq, u64 not_held)
{
	unsigned int sub = lle_rcm_ids_next(ids, seq, not_held), who;

	if (!sub)
		return 0;
	who = ids->id[ids->sub[sub].id].name * 100 + ids->sub[sub].ingress;
	lle_rcm_ids_pop(ids, sub, 10);
	return who;
}

static void test_turns(struct kunit *test)
{
	static const unsigned int want[] = { 101, 204, 102, 204, 103, 204, 101,
					     102, 101, 0 };
	struct lle_rcm_ids *ids = new_ids();
	unsigned int a = lle_rcm_ids_make(ids, 1);
	unsigned int b = lle_rcm_ids_make(ids, 2), i;

	for (i = 0; i < 3; i++) {
		lle_rcm_ids_push(ids, a, 1, 10, 0);
		if (i < 2)
			lle_rcm_ids_push(ids, a, 2, 10, 0);
		if (i < 1)
			lle_rcm_ids_push(ids, a, 3, 10, 0);
		lle_rcm_ids_push(ids, b, 4, 10, 0);
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
	unsigned int a = lle_rcm_ids_make(ids, 1);
	unsigned int b = lle_rcm_ids_make(ids, 2);

	/* the other queue continues with packet number 2, after a wrap */
	lle_rcm_ids_push(ids, a, 1, 10, 2);
	is(serve(ids, U32_MAX, ALL), 0, "packets before it wait");
	is(serve(ids, 1, ALL), 0, "one of them waits");
	lle_rcm_ids_push(ids, b, 1, 10, 1);
	is(serve(ids, 1, ALL), 201, "which does not concern another");
	is(serve(ids, 2, ALL), 101, "none does any more");
	lle_rcm_ids_push(ids, a, 1, 10, 2);
	lle_rcm_ids_wait(ids, ids->id[a].last, 1);
	is(serve(ids, 2, ALL), 101, "a barrier before its own is none");
	lle_rcm_ids_push(ids, a, 1, 10, 2);
	lle_rcm_ids_wait(ids, ids->id[a].last, 3);
	is(serve(ids, 2, ALL), 0, "one after it is");
	is(serve(ids, 3, ALL), 101, "until that has left, too");
	kfree(ids);
}

static void test_holds(struct kunit *test)
{
	struct lle_rcm_ids *ids = new_ids();
	unsigned int a = lle_rcm_ids_make(ids, 1);
	unsigned int b = lle_rcm_ids_make(ids, 2), i;

	for (i = 0; i < 3; i++) {
		lle_rcm_ids_push(ids, a, 1, 10, 0);
		lle_rcm_ids_push(ids, b, 1, 10, 0);
	}
	lle_rcm_ids_hold(ids, a, NOW);
	is(serve(ids, 0, ALL), 201, "one is held, the other goes");
	is(serve(ids, 0, ALL), 201, "and again");
	lle_rcm_ids_push(ids, a, 1, 10, 0);
	lle_rcm_ids_hold(ids, b, NOW);
	is(serve(ids, 0, ALL), 0, "both are held");
	lle_rcm_ids_hold(ids, a, 0);
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
		id = lle_rcm_ids_make(ids, i / 8);
		n += !!lle_rcm_ids_push(ids, id, i % 8, 10, 0);
	}
	is(n, LLE_RCM_SUBS, "room for four ingresses of each ID, as they come");
	is(lle_rcm_ids_push(ids, id, LLE_RCM_INGRESSES - 1, 10, 0), 0,
	   "there is no room for one more");
	is(ids->bytes, 10 * LLE_RCM_SUBS, "which is not counted");
	ok(lle_rcm_ids_push(ids, id, 0, 10, 0), "but for a packet more");
	kfree(ids);
}

/*
 * A model with numbered packets of flows, a queue of the others, and a queue
 * per sub. Whatever is isolated, held, released and dropped, packets of a flow
 * leave in order. Two flows share a place of lle_mice; three packets of a flow
 * may pass the isolated ones.
 */
#define FLOWS		24
#define ROOM		64

struct fifo {
	unsigned int head, count;
	struct { u16 flow; u32 number, seq; } at[ROOM];
};

struct model {
	struct lle_rcm_ids ids;
	struct fifo others;
	struct fifo sub[LLE_RCM_SUBS + 1];
	struct lle_mice mice;
	u32 seq, came[FLOWS], left[FLOWS];
	unsigned int waits, isolated, passed;
	u64 now_ns;
};

static void fifo_push(struct fifo *f, unsigned int flow, u32 number, u32 seq)
{
	unsigned int at = (f->head + f->count++) % ROOM;

	f->at[at].flow = flow;
	f->at[at].number = number;
	f->at[at].seq = seq;
}

/* Three flows share a name, and two of them an ingress. */
static u32 name_of(unsigned int flow) { return flow / 3 * LLE_RCM_BUCKETS / 2; }
static unsigned int ingress_of(unsigned int flow) { return flow % 3 / 2; }

/* Number of the first packet in the queue of the others, or of the next one */
static u32 first(const struct model *m)
{
	return m->others.count ? m->others.at[m->others.head].seq : m->seq;
}

static void comes(struct model *m, unsigned int flow)
{
	unsigned int id = lle_rcm_ids_find(&m->ids, name_of(flow)), sub = 0;
	struct lle_mice_others others = { first(m), m->seq };

	if (m->waits == ROOM)
		return;
	m->waits++;
	if (id && lle_mice_pass(&m->mice, flow / 2, 1, 3, 100, m->seq, m->now_ns)) {
		m->passed++;
		id = 0;
	}
	if (id)
		sub = lle_rcm_ids_push(&m->ids, id, ingress_of(flow), 1, m->seq);
	if (sub)
		lle_rcm_ids_wait(&m->ids, sub,
				 lle_mice_push(&m->mice, flow / 2, &others));
	m->isolated += !!sub;
	fifo_push(sub ? &m->sub[sub] : &m->others, flow, m->came[flow]++, m->seq);
	if (!sub)
		m->seq++;
}

/* Returns 1: a packet left; 0: none can; -1: it left out of order */
static int leaves(struct model *m, bool isolate)
{
	unsigned int sub = isolate ? lle_rcm_ids_next(&m->ids, first(m), ALL) : 0;
	struct fifo *f = sub ? &m->sub[sub] : &m->others;
	unsigned int flow;
	u32 number;

	if (!f->count)
		return 0;
	flow = f->at[f->head].flow;
	number = f->at[f->head].number;
	f->head = (f->head + 1) % ROOM;
	f->count--;
	m->waits--;
	if (sub) {
		lle_rcm_ids_pop(&m->ids, sub, 1);
		lle_mice_pop(&m->mice, flow / 2);
	}
	return number == m->left[flow]++ ? 1 : -1;
}

static void names(struct model *m, u64 *seed)
{
	u32 name = name_of(prng_range(seed, 0, FLOWS - 1));
	unsigned int id = lle_rcm_ids_find(&m->ids, name);

	if (!id)
		lle_rcm_ids_make(&m->ids, name);
	else if (!m->ids.id[id].bytes && prng_range(seed, 0, 1))
		lle_rcm_ids_drop(&m->ids, id);
	else
		lle_rcm_ids_hold(&m->ids, id, prng_range(seed, 0, 1));
}

static bool in_order(u64 seed)
{
	struct model *m = kzalloc(sizeof(*m), GFP_KERNEL);
	unsigned int i, flow, load = prng_range(&seed, 1, 9);
	bool good = true;

	lle_rcm_ids_init(&m->ids);
	m->seq = 0U - 50;	/* wraps during the test */
	for (i = 0; i < 20000 && good; i++) {
		unsigned int what = prng_range(&seed, 0, 19);

		m->now_ns++;
		if (what == 0)
			names(m, &seed);
		else if (what <= 9 + load / 5)
			comes(m, prng_range(&seed, 0, FLOWS - 1));
		else
			good = leaves(m, prng_range(&seed, 0, 9) < load) >= 0;
	}
	for (flow = 0; flow < FLOWS; flow++) {
		unsigned int id = lle_rcm_ids_find(&m->ids, name_of(flow));

		if (id)
			lle_rcm_ids_hold(&m->ids, id, 0);
	}
	while (good && m->waits)
		good = leaves(m, true) > 0;
	good = good && !m->ids.bytes && m->isolated > 500 && m->passed > 200 &&
	       !memcmp(m->came, m->left, sizeof(m->came));
	kfree(m);
	return good;
}

static bool all_in_order(void)
{
	u64 seed;

	for (seed = 1; seed <= 100; seed++)
		require(in_order(seed), "seed %llu", seed);
	return true;
}

static void test_order(struct kunit *test)
{
	ok(all_in_order(), "no flow is reordered, and all packets leave");
}

tap_suite("lossless_isolated",
	  KUNIT_CASE(test_table),
	  KUNIT_CASE(test_turns),
	  KUNIT_CASE(test_barrier),
	  KUNIT_CASE(test_holds),
	  KUNIT_CASE(test_room),
	  KUNIT_CASE(test_order));
