/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_DRIFT_H
#define LLED_DRIFT_H

#include "../lib/client.h"

/**
 * struct drift - differences of a port that were reported
 * @differs: a setting is not the usual one
 * @thin: its headroom is too small
 */
struct drift {
	bool differs[LLE_NL_NUM_SETTING];
	bool thin;
};

void drift_check(const struct lle_nl_settings *s, const struct lle_nl_port *port,
		 const struct lle_nl_usual *usual, struct drift *reported);

#endif /* LLED_DRIFT_H */
