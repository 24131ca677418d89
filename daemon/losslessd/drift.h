/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_DRIFT_H
#define LLED_DRIFT_H

#include "../lib/client.h"

/* Differences that were reported */
struct drift {
	bool differs[LLE_NL_NUM_SETTING];
	bool thin;	/* too little headroom */
};

void drift_check(const struct lle_nl_settings *s, const struct lle_nl_port *port,
		 const struct lle_nl_usual *usual, struct drift *reported);

#endif /* LLED_DRIFT_H */
