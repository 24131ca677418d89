/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_RATES_H
#define LLED_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/client.h"

/**
 * struct rates - counters of a port when its five minutes began
 * @start_us: when they did; 0: they have not
 * @rx_pause: pauses received, by priority
 * @tx_pause: pauses sent, by priority
 * @rx_packets: packets received, of all priorities
 * @last_rx_pause: pauses received until it was last looked at, of all priorities
 * @rising: there were more of them each time it was looked at
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
