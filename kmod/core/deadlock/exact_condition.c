// SPDX-License-Identifier: GPL-2.0
/*
 * The predicate that makes probes certain:
 *
 *	F(i,U):  sum of B(i,p) over the egresses p that are ok and have received
 *		 a subset of U  >  XON(i)
 *
 * Before i resumes, one of these egresses has to be released, but none of their
 * pauses ends before that of a member of U. So i sends U without itself
 * upstream; if that is empty: deadlock.
 */
#include "exact_condition.h"

/* ok: held, by a pause that lasts for at least G from now */
static bool lle_exact_ok(const struct lle_exact *d, unsigned int egress,
			 u32 now)
{
	return d->map.held & BIT_ULL(egress) &&
	       (s32)(d->port[egress].expire - now) >= (s32)d->guard;
}

bool lle_exact_condition_binds(const struct lle_exact *d,
			       const struct lle_exact_entry *e,
			       unsigned int ingress, u32 now)
{
	return *lle_dl_map_pair(&d->map, e->egress, ingress) &&
	       lle_exact_ok(d, e->egress, now) &&
	       !lle_exact_table_is_stale(d, e->set);
}

bool lle_exact_condition_holds(const struct lle_exact *d, unsigned int ingress,
			       struct lle_dl_set set, u32 now,
			       struct lle_exact_proof *proof)
{
	const struct lle_exact_entry *e;

	*proof = (struct lle_exact_proof) {
		.min.sw = U16_MAX,
		.near = LLE_DL_HOPS,
	};
	lle_exact_for_each_entry(d, e) {
		if (!lle_dl_set_within(e->set, set) ||
		    !lle_exact_condition_binds(d, e, ingress, now))
			continue;
		if (!(proof->egresses & BIT_ULL(e->egress)))
			proof->bytes +=
				*lle_dl_map_pair(&d->map, e->egress, ingress);
		proof->egresses |= BIT_ULL(e->egress);
		proof->min =
			lle_dl_id_least(proof->min, lle_exact_entry_min(e));
		proof->hops = max(proof->hops, e->hops);
		proof->near = min(proof->near, e->hops);
		proof->waits |= e->waits;
	}
	return lle_dl_map_exceeds(proof->bytes, d->map.sums[ingress].xon);
}
