/* SPDX-License-Identifier: GPL-2.0 */
/* Packets that devices lose, which no qdisc sees. */
#ifndef LLED_DEVICES_H
#define LLED_DEVICES_H

#include <stdint.h>

#include "../lib/client.h"

#define NUM_DEVICE_LOSSES	4

struct device_loss {
	const char *counter;	/* in /sys/class/net/DEV/statistics */
	size_t offset;		/* of the u64 in struct rtnl_link_stats64 */
	const char *where;	/* for the log */
};

extern const struct device_loss device_losses[NUM_DEVICE_LOSSES];

uint64_t device_lost(const struct lle_nl_link *link, unsigned int loss);

#endif /* LLED_DEVICES_H */
