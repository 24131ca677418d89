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

enum {
	OPT_HOT_SHARE = 256,
	OPT_DURATION,
	OPT_PERIOD,
	OPT_ROUNDS,
	OPT_KIND,
	OPT_RANKS,
	OPT_JOBS,
	OPT_PLACE,
	OPT_PIECES,
	OPT_COMPUTE,
};

static const struct argp_option argp_options[] = {
	{ "hosts", 'n', "N", 0, "number of hosts", 0 },
	{ "senders", 's', "N", 0, "senders of an incast (all others)", 0 },
	{ "to", 't', "HOST", 0, "receiver of an incast (1)", 0 },
	{ "prio", 'p', "PRIO", 0, "priority (3)", 0 },
	{ "size", 'b', "BYTES", 0, "bytes of a flow (1000000)", 0 },
	{ "start", 'a', "NS", 0, "when the first begins (0)", 0 },
	{ "duration", OPT_DURATION, "NS", 0, "how long flows begin (1000000)", 0 },
	{ "period", OPT_PERIOD, "NS", 0, "between rounds of an incast (1000000)", 0 },
	{ "rounds", OPT_ROUNDS, "N", 0, "of an incast (1)", 0 },
	{ "rate", 'r', "BITS", 0, "bits per second of a host (1e11)", 0 },
	{ "load", 'l', "PART", 0, "part of it that is used (0.5)", 0 },
	{ "cdf", 'c', "FILE", 0, "sizes, lines \"bytes,share\"", 0 },
	{ "hot", 'H', "N", 0, "number of hot hosts", 0 },
	{ "hot-share", OPT_HOT_SHARE, "PART", 0, "of the flows, to them (0)", 0 },
	{ "groups", 'g', "N", 0, "number of groups (1)", 0 },
	{ "seed", 'S', "N", 0, "seed (1)", 0 },
	{ "kind", OPT_KIND, "NAME", 0, "collective operation (ring-allreduce)", 0 },
	{ "ranks", OPT_RANKS, "N", 0, "hosts of a job (all)", 0 },
	{ "jobs", OPT_JOBS, "N", 0, "number of jobs (1)", 0 },
	{ "place", OPT_PLACE, "NAME", 0,
	  "of ranks: packed (default), one job after the other; spread, in turn; random", 0 },
	{ "pieces", OPT_PIECES, "N", 0, "of tree-allreduce and pipeline (8)", 0 },
	{ "compute", OPT_COMPUTE, "NS", 0, "time of a stage of pipeline (0)", 0 },
	{ 0 }
};

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

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'n': o->hosts = number(state, arg, 2, 65534); break;
	case 's': o->senders = number(state, arg, 1, 65534); break;
	case 't': o->to = number(state, arg, 1, 65534); break;
	case 'p': o->prio = number(state, arg, 0, 7); break;
	case 'b': o->size = number(state, arg, 1, 1e15); break;
	case 'a': o->start_ns = number(state, arg, 0, 1e15); break;
	case 'r': o->rate = number(state, arg, 1e3, 1e12); break;
	case 'l': o->load = number(state, arg, 1e-6, 10); break;
	case 'c': o->cdf = arg; break;
	case 'H': o->hot = number(state, arg, 1, 65534); break;
	case 'g': o->groups = number(state, arg, 1, 32767); break;
	case 'S': o->seed = number(state, arg, 0, 1e15); break;
	case OPT_HOT_SHARE: o->hot_share = number(state, arg, 0, 1); break;
	case OPT_DURATION: o->duration_ns = number(state, arg, 1, 1e15); break;
	case OPT_PERIOD: o->period_ns = number(state, arg, 1, 1e15); break;
	case OPT_ROUNDS: o->rounds = number(state, arg, 1, 1e6); break;
	case OPT_KIND: o->kind = arg; break;
	case OPT_RANKS: o->ranks = number(state, arg, 2, 65534); break;
	case OPT_JOBS: o->jobs = number(state, arg, 1, 32767); break;
	case OPT_PLACE: o->place = arg; break;
	case OPT_PIECES: o->pieces = number(state, arg, 1, 1e4); break;
	case OPT_COMPUTE: o->compute_ns = number(state, arg, 0, 1e15); break;
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
	static const struct argp argp = {
		.options = argp_options,
		.parser = parse,
		.args_doc = "PATTERN",
		.doc = doc,
	};
	struct options o = {
		.senders = 65534,
		.to = 1,
		.prio = 3,
		.size = 1000000,
		.duration_ns = 1000000,
		.period_ns = 1000000,
		.rounds = 1,
		.rate = 1e11,
		.load = 0.5,
		.groups = 1,
		.seed = 1,
		.kind = "ring-allreduce",
		.jobs = 1,
		.place = "packed",
		.pieces = 8,
	};
	unsigned int i;

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
