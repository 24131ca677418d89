/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_TRIGGER_H
#define LLE_CORE_DEADLOCK_TRIGGER_H

#include "exact_table.h"

/**
 * lle_dl_cause() - find the paused egress that makes an ingress pause
 * @m: the map
 * @paused: bit p: egress p counts as paused
 * @ingress: the port
 * @xon: bytes at paused egresses that do not keep the ingress paused yet
 *
 * Return: the paused egress with most bytes of @ingress; the number of ports:
 * none, the ingress has at most @xon bytes at all of them.
 */
unsigned int lle_dl_cause(const struct lle_dl_map *m, u64 paused,
			  unsigned int ingress, u32 xon);

/**
 * lle_exact_blame_until() - compute until when an egress counts as paused
 * @since: begin of its pause, lle_exact_time()
 * @now: end of its pause, lle_exact_time()
 */
u32 lle_exact_blame_until(u32 since, u32 now);

/**
 * lle_exact_blame() - determine the initial trigger of a pause that begins
 * @d: the instance
 * @ingress: the port that pauses its neighbour
 * @now: lle_exact_time()
 */
struct lle_dl_id lle_exact_blame(struct lle_exact *d, unsigned int ingress,
				 u32 now);

#endif /* LLE_CORE_DEADLOCK_TRIGGER_H */
