// SPDX-License-Identifier: GPL-2.0
/* What is wrong with this machine, or with a switch as a whole. */
#include <fcntl.h>
#include <glob.h>
#include <net/ethernet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"

/* As systemd/60-lossless.conf sets them */
#define BACKLOG		100000
#define BACKLOG_PATH	"/proc/sys/net/core/netdev_max_backlog"
#define BURST		65536
#define BURST_PATH	"/proc/sys/net/core/qdisc_max_burst"

/* Fewer packets come while a CPU holds the lock of a port. */
#define BURST_MIN	16384

/* Clock sources of this machine */
#define CLOCKSOURCE	"/sys/devices/system/clocksource/clocksource0/"

/* From this rate on, bytes per second, a slow clock delays packets: 1 Gbit/s */
#define FAST_RATE	125000000ULL

/**
 * doctor_has_module() - can ports be read?
 */
bool doctor_has_module(void)
{
	return !access("/sys/module/sch_lossless", F_OK);
}

/**
 * doctor_module() - is the module loaded?
 * @d: the run
 */
void doctor_module(struct doctor *d)
{
	if (doctor_has_module())
		return;
	doctor_find(d, DOCTOR_ERROR, "",
		    "the module sch_lossless is not loaded: no port is lossless");
	doctor_mend(d, "modprobe sch_lossless");
}

/**
 * doctor_version() - are the modules as new as this program?
 * @d: the run
 */
void doctor_version(struct doctor *d)
{
	const char *warning = lle_nl_other_version();

	if (!warning)
		return;
	doctor_find(d, DOCTOR_WARNING, "", "%s", warning);
	doctor_mend(d, "losslessctl reload");
}

/* Does tc print the options of the plugin? */
static bool tc_has_plugin(void)
{
	FILE *f = popen("tc qdisc add dev lo root lossless help 2>&1", "re");
	bool found = false;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		found |= !!strstr(line, "prio-pfc");
	if (f)
		pclose(f);
	return found;
}

/* The first path that fits a pattern, in @path. */
static bool first_path(const char *pattern, char *path, int size)
{
	glob_t all = {};
	bool found = !glob(pattern, 0, NULL, &all);

	if (found)
		snprintf(path, size, "%s", all.gl_pathv[0]);
	globfree(&all);
	return found;
}

/* The plugin where another PREFIX, or make, has put it. */
static bool find_plugin(char *path, int size)
{
	static const char * const patterns[] = {
		"/usr/local/lib/*/tc/q_lossless.so", "/usr/lib/*/tc/q_lossless.so",
		"/opt/*/lib/*/tc/q_lossless.so",
	};
	char near[4096];
	ssize_t len = readlink("/proc/self/exe", near, sizeof(near) - 32);
	char *end;

	/* build/bin/losslessctl and build/tc/q_lossless.so */
	near[len > 0 ? len : 0] = '\0';
	end = strrchr(near, '/');
	if (end) {
		strcpy(end, "/../tc/q_lossless.so");
		if (realpath(near, path))
			return true;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(patterns); i++)
		if (first_path(patterns[i], path, size))
			return true;
	return false;
}

/**
 * doctor_plugin() - does tc know the options of the qdisc?
 * @d: the run
 */
void doctor_plugin(struct doctor *d)
{
	char path[4096], dir[4096] = "/usr/lib/tc";

	if (tc_has_plugin())
		return;
	doctor_find(d, DOCTOR_ERROR, "",
		    "tc does not find the plugin q_lossless.so: it refuses all options of the qdisc");
	if (!find_plugin(path, sizeof(path))) {
		doctor_mend(d, "apt-get install --reinstall lossless-tools");
		return;
	}
	if (getenv("TC_LIB_DIR"))
		snprintf(dir, sizeof(dir), "%s", getenv("TC_LIB_DIR"));
	else
		first_path("/usr/lib/*-linux-*/tc", dir, sizeof(dir));
	doctor_mend(d, "ln -sf %s %s/", path, dir);
}

/* A setting of the machine, which only the first network namespace shows. */
static bool read_global(const struct doctor *d, const char *path, char *line, int size)
{
	struct ctl_netns first = { .name = "1" };
	bool ok = doctor_read_line(path, line, size);

	if (ok)
		return true;
	first.fd = open("/proc/1/ns/net", O_RDONLY | O_CLOEXEC);
	if (first.fd < 0 || !ctl_netns_enter(&first))
		return false;
	ok = doctor_read_line(path, line, size);
	ctl_netns_enter(&d->netnses.all[0]);
	close(first.fd);
	return ok;
}

/* A device without hardware hands packets to the queue of a CPU. */
static bool uses_backlog(const struct doctor *d)
{
	const struct doctor_view *view = &d->views[0];
	const struct lle_nl_device *dev;

	for (int i = 0; i < view->num_ports; i++) {
		dev = doctor_device(view, view->ports[i].who.ifindex);
		if (dev && *dev->kind && view->ports[i].pfc_en)
			return true;
	}
	return false;
}

/**
 * doctor_backlog() - has the packet queue of a CPU room for a burst of all ports?
 * @d: the run
 */
void doctor_backlog(struct doctor *d)
{
	char line[32];
	long packets;

	if (!uses_backlog(d) || !read_global(d, BACKLOG_PATH, line, sizeof(line)))
		return;
	packets = atol(line);
	if (packets >= BACKLOG)
		return;
	doctor_find(d, DOCTOR_ERROR, "",
		    "net.core.netdev_max_backlog is %ld: a CPU with more packets in its queue drops them, and no port counts that",
		    packets);
	doctor_mend(d, "%ssysctl -w net.core.netdev_max_backlog=%d",
		    access(BACKLOG_PATH, F_OK) ? "nsenter -n -t 1 " : "", BACKLOG);
}

/**
 * doctor_burst() - may enough packets wait for the lock of a qdisc?
 * @d: the run
 *
 * Linux 7.1 and later queue packets of other CPUs before the qdisc.
 */
void doctor_burst(struct doctor *d)
{
	char line[32];
	long packets;

	if (!d->views[0].num_ports || !read_global(d, BURST_PATH, line, sizeof(line)))
		return;
	packets = atol(line);
	if (packets >= BURST_MIN)
		return;
	doctor_find(d, DOCTOR_ERROR, "",
		    "net.core.qdisc_max_burst is %ld: with more packets of other CPUs before a port, the kernel drops them, also of lossless priorities",
		    packets);
	doctor_mend(d, "%ssysctl -w net.core.qdisc_max_burst=%d",
		    access(BURST_PATH, F_OK) ? "nsenter -n -t 1 " : "", BURST);
}

/* Is this the network namespace of services? */
static bool is_first_netns(void)
{
	struct stat own, first;

	return !stat("/proc/self/ns/net", &own) && !stat("/proc/1/ns/net", &first) &&
	       own.st_ino == first.st_ino;
}

/**
 * doctor_daemon() - does losslessd run?
 * @d: the run
 */
void doctor_daemon(struct doctor *d)
{
	if (!d->views[0].num_ports || lle_nl_daemon_runs())
		return;
	doctor_find(d, DOCTOR_WARNING, "",
		    "losslessd does not run in this network namespace: lost packets are not logged, and new ports get no watchdog");
	if (is_first_netns() && !access("/run/systemd/system", F_OK))
		doctor_mend(d, "systemctl enable --now losslessd");
	else
		doctor_mend(d, "losslessd &");
}

static bool is_slow_clock(const char *name)
{
	static const char * const slow[] = {
		"hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(slow); i++)
		if (!strcmp(name, slow[i]))
			return true;
	return false;
}

static bool is_fast(const struct doctor *d)
{
	const struct doctor_view *view = &d->views[0];

	for (int i = 0; i < view->num_ports; i++)
		if (view->ports[i].rate >= FAST_RATE)
			return true;
	return false;
}

/**
 * doctor_clock() - is the clock fast enough for the rates of ports?
 * @d: the run
 *
 * Only if there is a better one.
 */
void doctor_clock(struct doctor *d)
{
	char now[32], all[256], *name, *rest = all;

	if (!is_fast(d) || !doctor_read_line(CLOCKSOURCE "current_clocksource", now, sizeof(now)) ||
	    !is_slow_clock(now) ||
	    !doctor_read_line(CLOCKSOURCE "available_clocksource", all, sizeof(all)))
		return;
	do {
		name = strsep(&rest, " ");
	} while (name && (!*name || is_slow_clock(name)));
	if (!name)
		return;
	doctor_find(d, DOCTOR_WARNING, "",
		    "the clock source is %s: each look at it takes microseconds, so packets and pauses are late at this rate",
		    now);
	doctor_mend(d, "echo %s >" CLOCKSOURCE "current_clocksource", name);
}

/**
 * doctor_discard() - are all watched priorities treated as stormed?
 * @d: the run
 */
void doctor_discard(struct doctor *d)
{
	for (int i = 0; i < d->num_switches; i++) {
		if (!d->switches[i].discard)
			continue;
		doctor_find(d, DOCTOR_ERROR, "",
			    "switch %u treats all priorities with a watchdog as stormed (discard on): their packets are dropped",
			    d->switches[i].id);
		doctor_mend(d, "losslessctl switch discard %u off", d->switches[i].id);
	}
}

/*
 * A number for a switch, which messages between switches need: from an address, and
 * not that of another switch here.
 */
static uint32_t switch_number(const struct doctor *d, const struct lle_nl_device *dev)
{
	uint32_t number = dev->address[ETH_ALEN - 2] << 8 | dev->address[ETH_ALEN - 1];

	while (!number || doctor_switch(d, number))
		number++;
	return number;
}

/* All ports of switch 0 become those of another one; more commands follow. */
static void mend_number(struct doctor *d, uint32_t number)
{
	const struct doctor_view *view = &d->views[0];
	struct doctor_end own, peer;

	for (int i = 0; i < view->num_devices; i++) {
		doctor_ends(d, &view->devices[i], &own, &peer);
		if (!own.port || own.port->who.sw)
			continue;
		doctor_mend_switch(d, &own, number);
		doctor_mend(d, " && ");
	}
}

/* A port with PFC that faces another switch */
static bool find_fabric(const struct doctor *d, uint32_t sw, struct doctor_end *own)
{
	const struct doctor_view *view = &d->views[0];
	struct doctor_end peer;

	for (int i = 0; i < view->num_devices; i++) {
		doctor_ends(d, &view->devices[i], own, &peer);
		if (own->port && own->port->who.sw == sw &&
		    own->port->facing == LLE_FACING_FABRIC && own->port->pfc_en)
			return true;
	}
	return false;
}

/**
 * doctor_deadlock() - does each switch of a fabric look for deadlocks?
 * @d: the run
 */
void doctor_deadlock(struct doctor *d)
{
	const struct lle_nl_switch *sw;
	struct doctor_end own;

	for (sw = d->switches; sw < d->switches + d->num_switches; sw++) {
		if (sw->deadlock != LLE_DEADLOCK_OFF || !find_fabric(d, sw->id, &own))
			continue;
		doctor_find(d, DOCTOR_WARNING, own.dev->name,
			    "switch %u does not look for deadlocks, and this port faces another switch: switches that pause each other in a loop may stay so for ever",
			    sw->id);
		if (!sw->id)
			mend_number(d, switch_number(d, own.dev));
		doctor_mend(d, "tc qdisc change dev %s root lossless deadlock lossless",
			    own.word);
	}
}
