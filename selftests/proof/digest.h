/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Digest of a state, which spin compares. Of 10^7 states, two different ones have
 * the same digest with a probability of 10^-24.
 */
#ifndef LLE_PROOF_DIGEST_H
#define LLE_PROOF_DIGEST_H

#include <stddef.h>
#include <stdint.h>

static uint64_t key[2];

static uint64_t mix(uint64_t h, uint64_t v)
{
	__uint128_t m = (__uint128_t)(h ^ v) * 0x9e3779b97f4a7c15ULL;

	return (uint64_t)m ^ (uint64_t)(m >> 64) ^ (h >> 29) ^ (h << 31);
}

/* @state has @size bytes, a multiple of 8. */
static void digest(const void *state, size_t size)
{
	const uint64_t *w = state;

	key[0] = 0x243f6a8885a308d3ULL;
	key[1] = 0x13198a2e03707344ULL;
	for (size_t n = 0; n < size / sizeof(*w); n++) {
		key[0] = mix(key[0], w[n]);
		key[1] = mix(key[1] ^ 0xa4093822299f31d0ULL, w[n] + n);
	}
}

#endif /* LLE_PROOF_DIGEST_H */
