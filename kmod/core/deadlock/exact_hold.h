/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_HOLD_H
#define LLE_CORE_EXACT_HOLD_H

#include "exact_table.h"

/**
 * struct lle_exact_proof - why a set holds an ingress
 * @bytes: of the ingress, at @egresses
 * @egresses: that are held by the set
 * @min: the smallest initiator on the way of the probes that said so
 * @hops: their longest way
 * @near: their shortest way, which is how far a probe that is sent on has come. In a
 *	loop that the initiator is not part of, what it said before it ended would
 *	otherwise go round for ever
 * @verified: one of them was sent again after a defer time
 */
struct lle_exact_proof {
	u32 bytes;
	u64 egresses;
	struct lle_dl_id min;
	u8 hops;
	u8 near;
	bool verified;
};

/* hard(i): what waits where it is held keeps the pause up. */
static inline bool lle_exact_hard(const struct lle_exact *d,
				  unsigned int ingress)
{
	return d->pausing & BIT_ULL(ingress) &&
	       lle_dl_map_over(&d->map, ingress);
}

/* Pausing ingresses with packets at an egress, delta_p; hosts need not know. */
static inline u64 lle_exact_delta(const struct lle_exact *d,
				  unsigned int egress)
{
	return lle_dl_map_causal(&d->map, egress, d->pausing & d->fabric);
}

/**
 * lle_exact_binds() - does a probe say anything about an ingress now?
 * @d: the instance
 * @e: the probe
 * @ingress: the port
 * @now: lle_exact_time()
 */
bool lle_exact_binds(const struct lle_exact *d, const struct lle_exact_entry *e,
		     unsigned int ingress, u32 now);

/**
 * lle_exact_holds() - F(i,U): will a pause not end before one of a set?
 * @d: the instance
 * @ingress: whose pause it is
 * @set: the set
 * @now: lle_exact_time()
 * @proof: result, also if not
 */
bool lle_exact_holds(const struct lle_exact *d, unsigned int ingress,
		     struct lle_dl_set set, u32 now,
		     struct lle_exact_proof *proof);

#endif /* LLE_CORE_EXACT_HOLD_H */
