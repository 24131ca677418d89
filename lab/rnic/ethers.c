// SPDX-License-Identifier: GPL-2.0
/* MAC addresses of hosts in other parts of the network, from crossing flows */
#include <linux/etherdevice.h>
#include <linux/hex.h>
#include <linux/inet.h>
#include <linux/xarray.h>

#include "rnic.h"

/* By IPv4 address; RTNL */
static DEFINE_XARRAY(rnic_ethers);

/* @line: as in ethers(5). RTNL. Return: 0; -EINVAL after a message; -ENOMEM. */
int rnic_ethers_add(const char *line, unsigned int number)
{
	u8 mac[ETH_ALEN];
	__be32 addr;

	if (!mac_pton(line, mac) || line[3 * ETH_ALEN - 1] != ' ' ||
	    !in4_pton(line + 3 * ETH_ALEN, -1, (u8 *)&addr, -1, NULL)) {
		pr_err("lle_rnic: ethers, line %u: not MAC ADDRESS\n", number);
		return -EINVAL;
	}
	return xa_err(xa_store(&rnic_ethers, be32_to_cpu(addr),
			       xa_mk_value(ether_addr_to_u64(mac)), GFP_KERNEL));
}

/* Return: whether the host is known; @mac is its address. RTNL. */
bool rnic_ethers_find(__be32 addr, u8 *mac)
{
	void *value = xa_load(&rnic_ethers, be32_to_cpu(addr));

	if (value)
		u64_to_ether_addr(xa_to_value(value), mac);
	return value;
}

/* May there be other parts of the network? RTNL. */
bool rnic_elsewhere(void)
{
	return !xa_empty(&rnic_ethers);
}

/* RTNL. */
void rnic_ethers_clear(void)
{
	xa_destroy(&rnic_ethers);
}
