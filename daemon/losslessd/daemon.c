// SPDX-License-Identifier: GPL-2.0
/*
 * The main loop. Each action can be repeated: a daemon that was killed loses
 * nothing, and one that has lost events reads the current state.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <unistd.h>

#include "../tc/version.h"
#include "changes.h"
#include "checks.h"
#include "daemon.h"
#include "deadlocks.h"
#include "http.h"
#include "ldcp.h"
#include "log.h"
#include "metrics.h"
#include "policy.h"
#include "storms.h"

#define US_PER_S	1000000ULL

/* Socket buffer: setting watchdogs makes an event for each of many ports. */
#define EVENTS_BYTES	(4 << 20)

/* Parts that may fail: reported, and tried again at each interval */
enum part {
	PART_LOG,
	PART_LISTEN,
	PART_TEXTFILE,
	NUM_PART,
};

static const char * const part_names[NUM_PART] = { "log", "listen", "textfile" };

struct daemon {
	const char *path;	/* of conf */
	struct conf *conf;
	struct lle_nl *nl;	/* for requests */
	struct lle_nl *events;
	sd_event *loop;
	sd_event_source *tick;	/* every conf->interval_s */
	struct http *http;	/* NULL: off, or failed */
	int part_err[NUM_PART];	/* reported; 0: it works, or is off */
	int only;		/* socket; see lle_nl_daemon_claim() */
};

static int only_one(struct daemon *d)
{
	d->only = lle_nl_daemon_claim();
	if (d->only == -EADDRINUSE)
		log_say(LOG_ERR, "another losslessd runs in this network namespace; one is enough");
	return d->only < 0 ? d->only : 0;
}

/* The time when the current event was dispatched. */
static uint64_t now_us(const struct daemon *d)
{
	uint64_t us;

	sd_event_now(d->loop, CLOCK_MONOTONIC, &us);
	return us;
}

/* Check all ports soon: at most once a second, whatever the number of events. */
static void look_soon(struct daemon *d)
{
	uint64_t soon = now_us(d) + US_PER_S, at;

	if (sd_event_source_get_time(d->tick, &at) >= 0 && at > soon)
		sd_event_source_set_time(d->tick, soon);
}

static void debug_event(const struct lle_nl_event *e)
{
	static const char *const names[] = {
		[LOSSLESS_CMD_STORM_NTF] = "storm", [LOSSLESS_CMD_HEADROOM_NTF] = "headroom",
		[LOSSLESS_CMD_UNACCOUNTED_NTF] = "unaccounted", [LOSSLESS_CMD_PORT_NTF] = "port",
		[LOSSLESS_CMD_PORT_DEL_NTF] = "port gone:",
	};

	if (e->cmd == LOSSLESS_CMD_DEADLOCK_NTF)
		log_debug(TOPIC_EVENTS, "event: deadlock, found by switch %u", e->deadlock.sw);
	else if (e->cmd < sizeof(names) / sizeof(names[0]) && names[e->cmd])
		log_debug(TOPIC_EVENTS, "event: %s %s", names[e->cmd], e->who.ifname);
}

static void on_event(const struct lle_nl_event *e, void *arg)
{
	struct daemon *d = arg;

	debug_event(e);
	switch (e->cmd) {
	case LOSSLESS_CMD_STORM_NTF:
		storms_event(&e->storm);
		break;
	case LOSSLESS_CMD_DEADLOCK_NTF:
		deadlocks_event(d->nl, &e->deadlock);
		break;
	case LOSSLESS_CMD_HEADROOM_NTF:
	case LOSSLESS_CMD_UNACCOUNTED_NTF:
		look_soon(d);
		break;
	case LOSSLESS_CMD_PORT_NTF:
		policy_port(d->nl, d->conf, &e->port);
		break;
	case LOSSLESS_CMD_PORT_DEL_NTF:
		changes_gone(&e->port);
		look_soon(d);
		policy_forget(e->who.ifindex);
		storms_forget(e->who.ifindex);
		ldcp_forget(e->who.ifindex);
		break;
	}
}

static int on_events(sd_event_source *source, int fd, uint32_t revents,
		     void *arg)
{
	struct daemon *d = arg;
	int err;

	(void)source, (void)fd, (void)revents;
	err = lle_nl_read_events(d->events, on_event, d);
	if (err == -ENOBUFS || err == -EBADMSG) {
		log_say(LOG_NOTICE, "%s: looking at everything",
			err == -ENOBUFS ? "events were lost" : "an event cannot be read");
		policy_resync(d->nl, d->conf);
		storms_resync();
		deadlocks_resync(d->nl, now_us(d));
	} else if (err < 0) {
		/* the service is started again, which loads the module */
		log_say(err == -ESHUTDOWN ? LOG_NOTICE : LOG_ERR,
			"ends: events cannot be read: %s", lle_nl_text(d->events));
		return sd_event_exit(d->loop, err);
	}
	return 0;
}

/* Report the start and the end of a failure. */
static void tell_part(struct daemon *d, enum part part, const char *value, int err)
{
	int *reported = &d->part_err[part];

	if (err && err != *reported)
		log_say(LOG_ERR, "%s: %s: %s%s; it is tried again every %d s", part_names[part],
			value, strerror(-err),
			err == -EADDRINUSE ? ": ss -ltnp shows the program that has it" : "",
			d->conf->interval_s);
	if (!err && *reported)
		log_say(LOG_NOTICE, "%s: %s: it works again", part_names[part], value);
	*reported = err;
}

static void open_log(struct daemon *d)
{
	tell_part(d, PART_LOG, d->conf->log, log_open(d->conf->log));
}

static void open_http(struct daemon *d)
{
	if (*d->conf->listen)
		tell_part(d, PART_LISTEN, d->conf->listen,
			  http_open(&d->http, d->loop, d->nl, d->conf->listen));
}

static void retry(struct daemon *d)
{
	if (d->part_err[PART_LOG])
		open_log(d);
	if (d->part_err[PART_LISTEN])
		open_http(d);
}

static void write_textfile(struct daemon *d, const struct snapshot *s)
{
	int err;

	if (!*d->conf->textfile)
		return;
	err = metrics_write(s, d->conf->textfile);
	tell_part(d, PART_TEXTFILE, d->conf->textfile, err);
	if (!err)
		log_debug(TOPIC_METRICS, "%s: written", d->conf->textfile);
}

static int on_tick(sd_event_source *source, uint64_t at_us, void *arg)
{
	char status[METRICS_STATUS];
	struct daemon *d = arg;
	struct snapshot s;

	(void)at_us;
	retry(d);
	if (!snapshot_take(d->nl, &s)) {
		changes_look(d->nl, &(struct lle_nl_ports){ s.ports, s.num_ports });
		/* a new name makes no event */
		for (int i = 0; i < s.num_ports; i++)
			policy_port(d->nl, d->conf, &s.ports[i]);
		checks_run(&s, now_us(d));
		deadlocks_look(s.deadlocks, s.num_deadlocks,
			       &(struct lle_nl_ports){ s.ports, s.num_ports },
			       now_us(d));
		metrics_status(&s, status);
		sd_notifyf(0, "STATUS=%s", status);
		write_textfile(d, &s);
		ldcp_look(d->nl, &d->conf->ldcp);
	} else {
		log_say(LOG_ERR, "the ports cannot be read: %s",
			lle_nl_text(d->nl));
	}
	snapshot_free(&s);
	sd_event_source_set_time_relative(source, d->conf->interval_s * US_PER_S);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static void take(struct daemon *d, struct conf *conf)
{
	struct conf *old = d->conf;

	d->conf = conf;
	log_debug_on(conf->debug);
	policy_apply(d->nl, conf);
	memset(d->part_err, 0, sizeof(d->part_err));
	open_log(d);
	log_debug(TOPIC_CONFIG, "%s: %u ports with a section; metrics: listen \"%s\", textfile \"%s\", interval %d s; %u prefixes with LDCP",
		  d->path, conf->num_ports, conf->listen, conf->textfile,
		  conf->interval_s, conf->ldcp.num_prefixes);
	if (!old || strcmp(old->listen, conf->listen) || !d->http) {
		http_close(d->http);
		d->http = NULL;
		open_http(d);
	}
	ldcp_put_back(d->nl, (old ?: conf)->ldcp.state);
	conf_free(old);
	ldcp_apply(d->nl, &conf->ldcp);
}

static int on_reload(sd_event_source *source, const struct signalfd_siginfo *si,
		     void *arg)
{
	struct daemon *d = arg;
	struct conf *conf;

	(void)source, (void)si;
	sd_notify(0, "RELOADING=1");
	conf = conf_read(d->path);
	if (conf) {
		take(d, conf);
		log_say(LOG_INFO, "%s: taken", d->path);
	} else {
		log_say(LOG_ERR, "%s: rejected, keeping the running configuration", d->path);
	}
	sd_notify(0, "READY=1");
	return 0;
}

static int watch(struct daemon *d)
{
	const int room = EVENTS_BYTES;
	sigset_t signals;
	int err;

	/* of a log that is a pipe */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);

	err = lle_nl_listen(d->events,
			    LLE_NL_STORM | LLE_NL_DEADLOCK | LLE_NL_CONFIG);
	if (err < 0) {
		log_say(LOG_ERR, "%s", lle_nl_text(d->events));
		return err;
	}
	/* without the privilege, the buffer stays smaller */
	setsockopt(lle_nl_events_fd(d->events), SOL_SOCKET, SO_RCVBUFFORCE,
		   &room, sizeof(room));
	if ((err = sd_event_add_signal(d->loop, NULL, SIGTERM, NULL, NULL)) < 0 ||
	    (err = sd_event_add_signal(d->loop, NULL, SIGINT, NULL, NULL)) < 0 ||
	    (err = sd_event_add_signal(d->loop, NULL, SIGHUP, on_reload, d)) < 0 ||
	    (err = sd_event_add_io(d->loop, NULL, lle_nl_events_fd(d->events),
				   EPOLLIN, on_events, d)) < 0 ||
	    (err = sd_event_add_time(d->loop, &d->tick, CLOCK_MONOTONIC, 0, 0,
				     on_tick, d)) < 0)
		return err;
	sd_event_set_watchdog(d->loop, true);
	return 0;
}

static int open_kernel(struct lle_nl **nl)
{
	int err = lle_nl_open(nl);

	if (err < 0)
		log_say(LOG_ERR, "%s", *nl ? lle_nl_text(*nl) : strerror(-err));
	else if (lle_version_differs())
		log_say(LOG_WARNING, "%s", lle_version_differs());
	return err;
}

static int start(struct daemon *d, struct conf *conf)
{
	int err;

	err = only_one(d);
	if (!err)
		err = open_kernel(&d->nl);
	if (!err)
		err = open_kernel(&d->events);
	if (!err)
		err = sd_event_new(&d->loop);
	if (err >= 0)
		err = watch(d);
	if (err < 0) {
		conf_free(conf);
		return err;
	}
	take(d, conf);
	return 0;
}

/* Frees @conf; failures are reported. The watchdogs of the kernel go on. */
int daemon_run(const char *path, struct conf *conf)
{
	struct daemon d = { .path = path, .only = -1 };
	int err;

	log_open("stderr");
	err = start(&d, conf);
	if (!err) {
		storms_open(d.loop, d.nl);
		storms_resync();
		deadlocks_resync(d.nl, now_us(&d));
		sd_notify(0, "READY=1");
		err = sd_event_loop(d.loop);
		sd_notify(0, "STOPPING=1");
	}

	if (d.conf)
		ldcp_put_back(d.nl, d.conf->ldcp.state);
	storms_close();
	deadlocks_free();
	http_close(d.http);
	sd_event_source_unref(d.tick);
	sd_event_unref(d.loop);
	lle_nl_close(d.events);
	lle_nl_close(d.nl);
	policy_free();
	changes_free();
	checks_free();
	conf_free(d.conf);
	log_close();
	if (d.only >= 0)
		close(d.only);
	return err;
}
