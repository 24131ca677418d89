// SPDX-License-Identifier: GPL-2.0
/*
 * The loop of a deadlock, for dot(1). Its switches and links stand on an
 * ellipse, clockwise; an initial trigger off the loop stands outside.
 */
#include <math.h>
#include <string.h>

#include "ctl.h"
#include "dot.h"

/* Inches between neighbouring places, and ratio of the ellipse's axes */
#define DOT_STEP	1.25
#define DOT_WIDER	1.3

/* Inches outside the ellipse, of trigger and pause; factor for the sides */
#define DOT_WHO		2.2
#define DOT_HOW		1.1
#define DOT_BESIDE	1.7

/**
 * struct ctl_loop - the loop to show
 * @d: the deadlock
 * @ports: known ports
 * @hops: number of hops
 */
struct ctl_loop {
	const struct lle_nl_deadlock *d;
	const struct lle_nl_ports *ports;
	unsigned int hops;
};

/* @place: 2n: of switch n, 2n + 1: of the link behind it; @outside: inches */
static void ctl_loop_place(const struct ctl_loop *l, unsigned int place,
			   double outside)
{
	double step = M_PI / l->hops;
	double radius = DOT_STEP / 2 / sin(step / 2);

	/* labels are wider than high, so they need more room at the sides */
	printf("pos=\"%.3f,%.3f!\"",
	       (DOT_WIDER * radius + DOT_BESIDE * outside) * sin(step * place),
	       (radius + outside) * cos(step * place));
}

/* Only the name of the port, as the node of its switch stands beside it. */
static void ctl_loop_port(const struct ctl_loop *l, uint16_t sw, uint8_t slot)
{
	const struct lle_nl_port *port = lle_nl_find_slot(l->ports, sw, slot);
	char name[CTL_TEXT];

	if (port)
		ctl_dot_text(lle_nl_dev_text(name, port->who.ifname));
	else
		printf("port %u", slot);
}

/* The first place of a switch on the loop; -1: it is not on the loop. */
static int ctl_loop_find(const struct ctl_loop *l, uint16_t sw)
{
	for (unsigned int n = 0; n < l->hops; n++)
		if (lle_nl_deadlock_hop(l->d, n)->sw == sw)
			return n;
	return -1;
}

static void ctl_loop_switches(const struct ctl_loop *l)
{
	const struct lle_deadlock_who *who = &l->d->info.trigger;

	for (unsigned int n = 0; n < l->hops; n++) {
		uint16_t sw = lle_nl_deadlock_hop(l->d, n)->sw;

		if (ctl_loop_find(l, sw) != (int)n)
			continue;
		printf("\ts%u [label=\"switch %u\", shape=box, style=\"filled,rounded\", fillcolor=\"%s\", ",
		       sw, sw, sw == who->sw && !who->host ? DOT_CULPRIT :
							     DOT_LOOP);
		ctl_loop_place(l, 2 * n, 0);
		printf("]\n");
	}
}

/* From each switch to the next, with the bytes that wait for the link. */
static void ctl_loop_links(const struct ctl_loop *l)
{
	const struct lle_deadlock_hop *hop, *next;
	char bytes[CTL_TEXT];

	for (unsigned int n = 0; n < l->hops; n++) {
		hop = lle_nl_deadlock_hop(l->d, n);
		next = lle_nl_deadlock_hop(l->d, (n + 1) % l->hops);
		printf("\tl%u [label=\"", n);
		ctl_loop_port(l, hop->sw, hop->egress);
		printf(" &rarr; ");
		if (l->d->info.loop)
			ctl_loop_port(l, next->sw, next->ingress);
		else
			printf("?");
		printf("\\n%s\", shape=plaintext, fillcolor=white, ",
		       lle_nl_bytes_text(bytes, hop->bytes));
		ctl_loop_place(l, 2 * n + 1, 0);
		printf("]\n");
		printf("\ts%u -> l%u [penwidth=2, arrowhead=none]\n", hop->sw, n);
		printf("\tl%u -> s%u [penwidth=2%s]\n", n, next->sw,
		       l->d->info.loop ? "" : ", style=dotted");
	}
}

/* The trigger, if its node is not on the ellipse already */
static void ctl_loop_outside(const struct ctl_loop *l, unsigned int place,
			     bool on_loop)
{
	const struct lle_deadlock_who *who = &l->d->info.trigger;
	const struct lle_nl_port *port;
	char mac[CTL_TEXT];

	printf("\tculprit [label=\"");
	if (!on_loop)
		printf("switch %u%s", who->sw, who->host ? "\\n" : "");
	if (who->host)
		printf("host");
	port = lle_nl_find_slot(l->ports, who->sw, who->slot);
	if (who->host && port &&
	    strcmp(lle_nl_mac_text(mac, port->peer_mac), "-"))
		printf("\\n%s", mac);
	printf("\", shape=octagon, margin=0, fillcolor=\"" DOT_CULPRIT "\", ");
	ctl_loop_place(l, place, DOT_WHO);
	printf("]\n\tculprit -> begins [style=dashed, arrowhead=none]\n");
}

/* The initial trigger: a host, or a switch on the loop or off the loop */
static void ctl_loop_culprit(const struct ctl_loop *l)
{
	const struct lle_deadlock_who *who = &l->d->info.trigger;
	int at = ctl_loop_find(l, who->sw);
	unsigned int place = 2 * (at < 0 ? l->hops : (unsigned int)at);

	printf("\tbegins [label=\"%s",
	       who->host ? "pauses " : "initial trigger\\n");
	ctl_loop_port(l, who->sw, who->slot);
	printf("%s\", shape=plaintext, fillcolor=white, ",
	       who->host ? ",\\ninitial trigger" : "");
	ctl_loop_place(l, place, DOT_HOW);
	printf("]\n");
	if (at >= 0)
		printf("\tbegins -> s%u [style=dashed]\n", who->sw);
	if (who->host || at < 0)
		ctl_loop_outside(l, place, at >= 0);
}

/**
 * ctl_deadlock_dot() - print a deadlock as a graph
 * @d: the deadlock
 * @ports: known ports
 */
void ctl_deadlock_dot(const struct lle_nl_deadlock *d,
		      const struct lle_nl_ports *ports)
{
	struct ctl_loop l = { .d = d, .ports = ports };
	char id[CTL_TEXT], bytes[CTL_TEXT];

	while (lle_nl_deadlock_hop(d, l.hops))
		l.hops++;
	ctl_dot_begin("deadlock");
	/* the places hold for neato, whichever program reads the graph */
	printf("\tlayout=neato\n\tsplines=true\n\tlabelloc=t\n");
	printf("\tlabel=\"deadlock %s on priority %u, %s stuck\\n",
	       lle_nl_deadlock_id(id, d), d->info.prio,
	       lle_nl_bytes_text(bytes, lle_nl_deadlock_bytes(d)));
	lle_nl_deadlock_times(stdout, d);
	printf("\\n \"\n");
	ctl_loop_switches(&l);
	ctl_loop_links(&l);
	if (d->info.trigger.sw)
		ctl_loop_culprit(&l);
	printf("}\n");
}
