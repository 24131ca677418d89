// SPDX-License-Identifier: GPL-2.0
/* Deadlocks in the log: each once, however many switches found it */
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "deadlocks.h"
#include "log.h"

#define NS_PER_US	1000

/* Kept as long as the kernel has them, also of deadlocks without an event */
static struct lle_nl_deadlock *reported;
static int num_reported;

static bool is_reported(const struct lle_nl_deadlock *d)
{
	for (int i = 0; i < num_reported; i++)
		if (lle_nl_deadlock_same(&reported[i], d))
			return true;
	return false;
}

/* Time since the detection; 0: it was after @now_us. */
static uint64_t ago_ns(const struct lle_nl_deadlock *d, uint64_t now_us)
{
	uint64_t now_ns = now_us * NS_PER_US;

	return now_ns > d->info.declared_ns ? now_ns - d->info.declared_ns : 0;
}

/* @late_ns: time since the detection; 0: just now */
static void tell(const struct lle_nl_deadlock *d,
		 const struct lle_nl_ports *ports, uint64_t late_ns)
{
	struct json_object *fields = log_fields("deadlock", NULL);
	char *text = NULL, ago[LLE_NL_WORD];
	size_t len;
	FILE *f;

	f = open_memstream(&text, &len);
	if (f) {
		lle_nl_deadlock_print(f, d, ports);
		if (late_ns)
			fprintf(f, ", %s ago", lle_nl_time_text(ago, late_ns));
		fclose(f);
	}
	lle_nl_deadlock_json(fields, d, ports);
	if (late_ns)
		log_add(fields, "ago_ns", late_ns);
	log_event(LOG_CRIT, fields, "%s", text ? text : "deadlock");
	free(text);
}

static void keep(const struct lle_nl_deadlock *d)
{
	struct lle_nl_deadlock *more;

	more = reallocarray(reported, num_reported + 1, sizeof(*reported));
	if (!more)
		return;
	reported = more;
	reported[num_reported++] = *d;
}

void deadlocks_event(struct lle_nl *nl, const struct lle_nl_deadlock *d)
{
	struct lle_nl_ports ports = {};

	if (is_reported(d))
		return;
	keep(d);
	/* without ports, the text has numbers instead of names */
	ports.num = lle_nl_get_ports(nl, &ports.all);
	tell(d, &ports, 0);
	free(ports.all);
}

/* @all: deadlocks of the kernel, newest first */
void deadlocks_look(const struct lle_nl_deadlock *all, int num,
		    const struct lle_nl_ports *ports, uint64_t now_us)
{
	int before = num_reported, i;

	for (i = num - 1; i >= 0; i--) {
		/* its event will follow, with more information */
		if (!all[i].info.reported_ns)
			continue;
		if (!is_reported(&all[i]))
			tell(&all[i], ports, ago_ns(&all[i], now_us));
		keep(&all[i]);
	}
	/* the kernel has forgotten the old entries, or they were added again */
	if (before)
		memmove(reported, reported + before, (num_reported - before) * sizeof(*reported));
	num_reported -= before;
}

/* After a time without events */
void deadlocks_resync(struct lle_nl *nl, uint64_t now_us)
{
	struct lle_nl_deadlock *all = NULL;
	struct lle_nl_ports ports = {};
	int num;

	num = lle_nl_get_deadlocks(nl, &all);
	if (num < 0) {
		log_say(LOG_ERR, "the deadlocks cannot be read: %s",
			lle_nl_text(nl));
		return;
	}
	if (num)
		ports.num = lle_nl_get_ports(nl, &ports.all);
	deadlocks_look(all, num, &ports, now_us);
	free(ports.all);
	free(all);
}

void deadlocks_free(void)
{
	free(reported);
	reported = NULL;
	num_reported = 0;
}
