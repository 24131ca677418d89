// SPDX-License-Identifier: GPL-2.0
/* Ended pauses: number, time, and the last ones */
#include "history.h"

void lle_history_add(struct lle_history *h, u64 start_ns, u64 end_ns)
{
	u64 ns = end_ns - start_ns;

	h->last[h->count % LOSSLESS_NUM_EPISODE] = (struct lle_episode) {
		.start_ns = start_ns,
		.ns = ns,
	};
	h->count++;
	h->total_ns += ns;
	if (ns > h->longest_ns)
		h->longest_ns = ns;
}

const struct lle_episode *lle_history_last(const struct lle_history *h,
					   unsigned int n)
{
	if (n >= h->count || n >= LOSSLESS_NUM_EPISODE)
		return NULL;
	return &h->last[(h->count - 1 - n) % LOSSLESS_NUM_EPISODE];
}
