/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_DRIFT_H
#define LLED_DRIFT_H

#include "snapshot.h"

/**
 * enum drift_setting - what may differ
 * @DRIFT_ALPHA: alpha
 * @DRIFT_WATCHDOG: detection time, restoration time or action of the watchdog
 * @NUM_DRIFT: how many
 */
enum drift_setting {
	DRIFT_ALPHA,
	DRIFT_WATCHDOG,
	NUM_DRIFT,
};

/**
 * struct usual - what most lossless priorities have, of ports that face the same
 * @known: there is a setting that more than half of them have
 * @value: which
 */
struct usual {
	bool known[LLE_FACING_MAX + 1][NUM_DRIFT];
	uint64_t value[LLE_FACING_MAX + 1][NUM_DRIFT];
};

/**
 * struct drift - what has been told of a port
 * @differs: a setting is not what most have
 * @thin: its headroom is too small
 */
struct drift {
	bool differs[NUM_DRIFT];
	bool thin;
};

void drift_usual(const struct snapshot *s, struct usual *usual);
void drift_check(const struct snapshot *s, const struct lle_nl_port *port,
		 const struct usual *usual, struct drift *told);

#endif /* LLED_DRIFT_H */
