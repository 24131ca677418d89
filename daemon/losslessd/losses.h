/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_LOSSES_H
#define LLED_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/client.h"

/* Packets that devices lose, which no qdisc sees */
#define NUM_DEVICE_LOSSES	4

struct device_loss {
	const char *counter;	/* in /sys/class/net/DEV/statistics */
	size_t offset;		/* of the u64 in struct rtnl_link_stats64 */
	const char *where;	/* for the log */
};

extern const struct device_loss device_losses[NUM_DEVICE_LOSSES];

/* Losses of a port that were reported, packets */
struct losses {
	uint64_t drops[LLE_NUM_PRIO][LLE_NUM_DROP];
	uint64_t device[NUM_DEVICE_LOSSES];	/* by device_losses */
	uint64_t unaccounted;
};

uint64_t losses_of_device(const struct lle_nl_link *link, unsigned int loss);
void losses_check(const struct lle_nl_port *port, const struct lle_nl_link *link,
		  struct losses *reported, bool known);
void losses_check_backlog(void);

#endif /* LLED_LOSSES_H */
