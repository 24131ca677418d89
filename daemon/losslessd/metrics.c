// SPDX-License-Identifier: GPL-2.0
/* Metrics in the text format of Prometheus */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "losses.h"
#include "metrics.h"
#include "counter_names_gen.h"
#include "../lib/deadlock.h"

#define US_PER_S	1000000

/* Bytes for labels; each character of a name may be escaped. */
#define LABELS	64

struct series {
	char labels[LABELS];
	const struct lle_prio_stats *stats;
};

/* Of a priority; *_seconds_total: us */
struct prio_metric {
	const char *name;
	const char *help;
	size_t offset;		/* of a u64 or u8 in struct lle_prio_stats */
	size_t size;
};

#define METRIC(name, member, help)					\
	{ #name, help, offsetof(struct lle_prio_stats, member),		\
	  sizeof(((struct lle_prio_stats *)0)->member) },

static const struct prio_metric prio_metrics[] = { LLE_PRIO_METRICS(METRIC) };

/* Of other objects, up to an empty one; their values are in the same order. */
struct metric {
	const char *name;
	const char *help;
};

#define VALUES	6

/* *_total: counter; others: gauge */
static void put_head(FILE *f, const char *name, const char *help)
{
	fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
		strstr(name, "_total") ? "counter" : "gauge");
}

/* @text: LABELS bytes; returns its end */
static char *device_labels(char *text, const char *name)
{
	text = stpcpy(text, "device=\"");
	for (; *name; name++) {
		if (*name == '\\' || *name == '"')
			*text++ = '\\';
		*text++ = *name;
	}
	return stpcpy(text, "\"");
}

static void prio_labels(char *text, const struct lle_nl_who *who, unsigned int prio)
{
	sprintf(device_labels(text, who->ifname), ",priority=\"%u\"", prio);
}

/* @read: labels and values of object @i of @num; false: it is left out */
static void put_objects(FILE *f, const struct snapshot *s, int num, const struct metric *metrics,
			bool (*read)(const struct snapshot *s, int i, char *labels,
				     double *values))
{
	double values[VALUES];
	char labels[LABELS];

	for (int m = 0; metrics[m].name; m++) {
		put_head(f, metrics[m].name, metrics[m].help);
		for (int i = 0; i < num; i++)
			if (read(s, i, labels, values))
				fprintf(f, "%s{%s} %.15g\n", metrics[m].name, labels, values[m]);
	}
}

/* Priorities with PFC, or with a pause or a drop at any time */
static bool matters(const struct lle_nl_port *port, unsigned int prio)
{
	const struct lle_prio_stats *s = &port->stats[prio];

	if (!(port->stats_prios >> prio & 1))
		return false;
	return port->pfc_en >> prio & 1 || s->rx_pause || s->tx_pause ||
	       s->drop_bytes;
}

/* @result is to be freed; returns its length. */
static size_t all_series(const struct snapshot *s, struct series **result)
{
	const struct lle_nl_port *port;
	size_t n = 0;
	uint8_t p;

	*result = calloc(s->num_ports + 1, LLE_NUM_PRIO * sizeof(**result));
	if (!*result)
		return 0;
	for (port = s->ports; port < s->ports + s->num_ports; port++)
		for (p = 0; p < LLE_NUM_PRIO; p++) {
			if (!matters(port, p))
				continue;
			prio_labels((*result)[n].labels, &port->who, p);
			(*result)[n++].stats = &port->stats[p];
		}
	return n;
}

static void put_metric(FILE *f, const struct prio_metric *metric,
		       const struct series *series)
{
	const char *at = (const char *)series->stats + metric->offset;
	unsigned long long value;

	if (metric->size == sizeof(uint8_t))
		value = *(const uint8_t *)at;
	else
		memcpy(&value, at, sizeof(value));
	if (strstr(metric->name, "_seconds"))
		fprintf(f, "%s{%s} %llu.%06llu\n", metric->name,
			series->labels, value / US_PER_S, value % US_PER_S);
	else
		fprintf(f, "%s{%s} %llu\n", metric->name, series->labels,
			value);
}

static void put_drops(FILE *f, const struct series *series)
{
	unsigned int r;

	for (r = 0; r < LLE_NUM_DROP; r++)
		fprintf(f, "lossless_dropped_packets_total{%s,reason=\"%s\"} %llu\n",
			series->labels, lle_nl_drop_name(r),
			(unsigned long long)lle_nl_drop(series->stats, r));
}

static void put_prios(FILE *f, const struct snapshot *s)
{
	struct series *series;
	size_t n = all_series(s, &series), i;
	unsigned int m;

	for (m = 0; m < sizeof(prio_metrics) / sizeof(prio_metrics[0]); m++) {
		put_head(f, prio_metrics[m].name, prio_metrics[m].help);
		for (i = 0; i < n; i++)
			put_metric(f, &prio_metrics[m], &series[i]);
	}
	put_head(f, "lossless_dropped_packets_total", "Packets dropped, by reason.");
	for (i = 0; i < n; i++)
		put_drops(f, &series[i]);
	free(series);
}

static const struct metric port_metrics[] = {
	{ "lossless_headroom_bytes", "Headroom of each lossless priority." },
	{ "lossless_headroom_need_bytes", "Headroom that the link requires." },
	{ "lossless_alpha_ratio", "Dynamic threshold over the free shared buffer." },
	{ "lossless_unaccounted_packets_total",
	  "Packets of lossless priorities to the port that arrived at a device which is no port." },
	{}
};

static bool read_port(const struct snapshot *s, int i, char *labels, double *values)
{
	const struct lle_nl_port *port = &s->ports[i];

	sprintf(device_labels(labels, port->who.ifname), ",switch=\"%u\"", port->who.sw);
	values[0] = port->headroom_bytes;
	values[1] = port->headroom_need_bytes;
	values[2] = (double)(1 << port->to_alpha) / (1 << LLE_TO_ALPHA_ONE);
	values[3] = port->unaccounted;
	return true;
}

static void put_devices(FILE *f, const struct snapshot *s)
{
	char labels[LABELS];
	unsigned int r;
	int i;

	put_head(f, "lossless_device_lost_packets_total",
		 "Packets that the device of a port has lost, by its counter.");
	for (i = 0; i < s->num_ports; i++) {
		const struct lle_nl_port *port = &s->ports[i];
		const struct lle_nl_link *link =
			lle_nl_find_link(s->links, s->num_links, port->who.ifindex);

		device_labels(labels, port->who.ifname);
		for (r = 0; r < NUM_DEVICE_LOSSES; r++)
			fprintf(f, "lossless_device_lost_packets_total{counter=\"%s\",%s} %llu\n",
				device_losses[r].counter, labels,
				(unsigned long long)losses_of_device(link, r));
	}
}

static const struct metric switch_metrics[] = {
	{ "lossless_buffer_bytes", "Packet memory of the switch." },
	{ "lossless_buffer_shared_bytes",
	  "Part of the packet memory that is neither reserved nor headroom." },
	{ "lossless_buffer_used_bytes", "Bytes in use of the shared part." },
	{}
};

static bool read_switch(const struct snapshot *s, int i, char *labels, double *values)
{
	const struct lle_nl_switch *sw = &s->switches[i];

	sprintf(labels, "switch=\"%u\"", sw->id);
	values[0] = sw->buffer_bytes;
	values[1] = sw->shared_bytes;
	values[2] = sw->used_bytes;
	return true;
}

static const struct metric watchdog_metrics[] = {
	{ "lossless_watchdog_stormed", "1 while there is a storm." },
	{ "lossless_watchdog_storm_detected_total", "Storms detected." },
	{ "lossless_watchdog_storm_restored_total", "Storms that have ended." },
	{ "lossless_watchdog_detection_seconds", "Detection time; 0: off." },
	{}
};

static bool read_watchdog(const struct snapshot *s, int i, char *labels, double *values)
{
	const struct lle_nl_watchdog *w = &s->watchdogs[i];

	prio_labels(labels, &w->who, w->prio);
	values[0] = w->stormed;
	values[1] = w->stats.detected;
	values[2] = w->stats.restored;
	values[3] = w->detection_ms / 1000.0;
	return true;
}

static bool holds(const struct snapshot *s, int i)
{
	const struct lle_nl_ports ports = { s->ports, s->num_ports };

	return lle_nl_deadlock_is_last(s->deadlocks, i) &&
	       lle_nl_deadlock_holds(&s->deadlocks[i], &ports) == LLE_NL_HOLDS;
}

static bool is_deadlocked(const struct snapshot *s, uint32_t sw)
{
	int i;

	for (i = 0; i < s->num_deadlocks; i++)
		if (s->deadlocks[i].sw == sw && holds(s, i))
			return true;
	return false;
}

static const struct metric deadlock_metrics[] = {
	{ "lossless_deadlock_detected_total", "Deadlocks of pauses that the switch has found." },
	{ "lossless_deadlock_broken_total", "Deadlocks of pauses that the switch has broken." },
	{ "lossless_deadlocked", "1 while a deadlock that the switch has found holds." },
	{}
};

static bool read_deadlocks(const struct snapshot *s, int i, char *labels, double *values)
{
	const struct lle_nl_switch *sw = &s->switches[i];

	sprintf(labels, "switch=\"%u\"", sw->id);
	values[0] = sw->deadlocks.declared;
	values[1] = sw->deadlocks.broken;
	values[2] = is_deadlocked(s, sw->id);
	return true;
}

static const struct metric rcm_metrics[] = {
	{ "lossless_rcm_root", "1 while the port is the root of a region of congestion." },
	{ "lossless_rcm_regions_total", "Times that it has become one." },
	{ "lossless_rcm_root_seconds_total", "Time that it was one." },
	{ "lossless_rcm_identified_total",
	  "Flows or destinations that were found to be congested." },
	{ "lossless_rcm_ids", "Flows or destinations that are isolated." },
	{ "lossless_rcm_isolated_bytes", "Bytes that wait and are isolated." },
	{}
};

static bool read_rcm(const struct snapshot *s, int i, char *labels, double *values)
{
	const struct lle_nl_congestion *n = &s->congestions[i];
	const struct lle_congestion *c = &n->info;

	prio_labels(labels, &n->who, n->prio);
	values[0] = c->role == LOSSLESS_CRD_ROLE_ROOT || c->role == LOSSLESS_CRD_ROLE_INNER;
	values[1] = c->regions;
	values[2] = c->root_ns / 1e9;
	values[3] = c->identified;
	values[4] = c->ids;
	values[5] = c->isolated_bytes;
	return true;
}

static const struct metric cn_metrics[] = {
	{ "lossless_rcm_cn_sent_total", "Congestion notifications sent." },
	{ "lossless_rcm_cn_received_total", "Congestion notifications received." },
	{ "lossless_rcm_cn_ignored_total", "Congestion notifications that were ignored." },
	{}
};

/* Of a port, once for all of its priorities */
static bool read_cns(const struct snapshot *s, int i, char *labels, double *values)
{
	const struct lle_nl_congestion *n = &s->congestions[i];

	device_labels(labels, n->who.ifname);
	values[0] = n->info.cn_sent;
	values[1] = n->info.cn_received;
	values[2] = n->info.cn_ignored;
	return !i || n->who.ifindex != n[-1].who.ifindex;
}

/* Counters of the module of LDCP, if it is loaded */
static void put_ldcp(FILE *f)
{
	static const struct metric metrics[] = {
		{ "flows", "Sockets that started with LDCP." },
		{ "restarts", "Restarts of sockets after an idle time." },
		{ "no_ecn", "Sockets without LDCP because their peer has no ECN." },
		{ "packets", "Acknowledged packets that were ECN capable." },
		{ "marked", "Packets of these that were marked." },
		{ "first_rtt_lost", "Packets of a first RTT that were sent again." },
		{ "losses", "Losses in the stable stage." },
		{ "timeouts", "Retransmission time-outs." },
	};
	FILE *stats = fopen("/proc/net/ldcp", "re");
	unsigned long long value;
	char name[32], full[64];
	unsigned int i;

	if (!stats)
		return;
	while (fscanf(stats, "%31s %llu", name, &value) == 2)
		for (i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
			if (strcmp(name, metrics[i].name))
				continue;
			snprintf(full, sizeof(full), "lossless_ldcp_%s_total", name);
			put_head(f, full, metrics[i].help);
			fprintf(f, "%s %llu\n", full, value);
		}
	fclose(stats);
}

/* Deadlocks that hold; one may be in the list of each of its switches. */
static unsigned int count_deadlocks(const struct snapshot *s)
{
	unsigned int num = 0;
	int i, j;

	for (i = 0; i < s->num_deadlocks; i++) {
		for (j = 0; j < i; j++)
			if (lle_nl_deadlock_same(&s->deadlocks[j], &s->deadlocks[i]))
				break;
		num += j == i && holds(s, i);
	}
	return num;
}

void metrics_status(const struct snapshot *s, char *text)
{
	unsigned int watchdogs = 0, storms = 0, deadlocks = count_deadlocks(s);
	int i;

	for (i = 0; i < s->num_watchdogs; i++) {
		watchdogs += !!s->watchdogs[i].detection_ms;
		storms += s->watchdogs[i].stormed;
	}
	snprintf(text, METRICS_STATUS, "%d port%s, %u watchdog%s, %u storm%s, %u deadlock%s",
		 s->num_ports, s->num_ports == 1 ? "" : "s",
		 watchdogs, watchdogs == 1 ? "" : "s", storms, storms == 1 ? "" : "s",
		 deadlocks, deadlocks == 1 ? "" : "s");
}

/* Text of @len bytes, to be freed; NULL: no memory */
char *metrics_text(const struct snapshot *s, size_t *len)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, len);

	if (!f)
		return NULL;
	put_objects(f, s, s->num_switches, switch_metrics, read_switch);
	put_objects(f, s, s->num_ports, port_metrics, read_port);
	put_devices(f, s);
	put_prios(f, s);
	put_objects(f, s, s->num_watchdogs, watchdog_metrics, read_watchdog);
	put_objects(f, s, s->num_switches, deadlock_metrics, read_deadlocks);
	put_objects(f, s, s->num_congestions, rcm_metrics, read_rcm);
	put_objects(f, s, s->num_congestions, cn_metrics, read_cns);
	put_ldcp(f);
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/* After a failure the file is unchanged. */
int metrics_write(const struct snapshot *s, const char *path)
{
	size_t len, written = 0;
	char *text, *tmp;
	int err = 0;
	FILE *f;

	text = metrics_text(s, &len);
	if (!text)
		return -ENOMEM;
	if (asprintf(&tmp, "%s.new", path) < 0) {
		free(text);
		return -ENOMEM;
	}
	f = fopen(tmp, "we");
	if (f)
		written = fwrite(text, 1, len, f);
	if (!f || fclose(f) || written != len || rename(tmp, path)) {
		err = -errno;
		unlink(tmp);
	}
	free(tmp);
	free(text);
	return err;
}
