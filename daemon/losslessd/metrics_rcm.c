// SPDX-License-Identifier: GPL-2.0
/* Metrics of RCM, of priorities that have it */
#include "metrics.h"

static double as_root(const struct lle_congestion *c)
{
	return c->role == LOSSLESS_CRD_ROLE_ROOT || c->role == LOSSLESS_CRD_ROLE_INNER;
}

static void put_congestions(FILE *f, const struct snapshot *s)
{
	static const struct {
		const char *name;
		const char *type;
		const char *help;
	} metrics[] = {
		{ "lossless_rcm_root", "gauge",
		  "1 while the port is the root of a region of congestion." },
		{ "lossless_rcm_regions_total", "counter",
		  "Times that it has become one." },
		{ "lossless_rcm_root_seconds_total", "counter",
		  "Time that it was one." },
		{ "lossless_rcm_identified_total", "counter",
		  "Flows or destinations that were found to be congested." },
		{ "lossless_rcm_ids", "gauge",
		  "Flows or destinations that are isolated." },
		{ "lossless_rcm_isolated_bytes", "gauge",
		  "Bytes that wait and are isolated." },
	};
	char labels[METRICS_LABELS];
	unsigned int m;
	int i;

	for (m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++) {
		metrics_head(f, metrics[m].name, metrics[m].type, metrics[m].help);
		for (i = 0; i < s->num_congestions; i++) {
			const struct lle_nl_congestion *n = &s->congestions[i];
			const double values[] = {
				as_root(&n->info), n->info.regions,
				n->info.root_ns / 1e9, n->info.identified,
				n->info.ids, n->info.isolated_bytes,
			};

			metrics_prio(labels, &n->who, n->prio);
			fprintf(f, "%s{%s} %.15g\n", metrics[m].name, labels,
				values[m]);
		}
	}
}

/* Counters of a port, once for all of its priorities */
static void put_notifications(FILE *f, const struct snapshot *s)
{
	static const struct {
		const char *name;
		const char *help;
	} metrics[] = {
		{ "lossless_rcm_cn_sent_total", "Congestion notifications sent." },
		{ "lossless_rcm_cn_received_total", "Congestion notifications received." },
		{ "lossless_rcm_cn_ignored_total",
		  "Congestion notifications that were ignored." },
	};
	char labels[METRICS_LABELS];
	unsigned int m;
	int i;

	for (m = 0; m < 3; m++) {
		metrics_head(f, metrics[m].name, "counter", metrics[m].help);
		for (i = 0; i < s->num_congestions; i++) {
			const struct lle_nl_congestion *n = &s->congestions[i];
			const unsigned long long values[] = {
				n->info.cn_sent, n->info.cn_received,
				n->info.cn_ignored,
			};

			if (i && n->who.ifindex == n[-1].who.ifindex)
				continue;
			metrics_device(labels, n->who.ifname);
			fprintf(f, "%s{%s} %llu\n", metrics[m].name, labels,
				values[m]);
		}
	}
}

void metrics_rcm(FILE *f, const struct snapshot *s)
{
	put_congestions(f, s);
	put_notifications(f, s);
}
