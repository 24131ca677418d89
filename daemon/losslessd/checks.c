// SPDX-License-Identifier: GPL-2.0
/*
 * What should not be: packets of a lossless priority that are lost, wherever; ports
 * that differ from the others; headroom that is too small. Said when it is new.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "checks.h"
#include "log.h"

/* Drops that a lossless priority must not have. A storm's are meant. */
static const struct {
	unsigned int reason;
	const char *where;
} violations[] = {
	{ LLE_DROP_THRESHOLD, "threshold" },
	{ LLE_DROP_BUFFER, "shared buffer full" },
	{ LLE_DROP_HEADROOM, "headroom exhausted" },
	{ LLE_DROP_LIMIT, "limit of the port" },
	{ LLE_DROP_WRED, "WRED" },
	{ LLE_DROP_WRED_NONECT, "WRED, not ECN capable" },
	{ LLE_DROP_WRED_BUFMAX, "WRED, over bufmax" },
	{ LLE_DROP_NOMEM, "out of memory" },
};

#define NUM_VIOLATIONS	(sizeof(violations) / sizeof(violations[0]))

/**
 * struct seen - a port as it was when it was last looked at
 * @ifindex: which
 * @drops: lost packets of lossless priorities, as in violations
 * @device_drops: packets that its device has dropped
 * @odd: it has been said that it differs
 */
struct seen {
	unsigned int ifindex;
	uint64_t drops[LLE_NUM_PRIO][NUM_VIOLATIONS];
	uint64_t device_drops;
	bool odd;
};

static struct seen *seen;
static int num_seen;
static uint64_t backlog_drops;
static bool begun;

static const struct seen *find(unsigned int ifindex)
{
	int i;

	for (i = 0; i < num_seen; i++)
		if (seen[i].ifindex == ifindex)
			return &seen[i];
	return NULL;
}

static void violated(const char *device, int prio, uint64_t packets,
		     const char *where)
{
	struct json_object *f = json_object_new_object();

	json_object_object_add(f, "event",
			       json_object_new_string("lossless_violation"));
	if (device)
		json_object_object_add(f, "device",
				       json_object_new_string(device));
	if (prio >= 0)
		json_object_object_add(f, "prio", json_object_new_int(prio));
	json_object_object_add(f, "packets", json_object_new_uint64(packets));
	json_object_object_add(f, "where", json_object_new_string(where));
	if (prio >= 0)
		log_event(LOG_WARNING, f,
			  "lossless priority %d of port %s has lost %llu packets: %s",
			  prio, device, (unsigned long long)packets, where);
	else
		log_event(LOG_WARNING, f, "%s%s%llu packets lost: %s",
			  device ? device : "", device ? ": " : "",
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

static void check_drops(const struct lle_nl_port *port, struct seen *now,
			const struct seen *before)
{
	unsigned int p, v;

	now->device_drops = read_device_drops(port->who.ifname);
	if (before && now->device_drops > before->device_drops)
		violated(port->who.ifname, -1,
			 now->device_drops - before->device_drops,
			 "the device has dropped them");
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!(port->pfc_en >> p & 1))
			continue;
		for (v = 0; v < NUM_VIOLATIONS; v++) {
			uint64_t *drops = &now->drops[p][v];

			*drops = port->stats[p].drops[violations[v].reason];
			if (before && *drops > before->drops[p][v])
				violated(port->who.ifname, p,
					 *drops - before->drops[p][v],
					 violations[v].where);
		}
	}
}

/* The alpha that most ports of the same kind have, or -1. */
static int usual_alpha(const struct lle_nl_port *ports, int n, uint8_t facing)
{
	unsigned int count[LLE_TO_ALPHA_MAX + 1] = {}, most = 0, sum = 0;
	int i, alpha = -1;

	for (i = 0; i < n; i++)
		if (ports[i].facing == facing && ports[i].pfc_en &&
		    ports[i].to_alpha <= LLE_TO_ALPHA_MAX) {
			count[ports[i].to_alpha]++;
			sum++;
		}
	for (i = 0; i <= LLE_TO_ALPHA_MAX; i++)
		if (count[i] > most) {
			most = count[i];
			alpha = i;
		}
	return 2 * most > sum ? alpha : -1;
}

static void check_config(const struct lle_nl_port *port, int usual,
			 struct seen *now, const struct seen *before)
{
	bool thin = port->pfc_en && port->hdroom_bytes < port->hdroom_need_bytes;
	bool alone = port->pfc_en && usual >= 0 && port->to_alpha != usual;
	struct json_object *f;

	now->odd = thin || alone;
	if (!now->odd || (before && before->odd))
		return;
	f = json_object_new_object();
	json_object_object_add(f, "event", json_object_new_string("drift"));
	json_object_object_add(f, "device",
			       json_object_new_string(port->who.ifname));
	json_object_object_add(f, "to_alpha", json_object_new_int(port->to_alpha));
	json_object_object_add(f, "usual_to_alpha", json_object_new_int(usual));
	json_object_object_add(f, "headroom_bytes",
			       json_object_new_int64(port->hdroom_bytes));
	json_object_object_add(f, "headroom_need_bytes",
			       json_object_new_int64(port->hdroom_need_bytes));
	if (thin)
		log_event(LOG_WARNING, f,
			  "port %s: headroom of %u bytes, it needs %u: packets will be lost",
			  port->who.ifname, port->hdroom_bytes,
			  port->hdroom_need_bytes);
	else
		log_event(LOG_WARNING, f,
			  "port %s: alpha is 2^%d, that of its peers 2^%d",
			  port->who.ifname, port->to_alpha - LLE_TO_ALPHA_ONE,
			  usual - LLE_TO_ALPHA_ONE);
}

/**
 * checks_run() - look at all ports
 * @nl: the kernel
 *
 * What was there when a port was first looked at is not told.
 */
void checks_run(struct lle_nl *nl)
{
	int usual[LLE_FACING_MAX + 1], i, n;
	struct lle_nl_port *ports;
	struct seen *now;
	uint64_t drops;

	n = lle_nl_get_ports(nl, &ports);
	if (n < 0) {
		log_say(LOG_ERR, "the ports cannot be read: %s",
			lle_nl_text(nl));
		return;
	}
	now = calloc(n + 1, sizeof(*now));
	if (!now) {
		free(ports);
		return;
	}
	for (i = 0; i <= LLE_FACING_MAX; i++)
		usual[i] = usual_alpha(ports, n, i);
	for (i = 0; i < n; i++) {
		const struct seen *before = find(ports[i].who.ifindex);

		now[i].ifindex = ports[i].who.ifindex;
		check_drops(&ports[i], &now[i], before);
		check_config(&ports[i], ports[i].facing <= LLE_FACING_MAX ?
			     usual[ports[i].facing] : -1, &now[i], before);
	}
	free(ports);
	free(seen);
	seen = now;
	num_seen = n;

	drops = read_backlog_drops();
	if (begun && drops > backlog_drops)
		violated(NULL, -1, drops - backlog_drops,
			 "backlog of a CPU full (net.core.netdev_max_backlog)");
	backlog_drops = drops;
	begun = true;
}

void checks_free(void)
{
	free(seen);
	seen = NULL;
	num_seen = 0;
}
