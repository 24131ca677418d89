// SPDX-License-Identifier: GPL-2.0
/* losslessctl monitor */
#include <errno.h>
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

static struct json_object *ctl_event_object(const char *event, uint64_t ns)
{
	struct json_object *o = ctl_object();

	ctl_put_text(o, "event", event);
	ctl_put_u64(o, "time_ns", ns);
	return o;
}

static void ctl_pause_text(const struct lle_nl_pause *e)
{
	uint8_t on = e->prios & e->paused, off = e->prios & ~e->paused;
	char text[CTL_TEXT];

	ctl_stamp(e->time_ns);
	printf("%s %s", lle_nl_dev_text(text, e->who.ifname),
	       ctl_direction_name(e->direction));
	if (on)
		printf(" paused %s", ctl_prios_text(text, on));
	if (off)
		printf(" resumed %s", ctl_prios_text(text, off));
	printf("\n");
}

static struct json_object *ctl_pause_json(const struct lle_nl_pause *e)
{
	struct json_object *o = ctl_event_object("pause", e->time_ns);

	ctl_put_who(o, &e->who);
	ctl_put_text(o, "direction", ctl_direction_name(e->direction));
	ctl_put_prios(o, "changed", e->prios);
	ctl_put_prios(o, "paused", e->paused);
	return o;
}

/* In the words that tools for the log of SONiC expect */
static void ctl_storm_text(const struct lle_nl_storm *e)
{
	char mac[CTL_TEXT], name[CTL_TEXT];

	ctl_stamp(e->time_ns);
	lle_nl_dev_text(name, e->who.ifname);
	if (e->stormed)
		printf("PFC watchdog detected PFC storm on port %s, prio %u, from %s\n",
		       name, e->prio, lle_nl_mac_text(mac, e->peer_mac));
	else
		printf("PFC watchdog storm restored on port %s, prio %u\n",
		       name, e->prio);
}

static struct json_object *ctl_storm_json(const struct lle_nl_storm *e)
{
	struct json_object *o = ctl_event_object("storm", e->time_ns);

	ctl_put_who(o, &e->who);
	ctl_put_u64(o, "prio", e->prio);
	ctl_put_text(o, "status", e->stormed ? "stormed" : "operational");
	ctl_put_u64(o, "since_ns", e->since_ns);
	ctl_put_mac(o, "peer_mac", e->peer_mac);
	ctl_put_watchdog_stats(o, &e->stats);
	return o;
}

static void ctl_root_text(const struct lle_nl_root *e)
{
	char name[CTL_TEXT], time[CTL_TEXT];

	ctl_stamp(e->time_ns);
	printf("port %s, prio %u ", lle_nl_dev_text(name, e->who.ifname),
	       e->prio);
	if (e->root)
		printf("is congested\n");
	else
		printf("was congested for %s, by %" PRIu64 "\n",
		       lle_nl_time_text(time, e->time_ns - e->since_ns),
		       e->identified);
}

static struct json_object *ctl_root_json(const struct lle_nl_root *e)
{
	struct json_object *o = ctl_event_object("congestion", e->time_ns);

	ctl_put_who(o, &e->who);
	ctl_put_u64(o, "prio", e->prio);
	ctl_put_bool(o, "root", e->root);
	ctl_put_u64(o, "since_ns", e->since_ns);
	ctl_put_u64(o, "identified", e->identified);
	return o;
}

static void ctl_headroom_text(const struct lle_nl_headroom *e)
{
	char name[CTL_TEXT];

	ctl_stamp(e->time_ns);
	printf("%s headroom %" PRIu32 " of %" PRIu32 " bytes: %s\n",
	       lle_nl_dev_text(name, e->who.ifname), e->headroom_bytes,
	       e->need_bytes,
	       e->headroom_bytes < e->need_bytes ?
		       "packets may be lost, raise buffer or headroom" :
		       "enough");
}

static struct json_object *ctl_headroom_json(const struct lle_nl_headroom *e)
{
	struct json_object *o = ctl_event_object("headroom", e->time_ns);

	ctl_put_who(o, &e->who);
	ctl_put_u64(o, "headroom_bytes", e->headroom_bytes);
	ctl_put_u64(o, "headroom_need_bytes", e->need_bytes);
	ctl_put_bool(o, "headroom_low", e->headroom_bytes < e->need_bytes);
	return o;
}

static void ctl_unaccounted_text(const struct lle_nl_unaccounted *e)
{
	char name[CTL_TEXT], from[CTL_TEXT];

	ctl_stamp(e->time_ns);
	printf("%s %" PRIu64 " packets unaccounted: they arrived at %s, which is no port\n",
	       lle_nl_dev_text(name, e->who.ifname), e->packets,
	       lle_nl_ifindex_text(from, e->ifindex));
}

static struct json_object *
ctl_unaccounted_json(const struct lle_nl_unaccounted *e)
{
	struct json_object *o = ctl_event_object("unaccounted", e->time_ns);

	ctl_put_who(o, &e->who);
	ctl_put_unaccounted(o, e->packets, e->ifindex);
	return o;
}

/* These events carry no time. */
static void ctl_config_text(const struct lle_nl_port *port, const char *what)
{
	char name[CTL_TEXT];

	ctl_stamp(ctl_now_ns());
	printf("%s %s", lle_nl_dev_text(name, port->who.ifname), what);
	if (*port->author)
		printf(", by %s (%u)", lle_nl_dev_text(name, port->author), port->author_pid);
	printf("\n");
}

static struct json_object *ctl_config_json(const struct lle_nl_port *port,
					   const char *event)
{
	struct json_object *o = ctl_event_object(event, ctl_now_ns());

	ctl_put_who(o, &port->who);
	if (*port->author) {
		ctl_put_text(o, "author", port->author);
		ctl_put_u64(o, "author_pid", port->author_pid);
	}
	return o;
}

static void ctl_deadlock_print(const struct lle_nl_deadlock *d,
			       const struct lle_nl_ports *ports)
{
	ctl_stamp(d->info.declared_ns);
	lle_nl_deadlock_print(stdout, d, ports);
	printf("\n");
}

static struct json_object *ctl_deadlock_json(const struct lle_nl_deadlock *d,
					     const struct lle_nl_ports *ports)
{
	struct json_object *o;

	o = ctl_event_object("deadlock", d->info.declared_ns);
	ctl_put_deadlock(o, d, ports);
	return o;
}

/* The event has only numbers of ports. */
static void ctl_deadlock(struct ctl *c, const struct lle_nl_deadlock *d)
{
	struct lle_nl_ports ports = {};

	ports.num = lle_nl_get_ports(c->nl, &ports.all);
	if (c->json)
		ctl_print_json(c, ctl_deadlock_json(d, &ports));
	else
		ctl_deadlock_print(d, &ports);
	free(ports.all);
}

static void ctl_event_text(const struct lle_nl_event *e)
{
	switch (e->cmd) {
	case LOSSLESS_CMD_PAUSE_NTF:
		return ctl_pause_text(&e->pause);
	case LOSSLESS_CMD_STORM_NTF:
		return ctl_storm_text(&e->storm);
	case LOSSLESS_CMD_CONGESTION_NTF:
		return ctl_root_text(&e->root);
	case LOSSLESS_CMD_HEADROOM_NTF:
		return ctl_headroom_text(&e->headroom);
	case LOSSLESS_CMD_UNACCOUNTED_NTF:
		return ctl_unaccounted_text(&e->unaccounted);
	case LOSSLESS_CMD_PORT_NTF:
		return ctl_config_text(&e->port, "is new or has changed");
	case LOSSLESS_CMD_PORT_DEL_NTF:
		return ctl_config_text(&e->port, "is gone");
	}
}

static struct json_object *ctl_event_json(const struct lle_nl_event *e)
{
	switch (e->cmd) {
	case LOSSLESS_CMD_PAUSE_NTF:
		return ctl_pause_json(&e->pause);
	case LOSSLESS_CMD_STORM_NTF:
		return ctl_storm_json(&e->storm);
	case LOSSLESS_CMD_CONGESTION_NTF:
		return ctl_root_json(&e->root);
	case LOSSLESS_CMD_HEADROOM_NTF:
		return ctl_headroom_json(&e->headroom);
	case LOSSLESS_CMD_UNACCOUNTED_NTF:
		return ctl_unaccounted_json(&e->unaccounted);
	case LOSSLESS_CMD_PORT_NTF:
		return ctl_config_json(&e->port, "port");
	default:
		return ctl_config_json(&e->port, "port_gone");
	}
}

static void ctl_event(const struct lle_nl_event *e, void *arg)
{
	struct ctl *c = arg;

	if (e->cmd == LOSSLESS_CMD_DEADLOCK_NTF)
		ctl_deadlock(c, &e->deadlock);
	else if (c->json)
		ctl_print_json(c, ctl_event_json(e));
	else
		ctl_event_text(e);
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
