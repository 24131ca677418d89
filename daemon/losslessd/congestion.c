// SPDX-License-Identifier: GPL-2.0
/* Congestion regions in the log, summed up: there may be thousands a second. */
#include <syslog.h>

#include "log.h"
#include "congestion.h"

#define US_PER_S	1000000.0
#define NS_PER_S	1000000000.0
#define PERIOD_US	300000000ULL

static struct regions counters(const struct snapshot *s,
			       const struct lle_nl_port *port, uint64_t now_us)
{
	struct regions now = { .start_us = now_us };

	for (int i = 0; i < s->num_congestions; i++)
		if (s->congestions[i].who.ifindex == port->who.ifindex)
			now.prio[s->congestions[i].prio] =
				s->congestions[i].info;
	return now;
}

static void tell(const struct lle_nl_port *port, unsigned int prio,
		 double seconds, const struct lle_congestion *then,
		 const struct lle_congestion *now)
{
	unsigned long long regions = now->regions - then->regions;
	unsigned long long identified = now->identified - then->identified;
	double root = (now->root_ns - then->root_ns) / NS_PER_S;
	struct json_object *f = log_fields("congestion", &port->who);

	log_add(f, "prio", prio);
	log_add_double(f, "seconds", seconds);
	log_add(f, "regions", regions);
	log_add_double(f, "root_seconds", root);
	log_add(f, "identified", identified);
	log_event(LOG_INFO, f,
		  "port %s, priority %u: root of %llu regions of congestion for %.3f s in %.0f s, %llu flows or destinations found",
		  port->who.ifname, prio, regions, root, seconds, identified);
}

void regions_check(const struct snapshot *s, const struct lle_nl_port *port,
		   struct regions *r, uint64_t now_us)
{
	struct regions now;
	unsigned int p;

	/* the port is new, or five minutes have passed */
	if (r->start_us && now_us - r->start_us < PERIOD_US)
		return;
	now = counters(s, port, now_us);
	for (p = 0; p < LLE_NUM_PRIO && r->start_us; p++)
		/* lower counters mean that the port was created anew */
		if (now.prio[p].root_ns > r->prio[p].root_ns &&
		    now.prio[p].regions >= r->prio[p].regions)
			tell(port, p, (now_us - r->start_us) / US_PER_S,
			     &r->prio[p], &now.prio[p]);
	*r = now;
}
