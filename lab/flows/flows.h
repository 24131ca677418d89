/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_FLOWS_H
#define LLE_FLOWS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct options - the command line
 * @pattern: name of the pattern
 * @hosts: number of hosts
 * @senders: senders of an incast; 0: all but the receiver
 * @to: receiver of an incast
 * @prio: priority
 * @size: bytes of a flow, without @cdf; of a collective operation, of the data
 *	of each rank
 * @start_ns: earliest start of a flow
 * @duration_ns: period in which flows of poisson start
 * @period_ns: time between two rounds of an incast
 * @rounds: rounds of an incast
 * @rate: rate of a host's link, bits per second
 * @load: part of @rate that is used
 * @cdf: file of sizes
 * @hot: number of hot hosts
 * @hot_share: part of the flows that goes to hot hosts
 * @groups: number of groups; flows stay in their group
 * @seed: seed of all that is random
 * @kind: collective operation
 * @ranks: hosts of a job; 0: all of its part
 * @jobs: number of jobs
 * @place: where the ranks of jobs are
 * @pieces: pieces of the data of tree-allreduce, and micro-batches of pipeline
 * @compute_ns: time for which a stage of pipeline computes
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
