/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_CONGESTION_H
#define LLED_CONGESTION_H

#include <stdint.h>

#include "snapshot.h"

/**
 * struct regions - counters of a port when its five minutes began
 * @start_us: when they did; 0: they have not
 * @prio: by priority; 0 of one without RCM
 */
struct regions {
	uint64_t start_us;
	struct lle_congestion prio[LLE_NUM_PRIO];
};

void regions_check(const struct snapshot *s, const struct lle_nl_port *port,
		   struct regions *r, uint64_t now_us);

#endif /* LLED_CONGESTION_H */
