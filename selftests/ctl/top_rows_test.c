// SPDX-License-Identifier: GPL-2.0
/* daemon/losslessctl/top_rows.c: rows that top shows for two samples. */
#include "../unit/tap.h"
#include "../unit/prng.h"

#include "../../daemon/lib/names.c"
#include "../../daemon/lib/order.c"
#include "../../daemon/losslessctl/top_rows.c"

#define MS	1000000ULL

/* One port, p1 of switch 0, with all its attributes. */
struct testbed {
	struct lle_nl_switch sw;
	struct lle_nl_port port;
	struct lle_nl_history histories[2];
	struct lle_nl_watchdog watchdog;
	struct top_sample sample;
};

static void testbed_init(struct testbed *testbed, u64 time_ns)
{
	*testbed = (struct testbed) {
		.sw = { .shared_bytes = 1 << 20 },
		.port = {
			.who = { .ifindex = 5, .ifname = "p1" },
			.to_alpha = LLE_TO_ALPHA_DEFAULT, .pfc_en = 1 << 3,
		},
		.sample = {
			.time_ns = time_ns, .num_switches = 1, .num_ports = 1,
			.switches = &testbed->sw, .ports = &testbed->port,
			.histories = testbed->histories,
			.watchdogs = &testbed->watchdog,
		},
	};
}

static void testbed_pause(struct testbed *testbed, enum lossless_direction direction,
		      u64 total_ns, u64 since_ns)
{
	testbed->histories[testbed->sample.num_histories++] = (struct lle_nl_history) {
		.who = testbed->port.who, .prio = 3, .direction = direction,
		.total_ns = total_ns, .since_ns = since_ns,
	};
}

/* The row of p1, priority 3, if the view has no other row. */
static struct top_row row_of(const struct testbed *now, const struct testbed *before)
{
	struct top_want want = {};
	struct top_row row = {};
	struct top_view view;

	top_view(&view, &now->sample, &before->sample, &want);
	if (view.num == 1)
		row = view.rows[0];
	free(view.rows);
	return row;
}

static const struct {
	u32 shared, xoff;
	u8 to_alpha;
	u64 used, threshold;
	const char *name;
} thresholds[] = {
	{ 1 << 20, 0, 6, 0, 65536, "1/16 of an empty buffer" },
	{ 1 << 20, 0, 6, 1 << 19, 32768, "1/16 of half a buffer" },
	{ 1 << 20, 0, 10, 1000, (1 << 20) - 1000, "alpha 1" },
	{ 1 << 20, 0, 13, 0, 8 << 20, "alpha 8" },
	{ 1 << 30, 0, 20, 0, 1ULL << 40, "the largest" },
	{ 1 << 20, 0, 0, 0, 1 << 10, "the least alpha" },
	{ 1 << 20, 0, 6, 1 << 20, 0, "a full buffer" },
	{ 1 << 20, 0, 6, 1 << 21, 0, "more than full" },
	{ 1 << 20, 20000, 6, 1 << 20, 20000, "static" },
	{ 1 << 20, 0, 255, 0, 1ULL << 30, "an alpha that is not known" },
};

static void test_threshold(struct kunit *test)
{
	struct testbed before, now;

	for (unsigned int i = 0; i < ARRAY_SIZE(thresholds); i++) {
		testbed_init(&before, 0);
		testbed_init(&now, 1000 * MS);
		now.sw.shared_bytes = thresholds[i].shared;
		now.sw.used_bytes = thresholds[i].used;
		now.port.xoff_bytes = thresholds[i].xoff;
		now.port.to_alpha = thresholds[i].to_alpha;
		is(row_of(&now, &before).threshold, thresholds[i].threshold,
		   "threshold: %s", thresholds[i].name);
	}
	now.port.who.sw = 9;
	is(row_of(&now, &before).threshold, 0, "threshold: no such switch");
	now.sample.num_switches = 0;
	is(row_of(&now, &before).threshold, 0, "threshold: no switch");
}

static void test_fill(struct kunit *test)
{
	struct top_row row = { .threshold = 1000 };

	ok(top_fill(&row) == 0, "fill: nothing");
	row.occupancy = 250;
	ok(top_fill(&row) == .25, "fill: a quarter");
	row.occupancy = 1500;
	ok(top_fill(&row) == 1.5, "fill: more than all");
	row.headroom = 500;
	ok(top_fill(&row) == 1, "fill: without headroom");
	row.headroom = 1500;
	ok(top_fill(&row) == 0, "fill: all of it in headroom");
	row.headroom = 1501;
	ok(top_fill(&row) == 0, "fill: more than all of it in headroom");
	row.headroom = 0;
	row.threshold = 0;
	ok(top_fill(&row) == 1, "fill: of nothing");
}

static void test_since(struct kunit *test)
{
	struct testbed before, now;
	struct top_row row;

	testbed_init(&before, 1000 * MS);
	testbed_init(&now, 3000 * MS);
	before.port.stats[3] = (struct lle_prio_stats) {
		.rx_bytes = U64_MAX - 100, .tx_bytes = 7,
		.drop_limit = 3, .drop_storm_rx = 4,
	};
	now.port.stats[3] = (struct lle_prio_stats) {
		.rx_bytes = U64_MAX, .tx_bytes = 1007,
		.drop_limit = 5, .drop_storm_rx = 9,
		.occupancy = 1, .headroom = 2, .backlog = 3, .tx_paused = 1,
	};
	row = row_of(&now, &before);
	ok(!row.is_new, "since: known");
	is(row.rx_bytes, 100, "since: received");
	is(row.tx_bytes, 1000, "since: sent");
	is(row.dropped, 7, "since: dropped");
	is(row.occupancy, 1, "since: occupancy");
	is(row.headroom, 2, "since: headroom");
	is(row.backlog, 3, "since: backlog");
	ok(row.tx_paused && !row.rx_paused, "since: pauses");
	ok(row.lossless && row.prio == 3, "since: priority");

	now.port.stats[3].tx_bytes = 6;
	row = row_of(&now, &before);
	ok(row.is_new, "since: a counter began anew");
	is(row.rx_bytes | row.tx_bytes | row.dropped, 0,
	   "since: so nothing is known");
	now.port.stats[3].tx_bytes = 7;
	now.port.who.ifindex = 6;
	ok(row_of(&now, &before).is_new, "since: another port of that name");
	now.port.who.ifindex = 5;
	now.port.who.sw = 1;
	ok(row_of(&now, &before).is_new, "since: it is at another switch");
	testbed_init(&now, 3000 * MS);
	before.sample = (struct top_sample) {};
	ok(row_of(&now, &before).is_new, "since: the first sample");
}

static const struct {
	u64 total_before, since_before, total, since, paused;
	const char *name;
} pauses[] = {
	{ 0, 0, 0, 0, 0, "none" },
	{ 0, 0, 300, 0, 300, "one within" },
	{ 400, 0, 400, 0, 0, "one before" },
	{ 400, 0, 700, 0, 300, "one before, one within" },
	{ 0, 900, 0, 900, 1000, "all the time" },
	{ 0, 0, 0, 1600, 400, "began" },
	{ 0, 600, 650, 0, 250, "ended" },
	{ 50, 600, 700, 1900, 350, "ended, began" },
	{ 0, 0, 0, 2000, 0, "begins" },
	{ 0, 0, 0, 2001, 0, "began after the sample" },
	{ 0, 600, 1405, 0, 1000, "ended after the sample" },
};

static void test_paused(struct kunit *test)
{
	struct testbed before, now;
	struct top_row row;

	for (unsigned int i = 0; i < ARRAY_SIZE(pauses); i++) {
		testbed_init(&before, 1000 * MS);
		testbed_init(&now, 2000 * MS);
		testbed_pause(&before, LOSSLESS_DIRECTION_RX, pauses[i].total_before * MS,
			  pauses[i].since_before * MS);
		testbed_pause(&now, LOSSLESS_DIRECTION_RX, pauses[i].total * MS,
			  pauses[i].since * MS);
		testbed_pause(&now, LOSSLESS_DIRECTION_TX, 123 * MS, 0);
		row = row_of(&now, &before);
		is(row.rx_paused_ns, pauses[i].paused * MS, "paused: %s",
		   pauses[i].name);
		is(row.tx_paused_ns, 123 * MS, "paused: %s: and tx",
		   pauses[i].name);
	}
	testbed_init(&before, 1000 * MS);
	testbed_pause(&before, LOSSLESS_DIRECTION_RX, 500 * MS, 0);
	now.histories[0].total_ns = 499 * MS;
	ok(row_of(&now, &before).is_new, "paused: the history began anew");
}

/* Samples at any times: the pauses of all intervals add up to the total. */
static void test_any_pauses(struct kunit *test)
{
	u64 time = 1, total = 0, since = 0, paused = 0, sum = 0, step, i;
	struct testbed before, now;
	bool same = true;
	u64 rnd = 4;

	testbed_init(&before, time);
	for (i = 0; i < 10000; i++) {
		step = prng_range(&rnd, 1, 1000);
		paused += since ? step : 0;
		time += step;
		if (prng_range(&rnd, 0, 1)) {
			total += since ? time - since : 0;
			since = since ? 0 : time;
		}
		if (prng_range(&rnd, 0, 2))
			continue;
		testbed_init(&now, time);
		testbed_pause(&now, LOSSLESS_DIRECTION_RX, total, since);
		sum += row_of(&now, &before).rx_paused_ns;
		same &= sum == paused;
		testbed_init(&before, time);
		testbed_pause(&before, LOSSLESS_DIRECTION_RX, total, since);
	}
	ok(same, "any pauses: the sum of all intervals");
	ok(sum > time / 4 && sum < time, "any pauses: there were many");
}

static int rows_with(const struct testbed *now, const struct testbed *before,
		     struct top_want *want)
{
	struct top_view view;

	top_view(&view, &now->sample, &before->sample, want);
	free(view.rows);
	return view.num;
}

static void test_wanted(struct kunit *test)
{
	char *others[] = { "p2", "p10" }, *some[] = { "p2", "p1" };
	struct top_want all = {}, active = { .active = true };
	struct top_want devs = { .devs = others, .num_devs = 2 };
	struct testbed before, now;

	testbed_init(&before, 1000 * MS);
	testbed_init(&now, 2000 * MS);
	is(rows_with(&now, &before, &all), 1, "wanted: what has PFC");
	is(rows_with(&now, &before, &active), 0, "wanted: is not active");
	now.port.stats[0].rx_packets = before.port.stats[0].rx_packets = 1;
	now.port.stats[0].rx_bytes = before.port.stats[0].rx_bytes = 100;
	is(rows_with(&now, &before, &all), 2, "wanted: had packets");
	is(rows_with(&now, &before, &active), 0, "wanted: has none now");
	now.port.stats[0].rx_bytes = 200;
	is(rows_with(&now, &before, &active), 1, "wanted: has packets");
	now.port.stats[1].backlog = 1;
	is(rows_with(&now, &before, &active), 2, "wanted: has a queue");
	testbed_pause(&now, LOSSLESS_DIRECTION_TX, 1, 0);
	is(rows_with(&now, &before, &active), 3, "wanted: was paused");
	now.port.stats[4].rx_paused = 1;
	is(rows_with(&now, &before, &active), 4, "wanted: is paused");
	now.watchdog = (struct lle_nl_watchdog) {
		.who = now.port.who, .prio = 5, .stormed = 1
	};
	now.sample.num_watchdogs = 1;
	is(rows_with(&now, &before, &active), 5, "wanted: has a storm");
	is(rows_with(&now, &before, &devs), 0, "wanted: not this port");
	devs.devs = some;
	is(rows_with(&now, &before, &devs), 5, "wanted: this port");
	before.sample.num_ports = 0;
	is(rows_with(&now, &before, &active), 3,
	   "wanted: of a new port what waits, is paused, has a storm");
}

/* Ports in the order of ifindex, and their order by each sort key. */
static void test_order(struct kunit *test)
{
	static const struct {
		const char *name;
		u32 sw, occupancy;
		u64 rx_ns, tx_ns;
	} all[] = {
		{ "p10", 0, 100, 5, 90 },
		{ "p9", 0, 200, 0, 0 },
		{ "p2", 0, 100, 80, 3 },
		{ "p1", 1, 900, 0, 0 },
	};
	static const char *const orders[__TOP_NUM_SORT] = {
		[TOP_BY_NAME] = "p2 p9 p10 p1 ",
		[TOP_BY_BUFFER] = "p1 p9 p2 p10 ",
		[TOP_BY_PAUSED] = "p10 p2 p9 p1 ",
	};
	struct lle_nl_history histories[2 * ARRAY_SIZE(all)] = {};
	struct lle_nl_port ports[ARRAY_SIZE(all)] = {};
	struct lle_nl_watchdog watchdog = { .stormed = 1 };
	struct lle_nl_history *h = histories;
	struct top_sample now, before;
	struct top_want want = {};
	struct top_view view;
	char order[64];

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		ports[i].who.ifindex = i + 1;
		ports[i].who.sw = all[i].sw;
		strcpy(ports[i].who.ifname, all[i].name);
		ports[i].pfc_en = 1;
		ports[i].xoff_bytes = 1000;
		ports[i].stats[0].occupancy = all[i].occupancy;
		*h = (struct lle_nl_history) {
			.who = ports[i].who, .total_ns = all[i].rx_ns
		};
		h[1] = (struct lle_nl_history) {
			.who = ports[i].who, .total_ns = all[i].tx_ns,
			.direction = LOSSLESS_DIRECTION_TX,
		};
		h += 2;
	}
	now = (struct top_sample) {
		.time_ns = 100, .ports = ports, .num_ports = ARRAY_SIZE(ports),
		.histories = histories, .num_histories = ARRAY_SIZE(histories),
		.watchdogs = &watchdog, .num_watchdogs = 1,
	};
	before = now;
	before.time_ns = 0;
	before.num_histories = 0;
	for (; want.sort < __TOP_NUM_SORT; want.sort++) {
		top_view(&view, &now, &before, &want);
		*order = '\0';
		for (int i = 0; i < view.num; i++) {
			strcat(order, view.rows[i].who.ifname);
			strcat(order, " ");
		}
		free(view.rows);
		if (!ok(!strcmp(order, orders[want.sort]), "order %u",
			want.sort))
			tap_note("got %s", order);
	}
	is(view.storms, 1, "order: storms of ports that are not shown, too");
	is(view.interval_ns, 100, "order: interval");

	/* a port without a previous sample must not sort first */
	before.num_ports = 0;
	want.sort = TOP_BY_PAUSED;
	top_view(&view, &now, &before, &want);
	ok(!strcmp(view.rows[0].who.ifname, "p2"), "order: all are new");
	free(view.rows);
}

tap_suite("losslessctl_top",
	  KUNIT_CASE(test_threshold),
	  KUNIT_CASE(test_fill),
	  KUNIT_CASE(test_since),
	  KUNIT_CASE(test_paused),
	  KUNIT_CASE(test_any_pauses),
	  KUNIT_CASE(test_wanted),
	  KUNIT_CASE(test_order));
