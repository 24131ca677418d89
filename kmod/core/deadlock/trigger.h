/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_TRIGGER_H
#define LLE_CORE_DEADLOCK_TRIGGER_H

#include "exact_table.h"

/**
 * lle_dl_trigger_cause() - find the paused egress that makes an ingress pause
 * @m: map
 * @paused: bit p: egress p counts as paused
 * @ingress: port
 * @xon: bytes that all of them must exceed
 * Return: the egress with most bytes of @ingress, or the number of ports.
 */
unsigned int lle_dl_trigger_cause(const struct lle_dl_map *m, u64 paused,
				  unsigned int ingress, u32 xon);

/**
 * lle_dl_trigger_blame_until() - compute until when an egress counts as paused
 * @since: begin of its pause, lle_exact_time()
 * @now: end of its pause, lle_exact_time()
 */
u32 lle_dl_trigger_blame_until(u32 since, u32 now);

/**
 * lle_dl_trigger_blame() - determine the initial trigger of a new pause
 * @d: instance
 * @ingress: port that pauses
 * @now: lle_exact_time()
 */
struct lle_dl_id lle_dl_trigger_blame(struct lle_exact *d, unsigned int ingress,
				      u32 now);

#endif /* LLE_CORE_DEADLOCK_TRIGGER_H */
