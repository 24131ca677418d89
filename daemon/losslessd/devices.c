// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that devices lose, which no qdisc sees. Not rx_dropped: the stack counts there,
 * too, what it has no use for, such as LLDP without a daemon for it.
 */
#include <stddef.h>
#include <string.h>

#include "devices.h"

#define STAT(name) #name, offsetof(struct rtnl_link_stats64, name)

/* Of one loss, drivers count one or another of the last three. */
const struct device_loss device_losses[NUM_DEVICE_LOSSES] = {
	{ STAT(tx_dropped), "the device has dropped them (tx_dropped)" },
	{ STAT(rx_missed_errors), "the NIC had no room for them (rx_missed_errors)" },
	{ STAT(rx_fifo_errors), "the NIC had no room for them (rx_fifo_errors)" },
	{ STAT(rx_over_errors), "the NIC had no room for them (rx_over_errors)" },
};

/**
 * device_lost() - packets that a device has lost
 * @link: the device's counters; NULL: it is gone
 * @loss: which of device_losses
 */
uint64_t device_lost(const struct lle_nl_link *link, unsigned int loss)
{
	uint64_t packets = 0;

	if (link)
		memcpy(&packets, (const char *)&link->stats + device_losses[loss].offset,
		       sizeof(packets));
	return packets;
}
