/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_WALK_H
#define LLE_CORE_DCFIT_WALK_H

#include "dcfit.h"
#include "../../kmod/core/deadlock/exact_walk.h"

/* Functions without kernel-doc: see lle_exact_*(). */
void lle_dcfit_walk_begin(const struct lle_dcfit *d, unsigned int ingress,
			  struct lle_dl_msg *msg);

/* Return: bit i: ingress i pauses and waits at @egress; the walk continues. */
u64 lle_dcfit_walk_next(const struct lle_dcfit *d, unsigned int egress);

void lle_dcfit_walk_hop(const struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, struct lle_dl_hop *hop);

int lle_dcfit_trigger_egress(const struct lle_dcfit *d,
			     struct lle_dl_id trigger);

#endif /* LLE_CORE_DCFIT_WALK_H */
