/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_CONGESTION_H
#define LLED_CONGESTION_H

#include <stdint.h>

#include "snapshot.h"

/**
 * struct regions - congestion counters at the start of the five minutes
 * @start_us: that start; 0: none yet
 * @prio: counters by priority; 0 without RCM
 */
struct regions {
	uint64_t start_us;
	struct lle_congestion prio[LLE_NUM_PRIO];
};

void regions_check(const struct snapshot *s, const struct lle_nl_port *port,
		   struct regions *r, uint64_t now_us);

#endif /* LLED_CONGESTION_H */
