// SPDX-License-Identifier: GPL-2.0
/* losslessctl reload: waits until the peers stop and the queues are empty. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netns.h"

#define NS_PER_MS	1000000ULL

/* No packet for this long, in which packets on their way have arrived */
#define QUIET_MS	20
#define LOOK_US		2000

/* Lossless packets of all ports */
struct activity {
	uint64_t arrived;	/* packets */
	uint64_t waiting;	/* bytes */
	uint64_t most;	/* packets of the port and priority with the most */
	char waits[CTL_NETNS_NAME + 64];	/* message */
	char arrives[CTL_NETNS_NAME + 64];	/* message */
};

static void add_port(struct activity *a, const struct lle_nl_port *port, const char *where)
{
	const struct lle_prio_stats *s = port->stats;
	int p;

	for (p = 0; p < LLE_NUM_PRIO; p++, s++) {
		if (!(port->pfc_en >> p & 1))
			continue;
		a->arrived += s->rx_packets;
		a->waiting += s->backlog + s->occupancy;
		if (s->backlog)
			snprintf(a->waits, sizeof(a->waits),
				 "%llu bytes of priority %d wait at %s%s",
				 (unsigned long long)s->backlog, p, port->who.ifname, where);
		if (s->rx_packets <= a->most)
			continue;
		a->most = s->rx_packets;
		snprintf(a->arrives, sizeof(a->arrives), "packets of priority %d arrive at %s%s",
			 p, port->who.ifname, where);
	}
}

static enum ctl_exit look(const struct ctl_netnses *n, struct activity *a)
{
	struct lle_nl_port *ports;
	const struct ctl_netns *ns;
	int num, i;

	*a = (struct activity){};
	for (ns = n->all; ns < n->all + n->num; ns++) {
		if (!ns->num_qdiscs)
			continue;
		num = lle_nl_get_ports(ns->c.nl, &ports);
		if (num < 0)
			return ctl_refused(&ns->c);
		for (i = 0; i < num; i++)
			add_port(a, &ports[i], ctl_netns_where(ns));
		free(ports);
	}
	return CTL_OK;
}

/* Waits until no lossless packet arrives or waits at a port. */
enum ctl_exit ctl_wait_until_quiet(const struct ctl_netnses *n, uint32_t wait_ms)
{
	uint64_t end_ns = ctl_now_ns() + wait_ms * NS_PER_MS, quiet_ns = ctl_now_ns();
	struct activity before, now;
	char last[sizeof(now.waits)] = "";
	enum ctl_exit ret;

	ret = look(n, &before);
	while (!ret) {
		usleep(LOOK_US);
		ret = look(n, &now);
		if (ret)
			break;
		if (now.waiting || now.arrived != before.arrived) {
			quiet_ns = ctl_now_ns();
			memcpy(last, *now.waits ? now.waits : now.arrives, sizeof(last));
		}
		before = now;
		if (ctl_now_ns() - quiet_ns >= QUIET_MS * NS_PER_MS)
			break;
		if (ctl_now_ns() > end_ns)
			ret = ctl_fail("refused: after %u ms of pauses, %s; --wait MS waits longer",
				       wait_ms, last);
	}
	return ret;
}
