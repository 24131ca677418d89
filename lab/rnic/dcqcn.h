/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_DCQCN_H
#define RNIC_DCQCN_H

#include "../../kmod/core/core.h"

/* alpha is a fraction of this */
#define DCQCN_ONE	BIT(30)

/**
 * struct dcqcn_params - reaction point of DCQCN
 * @line: bytes per second of the NIC
 * @min: least rate
 * @ai: additive increase of the target rate, bytes per second
 * @hai: hyper increase
 * @g_shift: g = 2^-g_shift
 * @rounds: F: rounds of fast recovery
 * @alpha_ns: time without a CNP after which alpha decays
 * @cut_ns: least time between two cuts
 * @timer_ns: time of a round
 * @bytes: bytes of a round
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
 * struct dcqcn - one sender
 * @rate: RC, current rate, bytes per second
 * @target: RT, what it recovers to
 * @alpha: estimate of the congestion
 * @time_rounds: T: rounds by time since the last cut
 * @byte_rounds: BC: rounds by bytes
 * @alpha_due_ns: when alpha decays
 * @timer_due_ns: when the round by time ends
 * @bytes_left: until the round by bytes ends
 * @cut_ns: time of the last cut
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

/**
 * dcqcn_init() - a sender begins, at line rate
 * @s: the sender
 * @p: parameters
 */
void dcqcn_init(struct dcqcn *s, const struct dcqcn_params *p);

/**
 * dcqcn_cnp() - a CNP has arrived
 * @s: the sender
 * @p: parameters
 * @now_ns: the time
 */
void dcqcn_cnp(struct dcqcn *s, const struct dcqcn_params *p, u64 now_ns);

/**
 * dcqcn_send() - a packet is sent
 * @s: the sender
 * @p: parameters
 * @bytes: of the packet
 * @now_ns: the time
 *
 * Return: the rate from now on, bytes per second.
 */
u64 dcqcn_send(struct dcqcn *s, const struct dcqcn_params *p, u32 bytes,
	       u64 now_ns);

#endif /* RNIC_DCQCN_H */
