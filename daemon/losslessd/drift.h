/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_DRIFT_H
#define LLED_DRIFT_H

#include "snapshot.h"

/**
 * enum drift_setting - a setting that is compared
 * @DRIFT_ALPHA: alpha
 * @DRIFT_WATCHDOG: detection time, restoration time or action of the watchdog
 * @NUM_DRIFT: number of settings
 */
enum drift_setting {
	DRIFT_ALPHA,
	DRIFT_WATCHDOG,
	NUM_DRIFT,
};

/**
 * struct usual - settings of the majority of lossless priorities, by facing of
 *	the port
 * @known: more than half of them have the same value
 * @value: that value
 */
struct usual {
	bool known[LLE_FACING_MAX + 1][NUM_DRIFT];
	uint64_t value[LLE_FACING_MAX + 1][NUM_DRIFT];
};

/**
 * struct drift - differences of a port that were reported
 * @differs: a setting is not the usual one
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
