// SPDX-License-Identifier: GPL-2.0
/*
 * Lost packets of lossless priorities, and unaccounted packets, which may get
 * lost as they cause no pause. Losses before the first check are not reported.
 */
#include <stdio.h>
#include <syslog.h>

#include "log.h"
#include "losses.h"

/* Drops that a lossless priority must not have; a storm's are intended. */
static const struct {
	unsigned int reason;
	const char *where;
} reasons[NUM_LOSSES] = {
	{ LLE_DROP_THRESHOLD, "threshold" },
	{ LLE_DROP_BUFFER, "shared buffer full" },
	{ LLE_DROP_HEADROOM, "headroom exhausted" },
	{ LLE_DROP_LIMIT, "limit of the port" },
	{ LLE_DROP_WRED, "WRED" },
	{ LLE_DROP_WRED_NONECT, "WRED, not ECN capable" },
	{ LLE_DROP_WRED_BUFMAX, "WRED, over bufmax" },
	{ LLE_DROP_NOMEM, "out of memory" },
};

static void tell(const struct lle_nl_who *who, int prio, uint64_t packets,
		 const char *where)
{
	struct json_object *f = log_fields("lossless_violation", who);

	if (prio >= 0)
		log_add(f, "prio", prio);
	log_add(f, "packets", packets);
	log_add_text(f, "where", where);
	if (prio >= 0)
		log_event(LOG_WARNING, f,
			  "lossless priority %d of port %s has lost %llu packets: %s",
			  prio, who->ifname, (unsigned long long)packets, where);
	else
		log_event(LOG_WARNING, f, "%s%s%llu packets lost: %s",
			  who ? who->ifname : "", who ? ": " : "",
			  (unsigned long long)packets, where);
}

static void tell_unaccounted(const struct lle_nl_port *port, uint64_t packets)
{
	struct json_object *f = log_fields("unaccounted", &port->who);
	char from[LLE_NL_WORD];

	lle_nl_ifindex_text(from, port->unaccounted_ifindex);
	log_add(f, "packets", packets);
	log_add_text(f, "from", from);
	log_event(LOG_WARNING, f,
		  "port %s: %llu packets of lossless priorities arrived at %s, which is no port of its switch: they cause no pause and may be lost; attach the qdisc lossless to %s, of a bond or team to all its members",
		  port->who.ifname, (unsigned long long)packets, from, from);
}

/* Packets that found the backlog of a CPU full, on this machine. */
static uint64_t read_backlog_drops(void)
{
	FILE *f = fopen("/proc/net/softnet_stat", "re");
	unsigned int processed, dropped;
	uint64_t sum = 0;

	if (!f)
		return 0;
	while (fscanf(f, "%x %x%*[^\n]", &processed, &dropped) == 2)
		sum += dropped;
	fclose(f);
	return sum;
}

/**
 * losses_check() - check the losses of a port
 * @port: the port
 * @link: counters of its device; NULL: it is gone
 * @told: losses reported
 * @known: there was an earlier check
 */
void losses_check(const struct lle_nl_port *port, const struct lle_nl_link *link,
		  struct losses *told, bool known)
{
	unsigned int p, r;
	uint64_t drops;

	for (r = 0; r < NUM_DEVICE_LOSSES; r++) {
		drops = device_lost(link, r);
		if (known && port->pfc_en && drops > told->device[r])
			tell(&port->who, -1, drops - told->device[r],
			     device_losses[r].where);
		told->device[r] = drops;
	}
	if (known && port->unaccounted > told->unaccounted)
		tell_unaccounted(port, port->unaccounted - told->unaccounted);
	told->unaccounted = port->unaccounted;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		for (r = 0; r < NUM_LOSSES; r++) {
			drops = port->stats[p].drops[reasons[r].reason];
			if (known && port->pfc_en >> p & 1 &&
			    drops > told->drops[p][r])
				tell(&port->who, p, drops - told->drops[p][r],
				     reasons[r].where);
			told->drops[p][r] = drops;
		}
}

/**
 * losses_check_backlog() - check the backlogs of the CPUs
 */
void losses_check_backlog(void)
{
	static uint64_t told;
	static bool known;
	uint64_t drops = read_backlog_drops();

	if (known && drops > told)
		tell(NULL, -1, drops - told,
		     "backlog of a CPU full (net.core.netdev_max_backlog)");
	told = drops;
	known = true;
}
