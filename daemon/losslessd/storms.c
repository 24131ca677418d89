// SPDX-License-Identifier: GPL-2.0
/*
 * Pause storms in the log. Counters of the kernel are compared with those
 * reported: so each storm is reported once, and later if its event was lost.
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>

#include "log.h"
#include "storms.h"

#define NS_PER_S	1000000000ULL
#define US_PER_S	1000000
#define US_PER_MS	1000ULL
#define WATCH_US	1000000ULL	/* time the origin is watched */

struct reported {
	struct lle_nl_who who;
	uint8_t prio;
	uint64_t detected;	/* storms, as the kernel counts them */
	uint64_t restored;	/* ends of storms */
	sd_event_source *watch;	/* timer; NULL: the origin is not watched */
	struct lle_prio_stats start;	/* counters when the watch began */
	uint64_t start_ns;	/* that time, by the kernel */
};

/* struct reported, by port and priority: thousands of ports may have storms. */
static void *tree;
static sd_event *loop;
static struct lle_nl *nl;
static uint64_t synced_ns;	/* time of the last resync */

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const struct reported *x = a, *y = b;

	if (x->who.ifindex != y->who.ifindex)
		return x->who.ifindex < y->who.ifindex ? -1 : 1;
	return x->prio - y->prio;
}

static struct reported *find(const struct lle_nl_who *who, uint8_t prio)
{
	const struct reported key = { .who = *who, .prio = prio };
	struct reported **at = tfind(&key, &tree, compare), *t;

	if (at)
		return *at;
	t = malloc(sizeof(*t));
	if (!t)
		return NULL;
	*t = key;
	if (tsearch(t, &tree, compare))
		return t;
	free(t);
	return NULL;
}

static struct json_object *fields(const char *event,
				  const struct lle_nl_who *who, uint8_t prio)
{
	struct json_object *f = log_fields(event, who);

	log_add(f, "prio", prio);
	return f;
}

/* The time is the kernel's, as the daemon may get the answers late. */
static void tell_origin(const struct reported *t,
			const struct lle_nl_port *port)
{
	const struct lle_prio_stats *start = &t->start;
	const struct lle_prio_stats *end = &port->stats[t->prio];
	double seconds = (port->time_ns - t->start_ns) / (double)NS_PER_S;
	double rate, share;
	struct json_object *f;
	uint64_t packets;
	char mac[LLE_NL_WORD];

	rate = (end->rx_pause - start->rx_pause) / seconds;
	share = (end->rx_pause_duration - start->rx_pause_duration) / seconds /
		US_PER_S;
	/* the duration is in whole microseconds */
	if (share > 1)
		share = 1;
	packets = end->rx_packets - start->rx_packets;
	lle_nl_mac_text(mac, port->peer_mac);
	f = fields("storm_origin", &t->who, t->prio);
	log_add_text(f, "peer", mac);
	log_add_double(f, "pause_frames_per_s", rate);
	log_add_double(f, "paused_share", share);
	log_add(f, "rx_packets", packets);
	log_event(LOG_WARNING, f,
		  "the storm on port %s, priority %u comes from %s: %.0f pause frames/s, paused %.0f %% of the time, %llu data packets",
		  t->who.ifname, t->prio, mac, rate, share * 100,
		  (unsigned long long)packets);
}

static int on_watched(sd_event_source *source, uint64_t at_us, void *arg)
{
	struct reported *t = arg;
	struct lle_nl_port port;

	(void)source, (void)at_us;
	t->watch = sd_event_source_unref(t->watch);
	if (lle_nl_get_port(nl, t->who.ifindex, &port) >= 0)
		tell_origin(t, &port);
	return 0;
}

static void watch_origin(struct reported *t)
{
	struct lle_nl_port port;

	if (t->watch || lle_nl_get_port(nl, t->who.ifindex, &port) < 0)
		return;
	t->start = port.stats[t->prio];
	t->start_ns = port.time_ns;
	sd_event_add_time_relative(loop, &t->watch, CLOCK_MONOTONIC, WATCH_US,
				   US_PER_MS, on_watched, t);
}

static void tell_detected(const struct lle_nl_storm *storm)
{
	struct json_object *f;
	char mac[LLE_NL_WORD];

	lle_nl_mac_text(mac, storm->peer_mac);
	f = fields("storm_detected", &storm->who, storm->prio);
	log_add_text(f, "peer", mac);
	log_add(f, "time_ns", storm->stats.since_ns);
	log_add(f, "detected", storm->stats.detected);
	log_event(LOG_WARNING, f,
		  "PFC Watchdog detected PFC storm on port %s, queue index %u, peer %s",
		  storm->who.ifname, storm->prio, mac);
}

static void tell_restored(const struct lle_nl_storm *storm)
{
	const struct lle_watchdog_stats *s = &storm->stats;
	struct json_object *f;

	f = fields("storm_restored", &storm->who, storm->prio);
	log_add(f, "time_ns", s->until_ns);
	log_add(f, "duration_ns", s->until_ns - s->since_ns);
	log_add(f, "tx_packets", s->last_tx_packets);
	log_add(f, "tx_dropped", s->last_tx_dropped);
	log_add(f, "rx_packets", s->last_rx_packets);
	log_add(f, "rx_dropped", s->last_rx_dropped);
	log_event(LOG_NOTICE, f,
		  "PFC Watchdog storm restored on port %s, queue index %u: %llu packets to it and %llu from it dropped in %llu ms",
		  storm->who.ifname, storm->prio,
		  (unsigned long long)s->last_tx_dropped,
		  (unsigned long long)s->last_rx_dropped,
		  (unsigned long long)(s->until_ns - s->since_ns) / 1000000);
}

void storms_event(const struct lle_nl_storm *storm)
{
	struct reported *t = find(&storm->who, storm->prio);

	if (!t)
		return;
	if (storm->stats.detected < t->detected) {
		/* the event is older than the last resync */
		if (storm->time_ns < synced_ns)
			return;
		/* the counters were cleared */
		t->detected = t->restored = 0;
	}
	if (storm->stats.detected > t->detected) {
		t->detected = storm->stats.detected;
		tell_detected(storm);
		watch_origin(t);
	}
	if (storm->stats.restored > t->restored) {
		t->restored = storm->stats.restored;
		/* the next storm has overwritten the numbers of this one */
		if (!storm->stormed)
			tell_restored(storm);
	}
}

/* After a time without events */
void storms_resync(void)
{
	struct lle_nl_watchdog *watchdogs;
	int i, n;

	synced_ns = now_ns();
	n = lle_nl_get_watchdogs(nl, &watchdogs);
	if (n < 0) {
		log_say(LOG_ERR, "the watchdogs cannot be read: %s",
			lle_nl_text(nl));
		return;
	}
	for (i = 0; i < n; i++) {
		struct lle_nl_storm storm = {
			.who = watchdogs[i].who,
			.prio = watchdogs[i].prio,
			.stormed = watchdogs[i].stormed,
			.time_ns = synced_ns,
			.stats = watchdogs[i].stats,
		};
		struct lle_nl_port port;

		if (!storm.stats.detected)
			continue;
		if (lle_nl_get_port(nl, storm.who.ifindex, &port) >= 0)
			memcpy(storm.peer_mac, port.peer_mac,
			       sizeof(storm.peer_mac));
		storms_event(&storm);
	}
	free(watchdogs);
}

static void drop(void *arg)
{
	struct reported *t = arg;

	sd_event_source_unref(t->watch);
	free(t);
}

/* The ifindex may be used again. */
void storms_forget(unsigned int ifindex)
{
	struct reported key = { .who.ifindex = ifindex };
	struct reported **at, *t;

	for (key.prio = 0; key.prio < LLE_NUM_PRIO; key.prio++) {
		at = tfind(&key, &tree, compare);
		if (!at)
			continue;
		t = *at;
		tdelete(t, &tree, compare);
		drop(t);
	}
}

void storms_open(sd_event *event_loop, struct lle_nl *kernel)
{
	loop = event_loop;
	nl = kernel;
}

void storms_close(void)
{
	tdestroy(tree, drop);
	tree = NULL;
}
