/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_CONDITION_H
#define LLE_CORE_EXACT_CONDITION_H

#include "exact_table.h"

/**
 * struct lle_exact_proof - why a set holds an ingress
 * @bytes: bytes of the ingress at @egresses
 * @egresses: egresses that the set holds
 * @min: smallest initiator on the way of the probes
 * @hops: hops of the longest probe
 * @near: hops of the shortest probe, which bounds probes of ended pauses
 * @waits: the initiator of a probe also waits for others
 */
struct lle_exact_proof {
	u32 bytes;
	u64 egresses;
	struct lle_dl_id min;
	u8 hops;
	u8 near;
	bool waits;
};

/* hard(i): bytes at held egresses keep the pause up. */
static inline bool lle_exact_condition_hard(const struct lle_exact *d,
					    unsigned int ingress)
{
	return d->pausing & BIT_ULL(ingress) &&
	       lle_dl_map_over(&d->map, ingress);
}

/* delta_p: pausing ingresses with packets at an egress, without host ports */
static inline u64 lle_exact_condition_delta(const struct lle_exact *d,
					    unsigned int egress)
{
	return lle_dl_map_causal(&d->map, egress, d->pausing & d->fabric);
}

/* Does a probe concern an ingress at @now, lle_exact_time()? */
bool lle_exact_condition_binds(const struct lle_exact *d,
			       const struct lle_exact_entry *e,
			       unsigned int ingress, u32 now);

/* F(i,U): the pause of @ingress will not end before a pause of @set */
bool lle_exact_condition_holds(const struct lle_exact *d, unsigned int ingress,
			       struct lle_dl_set set, u32 now,
			       struct lle_exact_proof *proof);

#endif /* LLE_CORE_EXACT_CONDITION_H */
