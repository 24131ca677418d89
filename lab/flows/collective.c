// SPDX-License-Identifier: GPL-2.0
/*
 * Collective operations of jobs: each step is a flow that starts when its
 * sender has received its data. Jobs share the network, not hosts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flows.h"

/* Hosts that work together. @number: from 1; @host: of each rank */
struct job {
	const struct options *o;
	unsigned int number;
	unsigned int ranks;
	const unsigned int *host;
};

/* Flows are numbered in the order of their lines, from 1. */
static unsigned int last;

/*
 * Prints the flow from rank @from to rank @to. @after: numbers of the flows
 * that it waits for, or ""; @ns: START_NS, from the end of those that @from
 * receives, or else from the start of the run.
 */
static void step(const struct job *j, unsigned int from, unsigned int to, uint64_t bytes,
		 const char *after, uint64_t ns)
{
	char end[64];

	snprintf(end, sizeof(end), "%s%s # job %u", *after ? " after " : "", after, j->number);
	print_flow(j->o, ns, bytes, j->host[from], j->host[to], end);
	last++;
}

static uint64_t part(const struct job *j)
{
	return (j->o->size + j->ranks - 1) / j->ranks;
}

/* Each rank sends the data of the previous rank to the next one. */
static void ring(const struct job *j, unsigned int steps)
{
	unsigned int first = last + 1, s, r;
	char after[32] = "";

	for (s = 0; s < steps; s++)
		for (r = 0; r < j->ranks; r++) {
			if (s)
				snprintf(after, sizeof(after), "%u,%u",
					 first + (s - 1) * j->ranks + r,
					 first + (s - 1) * j->ranks + (r + j->ranks - 1) % j->ranks);
			step(j, r, (r + 1) % j->ranks, part(j), after, s ? 0 : j->o->start_ns);
		}
}

/* Data are reduced in one round, and spread in another. */
static void ring_allreduce(const struct job *j)
{
	ring(j, 2 * (j->ranks - 1));
}

static void ring_once(const struct job *j)
{
	ring(j, j->ranks - 1);
}

/* Adds a number to a list for "after". */
static void also(char *list, unsigned int flow)
{
	sprintf(list + strlen(list), "%s%u", *list ? "," : "", flow);
}

/* Flow of piece @p from rank @r up to its parent; ranks come in falling order. */
static unsigned int up(const struct job *j, unsigned int first, unsigned int r, unsigned int p)
{
	return first + (j->ranks - 1 - r) * j->o->pieces + p;
}

static void after_children(char *list, const struct job *j, unsigned int first,
			   unsigned int r, unsigned int p)
{
	unsigned int child;

	for (child = 2 * r + 1; child <= 2 * r + 2 && child < j->ranks; child++)
		also(list, up(j, first, child, p));
}

/* A binary tree: pieces are reduced on the way to rank 0, and come back. */
static void tree_allreduce(const struct job *j)
{
	unsigned int pieces = j->o->pieces, first = last + 1, down, r, p;
	uint64_t bytes = (j->o->size + pieces - 1) / pieces;
	char after[64];

	for (r = j->ranks - 1; r > 0; r--)
		for (p = 0; p < pieces; p++) {
			*after = '\0';
			after_children(after, j, first, r, p);
			if (p)
				also(after, last);
			step(j, r, (r - 1) / 2, bytes, after,
			     2 * r + 1 < j->ranks ? 0 : j->o->start_ns);
		}
	down = last + 1;
	for (r = 1; r < j->ranks; r++)
		for (p = 0; p < pieces; p++) {
			*after = '\0';
			if (r <= 2)
				after_children(after, j, first, 0, p);
			else
				also(after, down + ((r - 1) / 2 - 1) * pieces + p);
			if (p)
				also(after, last);
			step(j, (r - 1) / 2, r, bytes, after, 0);
		}
}

/* All at once; each rank begins with the next one. */
static void all_to_all(const struct job *j)
{
	unsigned int distance, r;

	for (distance = 1; distance < j->ranks; distance++)
		for (r = 0; r < j->ranks; r++)
			step(j, r, (r + distance) % j->ranks, part(j), "", j->o->start_ns);
}

/* Rank 0 receives the data of all others, and then sends the sum to each. */
static void parameter_server(const struct job *j)
{
	unsigned int first = last + 1, r;
	char after[32];

	for (r = 1; r < j->ranks; r++)
		step(j, r, 0, j->o->size, "", j->o->start_ns);
	snprintf(after, sizeof(after), "%u-%u", first, last);
	for (r = 1; r < j->ranks; r++)
		step(j, 0, r, j->o->size, after, 0);
}

/*
 * Micro-batches go through the stages, and their gradients come back. A stage
 * computes before it sends, and sends one after the other.
 */
static void pipeline(const struct job *j)
{
	unsigned int links = j->ranks - 1, first = last + 1, m, s;
	uint64_t ns = j->o->compute_ns;
	char after[32];

	for (m = 0; m < j->o->pieces; m++)
		for (s = 0; s < links; s++) {
			*after = '\0';
			if (s)
				also(after, last);
			if (m)
				also(after, last + 1 - links);
			step(j, s, s + 1, j->o->size, after,
			     s ? ns : j->o->start_ns + (m + 1) * ns);
		}
	for (m = 0; m < j->o->pieces; m++)
		for (s = 0; s < links; s++) {
			*after = '\0';
			also(after, s ? last : first + (m + 1) * links - 1);
			if (m)
				also(after, last + 1 - links);
			step(j, links - s, links - s - 1, j->o->size, after, ns);
		}
}

static const struct {
	const char *name;
	void (*print)(const struct job *j);
} kinds[] = {
	{ "ring-allreduce", ring_allreduce },
	{ "tree-allreduce", tree_allreduce },
	{ "all-gather", ring_once },
	{ "reduce-scatter", ring_once },
	{ "all-to-all", all_to_all },
	{ "parameter-server", parameter_server },
	{ "pipeline", pipeline },
};

/* Return: 0; EINVAL: unknown place */
static int place(const struct options *o, unsigned int ranks, unsigned int *host)
{
	unsigned int i, j;

	if (strcmp(o->place, "packed") && strcmp(o->place, "spread") &&
	    strcmp(o->place, "random"))
		return EINVAL;
	for (i = 0; i < o->hosts; i++) {
		j = *o->place == 'r' ? random_below(i + 1) : i;
		host[i] = host[j];
		host[j] = i + 1;
	}
	for (i = 0; *o->place == 's' && i < o->jobs * ranks; i++)
		host[i] = i % ranks * o->jobs + i / ranks + 1;
	return 0;
}

/* Return: 0, or an error, after a message. */
int collective(const struct options *o)
{
	unsigned int ranks = o->ranks ?: o->hosts / o->jobs, i, n;
	unsigned int *host = calloc(o->hosts, sizeof(*host));
	struct job j;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, o->kind))
			break;
	if (i == sizeof(kinds) / sizeof(kinds[0])) {
		fprintf(stderr, "lle_flows: there is no collective \"%s\"\n", o->kind);
		goto bad;
	}
	if (!host || ranks < 2 || (uint64_t)o->jobs * ranks > o->hosts) {
		fprintf(stderr, "lle_flows: %u jobs of %u hosts: there are %u hosts\n", o->jobs,
			ranks, o->hosts);
		goto bad;
	}
	if (place(o, ranks, host)) {
		fprintf(stderr, "lle_flows: \"%s\" is no place\n", o->place);
		goto bad;
	}
	for (n = 0; n < o->jobs; n++) {
		j = (struct job){ .o = o, .number = n + 1, .ranks = ranks, .host = host + n * ranks };
		kinds[i].print(&j);
	}
	free(host);
	return 0;
bad:
	free(host);
	return EINVAL;
}
