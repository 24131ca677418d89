// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "snapshot.h"

/* RCM of thousands of priorities is read only if a port has it. */
static bool has_rcm(const struct snapshot *s)
{
	for (int i = 0; i < s->num_ports; i++)
		if (s->ports[i].rcm)
			return true;
	return false;
}

/* @s is to be freed, also after a failure; see lle_nl_text(). */
int snapshot_take(struct lle_nl *nl, struct snapshot *s)
{
	*s = (struct snapshot) {};
	s->num_switches = lle_nl_get_switches(nl, &s->switches);
	if (s->num_switches < 0)
		return s->num_switches;
	s->num_ports = lle_nl_get_ports(nl, &s->ports);
	if (s->num_ports < 0)
		return s->num_ports;
	s->num_watchdogs = lle_nl_get_watchdogs(nl, &s->watchdogs);
	if (s->num_watchdogs < 0)
		return s->num_watchdogs;
	s->num_deadlocks = lle_nl_get_deadlocks(nl, &s->deadlocks);
	if (s->num_deadlocks < 0)
		return s->num_deadlocks;
	s->num_links = lle_nl_get_links(nl, &s->links);
	if (s->num_links < 0)
		return s->num_links;
	if (!has_rcm(s))
		return 0;
	s->num_congestions = lle_nl_get_congestions(nl, 0, &s->congestions);
	return s->num_congestions < 0 ? s->num_congestions : 0;
}

void snapshot_free(struct snapshot *s)
{
	free(s->switches);
	free(s->ports);
	free(s->watchdogs);
	free(s->deadlocks);
	free(s->congestions);
	free(s->links);
}
