/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_LOSSES_H
#define LLED_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "devices.h"

/* Losses of a port that were reported, packets */
struct losses {
	uint64_t drops[LLE_NUM_PRIO][LLE_NUM_DROP];
	uint64_t device[NUM_DEVICE_LOSSES];	/* by device_losses */
	uint64_t unaccounted;
};

void losses_check(const struct lle_nl_port *port, const struct lle_nl_link *link,
		  struct losses *reported, bool known);
void losses_check_backlog(void);

#endif /* LLED_LOSSES_H */
