// SPDX-License-Identifier: GPL-2.0
/* kmod/core/congestion/rcm.c: shares, destinations and paths. */
#include "rcm_message.h"

/* Two of three IDs are isolated: 170/256 of W are theirs. */
static void test_share(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	unsigned int i, n;

	lle_isolated_make(&r->ids, 1);
	lle_isolated_make(&r->ids, 2);
	for (i = 0; i < LLE_CFR_DEPTH; i++)
		lle_cfr_arrive(&r->cfr, 3, false);
	lle_rcm_start(r, &p, 300000, 1000);
	is(r->rcc.wc_bytes, 199218, "300000 * 170 / 256");

	/* one of two IDs is isolated, and has no packet in CFR */
	lle_rcm_init(r, &stats);
	lle_isolated_make(&r->ids, 1);
	for (i = 0; i < LLE_CFR_DEPTH; i++)
		lle_cfr_arrive(&r->cfr, 3, false);
	lle_rcm_start(r, &p, 300000, 1000);
	is(r->rcc.wc_bytes, 150000, "300000 * 128 / 256");

	/* one of three IDs, the others have all packets */
	lle_rcm_init(r, &stats);
	lle_isolated_make(&r->ids, 1);
	for (i = 0; i < LLE_CFR_DEPTH; i++)
		lle_cfr_arrive(&r->cfr, 3 + i % 2, false);
	lle_rcm_start(r, &p, 300000, 1000);
	is(r->rcc.wc_bytes, 99609, "300000 * 85 / 256");

	/* three of five IDs, with 22 packets of 32 */
	for (n = 0; n < 2; n++) {
		lle_rcm_init(r, &stats);
		for (i = 0; i < LLE_CFR_DEPTH; i++)
			lle_cfr_arrive(&r->cfr, i < 22 ? 1 : 5 + i % 2, false);
		for (i = 1; i <= 3; i++)
			lle_isolated_make(&r->ids, i);
		r->crd.fb = n ? LLE_CRD_FB_MAX : 0;
		lle_rcm_start(r, &p, 300000, 1000);
		is(r->rcc.wc_bytes, n ? 180000 : 206250,
		   n ? "cut at once, to 300000 * 3 / 5" : "300000 * 176 / 256");
	}

	/* one ID is isolated, CFR has no other */
	lle_rcm_init(r, &stats);
	lle_isolated_make(&r->ids, 1);
	r->rcc.w_bytes = 20000;
	r->rcc.wc_bytes = 20000;
	lle_rcm_cut(r, &p, 0, 1000);
	is(r->rcc.wc_bytes, 20000, "no other packet waits");
	lle_rcm_cut(r, &p, 1, 1000);
	is(r->rcc.wc_bytes, 10000, "one waits: it counts as a flow");
	r->rcc.wc_bytes = 12000;
	r->crd.fb = LLE_CRD_FB_MAX;
	lle_rcm_cut(r, &p, 1, 1000);
	is(r->rcc.wc_bytes, 10000, "half of it is fair");
	kfree(r);
}

/* Is a packet of @flow isolated, if its destination may be? */
static bool waits(struct lle_rcm *r, const struct lle_rcm_params *p, u32 flow,
		  u64 now_ns)
{
	struct lle_flow f = { .flow = flow, .dst = 5 };
	unsigned int id = lle_rcm_packet_find(r, lle_rcm_packet_name(p, &f));
	unsigned int place = lle_las_place(flow);

	lle_las_arrive(&r->las, &p->las, place, LEN, now_ns);
	return id && !lle_rcm_packet_pass(r, p, id, place, LEN, 0, now_ns);
}

/* A few bytes pass an isolated destination, then none for a time. */
static void test_pass(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 1, 5, 0);
	struct lle_flow f = { .dst = 5 };
	unsigned int id;

	p.pass_bytes = 3 * LEN;
	p.las.idle_ns = 100000;
	ok(!waits(r, &p, 1, 200000), "nothing is isolated");
	lle_rcm_receive(r, &p, &says, 200000);
	ok(!waits(r, &p, 2, 200000) && !waits(r, &p, 1, 205000) &&
	   !waits(r, &p, 1, 215000), "three packets go past");
	ok(waits(r, &p, 3, 215000) && waits(r, &p, 3, 219999), "no more for 20 us");
	ok(waits(r, &p, 1, 220000), "nor then the fourth of a flow");
	ok(!waits(r, &p, 4, 220000), "but others' first may");
	id = lle_rcm_packet_find(r, lle_rcm_packet_name(&p, &f));
	lle_rcm_packet_push(r, &p, id, lle_las_place(4), 0, false, LEN, &none);
	ok(waits(r, &p, 4, 242000), "as long as a packet waits no other goes past it");
	lle_rcm_packet_sent(r, &p, r->ids.id[id].last, false, lle_las_place(4),
			    LEN);
	ok(!waits(r, &p, 4, 243000), "then its third may");
	ok(waits(r, &p, 1, 310000), "a flow that was idle for less than 100 us may not");
	ok(!waits(r, &p, 1, 421000), "later, it begins anew");
	kfree(r);
}

static void test_remote(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_flow f = { .flow = 1, .dst = 5 };
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 1, 5, 0);
	unsigned int i, id, fb = 0;

	lle_rcm_receive(r, &p, &says, 1000);
	id = lle_isolated_find(&r->ids, 5);
	for (i = 0; i < 200; i++)
		fb |= arrive(r, &p, &f, id, 0, 1001 + i);
	is(fb, 0, "packets that are held make no root");
	f.dst = 6;
	for (i = 0; i < 200; i++)
		fb |= arrive(r, &p, &f, 0, 0, 1201 + i);
	ok(fb, "others do");
	ok(lle_isolated_find(&r->ids, 6), "and are identified, being all of them");
	kfree(r);
}

/* Towards switches, equal flows are identified by destination. */
static void test_nobody_stands_out(struct kunit *test)
{
	struct lle_rcm_params by_dst = params(true), by_flow = params(false);
	struct lle_rcm *link = new_rcm(&by_dst), *host = new_rcm(&by_flow);
	unsigned int i;

	stats = (struct lle_rcm_stats){};
	for (i = 0; i < 200; i++) {
		struct lle_flow f = { .flow = i % 4 + 1, .dst = i % 4 + 1 };

		arrive(link, &by_dst, &f, 0, 0, 1000 + i);
		arrive(host, &by_flow, &f, 0, 0, 1000 + i);
	}
	is(link->ids.count, 4, "towards a switch, all four are identified");
	is(host->ids.count, 0, "towards a host, none is");
	is(stats.identified, 4, "each is counted");
	kfree(link);
	kfree(host);
}

static struct lle_sar_path path(const struct lle_rcm *r,
				const struct lle_rcm_params *p, u32 dst,
				u32 others_bytes, u64 now_ns)
{
	struct lle_flow f = { .flow = 100 + dst, .dst = dst };
	struct lle_sar_path path = {};

	lle_rcm_path(r, p, &f, others_bytes, now_ns, &path);
	return path;
}

/* A path is congested after three messages of a neighbour, or by its port. */
static void test_path(struct kunit *test)
{
	struct lle_rcm_params p = params(true);
	struct lle_flow f = { .flow = 106, .dst = 6 };
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 1, 5, 0);
	unsigned int i;

	ok(path(r, &p, 6, 0, 0).known, "of a port with RCM, something is known");
	is(path(r, &p, 6, 15000, 0).degree, 12, "all of what waits");
	for (i = 0; i < 3; i++) {
		ok(!path(r, &p, 6, 0, 1000).congested, "heard %u times", i);
		lle_rcm_receive(r, &p, &says, 1000 + 4000 * i);
		says.seq++;
	}
	ok(path(r, &p, 6, 0, 9000).congested, "heard 3 times: congested");
	is(path(r, &p, 6, 15000, 9000).degree, 16, "half of that, and of F_br");
	ok(path(r, &p, 5, 0, 9000).identified, "what is identified is part of it");
	ok(!path(r, &p, 6, 0, 9000).identified, "others are not");
	ok(!path(r, &p, 6, 0, 19000).congested, "until it is not repeated");
	says.count = 0;
	lle_rcm_receive(r, &p, &says, 9001);
	ok(!path(r, &p, 6, 0, 9002).congested, "or the hold has ended");
	for (i = 0; i < 3; i++) {
		ok(!path(r, &p, 6, 0, 9003).congested, "%u since", i);
		says.seq++;
		says.count = 1;
		lle_rcm_receive(r, &p, &says, 9003);
	}
	ok(path(r, &p, 6, 0, 9003).congested, "3 in a row again");

	says.seq++;
	lle_rcm_receive(r, &p, &says, 9003);
	ok(path(r, &p, 6, 0, 9003).congested, "more in a row, too");
	says = cn(says.seq + 1, 0, 0, 0);
	lle_rcm_receive(r, &p, &says, 9003);
	for (i = 0; i < 3; i++) {
		says = cn(says.seq + 1, 0, 0, 0);
		says.class_held = true;
		lle_rcm_receive(r, &p, &says, 9004);
	}
	ok(path(r, &p, 6, 0, 9004).congested, "or holds of a class");

	for (i = 0; i < 100; i++)
		arrive(r, &p, &f, 0, 0, 20000 + i);
	ok(path(r, &p, 7, 0, 20100).congested, "or when too much comes");
	is(lle_rcm_degree(r, &p, 20100), r->crd.fb, "and its degree is sent");
	r->crd.local = false;
	is(lle_rcm_degree(r, &p, 20100), 0, "not without congestion");
	kfree(r);
}

/* Notifications are in a row if less than 20 us apart. */
static void test_path_run(struct kunit *test)
{
	static const struct {
		u64 now_ns;
		bool congested;
	} runs[] = {
		{ 100000, false }, { 104000, false }, { 123999, true },
		{ 143999, false }, { 143999, false }, { 143999, true },
	};
	struct lle_rcm_params p = params(true);
	struct lle_rcm *r = new_rcm(&p);
	struct lle_cn says = cn(1, 1, 5, 0);

	for_each_vector(v, runs) {
		lle_rcm_receive(r, &p, &says, v->now_ns);
		says.seq++;
		is(path(r, &p, 6, 0, v->now_ns).congested, v->congested,
		   "at %llu", v->now_ns);
	}
	kfree(r);
}

tap_suite("lossless_rcm_path",
	  KUNIT_CASE(test_share),
	  KUNIT_CASE(test_pass),
	  KUNIT_CASE(test_remote),
	  KUNIT_CASE(test_nobody_stands_out),
	  KUNIT_CASE(test_path),
	  KUNIT_CASE(test_path_run));
