// SPDX-License-Identifier: GPL-2.0
/* Adds switches, hosts and links, one at a time. */
#include <ctype.h>
#include <search.h>
#include <string.h>

#include "tb.h"

/* A name in use. @number: index in struct tb_topo.host or .sw */
struct tb_node {
	char name[TB_NAME_SIZE];
	bool is_host;
	unsigned int number;
};

static void *tb_nodes;	/* tree, by name */

static int tb_node_cmp(const void *a, const void *b)
{
	return strcmp(((const struct tb_node *)a)->name,
		      ((const struct tb_node *)b)->name);
}

/* A name has no '-', which joins the names of a testbed and its node. */
bool tb_is_name(const char *name)
{
	const char *c;

	for (c = name; isalnum((unsigned char)*c) || *c == '_' || *c == '.'; c++)
		;
	return isalpha((unsigned char)*name) && !*c &&
	       c - name < TB_NAME_SIZE;
}

static struct tb_node *tb_find(const char *name)
{
	struct tb_node key;
	void *found;

	if (!tb_is_name(name))
		return NULL;
	strcpy(key.name, name);
	found = tfind(&key, &tb_nodes, tb_node_cmp);
	return found ? *(struct tb_node **)found : NULL;
}

static const char *tb_add_node(const char *name, bool is_host,
			       unsigned int number)
{
	struct tb_node *node;

	if (!tb_is_name(name)) {
		tb_error("\"%s\" is not a name: letters, digits, '_' and '.', a letter first, %d at most",
			 name, TB_NAME_SIZE - 1);
		return NULL;
	}
	if (tb_find(name)) {
		tb_error("\"%s\" is there already", name);
		return NULL;
	}
	if (number >= TB_NODE_MAX) {
		tb_error("more than %d %s", TB_NODE_MAX,
			 is_host ? "hosts" : "switches");
		return NULL;
	}
	node = tb_zalloc(1, sizeof(*node));
	strcpy(node->name, name);
	node->is_host = is_host;
	node->number = number;
	tsearch(node, &tb_nodes, tb_node_cmp);
	return node->name;
}

int tb_find_switch(const char *name, unsigned int *sw)
{
	const struct tb_node *node = tb_find(name);

	if (!node || node->is_host)
		return tb_error("there is no switch \"%s\"", name);
	*sw = node->number;
	return 0;
}

int tb_find_host(const char *name, unsigned int *host)
{
	const struct tb_node *node = tb_find(name);

	if (!node || !node->is_host)
		return tb_error("there is no host \"%s\"", name);
	*host = node->number;
	return 0;
}

/* Adds a switch without ports. */
int tb_add_switch(struct tb_topo *t, const char *name)
{
	name = tb_add_node(name, false, t->switches);
	if (!name)
		return -1;
	t->sw = tb_grow(t->sw, t->switches, sizeof(*t->sw));
	memset(&t->sw[t->switches], 0, sizeof(*t->sw));
	t->sw[t->switches++].name = name;
	t->sw[t->switches - 1].number = t->switches;
	return 0;
}

/* Ports of a switch are numbered in the order in which they are added. */
static int tb_add_port(struct tb_topo *t, unsigned int link, unsigned int side)
{
	struct tb_end *end = &t->link[link].end[side];
	struct tb_switch *sw = &t->sw[end->node];

	end->port = sw->ports;
	if (sw->ports == UINT16_MAX ||
	    snprintf(end->dev, sizeof(end->dev), "%sp%u", sw->name,
		     sw->ports + 1) >= (int)sizeof(end->dev))
		return tb_error("switch %s: no name is left for port %u: device names have %d characters at most",
				sw->name, sw->ports + 1, TB_NAME_SIZE - 1);
	sw->port = tb_grow(sw->port, sw->ports, sizeof(*sw->port));
	sw->port[sw->ports++] = (struct tb_port){ link, side };
	return 0;
}

static struct tb_link *tb_new_link(struct tb_topo *t, unsigned int a,
				   unsigned int b)
{
	struct tb_link *l;

	if (t->links == TB_LINK_MAX) {
		tb_error("more than %d links", TB_LINK_MAX);
		return NULL;
	}
	t->link = tb_grow(t->link, t->links, sizeof(*t->link));
	l = &t->link[t->links++];
	memset(l, 0, sizeof(*l));
	l->end[0].node = a;
	l->end[1].node = b;
	return l;
}

/* Adds a host and its link. */
int tb_add_host(struct tb_topo *t, const char *name, unsigned int sw)
{
	struct tb_link *l;

	if (!strcmp(name, "sw"))
		return tb_error("\"sw\" is the name of the switches' network namespace");
	name = tb_add_node(name, true, t->hosts);
	if (!name)
		return -1;
	l = tb_new_link(t, sw, t->hosts);
	if (!l)
		return -1;
	l->to_host = true;
	strcpy(l->end[1].dev, "eth0");
	t->host = tb_grow(t->host, t->hosts, sizeof(*t->host));
	t->host[t->hosts++] = (struct tb_host){ name, t->links - 1 };
	return tb_add_port(t, t->links - 1, 0);
}

/* Adds a link between two switches. */
int tb_add_link(struct tb_topo *t, unsigned int a, unsigned int b)
{
	if (a == b)
		return tb_error("switch %s: a link to itself", t->sw[a].name);
	if (!tb_new_link(t, a, b) || tb_add_port(t, t->links - 1, 0))
		return -1;
	return tb_add_port(t, t->links - 1, 1);
}

/* Fails the first link A-B between switches that has not failed. */
int tb_fail(struct tb_topo *t, char *name)
{
	const char *dash = strchr(name, '-');
	char first[TB_NAME_SIZE];
	unsigned int a, b, p;
	struct tb_link *l;

	if (!dash || dash - name >= TB_NAME_SIZE)
		return tb_error("\"%s\" is not a link of two switches, A-B",
				name);
	memcpy(first, name, dash - name);
	first[dash - name] = '\0';
	if (tb_find_switch(first, &a) || tb_find_switch(dash + 1, &b))
		return -1;

	for (p = 0; p < t->sw[a].ports; p++) {
		l = &t->link[t->sw[a].port[p].link];
		if (!l->to_host && !l->failed &&
		    tb_neighbour(t, &t->sw[a].port[p]) == b) {
			l->failed = true;
			return 0;
		}
	}
	return tb_error("there is no link %s that could fail", name);
}
