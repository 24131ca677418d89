// SPDX-License-Identifier: GPL-2.0
/* Metrics in the text format of Prometheus */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices.h"
#include "metrics.h"
#include "counter_names_gen.h"
#include "../lib/deadlock.h"

#define US_PER_S	1000000

struct series {
	char labels[METRICS_LABELS];
	const struct lle_prio_stats *stats;
};

/* *_total: counter; *_seconds_total: counter, us; others: gauges */
struct metric {
	const char *name;
	const char *help;
	size_t offset;		/* of a u64 or u8 in struct lle_prio_stats */
	size_t size;
};

#define METRIC(name, member, help)					\
	{ #name, help, offsetof(struct lle_prio_stats, member),		\
	  sizeof(((struct lle_prio_stats *)0)->member) },

static const struct metric prio_metrics[] = { LLE_PRIO_METRICS(METRIC) };

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
			metrics_prio((*result)[n].labels, &port->who, p);
			(*result)[n++].stats = &port->stats[p];
		}
	return n;
}

static void put_metric(FILE *f, const struct metric *metric,
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
		metrics_head(f, prio_metrics[m].name,
			     strstr(prio_metrics[m].name, "_total") ? "counter" : "gauge",
			     prio_metrics[m].help);
		for (i = 0; i < n; i++)
			put_metric(f, &prio_metrics[m], &series[i]);
	}
	metrics_head(f, "lossless_dropped_packets_total", "counter",
	     "Packets dropped, by reason.");
	for (i = 0; i < n; i++)
		put_drops(f, &series[i]);
	free(series);
}

static void put_ports(FILE *f, const struct snapshot *s)
{
	static const struct {
		const char *name;
		const char *type;
		const char *help;
	} metrics[] = {
		{ "lossless_headroom_bytes", "gauge", "Headroom of each lossless priority." },
		{ "lossless_headroom_need_bytes", "gauge", "Headroom that the link requires." },
		{ "lossless_alpha_ratio", "gauge", "Dynamic threshold over the free shared buffer." },
		{ "lossless_unaccounted_packets_total", "counter",
		  "Packets of lossless priorities to the port that arrived at a device which is no port." },
	};
	char labels[METRICS_LABELS];
	unsigned int m;
	int i;

	for (m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++) {
		metrics_head(f, metrics[m].name, metrics[m].type, metrics[m].help);
		for (i = 0; i < s->num_ports; i++) {
			const struct lle_nl_port *port = &s->ports[i];
			const double values[] = {
				port->headroom_bytes,
				port->headroom_need_bytes,
				(double)(1 << port->to_alpha) /
					(1 << LLE_TO_ALPHA_ONE),
				port->unaccounted,
			};

			metrics_device(labels, port->who.ifname);
			fprintf(f, "%s{%s,switch=\"%u\"} %.15g\n",
				metrics[m].name, labels, port->who.sw,
				values[m]);
		}
	}
}

static void put_devices(FILE *f, const struct snapshot *s)
{
	char labels[METRICS_LABELS];
	unsigned int r;
	int i;

	metrics_head(f, "lossless_device_lost_packets_total", "counter",
		     "Packets that the device of a port has lost, by its counter.");
	for (i = 0; i < s->num_ports; i++) {
		const struct lle_nl_port *port = &s->ports[i];
		const struct lle_nl_link *link =
			lle_nl_find_link(s->links, s->num_links, port->who.ifindex);

		metrics_device(labels, port->who.ifname);
		for (r = 0; r < NUM_DEVICE_LOSSES; r++)
			fprintf(f, "lossless_device_lost_packets_total{counter=\"%s\",%s} %llu\n",
				device_losses[r].counter, labels,
				(unsigned long long)device_lost(link, r));
	}
}

static void put_switches(FILE *f, const struct snapshot *s)
{
	static const struct {
		const char *name;
		const char *help;
	} metrics[] = {
		{ "lossless_buffer_bytes", "Packet memory of the switch." },
		{ "lossless_buffer_shared_bytes",
		  "Part of the packet memory that is neither reserved nor headroom." },
		{ "lossless_buffer_used_bytes", "Bytes in use of the shared part." },
	};
	unsigned int m;
	int i;

	for (m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++) {
		metrics_head(f, metrics[m].name, "gauge", metrics[m].help);
		for (i = 0; i < s->num_switches; i++) {
			const struct lle_nl_switch *sw = &s->switches[i];
			const unsigned long long values[] = {
				sw->buffer_bytes, sw->shared_bytes, sw->used_bytes,
			};

			fprintf(f, "%s{switch=\"%u\"} %llu\n", metrics[m].name, sw->id,
				values[m]);
		}
	}
}

static void put_watchdogs(FILE *f, const struct snapshot *s)
{
	static const struct {
		const char *name;
		const char *type;
		const char *help;
	} metrics[] = {
		{ "lossless_watchdog_stormed", "gauge", "1 while there is a storm." },
		{ "lossless_watchdog_storm_detected_total", "counter", "Storms detected." },
		{ "lossless_watchdog_storm_restored_total", "counter", "Storms that have ended." },
		{ "lossless_watchdog_detection_seconds", "gauge", "Detection time; 0: off." },
	};
	char labels[METRICS_LABELS];
	unsigned int m;
	int i;

	for (m = 0; m < 4; m++) {
		metrics_head(f, metrics[m].name, metrics[m].type, metrics[m].help);
		for (i = 0; i < s->num_watchdogs; i++) {
			const struct lle_nl_watchdog *w = &s->watchdogs[i];
			const double values[] = {
				w->stormed, w->stats.detected,
				w->stats.restored, w->detection_ms / 1000.0,
			};

			metrics_prio(labels, &w->who, w->prio);
			fprintf(f, "%s{%s} %.15g\n", metrics[m].name, labels,
				values[m]);
		}
	}
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

static void put_deadlocks(FILE *f, const struct snapshot *s)
{
	int i;

	metrics_head(f, "lossless_deadlock_detected_total", "counter",
	     "Deadlocks of pauses that the switch has found.");
	for (i = 0; i < s->num_switches; i++)
		fprintf(f,
			"lossless_deadlock_detected_total{switch=\"%u\"} %llu\n",
			s->switches[i].id, s->switches[i].deadlocks.declared);
	metrics_head(f, "lossless_deadlock_broken_total", "counter",
	     "Deadlocks of pauses that the switch has broken.");
	for (i = 0; i < s->num_switches; i++)
		fprintf(f,
			"lossless_deadlock_broken_total{switch=\"%u\"} %llu\n",
			s->switches[i].id, s->switches[i].deadlocks.broken);
	metrics_head(f, "lossless_deadlocked", "gauge",
	     "1 while a deadlock that the switch has found holds.");
	for (i = 0; i < s->num_switches; i++)
		fprintf(f, "lossless_deadlocked{switch=\"%u\"} %u\n",
			s->switches[i].id, is_deadlocked(s, s->switches[i].id));
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
	put_switches(f, s);
	put_ports(f, s);
	put_devices(f, s);
	put_prios(f, s);
	put_watchdogs(f, s);
	put_deadlocks(f, s);
	metrics_rcm(f, s);
	metrics_ldcp(f);
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
