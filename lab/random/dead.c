// SPDX-License-Identifier: GPL-2.0
/*
 * Finds dead ports from queues and pauses alone: the largest set of pausing
 * ports each of which has more than XON bytes at egresses that are paused by
 * ports of the set. This uses neither messages nor code of the deadlock
 * detection.
 *
 * No packet leaves a paused egress. So its packets, their times of arrival and
 * the begin of the pauses also show which ports were dead earlier.
 */
#include "random.h"

/* Did members of the set keep a port pausing, at some time? */
static bool held(const struct state *s, unsigned int port, ports_t set,
		 uint64_t ns)
{
	const struct packet *p;
	unsigned int bytes = 0;

	if (s->port[port].pausing_ns > ns)
		return false;
	for (p = s->packet; p < s->packet + s->packets; p++) {
		const struct port *egress = &s->port[p->egress];

		if (p->ingress == (int)port && egress->holder >= 0 &&
		    set & PORT(egress->holder) && egress->paused_ns <= ns &&
		    p->ns <= ns)
			bytes += p->bytes;
	}
	return bytes > s->port[port].xon;
}

static ports_t greatest(const struct state *s, ports_t set, uint64_t ns)
{
	ports_t before;
	unsigned int i;

	do {
		before = set;
		for (i = 0; i < s->ports; i++)
			if (set & PORT(i) && !held(s, i, set, ns))
				set &= ~PORT(i);
	} while (set != before);
	return set;
}

/* Return: dead ports that a dead port waits for. */
static ports_t waits_for(const struct state *s, unsigned int port, ports_t dead)
{
	const struct packet *p;
	ports_t on = 0;

	for (p = s->packet; p < s->packet + s->packets; p++)
		if (p->ingress == (int)port && s->port[p->egress].holder >= 0)
			on |= PORT(s->port[p->egress].holder);
	return on & dead;
}

/* Return: dead ports that ports of @from wait for, in one step. */
static ports_t next(const struct state *s, ports_t from, ports_t dead)
{
	ports_t on = 0;
	unsigned int i;

	for (i = 0; i < s->ports; i++)
		if (from & PORT(i))
			on |= waits_for(s, i, dead);
	return on;
}

/* Return: dead ports in any number of steps. @hops: steps to @port itself */
static ports_t reach(const struct state *s, unsigned int port, ports_t dead,
		     unsigned int *hops)
{
	ports_t last = PORT(port), all = 0, on;

	*hops = 0;
	for (unsigned int step = 1; last; step++) {
		on = next(s, last, dead);
		if (on & PORT(port) && !*hops)
			*hops = step;
		last = on & ~all;
		all |= on;
	}
	return all;
}

/* Return: when a port of the set was first dead. A dead port stays dead. */
static uint64_t formed(const struct state *s, ports_t set)
{
	uint64_t low = 0, high = UINT64_MAX / 2, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (greatest(s, set, mid))
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static void core_add(const struct state *s, struct dead *d, ports_t set)
{
	struct core *core = &d->core[d->cores];
	unsigned int i, hops;

	if (d->cores == CORES || !greatest(s, set, UINT64_MAX))
		return;
	*core = (struct core){ .ports = set, .formed_ns = formed(s, set) };
	for (i = 0; i < s->ports; i++) {
		if (!(set & PORT(i)))
			continue;
		reach(s, i, set, &hops);
		if (hops && (!core->hops || hops < core->hops))
			core->hops = hops;
	}
	d->cores++;
}

void dead_find(const struct state *s, struct dead *d)
{
	ports_t reached[PORTS], left, core;
	unsigned int i, j, hops;

	*d = (struct dead){};
	for (i = 0; i < s->ports; i++)
		if (s->port[i].pausing && s->port[i].peer)
			d->ports |= PORT(i);
	d->ports = greatest(s, d->ports, UINT64_MAX);
	for (i = 0; i < s->ports; i++)
		reached[i] = d->ports & PORT(i) ?
			     reach(s, i, d->ports, &hops) : 0;
	left = d->ports;
	for (i = 0; i < s->ports; i++) {
		if (!(left & PORT(i)))
			continue;
		core = PORT(i);
		for (j = i + 1; j < s->ports; j++)
			if (reached[i] & PORT(j) && reached[j] & PORT(i))
				core |= PORT(j);
		left &= ~core;
		core_add(s, d, core);
	}
}
