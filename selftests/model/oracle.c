// SPDX-License-Identifier: GPL-2.0
/*
 * Deadlocks by queues and pauses alone: the largest set of paused links that are
 * held by other links of the set.
 */
#include "model.h"

#define NODES	(SWITCHES * PORTS)

static bool resumes(const struct port *p)
{
	unsigned int n;

	for (n = 0; n < p->control_len; n++)
		if (p->control[(p->control_head + n) % CONTROL].kind == RESUMES)
			return true;
	return false;
}

/*
 * The ingress that pauses @p, as a bit; 0: no ingress, or its resume is in
 * flight. If the resume is lost, the ingress pauses @p again.
 */
static u64 holder(const struct model *m, const struct port *p)
{
	const struct port *peer;

	if (!p->paused || p->host)
		return 0;
	peer = &m->sw[p->peer_sw].port[p->peer_port];
	if (!peer->pg.xoff || resumes(peer))
		return 0;
	return BIT_ULL(NODE(p->peer_sw, p->peer_port));
}

struct wait {
	u64 on[NODES][PORTS];
	u16 bytes[NODES][PORTS];
	u16 xon[NODES];
	u64 all;
};

static void wait_read(const struct model *m, struct wait *w)
{
	unsigned int sw, i, p, node;
	u64 by[PORTS];

	w->all = 0;
	for (sw = 0; sw < m->switches; sw++) {
		const struct switch_model *s = &m->sw[sw];
		u64 any = 0;

		for (p = 0; p < s->ports; p++)
			any |= by[p] = holder(m, &s->port[p]);
		if (!any)
			continue;
		for (i = 0; i < s->ports; i++) {
			const struct port *in = &s->port[i];

			if (in->host || in->never || !in->pg.xoff)
				continue;
			node = NODE(sw, i);
			w->all |= BIT_ULL(node);
			w->xon[node] = in->pg.xon;
			for (p = 0; p < PORTS; p++) {
				w->bytes[node][p] = p < s->ports ? in->count[p] :
								   0;
				w->on[node][p] = p < s->ports ? by[p] : 0;
			}
		}
	}
}

/* Do members of @set, or one of them (@single), keep it above XON? */
static bool held(const struct wait *w, unsigned int node, u64 set, bool single)
{
	unsigned int p, sum = 0;

	for (p = 0; p < PORTS; p++) {
		if (!(w->on[node][p] & set))
			continue;
		sum = w->bytes[node][p] + (single ? 0 : sum);
		if (sum > w->xon[node])
			return true;
	}
	return false;
}

static u64 greatest(const struct wait *w, u64 set, bool single)
{
	u64 before, left;
	unsigned int n;

	do {
		before = set;
		left = set;
		lle_dl_for_each(n, left)
			if (!held(w, n, set, single))
				set &= ~BIT_ULL(n);
	} while (set != before);
	return set;
}

u64 oracle_dead(const struct model *m)
{
	struct wait w;

	wait_read(m, &w);
	return w.all ? greatest(&w, w.all, false) : 0;
}

/* Deadlocked ingresses that a deadlocked ingress waits for. */
static u64 waits_for(const struct wait *w, unsigned int node, u64 dead)
{
	unsigned int p;
	u64 on = 0;

	for (p = 0; p < PORTS; p++)
		if (w->bytes[node][p])
			on |= w->on[node][p] & dead;
	return on;
}

/* The same, also indirectly. */
static u64 reach(const struct wait *w, unsigned int node, u64 dead)
{
	u64 set = waits_for(w, node, dead), before, left;
	unsigned int n;

	do {
		before = set;
		left = set;
		lle_dl_for_each(n, left)
			set |= waits_for(w, n, dead);
	} while (set != before);
	return set;
}

void oracle_cores(const struct model *m, u64 dead, struct result *r)
{
	u64 reached[NODES], left = dead, core, others;
	unsigned int node, n;
	struct wait w;

	r->cores = 0;
	r->missed = 0;
	r->missed_simple = 0;
	r->duplicates = 0;
	if (!dead)
		return;
	wait_read(m, &w);
	lle_dl_for_each(node, left)
		reached[node] = reach(&w, node, dead);

	for (left = dead; left; left &= ~core) {
		node = __ffs64(left);
		core = BIT_ULL(node);
		others = reached[node] & left;
		lle_dl_for_each(n, others)
			if (reached[n] & BIT_ULL(node))
				core |= BIT_ULL(n);
		if (!greatest(&w, core, false))
			continue;
		r->cores++;
		if (m->declared & core) {
			r->duplicates +=
				__builtin_popcountll(m->declared & core) - 1;
			continue;
		}
		r->missed++;
		r->missed_simple += !!greatest(&w, core, true);
	}
}

bool oracle_loop(const struct model *m)
{
	struct wait w;
	u64 left;
	unsigned int node;

	wait_read(m, &w);
	left = w.all;
	lle_dl_for_each(node, left)
		if (reach(&w, node, w.all) & BIT_ULL(node))
			return true;
	return false;
}
