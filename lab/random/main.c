// SPDX-License-Identifier: GPL-2.0
/*
 * Random networks on the real modules, one after the other. Prints lines
 *
 *	run,SEED,SHAPE,THRESHOLDS,FLOWS,CORES,DECLARED,MISSED,FALSE,DUPLICATES,
 *		PAUSES,MESSAGES,DROPS,AVERTED
 *	core,SEED,FORMED_NS,FOUND_NS,HOPS,HOP_NS
 *
 * CORES: sets of ports that pause each other for ever. MISSED: undeclared
 * cores. FALSE: declarations of ports that are not dead. PAUSES between
 * switches and MESSAGES in frames of their own, until the first core formed.
 * AVERTED: 1: no deadlock without its initial trigger; 0: still one; -1: not
 * tried. FORMED_NS: after the start; FOUND_NS: after FORMED_NS; HOPS: of the
 * shortest loop; HOP_NS: message time per hop.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static void usage(FILE *f)
{
	fprintf(f,
		"Usage: lle_random [OPTION...] { testbed | run }\n"
		"  --seed N         of the first run (1)\n"
		"  --runs N         how many (1)\n"
		"  --shape N        0 to 2: g0 to g2 (all in turn)\n"
		"  --dynamic 0|1    dynamic thresholds (both in turn)\n"
		"  --rate BITS      of links, per second (10000000000)\n"
		"  --loss N         messages lost, of 1000\n"
		"  --pfc-loss N     PFC frames lost, of 1000\n"
		"  --jitter TICKS   packet times by which frames may be late\n"
		"  --rcm 0|1|2      thresholds with room for RCM, without it, with it, and with\n"
		"                   LAS, too\n"
		"  --dot FILE       a picture of who waits for whom in the end, for dot(1)\n"
		"  --part I/N       part I of N, which other kernels have, too\n"
		"  --counterfactual deadlocks again, without what has begun them\n"
		"testbed prints the first network as lle-testbed(8) reads it\n");
}

static const struct option options[] = {
	{ "seed", required_argument, NULL, 's' },
	{ "runs", required_argument, NULL, 'n' },
	{ "shape", required_argument, NULL, 'g' },
	{ "dynamic", required_argument, NULL, 'd' },
	{ "rate", required_argument, NULL, 'r' },
	{ "loss", required_argument, NULL, 'l' },
	{ "pfc-loss", required_argument, NULL, 'p' },
	{ "jitter", required_argument, NULL, 'j' },
	{ "dot", required_argument, NULL, 'o' },
	{ "rcm", required_argument, NULL, 'R' },
	{ "part", required_argument, NULL, 'P' },
	{ "counterfactual", no_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{}
};

static bool option(struct setting *set, int c, const char *value)
{
	uint64_t number = value ? strtoull(value, NULL, 10) : 0;

	switch (c) {
	case 's': set->seed = number; return true;
	case 'n': set->runs = number; return true;
	case 'g': set->shape = number; return number < SHAPES;
	case 'd': set->dynamic = number; return number <= 1;
	case 'r': set->rate = number; return number > 0;
	case 'l': set->loss = number; return number <= 1000;
	case 'p': set->pfc_loss = number; return number <= 1000;
	case 'j': set->jitter = number; return true;
	case 'o': set->dot = value; return true;
	case 'R':
		set->rcm = true;
		set->rcm_on = number;
		set->las = number == 2;
		return number <= 2;
	case 'P': return sscanf(value, "%u/%u", &set->part, &set->parts) == 2;
	case 'c': set->counterfactual = true; return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct setting set = {
		.seed = 1,
		.runs = 1,
		.shape = SHAPES,
		.dynamic = -1,
		.rate = 10000000000,
	};
	struct network n;
	unsigned int i;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option(&set, c, optarg))
			continue;
		usage(c == 'h' ? stdout : stderr);
		return c == 'h' ? 0 : 2;
	}
	if (optind + 1 == argc && !strcmp(argv[optind], "testbed")) {
		network_make(&n, &set, set.seed);
		testbed_print(&n, stdout);
		return 0;
	}
	if (optind + 1 != argc || strcmp(argv[optind], "run")) {
		usage(stderr);
		return 2;
	}
	for (i = 0; i < set.runs; i++)
		if (run_seed(&set, set.seed + i))
			return 1;
	return 0;
}
