// SPDX-License-Identifier: GPL-2.0
/*
 * The first check of a port reports all losses since its qdisc was attached.
 * Counters of devices and CPUs are older: their first values are not reported.
 */
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "log.h"
#include "losses.h"

/* NULL: intended. LosslessLoss of lossless.rules.yml has the same reasons. */
static const char * const reasons[LLE_NUM_DROP] = {
	[LLE_DROP_THRESHOLD] = "threshold",
	[LLE_DROP_BUFFER] = "shared buffer full",
	[LLE_DROP_HEADROOM] = "headroom exhausted",
	[LLE_DROP_LIMIT] = "sent by this host or arrived by no port, and more of these waited than the buffer has bytes",
	[LLE_DROP_WRED] = "WRED",
	[LLE_DROP_WRED_NONECT] = "WRED, not ECN capable",
	[LLE_DROP_WRED_BUFMAX] = "WRED, over bufmax",
	[LLE_DROP_NOMEM] = "out of memory",
	[LLE_DROP_BURST] = "burst in front of the queue: raise net.core.qdisc_max_burst",
	[LLE_DROP_PURGE] = "waited when the link went down, or the TX queues or the role changed",
};

#define STAT(name) #name, offsetof(struct rtnl_link_stats64, name)

/*
 * Drivers count a loss in one or another of the last three; in rx_dropped the stack
 * also counts packets of no use, such as LLDP.
 */
const struct device_loss device_losses[NUM_DEVICE_LOSSES] = {
	{ STAT(tx_dropped), "the device has dropped them (tx_dropped)" },
	{ STAT(rx_missed_errors), "the NIC had no room for them (rx_missed_errors)" },
	{ STAT(rx_fifo_errors), "the NIC had no room for them (rx_fifo_errors)" },
	{ STAT(rx_over_errors), "the NIC had no room for them (rx_over_errors)" },
};

/* @link: NULL: the device is gone; @loss: index in device_losses */
uint64_t losses_of_device(const struct lle_nl_link *link, unsigned int loss)
{
	uint64_t packets = 0;

	if (link)
		memcpy(&packets, (const char *)&link->stats + device_losses[loss].offset,
		       sizeof(packets));
	return packets;
}

/* @known: there was an earlier check; if not, these are all of the port. */
static void add_packets(struct json_object *f, uint64_t packets, bool known)
{
	log_add(f, "packets", packets);
	if (!known)
		log_add_text(f, "since", "attach");
}

static const char *since(bool known)
{
	return known ? "" : " since the qdisc was attached";
}

static void tell(const struct lle_nl_who *who, uint64_t packets, const char *where)
{
	struct json_object *f = log_fields("lossless_violation", who);

	add_packets(f, packets, true);
	log_add_text(f, "where", where);
	log_event(LOG_WARNING, f, "%s%s%llu packets lost: %s",
		  who ? who->ifname : "", who ? ": " : "",
		  (unsigned long long)packets, where);
}

static void tell_prio(const struct lle_nl_who *who, int prio, uint64_t packets,
		      const char *where, bool known)
{
	struct json_object *f = log_fields("lossless_violation", who);

	log_add(f, "prio", prio);
	add_packets(f, packets, known);
	log_add_text(f, "where", where);
	log_event(LOG_WARNING, f,
		  "lossless priority %d of port %s has lost %llu packets%s: %s",
		  prio, who->ifname, (unsigned long long)packets, since(known),
		  where);
}

static void tell_unaccounted(const struct lle_nl_port *port, uint64_t packets,
			     bool known)
{
	struct json_object *f = log_fields("unaccounted", &port->who);
	char from[LLE_NL_WORD];

	lle_nl_ifindex_text(from, port->unaccounted_ifindex);
	add_packets(f, packets, known);
	log_add_text(f, "from", from);
	log_event(LOG_WARNING, f,
		  "port %s: %llu packets of lossless priorities%s arrived at %s, which is no port of its switch: they cause no pause and may be lost; attach the qdisc lossless to %s, of a bond or team to all its members",
		  port->who.ifname, (unsigned long long)packets, since(known), from,
		  from);
}

/* Of all CPUs */
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

/* @link: NULL: the device is gone; @known: there was an earlier check */
void losses_check(const struct lle_nl_port *port, const struct lle_nl_link *link,
		  struct losses *reported, bool known)
{
	unsigned int p, r;
	uint64_t drops;

	for (r = 0; r < NUM_DEVICE_LOSSES; r++) {
		drops = losses_of_device(link, r);
		if (known && port->pfc_en && drops > reported->device[r])
			tell(&port->who, drops - reported->device[r],
			     device_losses[r].where);
		reported->device[r] = drops;
	}
	if (port->unaccounted > reported->unaccounted)
		tell_unaccounted(port, port->unaccounted - reported->unaccounted, known);
	reported->unaccounted = port->unaccounted;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		for (r = 0; r < LLE_NUM_DROP; r++) {
			drops = lle_nl_drop(&port->stats[p], r);
			if (reasons[r] && port->pfc_en >> p & 1 &&
			    drops > reported->drops[p][r])
				tell_prio(&port->who, p, drops - reported->drops[p][r],
					  reasons[r], known);
			reported->drops[p][r] = drops;
		}
}

void losses_check_backlog(void)
{
	static uint64_t reported;
	static bool known;
	uint64_t drops = read_backlog_drops();

	if (known && drops > reported)
		tell(NULL, drops - reported,
		     "backlog of a CPU full (net.core.netdev_max_backlog)");
	reported = drops;
	known = true;
}
