// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of a testbed, each for a kernel of its own. Switches with hosts are
 * divided by their order, so that parts have equal numbers of hosts. Any other
 * switch goes to the part with most of its neighbours nearer to hosts; of
 * several, to the one with the fewest switches.
 *
 * A kernel has its part, and the other ends of its links. Names and numbers are
 * those of the whole testbed.
 */
#include <stdlib.h>

#include "tb.h"

/* Parts while they are made. @below: neighbours nearer to hosts, by part */
struct tb_parting {
	struct tb_topo *t;
	unsigned int parts;
	unsigned int switches[TB_PART_MAX + 1];
	unsigned int below[TB_PART_MAX + 1];
};

static void tb_part_set(struct tb_parting *p, unsigned int sw, unsigned int part)
{
	/* bridges that form one switch share a buffer */
	unsigned int first = p->t->sw[sw].number - 1;

	if (first != sw && p->t->sw[first].part)
		part = p->t->sw[first].part;
	p->t->sw[sw].part = part;
	p->switches[part]++;
}

static unsigned int tb_hosts_of(const struct tb_topo *t, unsigned int sw)
{
	unsigned int i, hosts = 0;

	for (i = 0; i < t->sw[sw].ports; i++)
		hosts += t->link[t->sw[sw].port[i].link].to_host;
	return hosts;
}

static void tb_part_leaves(struct tb_parting *p)
{
	struct tb_topo *t = p->t;
	unsigned int sw, hosts = 0;

	for (sw = 0; sw < t->switches; sw++) {
		if (t->sw[sw].level)
			continue;
		tb_part_set(p, sw, 1 + (uint64_t)hosts * p->parts / t->hosts);
		hosts += tb_hosts_of(t, sw);
	}
}

static unsigned int tb_part_best(struct tb_parting *p, unsigned int sw)
{
	const struct tb_switch *s = &p->t->sw[sw], *peer;
	unsigned int i, part, best = 1;

	for (part = 1; part <= p->parts; part++)
		p->below[part] = 0;
	for (i = 0; i < s->ports; i++) {
		if (p->t->link[s->port[i].link].to_host)
			continue;
		peer = &p->t->sw[tb_neighbour(p->t, &s->port[i])];
		if (peer->level < s->level)
			p->below[peer->part]++;
	}
	for (part = 2; part <= p->parts; part++)
		if (p->below[part] > p->below[best] ||
		    (p->below[part] == p->below[best] &&
		     p->switches[part] < p->switches[best]))
			best = part;
	return best;
}

static int tb_part_check(const struct tb_topo *t)
{
	const struct tb_link *l;
	uint64_t ns[2];

	for (l = t->link; l < t->link + t->links; l++) {
		if (tb_qdisc_delay(t, l, 0, &ns[0]) ||
		    tb_qdisc_delay(t, l, 1, &ns[1]))
			return -1;
		if (!ns[0] || !ns[1])
			return tb_error("--part: link %s %s has no delay",
					tb_node_name(t, l, 0), tb_node_name(t, l, 1));
	}
	return 0;
}

/* Divides a testbed with routes into parts. */
int tb_part(struct tb_topo *t, unsigned int parts)
{
	struct tb_parting p = { .t = t, .parts = parts };
	unsigned int level, sw, last = 0;

	tb_part_leaves(&p);
	for (sw = 0; sw < t->switches; sw++)
		last = t->sw[sw].level > last ? t->sw[sw].level : last;
	for (level = 1; level <= last; level++)
		for (sw = 0; sw < t->switches; sw++)
			if (t->sw[sw].level == level)
				tb_part_set(&p, sw, tb_part_best(&p, sw));
	return tb_part_check(t);
}

/* Return: part of an end of a link, from 1; 0: there are no parts. */
unsigned int tb_part_of(const struct tb_topo *t, const struct tb_link *l,
			unsigned int side)
{
	/* a host is with its switch */
	return t->sw[l->end[l->to_host ? 0 : side].node].part;
}

/* Does a part run in this kernel? */
bool tb_is_here(const struct tb_build *b, unsigned int part)
{
	return !b->here || part == b->here;
}

bool tb_has_host(const struct tb_topo *t, const struct tb_build *b, unsigned int host)
{
	return tb_is_here(b, tb_part_of(t, &t->link[t->host[host].link], 1));
}

/* Is a link in this kernel? lle_wire.ko needs both ends of a link. */
bool tb_has_link(const struct tb_topo *t, const struct tb_build *b, const struct tb_link *l)
{
	return tb_is_here(b, tb_part_of(t, l, 0)) || tb_is_here(b, tb_part_of(t, l, 1));
}
