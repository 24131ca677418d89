/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_HISTORY_H
#define LLE_CORE_HISTORY_H

#include <linux/lossless.h>

#include "../core.h"

/**
 * struct lle_episode - a pause that ended
 * @start_ns: start of the pause, CLOCK_MONOTONIC
 * @ns: duration
 */
struct lle_episode {
	u64 start_ns;
	u64 ns;
};

/**
 * struct lle_history - ended pauses of one priority in one direction
 * @count: their number
 * @total_ns: their total time
 * @longest_ns: time of the longest
 * @last: ring; the newest is at (@count - 1) modulo its size
 */
struct lle_history {
	u64 count;
	u64 total_ns;
	u64 longest_ns;
	struct lle_episode last[LOSSLESS_NUM_EPISODE];
};

/**
 * lle_history_add() - record a pause that has ended
 * @h: the history
 * @start_ns: its begin
 * @end_ns: its end
 */
void lle_history_add(struct lle_history *h, u64 start_ns, u64 end_ns);

/**
 * lle_history_last() - read one of the last pauses
 * @h: the history
 * @n: 0: the newest, 1: the one before, and so on
 * Return: NULL: there was none, or the ring has lost it.
 */
const struct lle_episode *lle_history_last(const struct lle_history *h,
					   unsigned int n);

#endif /* LLE_CORE_HISTORY_H */
