/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_HISTORY_H
#define LLE_CORE_HISTORY_H

#include <linux/lossless.h>

#include "../core.h"

/**
 * struct lle_history - pauses of one priority in one direction that have ended
 * @count: how many
 * @total_ns: time they took
 * @longest_ns: time the longest took
 * @last: the last ones, in a ring: the newest is at (@count - 1) modulo its size
 *
 * Recorded at their edges, so exact.
 */
struct lle_history {
	u64 count;
	u64 total_ns;
	u64 longest_ns;
	struct lle_episode last[LLE_NUM_EPISODE];
};

/**
 * lle_history_add() - a pause has ended
 * @h: the history
 * @start_ns: when it began
 * @end_ns: when it ended
 */
void lle_history_add(struct lle_history *h, u64 start_ns, u64 end_ns);

/**
 * lle_history_last() - one of the last pauses
 * @h: the history
 * @n: 0: the newest, 1: the one before, and so on
 *
 * Return: NULL if there were not that many, or if it has been forgotten.
 */
const struct lle_episode *lle_history_last(const struct lle_history *h,
					   unsigned int n);

#endif /* LLE_CORE_HISTORY_H */
