/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_FLOWS_H
#define LLE_FLOWS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The command line, as lle_flows.c describes it. @senders: 0: all but the
 * receiver; @ranks: 0: all of its part; @size of a collective operation: data
 * of each rank; @load: used part of @rate, of a host's link, bits per second
 */
struct options {
	const char *pattern;
	unsigned int hosts;
	unsigned int senders;
	unsigned int to;
	unsigned int prio;
	uint64_t size;
	uint64_t start_ns;
	uint64_t duration_ns;
	uint64_t period_ns;
	unsigned int rounds;
	double rate;
	double load;
	const char *cdf;
	unsigned int hot;
	double hot_share;
	unsigned int groups;
	uint64_t seed;
	const char *kind;
	unsigned int ranks;
	unsigned int jobs;
	const char *place;
	unsigned int pieces;
	uint64_t compute_ns;
};

/* lle_flows.c */
void print_flow(const struct options *o, uint64_t start_ns, uint64_t size, unsigned int src,
		unsigned int dst, const char *end);
unsigned int random_below(unsigned int n);

/* collective.c */
int collective(const struct options *o);

#endif /* LLE_FLOWS_H */
