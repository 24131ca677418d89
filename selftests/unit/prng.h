/* SPDX-License-Identifier: GPL-2.0 */
/* Reproducible random numbers: splitmix64. */
#ifndef LLE_PRNG_H
#define LLE_PRNG_H

#include "../../kmod/core/core.h"

static inline u64 prng(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Uniform in [low, high]; the bias is below 2^-30. */
static inline u32 prng_range(u64 *state, u32 low, u32 high)
{
	return low + prng(state) % ((u64)high - low + 1);
}

#endif /* LLE_PRNG_H */
