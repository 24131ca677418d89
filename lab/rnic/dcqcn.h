/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_DCQCN_H
#define RNIC_DCQCN_H

#include "../../kmod/core/core.h"

/* alpha is a fraction of DCQCN_ONE. */
#define DCQCN_ONE	BIT(30)

/* Parameters of the reaction point */
struct dcqcn_params {
	u64 line;	/* rate of the NIC, bytes per second */
	u64 min;	/* minimum rate, bytes per second */
	u64 ai;	/* additive increase of the target rate, bytes per second */
	u64 hai;	/* hyper increase, bytes per second */
	u32 g_shift;	/* g = 2^-g_shift */
	u32 rounds;	/* F: rounds of fast recovery */
	u64 alpha_ns;	/* time without a CNP after which alpha decays */
	u64 cut_ns;	/* minimum time between two cuts */
	u64 timer_ns;	/* length of a round by time */
	u64 bytes;	/* length of a round by bytes */
	bool clamp;	/* each cut sets the target, also before a round has ended */
	bool ticks;	/* CNPs are noted until a tick, each alpha_ns and each cut_ns */
};

/* State of a sender */
struct dcqcn {
	u64 rate;	/* RC, current rate, bytes per second */
	u64 target;	/* RT, target rate of the recovery, bytes per second */
	u32 alpha;	/* congestion estimate, of DCQCN_ONE */
	u32 time_rounds;	/* T: rounds by time since the last cut */
	u32 byte_rounds;	/* BC: rounds by bytes since the last cut */
	u64 alpha_due_ns;	/* when alpha decays */
	u64 timer_due_ns;	/* end of the round by time */
	u64 bytes_left;	/* bytes to the end of the round by bytes */
	u64 cut_ns;	/* time of the last cut; 0: none yet */
	u64 first_ns;	/* of ticks: time of the first CNP */
	u64 cut_due_ns;	/* tick of the next cut, if @cut_noted */
	bool alpha_noted;	/* a CNP since the last tick of alpha */
	bool cut_noted;	/* a CNP since the last tick of cuts */
};

/* Begins at line rate. */
void dcqcn_init(struct dcqcn *s, const struct dcqcn_params *p);

/* Handles a CNP. */
void dcqcn_cnp(struct dcqcn *s, const struct dcqcn_params *p, u64 now_ns);

/* A packet of @bytes is sent. Return: the rate from now on, bytes/s. */
u64 dcqcn_send(struct dcqcn *s, const struct dcqcn_params *p, u32 bytes,
	       u64 now_ns);

#endif /* RNIC_DCQCN_H */
