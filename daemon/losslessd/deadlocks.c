// SPDX-License-Identifier: GPL-2.0
/*
 * Deadlocks, in the log: each once, whoever has found it. What was told is kept for as
 * long as the kernel remembers it; so one that nobody has listened to is told, too.
 */
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "deadlocks.h"
#include "log.h"

#define NS_PER_US	1000

static struct lle_nl_deadlock *told;
static int num_told;

static bool is_told(const struct lle_nl_deadlock *d)
{
	for (int i = 0; i < num_told; i++)
		if (lle_nl_deadlock_same(&told[i], d))
			return true;
	return false;
}

/* How long ago it was found; 0: after @now_us. */
static uint64_t ago_ns(const struct lle_nl_deadlock *d, uint64_t now_us)
{
	uint64_t now_ns = now_us * NS_PER_US;

	return now_ns > d->info.declared_ns ? now_ns - d->info.declared_ns : 0;
}

/* @late_ns: it was found so long ago; 0: now */
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

	more = reallocarray(told, num_told + 1, sizeof(*told));
	if (!more)
		return;
	told = more;
	told[num_told++] = *d;
}

/**
 * deadlocks_event() - a deadlock was found
 * @nl: the kernel
 * @d: the deadlock
 */
void deadlocks_event(struct lle_nl *nl, const struct lle_nl_deadlock *d)
{
	struct lle_nl_ports ports = {};

	if (is_told(d))
		return;
	keep(d);
	/* without them it has numbers in the place of names */
	ports.num = lle_nl_get_ports(nl, &ports.all);
	tell(d, &ports, 0);
	free(ports.all);
}

/**
 * deadlocks_look() - look at all there are
 * @all: what the kernel remembers, the newest first
 * @num: how many
 * @ports: the ports
 * @now_us: the time
 */
void deadlocks_look(const struct lle_nl_deadlock *all, int num,
		    const struct lle_nl_ports *ports, uint64_t now_us)
{
	int before = num_told, i;

	for (i = num - 1; i >= 0; i--) {
		/* there will be an event, which knows more */
		if (!all[i].info.reported_ns)
			continue;
		if (!is_told(&all[i]))
			tell(&all[i], ports, ago_ns(&all[i], now_us));
		keep(&all[i]);
	}
	/* the rest is forgotten, or was kept anew */
	if (before)
		memmove(told, told + before, (num_told - before) * sizeof(*told));
	num_told -= before;
}

/**
 * deadlocks_resync() - look at everything: nobody has listened for some time
 * @nl: the kernel
 * @now_us: the time
 */
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
	free(told);
	told = NULL;
	num_told = 0;
}
