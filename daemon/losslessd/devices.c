// SPDX-License-Identifier: GPL-2.0
/* Not rx_dropped, where the stack also counts packets of no use, such as LLDP */
#include <stddef.h>
#include <string.h>

#include "devices.h"

#define STAT(name) #name, offsetof(struct rtnl_link_stats64, name)

/* Drivers count a loss in one or another of the last three. */
const struct device_loss device_losses[NUM_DEVICE_LOSSES] = {
	{ STAT(tx_dropped), "the device has dropped them (tx_dropped)" },
	{ STAT(rx_missed_errors), "the NIC had no room for them (rx_missed_errors)" },
	{ STAT(rx_fifo_errors), "the NIC had no room for them (rx_fifo_errors)" },
	{ STAT(rx_over_errors), "the NIC had no room for them (rx_over_errors)" },
};

/* @link: NULL: the device is gone; @loss: index in device_losses */
uint64_t device_lost(const struct lle_nl_link *link, unsigned int loss)
{
	uint64_t packets = 0;

	if (link)
		memcpy(&packets, (const char *)&link->stats + device_losses[loss].offset,
		       sizeof(packets));
	return packets;
}
