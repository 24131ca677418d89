/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_RANDOM_H
#define LLE_RANDOM_H

#include <linux/netdevice.h>
#include <linux/prandom.h>
#include <linux/random.h>

/**
 * struct lle_random - a source of random numbers, one per user
 * @state: state, if @seeded
 * @seeded: seeded by the module parameter; otherwise the kernel's numbers
 */
struct lle_random {
	struct rnd_state state;
	bool seeded;
};

void lle_random_init(struct lle_random *random, u32 a, u32 b);
void lle_random_init_dev(struct lle_random *random, const struct net_device *dev);

/* Next number. The caller serialises. */
static inline u32 lle_random(struct lle_random *random)
{
	return unlikely(random->seeded) ? prandom_u32_state(&random->state) :
					  get_random_u32();
}

#endif /* LLE_RANDOM_H */
