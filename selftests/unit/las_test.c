// SPDX-License-Identifier: GPL-2.0
/*
 * kmod/core/congestion/las.c: young packets and their turns. With the rest of
 * RCM, flows stay in order and none starves.
 */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/congestion/cfr.c"
#include "../../kmod/core/congestion/crd.c"
#include "../../kmod/core/congestion/isolated.c"
#include "../../kmod/core/congestion/las.c"
#include "../../kmod/core/congestion/rcc.c"
#include "../../kmod/core/congestion/rcm.c"

#define LEN	1000
#define SLOT	80	/* time of a packet at 100 Gb/s, ns */
#define LIMIT	5	/* young packets of a flow */
#define PASS	3	/* packets of a flow that may bypass an isolated queue */

static void test_young(struct kunit *test)
{
	static const struct lle_las_params p = {
		.limit_bytes = 2 * LEN, .idle_ns = 1 << 20,
	};
	struct lle_las *l = kzalloc(sizeof(*l), GFP_KERNEL);
	u64 now_ns = 1ULL << 42;	/* the time of the places wraps */
	unsigned int i;

	ok(lle_las_arrive(l, &p, 1, LEN, now_ns) &&
	   lle_las_arrive(l, &p, 1, LEN, now_ns), "the first 2000 bytes are young");
	ok(!lle_las_arrive(l, &p, 1, 1, now_ns), "no more are");
	ok(lle_las_arrive(l, &p, 2, LEN, now_ns), "those of another flow are");
	lle_las_push(l, 1);
	now_ns += 1 << 20;
	ok(!lle_las_arrive(l, &p, 1, LEN, now_ns),
	   "a flow of which packets wait is not young again");
	lle_las_pop(l, 1);
	ok(!lle_las_arrive(l, &p, 1, LEN, now_ns + (1 << 20) - 1024),
	   "nor one that has not been idle for long");
	ok(lle_las_arrive(l, &p, 1, LEN, now_ns + (1 << 21) - 1024),
	   "it is after 1 ms without packets");
	for (i = 0; i < 5000000; i++)
		lle_las_arrive(l, &p, 3, LEN, now_ns);
	ok(!lle_las_arrive(l, &p, 3, LEN, now_ns), "5 GB are not young");
	is(lle_las_place(LLE_LAS_PLACES - 1), LLE_LAS_PLACES - 1, "the last place");
	is(lle_las_place(LLE_LAS_PLACES), 0, "the first one follows");
	kfree(l);
}

#define FLOWS	24
#define ROOM	256

struct fifo {
	unsigned int head, count;
	struct { u16 flow; u32 number, seq; } at[ROOM];
};

struct model {
	struct lle_rcm_params p;
	struct lle_rcm core;
	struct lle_rcm_stats stats;
	struct fifo front, fifo[LLE_RCM_SUBS + 1], young[LLE_RCM_SUBS + 1];
	u32 seq, came[FLOWS], left[FLOWS];
	unsigned int waits, isolated, passed, back;
	u64 now_ns;
};

static struct model *new_model(bool by_dst, u32 limit_bytes)
{
	struct model *m = kzalloc(sizeof(*m), GFP_KERNEL);

	m->p = (struct lle_rcm_params){
		.crd = { .rate = 12500000000ULL, .qeq_bytes = 15 * LEN,
			 .onset_bytes = 4 * LEN, .ref_ns = 1000 },
		.rcc = { .min_bytes = 16 * LEN, .mtu_bytes = LEN },
		.las = { .limit_bytes = limit_bytes, .mtu_bytes = LEN,
			 .idle_ns = 20 << LLE_LAS_SHIFT },
		.hold_ns = 10000, .linger_ns = 20000, .pass_bytes = PASS * LEN,
		.by_dst = by_dst,
	};
	lle_rcm_params_init(&m->p);
	lle_rcm_init(&m->core, &m->stats);
	m->seq = 0U - 50;	/* wraps during the test */
	m->now_ns = 1 << 30;
	return m;
}

static void push(struct fifo *f, unsigned int flow, u32 number, u32 seq)
{
	unsigned int at = (f->head + f->count++) % ROOM;

	f->at[at].flow = flow;
	f->at[at].number = number;
	f->at[at].seq = seq;
}

static u32 first(const struct fifo *f, u32 next)
{
	return f->count ? f->at[f->head].seq : next;
}

static struct lle_rcm_others others_of(const struct model *m)
{
	u32 front = first(&m->front, m->seq), back = first(&m->fifo[0], m->seq);

	return (struct lle_rcm_others){
		.bytes = LEN * (m->front.count + m->fifo[0].count),
		.first = (s32)(back - front) < 0 ? back : front,
		.front = front, .next = m->seq,
	};
}

/* Three flows share a destination, two an ingress, two a place. */
static struct lle_flow flow_of(unsigned int flow)
{
	return (struct lle_flow){ .flow = flow / 2, .dst = flow / 3 };
}

static unsigned int ingress_of(unsigned int flow) { return flow % 3 / 2; }

static void comes(struct model *m, unsigned int flow)
{
	struct lle_rcm_others others = others_of(m);
	struct lle_flow f = flow_of(flow);
	unsigned int place = lle_las_place(f.flow), id, sub = 0;
	struct fifo *to = &m->front;
	bool young;

	if (m->waits == ROOM)
		return;
	m->waits++;
	if (lle_rcm_is_idle(&m->core, &m->p, m->waits * LEN)) {
		push(to, flow, m->came[flow]++, m->seq++);
		return;
	}
	young = lle_las_arrive(&m->core.las, &m->p.las, place, LEN, m->now_ns);
	id = lle_rcm_packet_find(&m->core, lle_rcm_packet_name(&m->p, &f));
	if (id && m->p.by_dst &&
	    lle_rcm_packet_pass(&m->core, &m->p, id, place, LEN, m->seq,
				m->now_ns)) {
		m->passed++;
		id = 0;
	}
	if (id)
		sub = lle_rcm_packet_push(&m->core, &m->p, id, place,
					  ingress_of(flow),
					  young && m->p.by_dst, LEN, &others);
	if (sub) {
		m->isolated++;
		to = young && m->p.by_dst ? &m->young[sub] : &m->fifo[sub];
	} else if (!young && m->p.las.limit_bytes) {
		m->back++;
		lle_rcm_packet_push_back(&m->core, place, LEN);
		to = &m->fifo[0];
	}
	push(to, flow, m->came[flow]++, m->seq);
	m->seq += !sub;
	lle_rcm_packet_arrive(&m->core, &m->p, lle_rcm_packet_name(&m->p, &f),
			      id, LEN, others.bytes, m->now_ns);
}

/* RCM is no longer busy: grown packets go behind young ones. */
static void join(struct model *m)
{
	struct fifo *f = &m->fifo[0];

	for (; f->count; f->count--, f->head = (f->head + 1) % ROOM) {
		unsigned int flow = f->at[f->head].flow;

		push(&m->front, flow, f->at[f->head].number, m->seq++);
		lle_rcm_packet_pop_back(&m->core, lle_las_place(flow_of(flow).flow), LEN);
	}
}

/* Returns the flow of the packet; FLOWS: none; -1: wrong order */
static int leaves(struct model *m)
{
	struct lle_rcm_others others = others_of(m);
	unsigned int next = 0, sub, flow;
	struct fifo *f = &m->front;
	u32 number;

	if (m->core.busy)
		next = lle_rcm_packet_next(&m->core, &m->p, &others, m->now_ns);
	if (!m->core.busy)
		join(m);
	if (next == LLE_RCM_WAIT)
		return FLOWS;
	sub = next == LLE_RCM_BACK ? 0 : next;
	if (next)
		f = sub && m->young[sub].count ? &m->young[sub] : &m->fifo[sub];
	if (!f->count)
		return FLOWS;
	flow = f->at[f->head].flow;
	number = f->at[f->head].number;
	f->head = (f->head + 1) % ROOM;
	f->count--;
	m->waits--;
	if (m->core.busy)
		lle_rcm_packet_sent(&m->core, &m->p, sub, f != &m->fifo[sub],
				    lle_las_place(flow_of(flow).flow), LEN);
	return number == m->left[flow]++ ? (int)flow : -1;
}

static void hears(struct model *m, u64 *seed)
{
	struct lle_cn cn = {
		.seq = m->core.cn_seq + 1, .fb = 20,
		.count = prng_range(seed, 0, 2),
		.name = { prng_range(seed, 0, FLOWS / 3 - 1), FLOWS },
		.class_held = !prng_range(seed, 0, 3),
	};

	lle_rcm_receive(&m->core, &m->p, &cn, m->now_ns);
}

/* Packets that were not simply queued */
struct seen {
	unsigned int isolated, passed, back;
};

/* Flows are in order and complete, whatever is isolated, held and grown. */
static bool in_order(u64 seed, bool by_dst, struct seen *seen)
{
	struct model *m = new_model(by_dst, prng_range(&seed, 0, 2) * LIMIT * LEN);
	unsigned int i, n, load = prng_range(&seed, 8, 11);
	bool good = true;

	for (i = 0; i < 20000 && good; i++) {
		unsigned int what = prng_range(&seed, 0, 199);

		m->now_ns += SLOT / 2;
		if (by_dst && !what)
			hears(m, &seed);
		else if (what == 1)
			m->now_ns += 30 << LLE_LAS_SHIFT;
		else if (what < load * 10)
			comes(m, prng_range(&seed, 0, FLOWS / 4 - 1) *
				 prng_range(&seed, 1, 4));
		else
			good = leaves(m) >= 0;
	}
	for (n = 0; m->waits && good && n < 10 * ROOM; n++) {
		m->now_ns += SLOT;
		good = leaves(m) >= 0;
	}
	for (i = 0; i < LLE_LAS_PLACES; i++)
		good = good && !m->core.las.place[i].waits;
	good = good && !m->waits && !m->core.ids.bytes &&
	       !m->core.las.grown_bytes &&
	       !memcmp(m->came, m->left, sizeof(m->came));
	seen->isolated += m->isolated;
	seen->passed += m->passed;
	seen->back += m->back;
	kfree(m);
	return good;
}

static bool all_in_order(bool by_dst)
{
	struct seen seen = {};
	u64 seed;

	for (seed = 1; seed <= 60; seed++)
		require(in_order(seed, by_dst, &seen), "seed %llu", seed);
	require(seen.isolated > 5000, "%u isolated", seen.isolated);
	require(seen.back > 5000, "%u grown", seen.back);
	require(!by_dst || seen.passed > 1000, "%u passed", seen.passed);
	return true;
}

static void test_order(struct kunit *test)
{
	ok(all_in_order(true), "to switches no flow is reordered, and all packets leave");
	ok(all_in_order(false), "nor to a host");
}

/* Flow 0 has four grown packets, each slot adds a young one: flow 0's packets in 1000 slots */
static unsigned int grown_share(u32 limit_bytes, bool old_first)
{
	struct model *m = new_model(false, limit_bytes);
	unsigned int i, share = 0;
	int flow;

	m->p.crd.qeq_bytes = U32_MAX;	/* never congested */
	for (i = 0; i < 10; i++)
		comes(m, 0);
	for (i = 0; i < 6; i++)
		leaves(m);
	for (i = 0; i < 1000; i++) {
		m->now_ns += SLOT;
		if (old_first)
			comes(m, 0);
		/* young flows that end */
		m->core.las.place[1].bytes = 0;
		comes(m, 2);
		flow = leaves(m);
		share += !flow;
		if (flow < 0 || m->waits > ROOM - 4)
			break;
	}
	kfree(m);
	return flow < 0 ? 0 : 1000 * share / i;
}

/* After eight young packets, a grown one: 1000/9 = 111 */
static void test_share(struct kunit *test)
{
	unsigned int share = grown_share(LIMIT * LEN, true);

	ok(share >= 100 && share <= 120, "grown packets get a ninth: %u", share);
	share = grown_share(0, true);
	ok(share >= 450 && share <= 550, "without LAS, their half: %u", share);
}

static void test_eight(struct kunit *test)
{
	struct model *m = new_model(false, LIMIT * LEN);
	unsigned int i;

	m->p.crd.qeq_bytes = U32_MAX;	/* never congested */
	for (i = 0; i < 20; i++)
		comes(m, 0);
	for (i = 0; i < 8; i++)
		leaves(m);
	is(m->core.las.grown_bytes, 12 * LEN, "twelve grown packets wait");
	comes(m, 2);
	is(leaves(m), 0, "one of them is next after eight");
	is(leaves(m), 2, "then the young packet of another flow");
	kfree(m);
}

tap_suite("lossless_las",
	  KUNIT_CASE(test_young),
	  KUNIT_CASE(test_order),
	  KUNIT_CASE(test_share),
	  KUNIT_CASE(test_eight));
