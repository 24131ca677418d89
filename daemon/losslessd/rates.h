/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_RATES_H
#define LLED_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/client.h"

/**
 * struct rates - pause counters at the start of the five minutes
 * @start_us: that start; 0: none yet
 * @rx_pause: pause frames received, by priority
 * @tx_pause: pause frames sent, by priority
 * @rx_packets: packets received, of all priorities
 * @last_rx_pause: pause frames received until the last check, of all priorities
 * @rising: their number has risen from each check to the next
 */
struct rates {
	uint64_t start_us;
	uint64_t rx_pause[LLE_NUM_PRIO];
	uint64_t tx_pause[LLE_NUM_PRIO];
	uint64_t rx_packets;
	uint64_t last_rx_pause;
	bool rising;
};

void rates_check(const struct lle_nl_port *port, struct rates *r,
		 uint64_t now_us);

#endif /* LLED_RATES_H */
