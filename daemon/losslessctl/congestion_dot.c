// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion regions, for dot(1): from the roots against the direction of the
 * packets, as far as upstream neighbours are told to hold destinations.
 */
#include <string.h>

#include "ctl.h"
#include "dot.h"

/**
 * struct ctl_region - regions to show
 * @all: state of RCM, sorted by switch
 * @num: entries of @all
 * @ports: known ports
 */
struct ctl_region {
	const struct lle_nl_congestion *all;
	int num;
	const struct lle_nl_ports *ports;
};

static const struct lle_nl_port *ctl_region_port(const struct ctl_region *r,
						 uint32_t ifindex)
{
	for (int i = 0; i < r->ports->num; i++)
		if (r->ports->all[i].who.ifindex == ifindex)
			return &r->ports->all[i];
	return NULL;
}

/* RCM of the link partner; NULL: not known, or without RCM. */
static const struct lle_nl_congestion *
ctl_region_peer(const struct ctl_region *r, const struct lle_nl_congestion *n)
{
	const struct lle_nl_port *port = ctl_region_port(r, n->who.ifindex);

	for (int i = 0; port && i < r->num; i++)
		if (r->all[i].who.ifindex == port->peer &&
		    r->all[i].prio == n->prio)
			return &r->all[i];
	return NULL;
}

static bool ctl_region_tells(const struct lle_nl_congestion *n)
{
	return n->info.tells || n->info.tells_class;
}

static bool ctl_region_shows(const struct ctl_region *r,
			     const struct lle_nl_congestion *n)
{
	const struct lle_nl_congestion *peer = ctl_region_peer(r, n);

	return ctl_is_congested(n) || (peer && ctl_region_tells(peer));
}

static void ctl_region_node(const struct lle_nl_congestion *n)
{
	static const char *const colors[] = {
		[LOSSLESS_CRD_ROLE_NONE] = DOT_PLAIN,
		[LOSSLESS_CRD_ROLE_ROOT] = DOT_ROOT,
		[LOSSLESS_CRD_ROLE_EDGE] = DOT_EDGE,
		[LOSSLESS_CRD_ROLE_INNER] = DOT_LOOP,
	};
	const struct lle_congestion *i = &n->info;
	char name[CTL_TEXT];

	printf("\t\tp%u_%u [label=\"", n->who.ifindex, n->prio);
	ctl_dot_text(lle_nl_dev_text(name, n->who.ifname));
	printf(" prio %u", n->prio);
	if (i->role != LOSSLESS_CRD_ROLE_NONE)
		printf("\\n%s", lle_nl_crd_role_name(i->role));
	if (i->ids)
		printf("\\n%u isolated, %u held", i->ids, i->held);
	printf("\", shape=box, fillcolor=\"%s\"]\n",
	       i->role < ARRAY_SIZE(colors) ? colors[i->role] : DOT_PLAIN);
}

static void ctl_region_switch(const struct ctl_region *r, uint32_t sw)
{
	printf("\tsubgraph cluster_%u {\n\t\tlabel=\"switch %u\"\n", sw, sw);
	for (int i = 0; i < r->num; i++)
		if (r->all[i].who.sw == sw && ctl_region_shows(r, &r->all[i]))
			ctl_region_node(&r->all[i]);
	printf("\t}\n");
}

/* A link partner that is not a known port: a host, or a device elsewhere. */
static void ctl_region_outside(const struct ctl_region *r,
			       const struct lle_nl_congestion *n)
{
	const struct lle_nl_port *port = ctl_region_port(r, n->who.ifindex);
	char text[CTL_TEXT] = "-";

	if (port)
		ctl_peer_text(text, port);
	if (!strcmp(text, "-"))
		strcpy(text, port && port->facing == LLE_FACING_EDGE ?
				     "host" : "neighbour");
	printf("\tn%u_%u [label=\"", n->who.ifindex, n->prio);
	ctl_dot_text(text);
	printf("\", shape=ellipse]\n");
}

/* How many destinations a port tells its neighbour to hold; "all" recent. */
static void ctl_region_tell(const struct ctl_region *r,
			    const struct lle_nl_congestion *n)
{
	const struct lle_nl_congestion *peer = ctl_region_peer(r, n);

	if (!peer)
		ctl_region_outside(r, n);
	printf("\tp%u_%u -> %c%u_%u [label=\"", n->who.ifindex, n->prio,
	       peer ? 'p' : 'n', peer ? peer->who.ifindex : n->who.ifindex,
	       n->prio);
	if (n->info.tells_class)
		printf("all\", penwidth=2]\n");
	else
		printf("%u\", penwidth=2]\n", n->info.tells);
}

/* Invisible edges put egress ports before their packets' ingress ports. */
static void ctl_region_order(const struct ctl_region *r,
			     const struct lle_nl_congestion *n)
{
	for (int i = 0; i < r->num; i++) {
		const struct lle_nl_congestion *at = &r->all[i];

		if (at->who.sw == n->who.sw && at->prio == n->prio &&
		    at->info.ids && at != n)
			printf("\tp%u_%u -> p%u_%u [style=invis]\n",
			       at->who.ifindex, at->prio, n->who.ifindex,
			       n->prio);
	}
}

/**
 * ctl_congestion_dot() - print regions of congestion as a graph
 * @all: state of RCM, sorted by switch
 * @num: entries of @all
 * @ports: known ports
 */
void ctl_congestion_dot(const struct lle_nl_congestion *all, int num,
			const struct lle_nl_ports *ports)
{
	struct ctl_region r = { .all = all, .num = num, .ports = ports };
	int64_t last = -1;

	ctl_dot_begin("congestion");
	printf("\trankdir=LR\n");
	for (int i = 0; i < num; i++)
		if (all[i].who.sw != last && ctl_region_shows(&r, &all[i])) {
			last = all[i].who.sw;
			ctl_region_switch(&r, last);
		}
	for (int i = 0; i < num; i++) {
		if (!ctl_region_tells(&all[i]))
			continue;
		ctl_region_tell(&r, &all[i]);
		ctl_region_order(&r, &all[i]);
	}
	printf("}\n");
}
