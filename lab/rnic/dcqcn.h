/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_DCQCN_H
#define RNIC_DCQCN_H

#include "../../kmod/core/core.h"

/* alpha is a fraction of DCQCN_ONE. */
#define DCQCN_ONE	BIT(30)

/**
 * struct dcqcn_params - parameters of the reaction point
 * @line: rate of the NIC, bytes per second
 * @min: minimum rate, bytes per second
 * @ai: additive increase of the target rate, bytes per second
 * @hai: hyper increase of the target rate, bytes per second
 * @g_shift: g = 2^-g_shift
 * @rounds: F: rounds of fast recovery
 * @alpha_ns: time without a CNP after which alpha decays
 * @cut_ns: minimum time between two cuts
 * @timer_ns: length of a round by time
 * @bytes: length of a round by bytes
 */
struct dcqcn_params {
	u64 line;
	u64 min;
	u64 ai;
	u64 hai;
	u32 g_shift;
	u32 rounds;
	u64 alpha_ns;
	u64 cut_ns;
	u64 timer_ns;
	u64 bytes;
};

/**
 * struct dcqcn - state of a sender
 * @rate: RC, current rate, bytes per second
 * @target: RT, target rate of the recovery, bytes per second
 * @alpha: congestion estimate, of DCQCN_ONE
 * @time_rounds: T: rounds by time since the last cut
 * @byte_rounds: BC: rounds by bytes since the last cut
 * @alpha_due_ns: when alpha decays
 * @timer_due_ns: end of the round by time
 * @bytes_left: bytes to the end of the round by bytes
 * @cut_ns: time of the last cut; 0: none yet
 */
struct dcqcn {
	u64 rate;
	u64 target;
	u32 alpha;
	u32 time_rounds;
	u32 byte_rounds;
	u64 alpha_due_ns;
	u64 timer_due_ns;
	u64 bytes_left;
	u64 cut_ns;
};

/* Begins at line rate. */
void dcqcn_init(struct dcqcn *s, const struct dcqcn_params *p);

/* Handles a CNP. */
void dcqcn_cnp(struct dcqcn *s, const struct dcqcn_params *p, u64 now_ns);

 /* A packet of @bytes is sent. Return: the rate from now on, bytes/s. */
u64 dcqcn_send(struct dcqcn *s, const struct dcqcn_params *p, u32 bytes,
	       u64 now_ns);

#endif /* RNIC_DCQCN_H */
