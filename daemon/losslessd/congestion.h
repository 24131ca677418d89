/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_CONGESTION_H
#define LLED_CONGESTION_H

#include <stdint.h>

#include "snapshot.h"

/* Counters at the start of the five minutes */
struct regions {
	uint64_t start_us;	/* 0: no start yet */
	struct lle_congestion prio[LLE_NUM_PRIO];	/* 0 without RCM */
};

void regions_check(const struct snapshot *s, const struct lle_nl_port *port,
		   struct regions *r, uint64_t now_us);

#endif /* LLED_CONGESTION_H */
