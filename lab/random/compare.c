// SPDX-License-Identifier: GPL-2.0
/* Compares the deadlocks that switches declare with the oracle's. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/lib/client.h"
#include "random.h"

/* Ticks after which a deadlock counts as a new one */
#define LATER_TICKS	100

/* Return: the port with number @slot of switch @sw; -1: none. */
int port_of(const struct state *s, unsigned int sw, unsigned int slot)
{
	unsigned int i;

	for (i = 0; i < s->ports; i++)
		if (s->port[i].sw == sw && s->port[i].slot == slot)
			return i;
	return -1;
}

/* Is the declared port dead, in the same pause as then? */
static bool is_dead(const struct outcome *o, const struct lle_nl_deadlock *d)
{
	int port = port_of(&o->state, d->sw, d->info.initiator.slot);

	return port >= 0 && o->dead.ports & PORT(port) &&
	       o->state.port[port].pausing_ns == d->info.since_ns;
}

/* Return: the earliest declaration; NULL: none. */
static const struct lle_nl_deadlock *first(const struct outcome *o)
{
	const struct lle_nl_deadlock *d, *found = NULL;

	for (d = o->deadlocks; d < o->deadlocks + o->declared; d++)
		if (!found || d->info.declared_ns < found->info.declared_ns)
			found = d;
	return found;
}

/* Finds the initial trigger of the earliest declaration. Return: found. */
static bool named(const struct network *n, const struct outcome *o,
		  struct never *never)
{
	const struct lle_nl_deadlock *d = first(o);
	unsigned int bridge, number, i;
	int port;

	*never = (struct never){ .host = -1 };
	port = d ? port_of(&o->state, d->info.trigger.sw,
			   d->info.trigger.slot) : -1;
	if (port < 0 ||
	    sscanf(o->state.port[port].name, "s%up%u", &bridge, &number) != 2)
		return false;
	if (!d->info.trigger.host) {
		strcpy(never->port, o->state.port[port].name);
		never->bridge = bridge - 1;
		return true;
	}
	for (i = 0; i < n->hosts; i++)
		if (n->host[i].bridge == bridge - 1 && n->host[i].port == number)
			never->host = i;
	return never->host >= 0;
}

/* Return: when the first core formed, after the start. */
static uint64_t formed_ns(const struct outcome *o)
{
	uint64_t ns = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < o->dead.cores; i++)
		if (o->dead.core[i].formed_ns - o->start_ns < ns)
			ns = o->dead.core[i].formed_ns - o->start_ns;
	return ns;
}

/* Return: 1: no deadlock without the initial trigger; 0: one; -1: error */
static int averted(const struct network *n, const struct setting *set,
		   const struct outcome *o)
{
	static struct outcome again;
	struct never never;
	int ret;

	if (!named(n, o, &never))
		return 0;
	ret = run_once(n, set, &never, &again);
	free(again.deadlocks);
	again.deadlocks = NULL;
	if (ret)
		return -1;
	return !again.dead.cores ||
	       formed_ns(&again) > formed_ns(o) + LATER_TICKS * n->tick_ns;
}

/* Prints a line "core" for each declared core. Return: number of the others */
static unsigned int print_cores(const struct network *n, const struct outcome *o,
				unsigned int *duplicates)
{
	uint64_t hop_ns = n->delay_ns + MESSAGE_ON_LINK * 8e9 / n->rate;
	const struct lle_nl_deadlock *d;
	unsigned int i, times, missed = 0;

	*duplicates = 0;
	for (i = 0; i < o->dead.cores; i++) {
		const struct core *c = &o->dead.core[i];
		uint64_t found_ns = UINT64_MAX;

		times = 0;
		for (d = o->deadlocks; d < o->deadlocks + o->declared; d++) {
			int port = port_of(&o->state, d->sw,
					   d->info.initiator.slot);

			if (port < 0 || !(c->ports & PORT(port)))
				continue;
			times++;
			if (d->info.declared_ns < found_ns)
				found_ns = d->info.declared_ns;
		}
		missed += !times;
		*duplicates += times ? times - 1 : 0;
		if (times)
			printf("core,%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%u,%" PRIu64 "\n",
			       n->seed, c->formed_ns - o->start_ns,
			       (int64_t)(found_ns - c->formed_ns), c->hops, hop_ns);
	}
	return missed;
}

/* Prints a line "run". */
static void print_run(const struct network *n, const struct outcome *o,
		      int averted)
{
	uint64_t pauses = 0, messages = 0, drops = 0, until_ns;
	unsigned int missed, duplicates, false_ones = 0;
	const struct lle_nl_deadlock *d;
	unsigned int i;

	for (d = o->deadlocks; d < o->deadlocks + o->declared; d++)
		false_ones += !is_dead(o, d);
	until_ns = o->dead.cores ? formed_ns(o) + o->start_ns : UINT64_MAX;
	for (i = 0; i < o->state.sayings; i++) {
		if (o->state.saying[i].ns > until_ns)
			continue;
		pauses += o->state.saying[i].pause;
		messages += !o->state.saying[i].pause;
	}
	for (i = 0; i < o->state.ports; i++)
		drops += o->state.port[i].drops;
	missed = print_cores(n, o, &duplicates);
	printf("run,%" PRIu64 ",g%u,%s,%u,%u,%d,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d\n",
	       n->seed, n->shape, n->dynamic ? "dynamic" : "static", n->flows,
	       o->dead.cores, o->declared, missed, false_ones, duplicates,
	       pauses, messages, drops, averted);
}

/* Return: 0; -1 after an error message. */
int run_seed(const struct setting *set, uint64_t seed)
{
	const struct never nothing = { .host = -1 };
	static struct outcome o;
	struct network n;
	int gone = -1, ret;

	network_make(&n, set, seed);
	ret = run_once(&n, set, &nothing, &o);
	if (!ret && set->counterfactual && o.dead.cores && o.declared) {
		gone = averted(&n, set, &o);
		ret = gone < 0 ? -1 : 0;
	}
	if (!ret)
		print_run(&n, &o, gone);
	if (!ret && set->dot)
		ret = picture_print(&o, set->dot);
	free(o.deadlocks);
	o.deadlocks = NULL;
	return ret;
}
