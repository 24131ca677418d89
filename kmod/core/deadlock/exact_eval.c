// SPDX-License-Identifier: GPL-2.0
/*
 * EVAL: who has to know what is certain now, of an ingress that is hard.
 *
 *	1 each single initiator that holds it, not its own
 *	2 is it held by itself? Then it is dead (TRYOWN)
 *	3 itself, when it is hard for the first time in its pause
 *	4 each pair that holds it
 *	5 when it refreshes: pairs of what it was told one by one
 */
#include "exact_eval.h"

/* A member of the pair holds the ingress alone. */
static bool lle_dcfit_holds_one(const struct lle_dcfit *d, unsigned int ingress,
				struct lle_dcfit_set pair, u32 now)
{
	struct lle_dcfit_proof proof;

	return lle_dcfit_holds(d, ingress, lle_dcfit_set_one(pair.id[0]), now,
			       &proof) ||
	       lle_dcfit_holds(d, ingress, lle_dcfit_set_one(pair.id[1]), now,
			       &proof);
}

/*
 * EVAL 1 and 4: each set of that size that holds the ingress and has not been
 * sent on yet. Step 1: single ones, but for its own; step 4: pairs that say more.
 */
static void lle_dcfit_eval_sets(struct lle_dcfit *d, unsigned int ingress,
				unsigned int size,
				const struct lle_dcfit_set *news, u32 now,
				struct lle_dcfit_out *out)
{
	const struct lle_dcfit_set own =
		lle_dcfit_set_one(lle_dcfit_me(d, ingress));
	const struct lle_dcfit_entry *e;
	struct lle_dcfit_proof proof;
	u64 sent;

	lle_dcfit_for_each_entry(d, e) {
		if (e->sent & BIT_ULL(ingress) ||
		    lle_dcfit_set_num(e->set) != size ||
		    (news && !lle_dcfit_set_within(*news, e->set)) ||
		    lle_dcfit_set_same(e->set, own) ||
		    !lle_dcfit_binds(d, e, ingress, now))
			continue;
		if (lle_dcfit_send_capped(d, ingress))
			return;
		if (!lle_dcfit_holds(d, ingress, e->set, now, &proof) ||
		    (size > 1 && lle_dcfit_holds_one(d, ingress, e->set, now)))
			continue;
		sent = lle_dcfit_sent(d, e->set);
		lle_dcfit_sent_set(d, e->set, ingress, true);
		if (!(sent & BIT_ULL(ingress)))
			lle_dcfit_forward(d, ingress, e->set, &proof, out);
	}
}

/*
 * EVAL 5: each of two initiators alone does not hold the ingress, but both do.
 * Not all pairs are looked at: from LLE_DCFIT_PAIR_IDS initiators on, others the
 * next time.
 */
#define LLE_DCFIT_PAIR_IDS	8
#define LLE_DCFIT_PAIR_SENDS	4

static unsigned int lle_dcfit_pair_ids(struct lle_dcfit *d,
				       unsigned int ingress, u32 now,
				       struct lle_dcfit_id *ids)
{
	struct lle_dcfit_proof proof;
	unsigned int n = 0, k, at;

	ids[n++] = lle_dcfit_me(d, ingress);
	for (k = 0; k < d->pool && n < LLE_DCFIT_PAIR_IDS; k++) {
		const struct lle_dcfit_entry *e;

		e = &d->entry[(d->turn + k) % d->pool];
		if (lle_dcfit_set_num(e->set) != 1 ||
		    !lle_dcfit_binds(d, e, ingress, now) ||
		    lle_dcfit_holds(d, ingress, e->set, now, &proof))
			continue;
		for (at = 0; at < n; at++)
			if (lle_dcfit_id_same(ids[at], e->set.id[0]))
				break;
		if (at == n)
			ids[n++] = e->set.id[0];
	}
	d->turn = (d->turn + 1) % d->pool;
	return n;
}

static void lle_dcfit_eval_pairs(struct lle_dcfit *d, unsigned int ingress,
				 u32 now, struct lle_dcfit_out *out)
{
	struct lle_dcfit_id ids[LLE_DCFIT_PAIR_IDS];
	unsigned int n, a, b, sent = 0;
	struct lle_dcfit_proof proof;
	struct lle_dcfit_set set;

	n = lle_dcfit_pair_ids(d, ingress, now, ids);
	if (lle_dcfit_holds(d, ingress, lle_dcfit_set_one(ids[0]), now, &proof))
		return;
	for (b = 1; b < n; b++)
		for (a = 0; a < b && sent < LLE_DCFIT_PAIR_SENDS; a++) {
			set = lle_dcfit_set_two(ids[a], ids[b]);
			if (lle_dcfit_send_capped(d, ingress))
				return;
			if (!lle_dcfit_holds(d, ingress, set, now, &proof))
				continue;
			lle_dcfit_forward(d, ingress, set, &proof, out);
			sent++;
		}
}

/* The smallest of the initiators that have gone through the ingress, too. */
static struct lle_dcfit_id lle_dcfit_rival(const struct lle_dcfit *d,
					   unsigned int ingress,
					   struct lle_dcfit_id min)
{
	const struct lle_dcfit_entry *e;

	lle_dcfit_for_each_entry(d, e)
		if (e->sent & BIT_ULL(ingress) &&
		    lle_dcfit_set_num(e->set) == 1 &&
		    !lle_dcfit_set_stale(d, e->set))
			min = lle_dcfit_id_least(min, e->set.id[0]);
	return min;
}

/*
 * EVAL 2, TRYOWN: a pause that waits for itself (A8). The first time, any smaller
 * initiator may be on the loop. Those that have deferred probe once more among
 * themselves; who still meets a smaller one waits again, and longer for one that has
 * declared, as its break takes its time.
 */
#define LLE_DCFIT_DEFER_HOPS	3
#define LLE_DCFIT_VERIFY	2
#define LLE_DCFIT_VERIFY_DEAD	4

static void lle_dcfit_try_own(struct lle_dcfit *d, unsigned int ingress,
			      u32 now, struct lle_dcfit_out *out)
{
	struct lle_dcfit_id me = lle_dcfit_me(d, ingress), min;
	struct lle_dcfit_port *port = &d->port[ingress];
	struct lle_dcfit_proof proof;
	unsigned int patience = 1;

	if (!(d->initiators & ~d->declared & BIT_ULL(ingress)) ||
	    !lle_dcfit_holds(d, ingress, lle_dcfit_set_one(me), now, &proof))
		return;

	min = proof.min;
	if (!port->verify)
		min = lle_dcfit_rival(d, ingress, min);
	else
		patience = min.sw ? LLE_DCFIT_VERIFY : LLE_DCFIT_VERIFY_DEAD;

	/* one report is enough */
	if (d->keeps && !min.sw)
		return;
	if (lle_dcfit_id_less(min, me) && port->verify < patience) {
		if (d->deferred & BIT_ULL(ingress))
			return;
		d->deferred |= BIT_ULL(ingress);
		port->defer = now + 1 +
			lle_dcfit_time((u64)LLE_DCFIT_DEFER_HOPS * proof.hops *
				       d->hop_ns);
		d->stats->deferred++;
		return;
	}
	d->declared |= BIT_ULL(ingress);
	out->declared |= BIT_ULL(ingress);
	d->stats->declared++;
}

void lle_dcfit_eval(struct lle_dcfit *d, unsigned int ingress,
		    const struct lle_dcfit_set *news, u32 now,
		    struct lle_dcfit_out *out)
{
	struct lle_dcfit_id me = lle_dcfit_me(d, ingress);

	if (!(d->initiators & BIT_ULL(ingress)))
		news = NULL;
	lle_dcfit_eval_sets(d, ingress, 1, news, now, out);
	if (!news || lle_dcfit_set_has(*news, me))
		lle_dcfit_try_own(d, ingress, now, out);
	if (!(d->initiators & BIT_ULL(ingress))) {
		d->initiators |= BIT_ULL(ingress);
		lle_dcfit_probe_own(d, ingress, out);
	}
	lle_dcfit_eval_sets(d, ingress, 2, news, now, out);
}

/* One of the probes that were sent, in turn; its own is the last one. */
static void lle_dcfit_again_one(struct lle_dcfit *d, unsigned int ingress,
				struct lle_dcfit_out *out)
{
	const struct lle_dcfit_entry *e;
	unsigned int num = 1, turn;

	lle_dcfit_for_each_entry(d, e)
		num += !!(e->sent & BIT_ULL(ingress));
	turn = d->port[ingress].again % num;
	lle_dcfit_for_each_entry(d, e)
		if (e->sent & BIT_ULL(ingress) && !turn--) {
			lle_dcfit_sent_set(d, e->set, ingress, false);
			return;
		}
	lle_dcfit_probe_own(d, ingress, out);
}

/* Its own and those of smaller initiators: the smallest one has to get round a loop. */
static void lle_dcfit_again_all(struct lle_dcfit *d, unsigned int ingress,
				struct lle_dcfit_out *out)
{
	struct lle_dcfit_entry *e;

	lle_dcfit_probe_own(d, ingress, out);
	lle_dcfit_for_each_entry(d, e)
		if (lle_dcfit_id_less(e->set.id[0], lle_dcfit_me(d, ingress)))
			e->sent &= ~BIT_ULL(ingress);
}

void lle_dcfit_eval_again(struct lle_dcfit *d, unsigned int ingress, u32 now,
			  struct lle_dcfit_out *out)
{
	struct lle_dcfit_port *port = &d->port[ingress];
	u8 again = ++port->again;

	if (d->initiators & BIT_ULL(ingress) && again <= LLE_DCFIT_AGAIN)
		lle_dcfit_again_all(d, ingress, out);
	else if (d->initiators & BIT_ULL(ingress))
		lle_dcfit_again_one(d, ingress, out);
	lle_dcfit_eval(d, ingress, NULL, now, out);
	lle_dcfit_eval_pairs(d, ingress, now, out);
	/* what is said again is no news */
	port->again = again;
	port->news = false;
}

void lle_dcfit_eval_causal(struct lle_dcfit *d, unsigned int egress,
			   const struct lle_dcfit_set *news, u32 now,
			   struct lle_dcfit_out *out)
{
	u64 delta = lle_dcfit_delta(d, egress);
	unsigned int i;

	lle_dcfit_for_each(i, delta)
		if (lle_dcfit_hard(d, i))
			lle_dcfit_eval(d, i, news, now, out);
}
