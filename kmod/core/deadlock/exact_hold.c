// SPDX-License-Identifier: GPL-2.0
/*
 * What is certain.
 *
 *	F(i,U) = sum{ cnt[p][i] : ok(p), and p has received a subset of U } > xon[i]
 *
 * If so, the pause of i does not end before that of a member of U: nothing
 * leaves an egress that is held, one of those in the sum has to be released first,
 * and its pause does not end before that of a member of U either. So i says the
 * same to its upstream, without itself. If nobody is left, it is a deadlock.
 */
#include "exact_hold.h"

/* ok(p) = held, expire[p] - now >= G */
static bool lle_dcfit_ok(const struct lle_dcfit *d, unsigned int egress,
			 u32 now)
{
	return d->map.held & BIT_ULL(egress) &&
	       (s32)(d->port[egress].expire - now) >= (s32)d->guard;
}

bool lle_dcfit_binds(const struct lle_dcfit *d,
		     const struct lle_dcfit_entry *e, unsigned int ingress,
		     u32 now)
{
	return *lle_dcfit_map_pair(&d->map, e->egress, ingress) &&
	       lle_dcfit_ok(d, e->egress, now) &&
	       !lle_dcfit_set_stale(d, e->set);
}

bool lle_dcfit_holds(const struct lle_dcfit *d, unsigned int ingress,
		     struct lle_dcfit_set set, u32 now,
		     struct lle_dcfit_proof *proof)
{
	const struct lle_dcfit_entry *e;

	*proof = (struct lle_dcfit_proof){
		.min.sw = U16_MAX,
		.near = LLE_DCFIT_HOPS,
	};
	lle_dcfit_for_each_entry(d, e) {
		if (!lle_dcfit_set_within(e->set, set) ||
		    !lle_dcfit_binds(d, e, ingress, now))
			continue;
		if (!(proof->egresses & BIT_ULL(e->egress)))
			proof->bytes += *lle_dcfit_map_pair(&d->map, e->egress,
							    ingress);
		proof->egresses |= BIT_ULL(e->egress);
		proof->min = lle_dcfit_id_least(proof->min,
						lle_dcfit_entry_min(e));
		proof->hops = max(proof->hops, e->hops);
		proof->near = min(proof->near, e->hops);
		proof->verified |= e->verified;
	}
	return lle_dcfit_over(proof->bytes, d->map.sums[ingress].xon);
}
