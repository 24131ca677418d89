// SPDX-License-Identifier: GPL-2.0
/* losslessctl monitor */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

static const struct {
	const char *word;
	unsigned int group;
} ctl_groups[] = {
	{ "pause", LLE_NL_PAUSE },
	{ "storm", LLE_NL_STORM },
	{ "deadlock", LLE_NL_DEADLOCK },
	{ "congestion", LLE_NL_CONGESTION },
	{ "config", LLE_NL_CONFIG },
};

static void ctl_stamp(uint64_t ns)
{
	printf("[%" PRIu64 ".%09" PRIu64 "] ", ns / 1000000000,
	       ns % 1000000000);
}

static void ctl_pause_text(const struct lle_nl_event *event)
{
	const struct lle_nl_pause *e = &event->pause;
	uint8_t on = e->prios & e->paused, off = e->prios & ~e->paused;
	char text[CTL_TEXT];

	printf("%s %s", lle_nl_dev_text(text, e->who.ifname),
	       ctl_direction_name(e->direction));
	if (on)
		printf(" paused %s", lle_nl_prios_text(text, on));
	if (off)
		printf(" resumed %s", lle_nl_prios_text(text, off));
}

static void ctl_pause_json(struct json_object *o, const struct lle_nl_event *e)
{
	ctl_put_text(o, "direction", ctl_direction_name(e->pause.direction));
	ctl_put_prios(o, "changed", e->pause.prios);
	ctl_put_prios(o, "paused", e->pause.paused);
}

/* In the words that tools for the log of SONiC expect */
static void ctl_storm_text(const struct lle_nl_event *event)
{
	const struct lle_nl_storm *e = &event->storm;
	char mac[CTL_TEXT], name[CTL_TEXT];

	lle_nl_dev_text(name, e->who.ifname);
	if (e->stormed)
		printf("PFC watchdog detected PFC storm on port %s, prio %u, from %s",
		       name, e->prio, lle_nl_mac_text(mac, e->peer_mac));
	else
		printf("PFC watchdog storm restored on port %s, prio %u", name, e->prio);
}

static void ctl_storm_json(struct json_object *o, const struct lle_nl_event *event)
{
	const struct lle_nl_storm *e = &event->storm;

	ctl_put_u64(o, "prio", e->prio);
	ctl_put_text(o, "status", e->stormed ? "stormed" : "operational");
	ctl_put_u64(o, "since_ns", e->since_ns);
	ctl_put_mac(o, "peer_mac", e->peer_mac);
	ctl_put_watchdog_stats(o, &e->stats);
}

static void ctl_root_text(const struct lle_nl_event *event)
{
	const struct lle_nl_root *e = &event->root;
	char name[CTL_TEXT], time[CTL_TEXT];

	printf("port %s, prio %u ", lle_nl_dev_text(name, e->who.ifname), e->prio);
	if (e->root)
		printf("is congested");
	else
		printf("was congested for %s, by %" PRIu64,
		       lle_nl_time_text(time, e->time_ns - e->since_ns), e->identified);
}

static void ctl_root_json(struct json_object *o, const struct lle_nl_event *e)
{
	ctl_put_u64(o, "prio", e->root.prio);
	ctl_put_bool(o, "root", e->root.root);
	ctl_put_u64(o, "since_ns", e->root.since_ns);
	ctl_put_u64(o, "identified", e->root.identified);
}

static void ctl_headroom_text(const struct lle_nl_event *event)
{
	const struct lle_nl_headroom *e = &event->headroom;
	char name[CTL_TEXT];

	printf("%s headroom %" PRIu32 " of %" PRIu32 " bytes: %s",
	       lle_nl_dev_text(name, e->who.ifname), e->headroom_bytes, e->need_bytes,
	       e->headroom_bytes < e->need_bytes ?
		       "packets may be lost, raise buffer or headroom" : "enough");
}

static void ctl_headroom_json(struct json_object *o, const struct lle_nl_event *event)
{
	const struct lle_nl_headroom *e = &event->headroom;

	ctl_put_u64(o, "headroom_bytes", e->headroom_bytes);
	ctl_put_u64(o, "headroom_need_bytes", e->need_bytes);
	ctl_put_bool(o, "headroom_low", e->headroom_bytes < e->need_bytes);
}

static void ctl_unaccounted_text(const struct lle_nl_event *event)
{
	const struct lle_nl_unaccounted *e = &event->unaccounted;
	char name[CTL_TEXT], from[CTL_TEXT];

	printf("%s %" PRIu64 " packets unaccounted: they arrived at %s, which is no port",
	       lle_nl_dev_text(name, e->who.ifname), e->packets,
	       lle_nl_ifindex_text(from, e->ifindex));
}

static void ctl_unaccounted_json(struct json_object *o, const struct lle_nl_event *e)
{
	ctl_put_unaccounted(o, e->unaccounted.packets, e->unaccounted.ifindex);
}

static void ctl_config_text(const struct lle_nl_event *e)
{
	char name[CTL_TEXT];

	printf("%s %s", lle_nl_dev_text(name, e->who.ifname),
	       e->cmd == LOSSLESS_CMD_PORT_NTF ? "is new or has changed" : "is gone");
	if (*e->port.author)
		printf(", by %s (%u)", lle_nl_dev_text(name, e->port.author),
		       e->port.author_pid);
}

static void ctl_config_json(struct json_object *o, const struct lle_nl_event *e)
{
	if (!*e->port.author)
		return;
	ctl_put_text(o, "author", e->port.author);
	ctl_put_u64(o, "author_pid", e->port.author_pid);
}

static const struct ctl_event {
	const char *name;
	size_t time;	/* place of the time in struct lle_nl_event; 0: it carries none */
	void (*text)(const struct lle_nl_event *e);
	void (*json)(struct json_object *o, const struct lle_nl_event *e);
} ctl_events[] = {
#define TIME(member)	offsetof(struct lle_nl_event, member)
	[LOSSLESS_CMD_PAUSE_NTF] = {
		"pause", TIME(pause.time_ns), ctl_pause_text, ctl_pause_json },
	[LOSSLESS_CMD_STORM_NTF] = {
		"storm", TIME(storm.time_ns), ctl_storm_text, ctl_storm_json },
	[LOSSLESS_CMD_CONGESTION_NTF] = {
		"congestion", TIME(root.time_ns), ctl_root_text, ctl_root_json },
	[LOSSLESS_CMD_HEADROOM_NTF] = {
		"headroom", TIME(headroom.time_ns), ctl_headroom_text, ctl_headroom_json },
	[LOSSLESS_CMD_UNACCOUNTED_NTF] = {
		"unaccounted", TIME(unaccounted.time_ns), ctl_unaccounted_text,
		ctl_unaccounted_json },
	[LOSSLESS_CMD_PORT_NTF] = { "port", 0, ctl_config_text, ctl_config_json },
	[LOSSLESS_CMD_PORT_DEL_NTF] = { "port_gone", 0, ctl_config_text, ctl_config_json },
};

static struct json_object *ctl_event_object(const char *event, uint64_t ns)
{
	struct json_object *o = ctl_object();

	ctl_put_text(o, "event", event);
	ctl_put_u64(o, "time_ns", ns);
	return o;
}

/* The event has only numbers of ports. */
static void ctl_deadlock(struct ctl *c, const struct lle_nl_deadlock *d)
{
	struct lle_nl_ports ports = {};
	struct json_object *o;

	ports.num = lle_nl_get_ports(c->nl, &ports.all);
	if (c->json) {
		o = ctl_event_object("deadlock", d->info.declared_ns);
		ctl_put_deadlock(o, d, &ports);
		ctl_print_json(c, o);
	} else {
		ctl_stamp(d->info.declared_ns);
		lle_nl_deadlock_print(stdout, d, &ports);
		printf("\n");
	}
	free(ports.all);
}

static void ctl_event(const struct lle_nl_event *e, void *arg)
{
	const struct ctl_event *event = &ctl_events[e->cmd];
	uint64_t ns = ctl_now_ns();
	struct json_object *o;
	struct ctl *c = arg;

	if (e->cmd == LOSSLESS_CMD_DEADLOCK_NTF)
		return ctl_deadlock(c, &e->deadlock);
	if (event->time)
		memcpy(&ns, (const char *)e + event->time, sizeof(ns));
	if (c->json) {
		o = ctl_event_object(event->name, ns);
		ctl_put_who(o, &e->who);
		event->json(o, e);
		ctl_print_json(c, o);
	} else {
		ctl_stamp(ns);
		event->text(e);
		printf("\n");
	}
}

static void ctl_lost(const struct ctl *c)
{
	uint64_t now_ns = ctl_now_ns();

	if (c->json) {
		ctl_print_json(c, ctl_event_object("lost", now_ns));
		return;
	}
	ctl_stamp(now_ns);
	printf("events were lost\n");
}

static enum ctl_exit ctl_monitor_run(struct ctl *c)
{
	int err;

	for (;;) {
		err = lle_nl_read_events(c->nl, ctl_event, c);
		if (err == -ENOBUFS)
			ctl_lost(c);
		else if (err)
			return ctl_refused(c);
		/* main() prints the reason */
		if (fflush(stdout))
			return CTL_FAIL;
	}
}

/* Returns only after an error. */
enum ctl_exit ctl_monitor(struct ctl *c, int argc, char **argv)
{
	unsigned int groups = 0, all = 0, i;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	for (; optind < argc; optind++) {
		for (i = 0; i < ARRAY_SIZE(ctl_groups); i++)
			if (!strcmp(argv[optind], ctl_groups[i].word))
				break;
		if (i == ARRAY_SIZE(ctl_groups))
			return ctl_wrong(c, "monitor: \"%s\" is not pause, storm, deadlock, congestion or config",
					 argv[optind]);
		groups |= ctl_groups[i].group;
	}
	if (!ctl_open(c))
		return CTL_FAIL;
	for (i = 0; !groups && i < ARRAY_SIZE(ctl_groups); i++)
		all |= ctl_groups[i].group;
	if (lle_nl_listen(c->nl, groups | all))
		return ctl_refused(c);
	return ctl_monitor_run(c);
}
