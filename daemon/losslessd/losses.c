// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of lossless priorities that are lost, wherever. What was lost before somebody
 * looked is not told.
 */
#include <stdio.h>
#include <syslog.h>

#include "log.h"
#include "losses.h"

/* Drops that a lossless priority must not have. A storm's are meant. */
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

/* Packets that the CPUs had no room for, in all of this machine. */
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

/* Packets that a device could not take: the ring of a veth was full. */
static uint64_t read_device_drops(const char *device)
{
	unsigned long long drops = 0;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path),
		 "/sys/class/net/%s/statistics/tx_dropped", device);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%llu", &drops) != 1)
		drops = 0;
	fclose(f);
	return drops;
}

/**
 * losses_check() - look at a port
 * @port: the port
 * @told: what of it has been told
 * @known: it has been looked at before
 */
void losses_check(const struct lle_nl_port *port, struct losses *told,
		  bool known)
{
	uint64_t drops = read_device_drops(port->who.ifname);
	unsigned int p, r;

	if (known && drops > told->device)
		tell(&port->who, -1, drops - told->device,
		     "the device has dropped them");
	told->device = drops;
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
 * losses_check_backlog() - look at the CPUs
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
