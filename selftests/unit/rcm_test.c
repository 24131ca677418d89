// SPDX-License-Identifier: GPL-2.0
/* kmod/core/congestion/rcm.c: isolation, messages, the RCM paper's figure 6. */
#include "rcm_message.h"

#define SLOT	82	/* of a packet at 100 Gb/s, ns: 81.92 */
#define BURST	100
#define DST	7

/* A port that sends a packet per slot. Packets of a flow are equal. */
struct port {
	struct lle_rcm_params p;
	struct lle_rcm *r;
	u64 now_ns;
	u32 others_bytes;
	u32 seq, first;			/* others: next to arrive, to leave */
	u32 order[4096];		/* their flows */
	u64 sent[BURST + 1];
};

static struct port *new_port(bool by_dst)
{
	struct port *port = kzalloc(sizeof(*port), GFP_KERNEL);

	port->p = params(by_dst);
	port->r = new_rcm(&port->p);
	port->now_ns = 1000000;
	return port;
}

static void free_port(struct port *port)
{
	kfree(port->r);
	kfree(port);
}

static struct lle_rcm_others others_of(const struct port *port)
{
	return (struct lle_rcm_others){
		.bytes = port->others_bytes, .first = port->first,
		.front = port->first, .next = port->seq,
	};
}

static void come(struct port *port, u32 flow, unsigned int ingress)
{
	struct lle_flow f = { .flow = flow, .dst = DST };
	struct lle_rcm_others others = others_of(port);
	unsigned int id = 0, sub = 0;

	if (!lle_rcm_is_idle(port->r, &port->p, port->others_bytes + LEN)) {
		id = lle_rcm_packet_find(port->r,
					 lle_rcm_packet_name(&port->p, &f));
		if (id)
			sub = lle_rcm_packet_push(port->r, &port->p, id,
						  lle_las_place(flow), ingress,
						  false, LEN, &others);
		arrive(port->r, &port->p, &f, id, port->others_bytes, port->now_ns);
	}
	if (sub)
		return;
	port->order[port->seq++ % ARRAY_SIZE(port->order)] = flow;
	port->others_bytes += LEN;
}

/* Returns the flow of the packet; 0: no packet may leave. */
static u32 leave(struct port *port)
{
	struct lle_rcm_others others = others_of(port);
	unsigned int sub;
	u32 flow;

	sub = lle_rcm_packet_next(port->r, &port->p, &others, port->now_ns);
	if (sub == LLE_RCM_WAIT || (!sub && !port->others_bytes))
		return 0;
	if (sub) {
		flow = port->p.by_dst ? DST :
			port->r->ids.id[port->r->ids.sub[sub].id].name;
	} else {
		flow = port->order[port->first++ % ARRAY_SIZE(port->order)];
		port->others_bytes -= LEN;
	}
	lle_rcm_packet_sent(port->r, &port->p, sub, !sub, lle_las_place(flow),
			    LEN);
	port->sent[flow]++;
	return flow;
}

/* Incasts 1 to 4 share a link, the burst has its own. */
static void slot(struct port *port, bool burst)
{
	static unsigned int turn;

	port->now_ns += SLOT;
	come(port, 1 + turn++ % 4, 0);
	if (burst)
		come(port, BURST, 1);
	leave(port);
}

static unsigned int identified(const struct port *port)
{
	return lle_isolated_find(&port->r->ids, BURST);
}

/* Targets: decision in 2.5 us, burst of 25 Gb/s from 6 us on. */
static void test_figure_6(struct kunit *test)
{
	struct port *port = new_port(false);
	unsigned int i, ns = 0, incasts = 0, burst;

	for (i = 0; i < 1000; i++)
		slot(port, false);
	ok(!port->r->busy, "incasts that fill the link are no congestion");
	for (i = 0; i < 73; i++) {		/* 6 us */
		slot(port, true);
		if (identified(port) && !ns)
			ns = (i + 1) * SLOT;
	}
	ok(ns && ns <= 2500, "the burst is identified after %u ns", ns);
	ok(port->r->rcc.active, "and has a window");
	burst = port->sent[BURST];
	for (i = 0; i < 171; i++)		/* up to 20 us */
		slot(port, true);
	burst = port->sent[BURST] - burst;
	ok(burst * 4 <= 171, "it gets 25 Gb/s at most: %u packets of 171", burst);
	ok(burst * 100 >= 171 * 15, "and 15 Gb/s at least");
	for (i = 1; i <= 4; i++)
		incasts += !!lle_isolated_find(&port->r->ids, i);
	is(incasts, 0, "no incast is identified");
	for (i = 0; i < 2000; i++)
		slot(port, false);
	is(port->sent[BURST], 73 + 171, "all of the burst is sent in the end");
	free_port(port);
}

static void test_end(struct kunit *test)
{
	struct port *port = new_port(false);
	unsigned int i;

	for (i = 0; i < 100; i++)
		slot(port, i >= 50);
	ok(identified(port), "the burst is identified");
	for (i = 0; i < 200; i++) {
		port->now_ns += SLOT;
		leave(port);
	}
	ok(identified(port), "for some time after it has been sent, too");
	for (i = 0; i < 300; i++) {
		port->now_ns += SLOT;
		leave(port);
	}
	ok(!identified(port), "then not any more");
	ok(!port->r->busy && !port->r->rcc.active, "and there is nothing left to do");
	free_port(port);
}

static bool held(const struct lle_rcm *r, u32 name)
{
	unsigned int id = lle_isolated_find(&r->ids, name);

	return id && r->ids.id[id].held_until_ns;
}

static void test_hear(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(U32_MAX, 2, 5, 6);

	is(p.rcc.rate_q16, 819200, "12.5 bytes a nanosecond, of RCC, too");
	ok(lle_rcm_receive(r, &p, &says, 1000), "a message is heard");
	is(r->ids.count, 2, "it names two");
	ok(held(r, 5) && held(r, 6), "what it names is held");
	ok(lle_rcm_is_remote(r, &p, 1000), "the port is in a neighbour's region");
	is(lle_rcm_degree(r, &p, 1000), 10, "F_b' is half of F_br");
	ok(!lle_rcm_receive(r, &p, &says, 1001), "the same again is not");
	says = cn(U32_MAX - 1, 0, 0, 0);
	ok(!lle_rcm_receive(r, &p, &says, 1001), "an older one is not");
	ok(held(r, 5), "and lets nothing go");
	says = cn(0, 1, 6, 0);
	ok(lle_rcm_receive(r, &p, &says, 2000), "the next is, though numbers wrap");
	ok(!held(r, 5) && held(r, 6), "what it does not name any more is let go");
	is(lle_rcm_packet_next(r, &p, &none, 11999), 0, "nothing waits");
	ok(held(r, 6), "a hold lasts for 10 us");
	lle_rcm_packet_next(r, &p, &none, 15000);
	ok(!held(r, 6), "and ends if it is not repeated");
	ok(!lle_rcm_is_remote(r, &p, 12000), "there is no region any more");
	is(lle_rcm_degree(r, &p, 12000), 0, "and no F_b'");
	says = cn(U32_MAX - 100, 1, 9, 0);
	ok(lle_rcm_receive(r, &p, &says, 20000),
	   "a neighbour that has begun anew is believed by then");
	says = cn(U32_MAX - 99, 0, 0, 0);
	lle_rcm_receive(r, &p, &says, 20001);
	for (says.seq = 20010; says.seq < 60000; says.seq += 1000)
		lle_rcm_packet_next(r, &p, &none, says.seq);
	is(r->ids.count, 0, "all is forgotten");
	kfree(r);
}

/* The last message of a neighbour is lost: a hold still ends. */
static void test_lasts(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 1, 5, 0);
	struct lle_rcm_id *e;

	lle_rcm_receive(r, &p, &says, 1000);
	e = &r->ids.id[lle_isolated_find(&r->ids, 5)];
	ok(lle_rcm_lasts(e->held_until_ns, e->last, 10999), "a hold lasts 10 us");
	ok(!lle_rcm_lasts(e->held_until_ns, e->last, 11000),
	   "and is over then, though no packet has come that ends it");
	lle_isolated_push(&r->ids, lle_isolated_find(&r->ids, 5), 0, false, LEN, 0);
	ok(lle_rcm_lasts(e->held_until_ns, e->last, 50000),
	   "a packet that still waits for it is held");
	ok(lle_rcm_packet_next(r, &p, &none, 50000) - 1 < LLE_RCM_SUBS, "until it may send");
	ok(!lle_rcm_lasts(e->held_until_ns, e->last, 50000), "which ends the hold");
	kfree(r);
}

static void test_class(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 1, 5, 0);
	unsigned int id;

	lle_rcm_receive(r, &p, &says, 1000);
	id = lle_isolated_find(&r->ids, 5);
	lle_isolated_push(&r->ids, id, 0, false, LEN, 0);
	is(lle_rcm_packet_next(r, &p, &none, 1001), LLE_RCM_WAIT,
	   "a hold holds");
	says = cn(2, 0, 0, 0);
	says.class_held = true;
	lle_rcm_receive(r, &p, &says, 2000);
	is(lle_rcm_packet_next(r, &p, &none, 2001), LLE_RCM_WAIT,
	   "let go, but its class is held");
	says = cn(3, 0, 0, 0);
	lle_rcm_receive(r, &p, &says, 3000);
	ok(lle_rcm_packet_next(r, &p, &none, 3001) - 1 < LLE_RCM_SUBS,
	   "it may send");
	kfree(r);
}

/* The hold of all destinations lasts 10000 ns, whatever is swept meanwhile. */
static void test_class_lasts(struct kunit *test)
{
	static const u64 sweeps[] = { 100000, 105000, 107500 };
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 1, 5, 0);
	unsigned int i, id;

	lle_rcm_receive(r, &p, &says, 99999);
	id = lle_isolated_find(&r->ids, 5);
	lle_isolated_push(&r->ids, id, 0, false, LEN, 0);
	says = cn(2, 0, 0, 0);
	says.class_held = true;
	lle_rcm_receive(r, &p, &says, 100000);
	for (i = 0; i < ARRAY_SIZE(sweeps); i++)
		is(lle_rcm_packet_next(r, &p, &none, sweeps[i]), LLE_RCM_WAIT,
		   "held at %llu", sweeps[i]);
	is(lle_rcm_wake_ns(r), 110000, "until the next sweep");
	ok(lle_rcm_packet_next(r, &p, &none, 110000) - 1 < LLE_RCM_SUBS,
	   "which ends it, as it is due");
	r->rcc.active = true;
	r->sweep_ns = 110000;
	r->rcc.until_ns = 105000;
	is(lle_rcm_wake_ns(r), 105000, "or until the end of the window");
	r->rcc.until_ns = 115000;
	is(lle_rcm_wake_ns(r), 110000, "if it is earlier");
	kfree(r);
}

static void test_root(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);

	r->root_until_ns = 5000;
	ok(!lle_rcm_is_root(r, 4999), "a root does not know its flows yet");
	r->cfr.count = LLE_CFR_DEPTH;
	ok(lle_rcm_is_root(r, 4999), "it does");
	ok(!lle_rcm_is_root(r, 5000), "a root no longer");
	kfree(r);
}

/* Q_eq: 15000; a queue of 4 Q_eq, empty T_ref ago, has more than F_bmax. */
static void test_begin(struct kunit *test)
{
	struct lle_rcm_others others = { .bytes = 4000, .next = 4 };
	struct lle_rcm_params p = params(true);
	struct lle_flow f = { .flow = 1, .dst = 5 };
	struct lle_rcm *r = new_rcm(&p);

	is(arrive(r, &p, &f, 0, 0, 1000), 0, "a packet alone is no congestion");
	r->new_bytes = 5;
	lle_rcm_begin(r, 60000, 1000);
	is(r->new_bytes, 0, "nothing is new");
	is(arrive(r, &p, &f, 0, 60000, 1000), LLE_CRD_FB_MAX, "60000 bytes are");
	is(r->new_bytes, 0, "a sample counts them anew");
	is(r->root_until_ns, 21000, "a root for 20 us");
	lle_rcm_init(r, &stats);
	ok(lle_rcm_is_idle(r, &p, 3999), "below the onset");
	ok(!lle_rcm_is_idle(r, &p, 4000), "at the onset");
	r->busy = true;
	lle_rcm_packet_next(r, &p, &others, 1000);
	ok(r->busy, "there it is busy");
	others.bytes--;
	lle_rcm_packet_next(r, &p, &others, 1000);
	ok(!r->busy, "until the queue is shorter");
	lle_rcm_begin(r, 4000, 1000);
	lle_rcm_packet_next(r, &p, &others, 1000);
	ok(r->busy, "so is the virtual one");
	lle_rcm_begin(r, 3999, 1000);
	r->crd.local = true;
	r->rcc.active = true;
	lle_rcm_packet_next(r, &p, &others, 1000);
	ok(!r->busy && !r->crd.local && !r->rcc.active, "until it is");
	kfree(r);
}

/* Toward switches, young packets precede isolated ones that are grown. */
static void test_young(struct kunit *test)
{
	struct lle_rcm_others others = { .bytes = LEN, .next = 1 };
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	unsigned int id, sub, young;

	p.las = (struct lle_las_params){ .limit_bytes = LEN, .mtu_bytes = LEN };
	lle_rcm_begin(r, 0, 1000);
	id = lle_isolated_make(&r->ids, 5);
	r->ids.id[id].local_until_ns = 1000000;
	sub = lle_isolated_push(&r->ids, id, 0, false, LEN, 0);
	is(lle_rcm_packet_next(r, &p, &others, 1000), 0, "a young packet");
	id = lle_isolated_make(&r->ids, 6);
	young = lle_isolated_push(&r->ids, id, 0, true, LEN, 0);
	is(lle_rcm_packet_next(r, &p, &others, 1000), young, "that is isolated");
	r->las.isolated = true;
	is(lle_rcm_packet_next(r, &p, &others, 1000), 0, "by turns with others");
	others.bytes = 0;
	is(lle_rcm_packet_next(r, &p, &others, 1000), young, "unless others have no packets");
	r->las.run_bytes = LLE_LAS_RUN * LEN;
	is(lle_rcm_packet_next(r, &p, &others, 1000), sub, "after 8, a grown one");
	others.bytes = LEN;
	r->las.run_bytes = 0;
	p.by_dst = false;
	is(lle_rcm_packet_next(r, &p, &others, 1000), sub, "toward a host, by turns");
	p.by_dst = true;
	p.las.limit_bytes = 0;
	is(lle_rcm_packet_next(r, &p, &others, 1000), sub, "as without LAS");
	lle_rcm_packet_sent(r, &p, young, true, 0, LEN);
	ok(r->las.isolated && r->las.run_bytes == LEN, "the last one was young and isolated");
	lle_rcm_packet_sent(r, &p, 0, false, 0, LEN);
	ok(!r->las.isolated && !r->las.run_bytes, "or neither");
	kfree(r);
}

/* An ID ends after its last sign, without packets, and after its hold. */
static void test_expire(struct kunit *test)
{
	static const struct {
		u64 local_ns, remote_ns, held_ns, now_ns;
		bool queued, stays, held;
	} ids[] = {
		{ 1000, 0, 0, 1000, .stays = true },
		{ 1000, 0, 0, 1001 },
		{ 0, 1000, 0, 1000, .stays = true },
		{ 0, 1000, 0, 1001 },
		{ 0, 0, 1000, 999, .stays = true, .held = true },
		{ 0, 0, 1000, 1000 },
		{ 0, 0, 1000, 1000, .queued = true, .stays = true },
	};
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	unsigned int id;

	for_each_vector(v, ids) {
		lle_rcm_init(r, &stats);
		id = lle_isolated_make(&r->ids, 5);
		r->ids.id[id].local_until_ns = v->local_ns;
		r->ids.id[id].remote_until_ns = v->remote_ns;
		lle_isolated_hold(&r->ids, id, v->held_ns);
		if (v->queued)
			lle_isolated_push(&r->ids, id, 0, false, LEN, 0);
		lle_rcm_expire(r, &p, v->now_ns);
		is(lle_isolated_find(&r->ids, 5), v->stays ? id : 0, "line %d: is it there",
		   (int)(v - ids));
		is(held(r, 5), v->held, "line %d: is it held", (int)(v - ids));
	}
	is(r->sweep_ns, 1000 + 2500, "a quarter of a hold later, the next sweep");
	kfree(r);
}

/* IDs that a neighbour lists are not identified here. */
static void test_make_local(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_rcm_id *e = &r->ids.id[lle_isolated_make(&r->ids, 5)];

	stats = (struct lle_rcm_stats){};
	e->remote_until_ns = 1000;
	lle_rcm_make_local(r, &p, 5, 1000);
	ok(!e->local_until_ns && !stats.identified, "while it does");
	lle_rcm_make_local(r, &p, 5, 1001);
	ok(e->local_until_ns == 21001 && stats.identified == 1, "later, they are");
	lle_rcm_make_local(r, &p, 5, 1002);
	ok(e->local_until_ns == 21002 && stats.identified == 1, "counted once");
	while (r->ids.count < LLE_RCM_IDS)
		lle_isolated_make(&r->ids, 100 + r->ids.count);
	lle_rcm_make_local(r, &p, 6, 1002);
	is(stats.identified, 1, "if there is room");
	kfree(r);
}

/* No ID stands out of 15 with two arrivals and two with one. */
static void test_name_all(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	unsigned int i;

	for (i = 0; i < LLE_CFR_DEPTH; i++)
		lle_cfr_arrive(&r->cfr, i < 30 ? i / 2 : i, false);
	lle_rcm_name_all(r, &p, 1000);
	is(r->ids.count, 15, "toward a switch, those with two are identified");
	p.by_dst = false;
	lle_rcm_init(r, &stats);
	for (i = 0; i < LLE_CFR_DEPTH; i++)
		lle_cfr_arrive(&r->cfr, i < 30 ? i / 2 : i, false);
	lle_rcm_name_all(r, &p, 1000);
	is(r->ids.count, 0, "toward a host, none");
	p.by_dst = true;
	lle_rcm_init(r, &stats);
	for (i = 0; i < LLE_CFR_DEPTH; i++)
		lle_cfr_arrive(&r->cfr, i & 1 ? BURST : i / 2 % 4, false);
	lle_rcm_name_all(r, &p, 1000);
	ok(r->ids.count == 1 && lle_isolated_find(&r->ids, BURST), "or the one that does");
	kfree(r);
}

/* A packet of the burst, which has half of the arrivals, with F_b > 0 */
static void test_congested(struct kunit *test)
{
	static const struct {
		bool by_dst, window;
		unsigned int turns, ids;
	} vectors[] = {
		{ .by_dst = true, .turns = 1, .ids = 1 },
		{ .by_dst = false, .turns = 1, .ids = 1 },
		{ .by_dst = true, .window = true, .turns = 1, .ids = 1 },
		{ .by_dst = false, .window = true, .turns = 3, .ids = 0 },
		{ .by_dst = false, .window = true, .turns = 4, .ids = 1 },
		{ .by_dst = true, .turns = 0, .ids = 0 },
	};

	for_each_vector(v, vectors) {
		struct lle_rcm_params p = params(v->by_dst);
		struct lle_rcm *r = new_rcm(&p);
		unsigned int i;

		r->rcc.active = v->window;
		for (i = 0; i < (v->turns ? 32 * v->turns : 31); i++)
			lle_cfr_arrive(&r->cfr, i & 1 ? BURST : i / 2 % 4, false);
		if (!v->by_dst && !v->window) {
			lle_rcm_congested(r, &p, 1, 0, 1000);
			is(r->ids.count, 0, "others do not stand out");
		}
		lle_rcm_congested(r, &p, BURST, 0, 1000);
		is(r->ids.count, v->ids, "line %d: isolated IDs", (int)(v - vectors));
		is(r->rcc.active, v->window || v->ids, "line %d: a window",
		   (int)(v - vectors));
		kfree(r);
	}
}

/* A list of a neighbour, of which the first name has no room */
static void test_receive(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 0, 0, 0);
	unsigned int id;

	lle_cfr_arrive(&r->cfr, 5, false);
	lle_rcm_receive(r, &p, &says, 1000);
	ok(!r->busy && r->cfr.count == 1, "nothing to do");
	lle_rcm_make_local(r, &p, 5, 1000);
	says = cn(2, 1, 5, 0);
	lle_rcm_receive(r, &p, &says, 1000);
	ok(r->busy && !r->cfr.count && !r->crd.vq_q16 && r->crd.at_ns == 1000,
	   "it begins to look");
	id = lle_isolated_find(&r->ids, 5);
	is(r->ids.id[id].local_until_ns, 0, "what it lists is identified there");
	while (r->ids.count < LLE_RCM_IDS)
		lle_isolated_make(&r->ids, 100 + r->ids.count);
	lle_cfr_arrive(&r->cfr, 5, false);
	says = cn(3, 2, 6, 101);
	lle_rcm_receive(r, &p, &says, 2000);
	ok(held(r, 101) && !held(r, 5), "a name without room does not hinder others");
	is(r->cfr.count, 1, "it goes on to look");
	kfree(r);
}

/* Does an isolated packet count, in the virtual queue and in CFR? */
static void test_arrive(struct kunit *test)
{
	static const struct {
		bool by_dst, window;
		u64 held_ns, remote_ns;
		unsigned int bytes, hits, isolated;
	} vectors[] = {
		{ true, true, 50000, 0, 0, 0, 0 },
		{ true, true, 0, 50000, 0, 0, 0 },
		{ true, true, 0, 1000, 0, 0, 0 },
		{ true, true, 0, 999, LEN, 1, 0 },
		{ false, true, 0, 0, LEN, 0, 0 },
		{ false, false, 0, 0, LEN, 1, 1 },
	};

	for_each_vector(v, vectors) {
		struct lle_rcm_params p = params(v->by_dst);
		struct lle_flow f = { .flow = 5, .dst = 5 };
		struct lle_rcm *r = new_rcm(&p);
		unsigned int id = lle_isolated_make(&r->ids, 5);

		lle_rcm_begin(r, 0, 1000);
		r->sweep_ns = 2000;
		r->ids.id[id].remote_until_ns = v->remote_ns;
		lle_isolated_hold(&r->ids, id, v->held_ns);
		r->rcc.active = v->window;
		is(arrive(r, &p, &f, id, 0, 1000), 0, "no congestion");
		is(lle_crd_queue(&r->crd, &p.crd, 1000), v->bytes, "line %d: virtual queue",
		   (int)(v - vectors));
		is(lle_cfr_hits(&r->cfr, 5), v->hits, "line %d: hits", (int)(v - vectors));
		is(r->cfr.isolated_hits, v->isolated, "line %d: isolated",
		   (int)(v - vectors));
		kfree(r);
	}
}

/* A window ends with the last ID, or the congestion of the port. */
static void test_stop(struct kunit *test)
{
	struct lle_rcm_others others = { .bytes = 50000, .next = 50 };
	struct lle_rcm_params p = params(true);
	struct lle_flow f = { .flow = 5, .dst = 5 };
	struct lle_rcm *r = new_rcm(&p);
	unsigned int i;

	for (i = 0; i < 4; i++) {
		lle_rcm_init(r, &stats);
		lle_rcm_begin(r, 50000, 1000);
		r->sweep_ns = 50000;
		if (i & 1)
			lle_isolated_make(&r->ids, 5);
		r->crd.local = i & 2;
		lle_rcc_start(&r->rcc, &p.rcc, 20000, 128, 1000);
		lle_rcm_packet_next(r, &p, &others, 1000);
		is(r->rcc.active, i != 0, "%s, %scongested", i & 1 ? "an ID" : "no ID",
		   i & 2 ? "" : "not ");
	}

	/* a short queue: CFR forgets, below the onset of 4000 bytes */
	for (i = 3999; i <= 4000; i++) {
		lle_rcm_init(r, &stats);
		lle_rcm_begin(r, i, 1000);
		lle_cfr_arrive(&r->cfr, 5, false);
		arrive(r, &p, &f, 0, i, 1000);
		is(lle_cfr_hits(&r->cfr, 5), 1 + (i == 4000), "%u bytes", i);
	}
	/* an arrival ends a hold that is over */
	i = lle_isolated_make(&r->ids, 6);
	lle_isolated_hold(&r->ids, i, 2000);
	arrive(r, &p, &f, 0, 0, 20000);
	ok(!held(r, 6), "a hold is over");
	for (i = 0; i < LLE_RCM_SUBS; i++)
		lle_isolated_push(&r->ids, lle_isolated_make(&r->ids, i / 8), i % 8, false, LEN,
				  0);
	is(lle_rcm_packet_push(r, &p, lle_isolated_find(&r->ids, 0), 0, 9, false, LEN, &none), 0,
	   "no room for a queue");
	is(r->las.place[0].waits, 0, "nothing waits there");
	p.by_dst = false;
	p.las.limit_bytes = LEN;
	lle_rcm_packet_push(r, &p, lle_isolated_find(&r->ids, 0), 0, 0, false, LEN, &none);
	is(r->las.place[0].waits, 1, "with LAS a flow knows what waits");
	kfree(r);
}

/* Packets of @id at one time until a sample, and those CFR @noted. */
static unsigned int unseen(struct port *port, const struct lle_flow *f,
			   unsigned int id, unsigned int *noted)
{
	unsigned int n, at;

	*noted = 0;
	for (n = 0; n < 100; n++) {
		at = port->r->cfr.at;
		port->r->crd.fb = LLE_CRD_FB_MAX + 1;
		arrive(port->r, &port->p, f, id, 0, port->now_ns);
		*noted += port->r->cfr.at != at;
		if (port->r->crd.fb <= LLE_CRD_FB_MAX)
			break;
	}
	return n;
}

/* Isolated packets are sampled once in four of the largest. */
static void test_look(struct kunit *test, bool by_dst, unsigned int want_noted)
{
	struct lle_flow burst = { .flow = BURST, .dst = DST };
	struct lle_flow other = { .flow = 1, .dst = DST + 1 };
	struct port *port = new_port(by_dst);
	unsigned int i, id, noted;

	/* six of LEN are four of the largest */
	port->p.rcc.mtu_bytes = 1536;
	for (i = 0; i < 100; i++)
		slot(port, true);
	id = by_dst ? lle_isolated_find(&port->r->ids, DST) : identified(port);
	ok(id && port->r->rcc.active, "there is a window");

	port->now_ns += 10000;
	is(unseen(port, &other, 0, &noted), 0, "others are looked at, all in one round");
	port->now_ns += 10000;
	is(unseen(port, &burst, id, &noted), 5, "of what is isolated, the sixth is");
	is(noted, want_noted, "CFR has noted %u of them", want_noted);
	is(lle_crd_queue(&port->r->crd, &port->p.crd, port->now_ns), 6 * LEN,
	   "and all of them are in the virtual queue");
	free_port(port);
}

static void test_look_flow(struct kunit *test)
{
	test_look(test, false, 1);
}

static void test_look_dst(struct kunit *test)
{
	test_look(test, true, 6);
}

/* More IDs than space: counters stay. */
static void test_stats(struct kunit *test)
{
	struct lle_cn *says = kzalloc(sizeof(*says), GFP_KERNEL);
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_flow f = { .dst = 1 };
	unsigned int i;

	stats = (struct lle_rcm_stats){};
	for (i = 0; i < 200; i++)
		arrive(r, &p, &f, 0, 0, 1000 + i);
	is(stats.identified, 1, "one is identified, once");
	says->count = LLE_CN_NAMES;
	for (i = 0; i < LLE_CN_NAMES; i++)
		says->name[i] = 1 + i;
	lle_rcm_receive(r, &p, says, 2000);
	is(r->ids.count, LLE_CN_NAMES, "as many as there is room for");
	for (i = 0; i < LLE_CN_NAMES; i++)
		says->name[i] = 2 + i;
	says->seq++;
	lle_rcm_receive(r, &p, says, 2001);
	is(r->ids.count, LLE_CN_NAMES, "one more has none");
	is(stats.identified, 1, "what a neighbour holds is not identified here");
	lle_rcm_init(r, r->stats);
	is(r->ids.count, 0, "nothing is isolated any more");
	is(stats.identified, 1, "but was identified");
	kfree(says);
	kfree(r);
}

/* Others are marked only in a lasting congestion. */
static void test_spares(struct kunit *test)
{
	struct lle_rcm_params by_dst = params(true), by_flow = params(false);
	struct lle_rcm *r = new_rcm(&by_flow);

	ok(!lle_rcm_spares(r, &by_flow, 1000), "without congestion all are marked");
	lle_rcc_start(&r->rcc, &by_flow.rcc, 0, 128, 1000);
	ok(lle_rcm_spares(r, &by_flow, 101000), "others are spared for 100 us");
	ok(!lle_rcm_spares(r, &by_flow, 101001), "not for more at the last port");
	ok(lle_rcm_spares(r, &by_dst, 101001), "but on the way there");
	kfree(r);
}

tap_suite("lossless_rcm",
	  KUNIT_CASE(test_figure_6),
	  KUNIT_CASE(test_end),
	  KUNIT_CASE(test_hear),
	  KUNIT_CASE(test_lasts),
	  KUNIT_CASE(test_class),
	  KUNIT_CASE(test_class_lasts),
	  KUNIT_CASE(test_root),
	  KUNIT_CASE(test_begin),
	  KUNIT_CASE(test_expire),
	  KUNIT_CASE(test_make_local),
	  KUNIT_CASE(test_name_all),
	  KUNIT_CASE(test_congested),
	  KUNIT_CASE(test_receive),
	  KUNIT_CASE(test_arrive),
	  KUNIT_CASE(test_stop),
	  KUNIT_CASE(test_young),
	  KUNIT_CASE(test_spares),
	  KUNIT_CASE(test_look_flow),
	  KUNIT_CASE(test_look_dst),
	  KUNIT_CASE(test_stats));
