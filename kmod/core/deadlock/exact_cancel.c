// SPDX-License-Identifier: GPL-2.0
/*
 * Withdrawal of probes after a pause has ended without draining, or packets
 * have left a held egress. Each ingress checks the probes that it sent because
 * of it; each hop forwards the cancels.
 *
 * Ingress i has sent x only because of {x}, {x,y}, or {x,me(i)} without itself.
 * CANCEL{x} also withdraws {x,y}; if still true, the next refresh repeats it.
 */
#include "exact_parts.h"

/* Is the last message about this initiator in @out a cancel already? */
static bool lle_exact_cancelled(unsigned int ingress, struct lle_dl_id id,
				const struct lle_dl_out *out)
{
	unsigned int n;

	for (n = out->num; n--;) {
		const struct lle_dl_send *send = &out->send[n];

		if (send->port == ingress &&
		    (lle_dl_id_same(send->msg.id[0], id) ||
		     lle_dl_id_same(send->msg.id[1], id)))
			return send->msg.type == LLE_DL_CANCEL;
	}
	return false;
}

/*
 * F(i,{@id,me(i)}), and me(i) alone does not hold i: the neighbour may withdraw
 * me(i) next, when the set of @id is gone.
 */
static bool lle_exact_still_sends(const struct lle_exact *d,
				  unsigned int ingress, struct lle_dl_id id,
				  u32 now)
{
	struct lle_dl_id me = lle_exact_me(d, ingress);
	struct lle_exact_proof proof;

	if (lle_exact_condition_holds(d, ingress, lle_dl_set_one(id), now,
				      &proof))
		return true;
	return lle_exact_condition_holds(d, ingress, lle_dl_set_two(id, me),
					 now, &proof) &&
	       !lle_exact_condition_holds(d, ingress, lle_dl_set_one(me), now,
					  &proof);
}

/* Withdraws @id, unless it is still true. */
static void lle_exact_cancel(struct lle_exact *d, unsigned int ingress,
			     struct lle_dl_id id, u32 now,
			     struct lle_dl_out *out)
{
	struct lle_dl_msg *msg;

	if (lle_dl_id_same(id, lle_exact_me(d, ingress)) ||
	    lle_exact_still_sends(d, ingress, id, now))
		return;
	lle_exact_table_set_sent(d, lle_dl_set_one(id), ingress, false);
	lle_exact_send_drop(d, ingress, &id);
	if (lle_exact_cancelled(ingress, id, out))
		return;
	msg = lle_exact_send_message(d, ingress, LLE_DL_CANCEL, out);
	if (!msg) {
		d->withdrawing |= BIT_ULL(ingress);
		return;
	}
	msg->num_ids = 1;
	msg->id[0] = id;
	d->stats->cancels++;
}

static void lle_exact_cancel_set(struct lle_exact *d, unsigned int ingress,
				 struct lle_dl_set set, u32 now,
				 struct lle_dl_out *out)
{
	unsigned int n;

	for (n = 0; n < lle_dl_set_num(set); n++)
		lle_exact_cancel(d, ingress, set.id[n], now, out);
}

void lle_exact_cancel_all(struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_out *out)
{
	lle_exact_table_clear_sent(d, ingress);
	lle_exact_send_drop(d, ingress, NULL);
	d->withdrawing |= BIT_ULL(ingress);
	if (!lle_exact_send_message(d, ingress, LLE_DL_CANCEL, out))
		return;
	d->withdrawing &= ~BIT_ULL(ingress);
	d->stats->cancels++;
	if (lle_exact_condition_hard(d, ingress))
		d->due |= BIT_ULL(ingress);
}

/* Are packets of the ingress there, or may some have left until now? */
static bool lle_exact_has_waited(const struct lle_exact *d, unsigned int egress,
				 unsigned int ingress)
{
	return *lle_dl_map_pair(&d->map, egress, ingress) ||
	       d->leaky & BIT_ULL(egress);
}

void lle_exact_cancel_recheck(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out)
{
	const struct lle_exact_entry *e;
	u64 evicted = d->evicted;
	unsigned int p;

	lle_dl_for_each(p, evicted)
		if (lle_exact_has_waited(d, p, ingress)) {
			lle_exact_cancel_all(d, ingress, out);
			return;
		}
	lle_exact_for_each_entry(d, e)
		if (lle_exact_has_waited(d, e->egress, ingress))
			lle_exact_cancel_set(d, ingress, e->set, now, out);
}

void lle_exact_cancel_retract(struct lle_exact *d, unsigned int egress,
			      const struct lle_dl_id *id, u32 now,
			      struct lle_dl_out *out)
{
	struct lle_dl_set gone[LLE_EXACT_PER_EGRESS];
	u64 delta = lle_exact_condition_delta(d, egress);
	bool all = !id && d->evicted & BIT_ULL(egress);
	unsigned int i, n, num;

	num = lle_exact_table_take(d, egress, id, gone);
	if (!id)
		d->evicted &= ~BIT_ULL(egress);
	lle_dl_for_each(i, delta) {
		if (all) {
			lle_exact_cancel_all(d, i, out);
			continue;
		}
		for (n = 0; n < num; n++) {
			lle_exact_cancel_set(d, i, gone[n], now, out);
			if (lle_dl_set_has(gone[n], lle_exact_me(d, i)))
				lle_exact_cancel_recheck(d, i, now, out);
		}
	}
}
