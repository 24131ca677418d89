// SPDX-License-Identifier: GPL-2.0
/*
 * Evaluation of a hard ingress, which sends these probes:
 *
 *	1 itself, when it is hard for the first time in its pause
 *	2 each single initiator that holds it, except itself
 *	3 if it holds itself, it is dead: declare, or let another declare
 *	4 each pair that holds it
 *	5 at a refresh: pairs of initiators that it received one by one
 */
#include "exact_parts.h"

static bool lle_exact_holds_one(const struct lle_exact *d, unsigned int ingress,
				struct lle_dl_set pair, u32 now)
{
	struct lle_exact_proof proof;

	return lle_exact_condition_holds(d, ingress, lle_dl_set_one(pair.id[0]),
					 now, &proof) ||
	       lle_exact_condition_holds(d, ingress, lle_dl_set_one(pair.id[1]),
					 now, &proof);
}

/* Steps 2 and 4; of pairs, only those of which no member holds it alone */
static void lle_exact_eval_sets(struct lle_exact *d, unsigned int ingress,
				unsigned int size,
				const struct lle_dl_set *news, u32 now,
				struct lle_dl_out *out)
{
	const struct lle_dl_set own = lle_dl_set_one(lle_exact_me(d, ingress));
	const struct lle_exact_entry *e;
	struct lle_exact_proof proof;
	u64 sent;

	lle_exact_for_each_entry(d, e) {
		if (e->sent & BIT_ULL(ingress) ||
		    lle_dl_set_num(e->set) != size ||
		    (news && !lle_dl_set_within(*news, e->set)) ||
		    lle_dl_set_same(e->set, own) ||
		    !lle_exact_condition_binds(d, e, ingress, now))
			continue;
		if (lle_exact_send_capped(d, ingress))
			return;
		if (!lle_exact_condition_holds(d, ingress, e->set, now,
					       &proof) ||
		    (size > 1 && lle_exact_holds_one(d, ingress, e->set, now)))
			continue;
		sent = lle_exact_table_sent(d, e->set);
		lle_exact_table_set_sent(d, e->set, ingress, true);
		if (!(sent & BIT_ULL(ingress)))
			lle_exact_send_upstream(d, ingress, e->set, &proof, now,
						out);
	}
}

/* Step 5: initiators and probes per call; the next starts at another entry */
#define LLE_EXACT_PAIR_IDS	8
#define LLE_EXACT_PAIR_SENDS 4

static unsigned int lle_exact_pair_ids(struct lle_exact *d,
				       unsigned int ingress, u32 now,
				       struct lle_dl_id *ids)
{
	struct lle_exact_proof proof;
	unsigned int n = 0, k, at;

	ids[n++] = lle_exact_me(d, ingress);
	for (k = 0; k < d->pool && n < LLE_EXACT_PAIR_IDS; k++) {
		const struct lle_exact_entry *e;

		e = &d->entry[(d->turn + k) % d->pool];
		if (lle_dl_set_num(e->set) != 1 ||
		    !lle_exact_condition_binds(d, e, ingress, now) ||
		    lle_exact_condition_holds(d, ingress, e->set, now, &proof))
			continue;
		for (at = 0; at < n; at++)
			if (lle_dl_id_same(ids[at], e->set.id[0]))
				break;
		if (at == n)
			ids[n++] = e->set.id[0];
	}
	d->turn = (d->turn + 1) % d->pool;
	return n;
}

static void lle_exact_eval_pairs(struct lle_exact *d, unsigned int ingress,
				 u32 now, struct lle_dl_out *out)
{
	struct lle_dl_id ids[LLE_EXACT_PAIR_IDS];
	unsigned int n, a, b, sent = 0;
	struct lle_exact_proof proof;
	struct lle_dl_set set;

	n = lle_exact_pair_ids(d, ingress, now, ids);
	if (lle_exact_condition_holds(d, ingress, lle_dl_set_one(ids[0]), now,
				      &proof))
		return;
	for (b = 1; b < n; b++)
		for (a = 0; a < b && sent < LLE_EXACT_PAIR_SENDS; a++) {
			set = lle_dl_set_two(ids[a], ids[b]);
			if (lle_exact_send_capped(d, ingress))
				return;
			if (!lle_exact_condition_holds(d, ingress, set, now,
						       &proof))
				continue;
			lle_exact_send_upstream(d, ingress, set, &proof, now,
						out);
			sent++;
		}
}

static void lle_exact_declare_own(struct lle_exact *d, unsigned int ingress,
				  u32 now, struct lle_dl_out *out);

void lle_exact_declare_waited(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out)
{
	d->deferred &= ~BIT_ULL(ingress);
	if (lle_exact_rival_ask(d, ingress, now))
		lle_exact_send_own(d, ingress, now, out);
	else
		lle_exact_declare_own(d, ingress, now, out);
}

/* Declare if the pause of an ingress, which has sent its probe, waits for itself. */
static void lle_exact_declare_own(struct lle_exact *d, unsigned int ingress,
				  u32 now, struct lle_dl_out *out)
{
	struct lle_dl_set own = lle_dl_set_one(lle_exact_me(d, ingress));
	u64 done = d->declared | d->deferred;
	struct lle_exact_proof proof;

	if (done & BIT_ULL(ingress) ||
	    !lle_exact_condition_holds(d, ingress, own, now, &proof))
		return;
	if (lle_exact_rival_yield(d, ingress, &proof, now)) {
		/* this rival needs no wait */
		if (d->deferred & BIT_ULL(ingress) &&
		    d->port[ingress].defer == now)
			lle_exact_declare_waited(d, ingress, now, out);
		return;
	}
	d->declared |= BIT_ULL(ingress);
	out->declared |= BIT_ULL(ingress);
	d->stats->declared++;
	/* its min of 0 announces it */
	lle_exact_send_own(d, ingress, now, out);
}

void lle_exact_declare_eval(struct lle_exact *d, unsigned int ingress,
			    const struct lle_dl_set *news, u32 now,
			    struct lle_dl_out *out)
{
	struct lle_dl_id me = lle_exact_me(d, ingress);

	if (!(d->initiators & BIT_ULL(ingress))) {
		news = NULL;
		d->initiators |= BIT_ULL(ingress);
		lle_exact_send_own(d, ingress, now, out);
	}
	lle_exact_eval_sets(d, ingress, 1, news, now, out);
	lle_exact_rival_note(d, ingress, now);
	if (!news || lle_dl_set_has(*news, me))
		lle_exact_declare_own(d, ingress, now, out);
	lle_exact_eval_sets(d, ingress, 2, news, now, out);
}

/* Repeats one sent probe, in turn; the own one comes last. */
static void lle_exact_again_one(struct lle_exact *d, unsigned int ingress,
				u32 now, struct lle_dl_out *out)
{
	const struct lle_exact_entry *e;
	unsigned int num = 1, turn;

	lle_exact_for_each_entry(d, e)
		num += !!(e->sent & BIT_ULL(ingress));
	turn = d->port[ingress].again % num;
	lle_exact_for_each_entry(d, e)
		if (e->sent & BIT_ULL(ingress) && !turn--) {
			lle_exact_table_set_sent(d, e->set, ingress, false);
			return;
		}
	lle_exact_send_own(d, ingress, now, out);
}

/* Repeats the own and smaller probes: the smallest must close the loop. */
static void lle_exact_again_all(struct lle_exact *d, unsigned int ingress,
				u32 now, struct lle_dl_out *out)
{
	struct lle_exact_entry *e;

	lle_exact_send_own(d, ingress, now, out);
	lle_exact_for_each_entry(d, e)
		if (lle_dl_id_less(e->set.id[0], lle_exact_me(d, ingress)))
			e->sent &= ~BIT_ULL(ingress);
}

void lle_exact_declare_repeat(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out)
{
	struct lle_exact_port *port = &d->port[ingress];
	u8 again = ++port->again;

	if (d->initiators & BIT_ULL(ingress)) {
		if (again <= LLE_EXACT_AGAIN)
			lle_exact_again_all(d, ingress, now, out);
		else
			lle_exact_again_one(d, ingress, now, out);
	}
	lle_exact_declare_eval(d, ingress, NULL, now, out);
	lle_exact_eval_pairs(d, ingress, now, out);
	/* repetitions are not news */
	port->again = again;
	port->news = false;
}

void lle_exact_declare_eval_causal(struct lle_exact *d, unsigned int egress,
				   const struct lle_dl_set *news, u32 now,
				   struct lle_dl_out *out)
{
	u64 delta = lle_exact_condition_delta(d, egress);
	unsigned int i;

	lle_dl_for_each(i, delta)
		if (lle_exact_condition_hard(d, i))
			lle_exact_declare_eval(d, i, news, now, out);
}
