// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the flows of a traffic pattern for lle_rnic.ko, a line each:
 *
 *	START_NS SIZE SRC DST PRIO [after FLOWS] [# hot | # job N]
 *
 * Hosts are those of lle-testbed: host i has 10.0.(i / 256).(i % 256). Equal
 * arguments give equal flows.
 */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flows.h"

#define POINTS_MAX	1024
#define NSEC_PER_SEC	1000000000ULL

static const char doc[] =
	"Print the flows of a traffic PATTERN:\n"
	"  permutation  each host sends to one, and receives from one\n"
	"  incast       hosts 1 to --senders send to host --to\n"
	"  poisson      flows begin at random, between random hosts, so that they are\n"
	"               --load of the hosts' links\n"
	"  collective   steps of an operation of --jobs, each of --ranks hosts with --size\n"
	"               bytes: --kind ring-allreduce, tree-allreduce, all-gather,\n"
	"               reduce-scatter, all-to-all, parameter-server or pipeline\n"
	"\vFlows have --size bytes, or sizes drawn from --cdf. The rounds of an incast are "
	"bursts at even times, large flows of poisson bursts at random ones. Flows of poisson "
	"go to one of --hot hosts with a probability of --hot-share: hot spots; these are drawn, "
	"one from each part of all hosts. Or they stay in one of --groups, which are drawn.";

/* Sizes: share[i] of all flows have at most bytes[i]. */
static struct {
	unsigned int num;
	double bytes[POINTS_MAX];
	double share[POINTS_MAX];
} cdf;

static uint64_t random_state;

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t random_u64(void)
{
	uint64_t z = (random_state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* In [0, 1). */
static double random_unit(void)
{
	return (random_u64() >> 11) * 0x1p-53;
}

/* Return: 0 to @n - 1. */
unsigned int random_below(unsigned int n)
{
	return random_unit() * n;
}

/* Prints a line; @src and @dst are numbers of hosts, @end is the rest. */
void print_flow(const struct options *o, uint64_t start_ns, uint64_t size, unsigned int src,
		unsigned int dst, const char *end)
{
	printf("%llu %llu 10.0.%u.%u 10.0.%u.%u %u%s\n",
	       (unsigned long long)start_ns, (unsigned long long)size,
	       src >> 8, src & 0xff, dst >> 8, dst & 0xff, o->prio, end);
}

/* Inverts the distribution, which is linear between its points. */
static uint64_t random_size(void)
{
	double u = random_unit(), part;
	unsigned int i;

	for (i = 1; i < cdf.num - 1 && cdf.share[i] < u; i++)
		;
	part = (u - cdf.share[i - 1]) / (cdf.share[i] - cdf.share[i - 1]);
	return fmax(1, cdf.bytes[i - 1] +
			       fmax(0, part) * (cdf.bytes[i] - cdf.bytes[i - 1]));
}

static uint64_t flow_size(const struct options *o)
{
	return o->cdf ? random_size() : o->size;
}

static int permutation(const struct options *o)
{
	unsigned int *dst, i, j, swap;

	dst = calloc(o->hosts, sizeof(*dst));
	if (!dst)
		return ENOMEM;
	/* Sattolo: a single cycle, so that no host sends to itself */
	for (i = 0; i < o->hosts; i++)
		dst[i] = i;
	for (i = o->hosts - 1; i > 0; i--) {
		j = random_below(i);
		swap = dst[i];
		dst[i] = dst[j];
		dst[j] = swap;
	}
	for (i = 0; i < o->hosts; i++)
		print_flow(o, o->start_ns, flow_size(o), i + 1, dst[i] + 1, "");
	free(dst);
	return 0;
}

static int incast(const struct options *o)
{
	unsigned int round, src, sent;

	for (round = 0; round < o->rounds; round++)
		for (src = 1, sent = 0; src <= o->hosts &&
		     sent < o->senders; src++) {
			if (src == o->to)
				continue;
			print_flow(o, o->start_ns + round * o->period_ns,
				   flow_size(o), src, o->to, "");
			sent++;
		}
	return 0;
}

static double mean_size(const struct options *o)
{
	double mean = cdf.bytes[0] * cdf.share[0];
	unsigned int i;

	if (!o->cdf)
		return o->size;
	for (i = 1; i < cdf.num; i++)
		mean += (cdf.share[i] - cdf.share[i - 1]) *
			(cdf.bytes[i] + cdf.bytes[i - 1]) / 2;
	return mean;
}

/* Return: the first place of part @i of @parts of all hosts. */
static unsigned int part_begins(const struct options *o, unsigned int i,
				unsigned int parts)
{
	return ((uint64_t)i * o->hosts + parts - 1) / parts;
}

static unsigned int random_of_part(const struct options *o, unsigned int i,
				   unsigned int parts)
{
	unsigned int first = part_begins(o, i, parts);

	return first + random_below(part_begins(o, i + 1, parts) - first);
}

/* Places of hosts, of which parts are groups, and those of hot hosts */
struct places {
	unsigned int *host;
	unsigned int *hot;
};

static void draw_places(const struct options *o, struct places *places)
{
	unsigned int i, j;

	for (i = 0; i < o->hosts; i++) {
		j = o->groups > 1 ? random_below(i + 1) : i;
		places->host[i] = places->host[j];
		places->host[j] = i + 1;
	}
	for (i = 0; o->hot_share > 0 && i < o->hot; i++)
		places->hot[i] = random_of_part(o, i, o->hot);
}

/* Return: the place of a receiver for the sender at place @from. */
static unsigned int draw_peer(const struct options *o,
			      const struct places *places, unsigned int from,
			      bool hot)
{
	unsigned int group = (uint64_t)from * o->groups / o->hosts, to;

	do {
		to = hot ? places->hot[random_below(o->hot)] :
			   random_of_part(o, group, o->groups);
	} while (to == from);
	return to;
}

static int poisson(const struct options *o)
{
	double gap_ns = mean_size(o) * 8 * NSEC_PER_SEC /
			(o->rate * o->load * o->hosts);
	struct places places = {
		.host = calloc(o->hosts, sizeof(*places.host)),
		.hot = calloc(o->hosts, sizeof(*places.hot)),
	};
	double now_ns = 0;
	unsigned int from, to;
	bool hot;

	if (!places.host || !places.hot)
		return ENOMEM;
	draw_places(o, &places);
	for (;;) {
		now_ns -= log(1 - random_unit()) * gap_ns;
		if (now_ns >= o->duration_ns)
			break;
		from = random_below(o->hosts);
		hot = o->hot_share > random_unit();
		to = draw_peer(o, &places, from, hot);
		print_flow(o, o->start_ns + now_ns, flow_size(o),
			   places.host[from], places.host[to],
			   hot ? " # hot" : "");
	}
	free(places.host);
	free(places.hot);
	return 0;
}

/* Reads lines "bytes,share" in ascending order; skips lines without numbers. */
static void read_cdf(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[128];
	double b, s;

	if (!file)
		goto bad;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lf,%lf", &b, &s) != 2)
			continue;
		if (cdf.num == POINTS_MAX ||
		    (cdf.num && (b < cdf.bytes[cdf.num - 1] ||
				 s < cdf.share[cdf.num - 1])))
			goto bad;
		/* at a step, the later point counts */
		if (cdf.num && s == cdf.share[cdf.num - 1])
			cdf.num--;
		cdf.bytes[cdf.num] = b;
		cdf.share[cdf.num++] = s;
	}
	fclose(file);
	if (cdf.num >= 2 && cdf.share[cdf.num - 1] == 1)
		return;
bad:
	fprintf(stderr, "lle_flows: %s: not a distribution of sizes\n", path);
	exit(1);
}

/* An option: a string, or a number with its default and range */
static const struct lle_option {
	const char *name;
	const char *arg;
	const char *text;
	enum { STRING, UINT, U64, DOUBLE } type;
	size_t at;
	double value;
	double min;
	double max;
} list[] = {
#define OPTION(type, member, ...) type, offsetof(struct options, member), __VA_ARGS__
	{ "hosts", "N", "number of hosts", OPTION(UINT, hosts, 0, 2, 65534) },
	{ "senders", "N", "senders of an incast, at most all others",
	  OPTION(UINT, senders, 65534, 1, 65534) },
	{ "to", "HOST", "receiver of an incast", OPTION(UINT, to, 1, 1, 65534) },
	{ "prio", "PRIO", "priority", OPTION(UINT, prio, 3, 0, 7) },
	{ "size", "BYTES", "bytes of a flow", OPTION(U64, size, 1e6, 1, 1e15) },
	{ "start", "NS", "when the first begins", OPTION(U64, start_ns, 0, 0, 1e15) },
	{ "duration", "NS", "how long flows begin", OPTION(U64, duration_ns, 1e6, 1, 1e15) },
	{ "period", "NS", "between rounds of an incast", OPTION(U64, period_ns, 1e6, 1, 1e15) },
	{ "rounds", "N", "of an incast", OPTION(UINT, rounds, 1, 1, 1e6) },
	{ "rate", "BITS", "bits per second of a host", OPTION(DOUBLE, rate, 1e11, 1e3, 1e12) },
	{ "load", "PART", "part of it that is used", OPTION(DOUBLE, load, 0.5, 1e-6, 10) },
	{ "cdf", "FILE", "sizes, lines \"bytes,share\"", OPTION(STRING, cdf) },
	{ "hot", "N", "number of hot hosts", OPTION(UINT, hot, 0, 1, 65534) },
	{ "hot-share", "PART", "of the flows, to them", OPTION(DOUBLE, hot_share, 0, 0, 1) },
	{ "groups", "N", "number of groups", OPTION(UINT, groups, 1, 1, 32767) },
	{ "seed", "N", "seed", OPTION(U64, seed, 1, 0, 1e15) },
	{ "kind", "NAME", "collective operation (ring-allreduce)", OPTION(STRING, kind) },
	{ "ranks", "N", "hosts of a job; 0: all", OPTION(UINT, ranks, 0, 2, 65534) },
	{ "jobs", "N", "number of jobs", OPTION(UINT, jobs, 1, 1, 32767) },
	{ "place", "NAME", "of ranks: packed (default), one job after the other; spread, in "
	  "turn; random", OPTION(STRING, place) },
	{ "pieces", "N", "of tree-allreduce and pipeline", OPTION(UINT, pieces, 8, 1, 1e4) },
	{ "compute", "NS", "time of a stage of pipeline", OPTION(U64, compute_ns, 0, 0, 1e15) },
};

#define OPTIONS	(sizeof(list) / sizeof(list[0]))
#define KEY	256	/* of the first option */

static double number(struct argp_state *state, const char *arg, double min,
		     double max)
{
	char *end;
	double value = strtod(arg, &end);

	if (*end || end == arg || !(value >= min && value <= max))
		argp_error(state, "\"%s\" is not a number from %g to %g", arg,
			   min, max);
	return value;
}

static void set(struct options *o, const struct lle_option *option, double value)
{
	void *to = (char *)o + option->at;

	if (option->type == UINT)
		*(unsigned int *)to = value;
	else if (option->type == U64)
		*(uint64_t *)to = value;
	else if (option->type == DOUBLE)
		*(double *)to = value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const struct lle_option *option = &list[key - KEY];
	struct options *o = state->input;

	if (key >= KEY && key < KEY + (int)OPTIONS) {
		if (option->type == STRING)
			*(char **)((char *)o + option->at) = arg;
		else
			set(o, option, number(state, arg, option->min, option->max));
		return 0;
	}
	switch (key) {
	case ARGP_KEY_ARG:
		if (o->pattern)
			argp_error(state, "unknown argument \"%s\"", arg);
		o->pattern = arg;
		break;
	case ARGP_KEY_END:
		if (!o->pattern)
			argp_error(state, "a pattern is required");
		if (!o->hosts)
			argp_error(state, "--hosts is required");
		if (o->to > o->hosts || o->hot > o->hosts)
			argp_error(state, "there are %u hosts", o->hosts);
		if (o->hot_share > 0 && o->hot < 2)
			argp_error(state, "--hot-share needs --hot 2 or more");
		if (o->groups > 1 && o->groups > o->hosts / 2)
			argp_error(state, "a group has 2 hosts at least");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct {
	const char *name;
	int (*print)(const struct options *o);
} patterns[] = {
	{ "permutation", permutation },
	{ "incast", incast },
	{ "poisson", poisson },
	{ "collective", collective },
};

int main(int argc, char **argv)
{
	static struct argp_option options[OPTIONS + 1];
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "PATTERN",
		.doc = doc,
	};
	struct options o = { .kind = "ring-allreduce", .place = "packed" };
	static char text[OPTIONS][128];
	unsigned int i;

	for (i = 0; i < OPTIONS; i++) {
		set(&o, &list[i], list[i].value);
		snprintf(text[i], sizeof(text[i]), list[i].type == STRING ? "%s" : "%s (%g)",
			 list[i].text, list[i].value);
		options[i] = (struct argp_option){
			.name = list[i].name, .key = KEY + i, .arg = list[i].arg, .doc = text[i],
		};
	}
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	random_state = o.seed;
	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (strcmp(patterns[i].name, o.pattern))
			continue;
		if (o.cdf)
			read_cdf(o.cdf);
		return patterns[i].print(&o) || fflush(stdout) ? 1 : 0;
	}
	fprintf(stderr, "lle_flows: there is no pattern \"%s\"\n", o.pattern);
	return 1;
}
