// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding tables: for each switch and host the port that leads there, on a
 * shortest path unless the user gives one.
 *
 * If n ports are on shortest paths to host number h (from 0), the switch uses
 * number
 *
 *	h / n^level mod n
 *
 * of them, in the order of ports; the level of a switch is its distance in
 * links from the nearest switch with hosts. All packets to one host take one
 * path down. The hosts of a switch are spread over its paths up; hosts with the
 * same position at different switches are spread one level higher. In a fat
 * tree the two lowest digits of h to the base K/2 name the core that leads to
 * host h, and each link down to an edge switch carries packets of one host.
 *
 * If n ports are on the same shortest paths for every host, they are a path
 * group: a switch may use any of them instead.
 */
#include <stdlib.h>

#include "tb.h"

#define TB_FAR	UINT32_MAX

/* Ports to choose from, numbered from 1. */
static uint16_t tb_choice[UINT16_MAX];

static bool tb_is_path(const struct tb_topo *t, const struct tb_port *port)
{
	const struct tb_link *l = &t->link[port->link];

	return !l->to_host && !l->failed;
}

/* Distances, in links, from the @queued first switches of @queue */
static void tb_distances(const struct tb_topo *t, uint32_t *distance,
			 uint32_t *queue, unsigned int queued, bool with_failed)
{
	unsigned int first = 0, i, p, next;
	const struct tb_switch *sw;

	for (i = 0; i < t->switches; i++)
		distance[i] = TB_FAR;
	for (i = 0; i < queued; i++)
		distance[queue[i]] = 0;
	while (first < queued) {
		i = queue[first++];
		sw = &t->sw[i];
		for (p = 0; p < sw->ports; p++) {
			if (t->link[sw->port[p].link].to_host ||
			    (!with_failed && !tb_is_path(t, &sw->port[p])))
				continue;
			next = tb_neighbour(t, &sw->port[p]);
			if (distance[next] != TB_FAR)
				continue;
			distance[next] = distance[i] + 1;
			queue[queued++] = next;
		}
	}
}

static void tb_levels(struct tb_topo *t, uint32_t *distance, uint32_t *queue)
{
	unsigned int i, sw, queued = 0;
	bool *has_hosts = tb_zalloc(t->switches, sizeof(*has_hosts));

	for (i = 0; i < t->hosts; i++) {
		sw = t->link[t->host[i].link].end[0].node;
		if (!has_hosts[sw])
			queue[queued++] = sw;
		has_hosts[sw] = true;
	}
	free(has_hosts);
	tb_distances(t, distance, queue, queued, true);
	for (i = 0; i < t->switches; i++)
		t->sw[i].level = distance[i];
}

static unsigned int tb_choose(unsigned int host, unsigned int level,
			      unsigned int num)
{
	while (level-- && host)
		host /= num;
	return host % num;
}

/* Collects the ports of @sw that lead to @via. Return: their number. */
static unsigned int tb_ports_to(const struct tb_topo *t, unsigned int sw,
				unsigned int via)
{
	unsigned int p, num = 0;

	for (p = 0; p < t->sw[sw].ports; p++)
		if (tb_is_path(t, &t->sw[sw].port[p]) &&
		    tb_neighbour(t, &t->sw[sw].port[p]) == via)
			tb_choice[num++] = p + 1;
	return num;
}

/* Collects the ports of @sw that reduce the distance. Return: their number. */
static unsigned int tb_ports_down(const struct tb_topo *t, unsigned int sw,
				  const uint32_t *distance)
{
	unsigned int p, num = 0;

	for (p = 0; p < t->sw[sw].ports; p++)
		if (tb_is_path(t, &t->sw[sw].port[p]) &&
		    distance[tb_neighbour(t, &t->sw[sw].port[p])] <
		    distance[sw])
			tb_choice[num++] = p + 1;
	return num;
}

/* Dissolves a group: its ports have no group. */
static void tb_ungroup(struct tb_switch *sw, unsigned int group)
{
	unsigned int p;

	for (p = 0; p < sw->ports; p++)
		if (sw->port[p].group == group)
			sw->port[p].group = TB_NO_GROUP;
}

/* Makes the first @num of tb_choice a group, if they always come together. */
static void tb_group(struct tb_topo *t, struct tb_switch *sw, unsigned int num)
{
	unsigned int group = sw->port[tb_choice[0] - 1].group;
	unsigned int i, same = 0, size = 0;

	for (i = 0; i < num; i++)
		same += sw->port[tb_choice[i] - 1].group == group;
	for (i = 0; i < sw->ports; i++)
		size += sw->port[i].group == group;
	if (same == num && size == num && group)
		return;
	if (same == num && !group) {
		group = ++t->groups;
	} else {
		for (i = 0; i < num; i++)
			if (sw->port[tb_choice[i] - 1].group)
				tb_ungroup(sw, sw->port[tb_choice[i] - 1].group);
		group = TB_NO_GROUP;
	}
	for (i = 0; i < num; i++)
		sw->port[tb_choice[i] - 1].group = group;
}

/* Sets the port of each switch to the hosts of switch @to. */
static void tb_route_to(struct tb_topo *t, unsigned int to,
			const uint32_t *distance)
{
	const struct tb_switch *dst = &t->sw[to];
	const struct tb_link *l;
	unsigned int sw, p, num;
	uint16_t *next;

	for (sw = 0; sw < t->switches; sw++) {
		num = tb_ports_down(t, sw, distance);
		if (num)
			tb_group(t, &t->sw[sw], num);
		for (p = 0; p < dst->ports; p++) {
			l = &t->link[dst->port[p].link];
			if (!l->to_host)
				continue;
			next = &t->next[(size_t)sw * t->hosts + l->end[1].node];
			if (sw == to)
				*next = p + 1;
			else if (num)
				*next = tb_choice[tb_choose(l->end[1].node,
							t->sw[sw].level, num)];
		}
	}
}

static int tb_route_given(struct tb_topo *t, const struct tb_given *g)
{
	unsigned int num;

	num = tb_ports_to(t, g->sw, g->via);
	if (!num)
		return tb_error("no link from %s to %s, or it has failed",
				t->sw[g->sw].name, t->sw[g->via].name);
	if (t->link[t->host[g->host].link].end[0].node == g->sw)
		return tb_error("%s is at %s itself", t->host[g->host].name,
				t->sw[g->sw].name);
	t->next[(size_t)g->sw * t->hosts + g->host] =
		tb_choice[tb_choose(g->host, t->sw[g->sw].level, num)];
	return 0;
}

/* Follows the tables: packets from @sw must arrive at @host. */
static int tb_check(const struct tb_topo *t, unsigned int sw, unsigned int host)
{
	unsigned int last = t->link[t->host[host].link].end[0].node;
	unsigned int i, port, at = sw;

	for (i = 0; at != last; i++) {
		port = t->next[(size_t)at * t->hosts + host];
		if (!port)
			return tb_error("no path from %s to %s", t->sw[sw].name,
					t->host[host].name);
		if (i == t->switches)
			return tb_error("packets from %s to %s would go round in circles",
					t->sw[sw].name, t->host[host].name);
		at = tb_neighbour(t, &t->sw[at].port[port - 1]);
	}
	return 0;
}

/* Checks from each switch that packets can enter at. */
static int tb_check_all(const struct tb_topo *t)
{
	unsigned int sw, host, i;

	for (i = 0; i < t->givens; i++) {
		tb_error_at(t->file, t->given[i].line, NULL);
		if (tb_check(t, t->given[i].sw, t->given[i].host))
			return -1;
	}
	tb_error_at(NULL, 0, NULL);
	for (sw = 0; sw < t->switches; sw++)
		for (host = 0; !t->sw[sw].level && host < t->hosts; host++)
			if (tb_check(t, sw, host))
				return -1;
	return 0;
}

/* Computes the forwarding tables; links are final. */
int tb_route(struct tb_topo *t)
{
	uint32_t *distance = tb_zalloc(t->switches, sizeof(*distance));
	uint32_t *queue = tb_zalloc(t->switches, sizeof(*queue));
	unsigned int i;
	int ret = 0;

	t->next = tb_zalloc((size_t)t->switches * t->hosts, sizeof(*t->next));
	tb_levels(t, distance, queue);
	for (i = 0; i < t->switches; i++) {
		if (t->sw[i].level)
			continue;
		queue[0] = i;
		tb_distances(t, distance, queue, 1, false);
		tb_route_to(t, i, distance);
	}
	free(distance);
	free(queue);

	for (i = 0; i < t->givens && !ret; i++) {
		tb_error_at(t->file, t->given[i].line, NULL);
		ret = tb_route_given(t, &t->given[i]);
	}
	if (!ret)
		ret = tb_check_all(t);
	return ret;
}
