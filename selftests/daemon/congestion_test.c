// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/losslessd/congestion.c: the priorities and numbers in a report of
 * congested regions. Also the metrics of RCM and of devices.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/losslessd/metrics.h"
#include "../../daemon/losslessd/congestion.c"
#include "reports.h"

#define LOOKS	21
#define STEP_US	15000000

/**
 * struct vector - RCM counters of priorities 3 and 4 of a port, and the report
 * @name: name of the case
 * @regions: new regions of priority 3 per check
 * @ns: time as root that priority 3 gains per check
 * @ns4: time as root that priority 4 gains per check, in a region that lasts
 * @anew: check at which the counters restart at 0; 0: never
 * @off: check from which on the port has no RCM; 0: never
 * @reports: the report after five minutes
 */
static const struct vector {
	const char *name;
	unsigned int regions, ns, ns4, anew, off;
	const char *reports;
} vectors[] = {
	{ .name = "quiet", .reports = "" },
	{ .name = "a microburst now and then", .regions = 1, .ns = 50000000,
	  .reports = "congestion swp1 prio 3 seconds 300 regions 20 root_seconds 1 identified 60; " },
	{ .name = "one that goes on", .ns4 = 1000000000,
	  .reports = "congestion swp1 prio 4 seconds 300 regions 0 root_seconds 20 identified 0; " },
	{ .name = "both", .regions = 1, .ns = 50000000, .ns4 = 1000000000,
	  .reports = "congestion swp1 prio 3 seconds 300 regions 20 root_seconds 1 identified 60; congestion swp1 prio 4 seconds 300 regions 0 root_seconds 20 identified 0; " },
	{ .name = "made anew", .regions = 1, .ns = 50000000, .anew = 20, .reports = "" },
	{ .name = "switched off", .regions = 1, .ns = 50000000, .off = 20, .reports = "" },
};

static const char *run(const struct vector *v)
{
	struct lle_nl_congestion c[] = {
		/* another port */
		{ .who = { .ifindex = 8 }, .prio = 3,
		  .info = { .regions = 1, .root_ns = 1 } },
		{ .who = { .ifindex = 9 }, .prio = 3,
		  .info = { .regions = 7, .root_ns = 7 } },
		{ .who = { .ifindex = 9 }, .prio = 4,
		  .info = { .regions = 1 } },
	};
	struct lle_nl_port port = { .who = { .ifindex = 9, .ifname = "swp1" } };
	struct snapshot s = { .congestions = c, .num_congestions = 3 };
	struct regions regions = {};
	unsigned int i;

	*reports = '\0';
	for (i = 1; i <= LOOKS; i++) {
		if (i == v->anew)
			c[1].info = (struct lle_congestion) {};
		if (i == v->off)
			s.num_congestions = 1;
		c[0].info.root_ns++;
		c[1].info.regions += v->regions;
		c[1].info.root_ns += v->ns;
		c[1].info.identified += 3;
		c[2].info.root_ns += v->ns4;
		regions_check(&s, &port, &regions, (uint64_t)i * STEP_US);
	}
	return reports;
}

static void has(const char *text, const char *line, unsigned int times)
{
	unsigned int n = 0;
	const char *at;

	for (at = text; (at = strstr(at, line)); at++)
		n++;
	if (n != times)
		printf("%u times: %s", n, line);
}

static void devices_test(void)
{
	struct lle_nl_port port[] = {
		{ .who = { .ifindex = 8, .ifname = "swp1" } },
		{ .who = { .ifindex = 10, .ifname = "gone" } },
	};
	struct lle_nl_link link[] = {
		{ .ifindex = 7, .stats = { .rx_missed_errors = 1 } },
		{ .ifindex = 8, .stats = { .tx_dropped = 2, .rx_missed_errors = 3,
					   .rx_fifo_errors = 4, .rx_over_errors = 5 } },
	};
	struct snapshot s = {
		.ports = port, .num_ports = 2, .links = link, .num_links = 2,
	};
	size_t len;
	char *text = metrics_text(&s, &len);

#define LOST(device, counter) \
	"\nlossless_device_lost_packets_total{counter=\"" counter "\",device=\"" device "\"} "
	has(text, LOST("swp1", "tx_dropped") "2\n", 1);
	has(text, LOST("swp1", "rx_missed_errors") "3\n", 1);
	has(text, LOST("swp1", "rx_fifo_errors") "4\n", 1);
	has(text, LOST("swp1", "rx_over_errors") "5\n", 1);
	has(text, LOST("gone", "rx_missed_errors") "0\n", 1);
	free(text);
}

static void metrics_test(void)
{
	struct lle_nl_congestion c[] = {
		{ .who = { .ifindex = 8, .ifname = "swp1" }, .prio = 3,
		  .info = { .role = LOSSLESS_CRD_ROLE_ROOT, .ids = 2, .isolated_bytes = 3000,
			    .identified = 17, .regions = 5,
			    .root_ns = 1500000000, .cn_sent = 6, .cn_received = 7,
			    .cn_ignored = 8 } },
		{ .who = { .ifindex = 8, .ifname = "swp1" }, .prio = 4,
		  .info = { .role = LOSSLESS_CRD_ROLE_EDGE, .cn_sent = 6, .cn_received = 7,
			    .cn_ignored = 8 } },
		{ .who = { .ifindex = 9, .ifname = "swp2" }, .prio = 3,
		  .info = { .role = LOSSLESS_CRD_ROLE_INNER } },
	};
	struct snapshot s = { .congestions = c, .num_congestions = 3 };
	size_t len;
	char *text = metrics_text(&s, &len);

#define SWP1P3 "{device=\"swp1\",priority=\"3\"}"
	has(text, "\nlossless_rcm_root" SWP1P3 " 1\n", 1);
	has(text, "\nlossless_rcm_root{device=\"swp1\",priority=\"4\"} 0\n", 1);
	has(text, "\nlossless_rcm_root{device=\"swp2\",priority=\"3\"} 1\n", 1);
	has(text, "\nlossless_rcm_regions_total" SWP1P3 " 5\n", 1);
	has(text, "\nlossless_rcm_root_seconds_total" SWP1P3 " 1.5\n", 1);
	has(text, "\nlossless_rcm_identified_total" SWP1P3 " 17\n", 1);
	has(text, "\nlossless_rcm_ids" SWP1P3 " 2\n", 1);
	has(text, "\nlossless_rcm_isolated_bytes" SWP1P3 " 3000\n", 1);
	has(text, "\nlossless_rcm_cn_sent_total{device=\"swp1\"} 6\n", 1);
	has(text, "\nlossless_rcm_cn_received_total{device=\"swp1\"} 7\n", 1);
	has(text, "\nlossless_rcm_cn_ignored_total{device=\"swp1\"} 8\n", 1);
	has(text, "\nlossless_rcm_cn_sent_total{device=\"swp2\"} 0\n", 1);
	free(text);
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		if (strcmp(run(&vectors[i]), vectors[i].reports))
			printf("%s: reported '%s', should be '%s'\n", vectors[i].name,
			       reports, vectors[i].reports);
	metrics_test();
	devices_test();
	return 0;
}
