/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_LOSSES_H
#define LLED_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "devices.h"

/**
 * struct losses - losses of a port that were reported
 * @drops: packets dropped, by priority and reason
 * @device: packets lost by its device, by device_losses
 * @unaccounted: unaccounted packets
 */
struct losses {
	uint64_t drops[LLE_NUM_PRIO][LLE_NUM_DROP];
	uint64_t device[NUM_DEVICE_LOSSES];
	uint64_t unaccounted;
};

void losses_check(const struct lle_nl_port *port, const struct lle_nl_link *link,
		  struct losses *reported, bool known);
void losses_check_backlog(void);

#endif /* LLED_LOSSES_H */
