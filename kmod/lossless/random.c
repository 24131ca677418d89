// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers. With the module parameter seed they repeat, and those of a
 * port do not depend on other ports.
 */
#include <linux/jhash.h>
#include <linux/module.h>

#include "random.h"

static unsigned int seed;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "Random numbers of ports and switches follow from this, for tests (0: they are the kernel's)");

/**
 * lle_random_init() - prepare a source of random numbers
 * @random: the source
 * @a: number of its user
 * @b: second number; with a seed, equal pairs give equal sources
 */
void lle_random_init(struct lle_random *random, u32 a, u32 b)
{
	random->seeded = seed;
	prandom_seed_state(&random->state,
			   (u64)jhash_3words(a, b, 0, seed) << 32 |
			   jhash_3words(a, b, 1, seed));
}
EXPORT_SYMBOL_GPL(lle_random_init);

/**
 * lle_random_init_dev() - prepare a source of random numbers of a device
 * @random: the source
 * @dev: the device, with its address
 */
void lle_random_init_dev(struct lle_random *random, const struct net_device *dev)
{
	const unsigned char *a = dev->dev_addr;

	lle_random_init(random, a[0] << 24 | a[1] << 16 | a[2] << 8 | a[3],
			a[4] << 8 | a[5]);
}
