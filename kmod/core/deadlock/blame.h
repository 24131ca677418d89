/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_BLAME_H
#define LLE_CORE_DEADLOCK_BLAME_H

#include "exact_table.h"

/**
 * lle_dl_cause() - the paused egress that an ingress pauses its peer because of
 * @m: the map
 * @paused: egresses that count as paused
 * @ingress: the port
 * @xon: so many of its bytes at paused egresses are too few
 *
 * Return: the egress; number of ports: there is none, it has begun itself.
 */
unsigned int lle_dl_cause(const struct lle_dl_map *m, u64 paused,
			  unsigned int ingress, u32 xon);

/**
 * lle_exact_blame_until() - until when an egress counts as paused
 * @since: when its pause began
 * @now: when it ended
 */
u32 lle_exact_blame_until(u32 since, u32 now);

/**
 * lle_exact_blame() - BLAME: initial trigger of a pause that begins
 * @d: the instance
 * @ingress: the port that pauses its peer
 * @now: the time
 */
struct lle_dl_id lle_exact_blame(struct lle_exact *d, unsigned int ingress,
				 u32 now);

#endif /* LLE_CORE_DEADLOCK_BLAME_H */
