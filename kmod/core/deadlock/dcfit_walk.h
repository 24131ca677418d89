/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_WALK_H
#define LLE_CORE_DCFIT_WALK_H

#include "dcfit.h"
#include "exact_walk.h"

/* Their counterparts in exact_walk.h have the same names but for "paper". */
void lle_dcfit_walk_begin(const struct lle_dcfit *d, unsigned int ingress,
			  struct lle_dl_msg *msg);

/**
 * lle_dcfit_walk_next() - where a walk goes on
 * @d: the instance
 * @egress: by which port it has come
 *
 * Return: bit i: by ingress i: all that wait at @egress and pause.
 */
u64 lle_dcfit_walk_next(const struct lle_dcfit *d, unsigned int egress);

void lle_dcfit_walk_hop(const struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, struct lle_dl_hop *hop);

int lle_dcfit_trigger_egress(const struct lle_dcfit *d,
			     struct lle_dl_id trigger);

#endif /* LLE_CORE_DCFIT_WALK_H */
