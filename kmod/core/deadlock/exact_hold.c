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
static bool lle_exact_ok(const struct lle_exact *d, unsigned int egress,
			 u32 now)
{
	return d->map.held & BIT_ULL(egress) &&
	       (s32)(d->port[egress].expire - now) >= (s32)d->guard;
}

bool lle_exact_binds(const struct lle_exact *d, const struct lle_exact_entry *e,
		     unsigned int ingress, u32 now)
{
	return *lle_dl_map_pair(&d->map, e->egress, ingress) &&
	       lle_exact_ok(d, e->egress, now) &&
	       !lle_exact_set_stale(d, e->set);
}

bool lle_exact_holds(const struct lle_exact *d, unsigned int ingress,
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
		    !lle_exact_binds(d, e, ingress, now))
			continue;
		if (!(proof->egresses & BIT_ULL(e->egress)))
			proof->bytes +=
				*lle_dl_map_pair(&d->map, e->egress, ingress);
		proof->egresses |= BIT_ULL(e->egress);
		proof->min =
			lle_dl_id_least(proof->min, lle_exact_entry_min(e));
		proof->hops = max(proof->hops, e->hops);
		proof->near = min(proof->near, e->hops);
		proof->verified |= e->verified;
	}
	return lle_dl_over(proof->bytes, d->map.sums[ingress].xon);
}
