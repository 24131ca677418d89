/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_RATES_H
#define LLED_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/client.h"

/* Counters at the start of the five minutes */
struct rates {
	uint64_t start_us;	/* 0: no start yet */
	uint64_t rx_pause[LLE_NUM_PRIO];
	uint64_t tx_pause[LLE_NUM_PRIO];
	uint64_t rx_packets;	/* all priorities */
	uint64_t last_rx_pause;	/* at the last check, all priorities */
	bool rising;		/* rx_pause has grown at each check */
};

void rates_check(const struct lle_nl_port *port, struct rates *r,
		 uint64_t now_us);

#endif /* LLED_RATES_H */
