// SPDX-License-Identifier: GPL-2.0
/* Periodic checks of all ports */
#include <stdlib.h>

#include "checks.h"
#include "drift.h"
#include "losses.h"
#include "rates.h"
#include "congestion.h"

struct seen {
	struct lle_nl_who who;
	struct losses losses;
	struct drift drift;
	struct rates rates;
	struct regions regions;
};

/* Sorted by lle_nl_compare_ports(), as each entry begins like a port. */
static struct seen *seen;
static int num_seen;

static const struct seen *find(const struct lle_nl_port *port)
{
	if (!num_seen)
		return NULL;
	return bsearch(port, seen, num_seen, sizeof(*seen),
		       lle_nl_compare_ports);
}

void checks_run(const struct snapshot *s, uint64_t now_us)
{
	struct seen *now = calloc(s->num_ports + 1, sizeof(*now));
	const struct lle_nl_settings settings = {
		s->ports, s->num_ports, s->watchdogs, s->num_watchdogs,
	};
	struct lle_nl_usual usual;
	int i;

	if (!now)
		return;
	lle_nl_find_usual(&settings, &usual);
	for (i = 0; i < s->num_ports; i++) {
		const struct lle_nl_port *port = &s->ports[i];
		const struct seen *before = find(port);

		if (before)
			now[i] = *before;
		now[i].who = port->who;
		losses_check(port, lle_nl_find_link(s->links, s->num_links,
						    port->who.ifindex),
			     &now[i].losses, before);
		drift_check(&settings, port, &usual, &now[i].drift);
		rates_check(port, &now[i].rates, now_us);
		regions_check(s, port, &now[i].regions, now_us);
	}
	losses_check_backlog();
	free(seen);
	seen = now;
	num_seen = s->num_ports;
}

void checks_free(void)
{
	free(seen);
	seen = NULL;
	num_seen = 0;
}
