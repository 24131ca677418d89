// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitration: all initiators of a deadlock get their probes back, but one
 * report and one break are enough.
 *
 * A hop that forwards the probe of i also forwards the probes that came with
 * it. It enters the smallest initiator on the way, if the probe of that one has
 * come as far. So when the probe of i is back, it names
 *
 *	no smaller one		i is the smallest on its loop
 *	x, and x holds i	the probe of x takes the same way: x declares
 *	x, but x does not	the probe of x has stopped on the way: x may
 *	hold i			never get it back
 *
 * A smaller initiator that holds i and waits for others may be on another loop
 * of the knot. The first one to declare repeats its probe, as news for the
 * others.
 *
 * News may be lost; a break may take long, or may have opened the loop. So an
 * initiator that has waited asks: it renumbers its own probe, which replaces
 * the earlier ones. That probe returns only if the loop still waits, and
 * reports whether a member has declared; while it has, the initiator waits on.
 * Where the probe of a smaller one has stopped, a wait is enough, unless there is
 * news: what withdraws it after a break may come before what withdraws the rest.
 *
 * If the switch of the smallest has no room for another break, it waits until
 * the others have declared.
 */
#include "exact_parts.h"

/* Per pause, 33 rounds apart: a break may take 10 ms, and walks are lost. */
#define LLE_EXACT_ASKS 255

/* Tenths of a round: time for an answer; waits before a question, 0: ask now */
#define LLE_EXACT_ANSWER 20

static const u16 lle_exact_tenths[] = {
	[LLE_EXACT_NONE] = 0,
	[LLE_EXACT_STOPPED] = 7,
	[LLE_EXACT_ELSEWHERE] = 0,
	[LLE_EXACT_SMALLER] = 60,
	[LLE_EXACT_FULL] = 120,
	[LLE_EXACT_DECLARED] = 320,
};

static bool lle_exact_holds_alone(const struct lle_exact *d,
				  unsigned int ingress,
				  const struct lle_exact_entry *e, u32 now)
{
	struct lle_exact_proof proof;

	return lle_dl_set_num(e->set) == 1 &&
	       !lle_dl_id_same(e->set.id[0], lle_exact_me(d, ingress)) &&
	       lle_exact_condition_holds(d, ingress, e->set, now, &proof);
}

/* Is a probe of @id, with any number, forwarded by the ingress? */
static bool lle_exact_passes(const struct lle_exact *d, unsigned int ingress,
			     struct lle_dl_id id, u32 now)
{
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (lle_dl_id_same_ingress(e->set.id[0], id) &&
		    lle_exact_holds_alone(d, ingress, e, now))
			return true;
	return false;
}

struct lle_dl_id lle_exact_rival_min(const struct lle_exact *d,
				     unsigned int ingress,
				     struct lle_dl_set set, u32 now)
{
	struct lle_dl_id least = lle_exact_me(d, ingress);
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e) {
		struct lle_dl_id min = lle_exact_entry_min(e);

		if (lle_dl_set_within(e->set, set) &&
		    lle_exact_condition_binds(d, e, ingress, now) &&
		    lle_dl_id_less(min, least) &&
		    (!min.sw || lle_exact_passes(d, ingress, min, now)))
			least = min;
	}
	return least;
}

bool lle_exact_rival_waits(const struct lle_exact *d, unsigned int ingress,
			   u32 now)
{
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (lle_exact_holds_alone(d, ingress, e, now))
			return true;
	return false;
}

/* Has a rival declared? After a question, only the own probe counts. */
static bool lle_exact_is_declared(const struct lle_exact *d,
				  unsigned int ingress, u32 now)
{
	struct lle_dl_id me = lle_exact_me(d, ingress);
	bool asked = d->port[ingress].asked;
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e) {
		struct lle_dl_id id = e->set.id[0];
		bool said = !e->min_sw && (!asked || lle_dl_id_same(id, me));
		bool here = id.sw == d->sw && d->declared & BIT_ULL(id.port);

		if ((said || here) &&
		    lle_exact_condition_binds(d, e, ingress, now))
			return true;
	}
	return false;
}

/* A probe with twice the own hops circles: its pause is over. */
static bool lle_exact_is_elsewhere(const struct lle_exact *d,
				   unsigned int ingress, u8 hops, u32 now)
{
	struct lle_dl_id me = lle_exact_me(d, ingress);
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (e->waits && e->hops < 2 * hops &&
		    lle_dl_id_less(e->set.id[0], me) &&
		    lle_exact_holds_alone(d, ingress, e, now))
			return true;
	return false;
}

static enum lle_exact_rival
lle_exact_find_rival(const struct lle_exact *d, unsigned int ingress,
		     const struct lle_exact_proof *proof, u32 now)
{
	struct lle_dl_id me = lle_exact_me(d, ingress);
	struct lle_dl_id min = lle_exact_rival_min(d, ingress,
						   lle_dl_set_one(me), now);

	if (lle_exact_is_declared(d, ingress, now))
		return LLE_EXACT_DECLARED;
	if (d->full)
		return LLE_EXACT_FULL;
	if (lle_dl_id_less(min, me))
		return LLE_EXACT_SMALLER;
	if (lle_exact_is_elsewhere(d, ingress, proof->hops, now))
		return LLE_EXACT_ELSEWHERE;
	if (lle_dl_id_less(proof->min, me))
		return LLE_EXACT_STOPPED;
	return LLE_EXACT_NONE;
}

/* Earlier waits are not about the next deadlock. */
void lle_exact_rival_reset(struct lle_exact_port *port)
{
	port->rival = LLE_EXACT_NONE;
	port->asked = 0;
}

static u32 lle_exact_after(const struct lle_exact *d,
			   const struct lle_exact_proof *proof, u32 tenths,
			   u32 now)
{
	u64 wait_ns = (u64)tenths * proof->hops * d->hop_ns / 10;

	return wait_ns ? now + 1 + lle_exact_time(wait_ns) : now;
}

bool lle_exact_rival_yield(struct lle_exact *d, unsigned int ingress,
			   const struct lle_exact_proof *proof, u32 now)
{
	struct lle_exact_port *port = &d->port[ingress];
	enum lle_exact_rival rival;

	/* a late first answer may be about another deadlock */
	if (port->asked == 1 && (s32)(now - port->defer) > 0)
		port->rival = LLE_EXACT_NONE;
	rival = lle_exact_find_rival(d, ingress, proof, now);
	/* after a break it is another deadlock */
	if (rival < port->rival && port->rival == LLE_EXACT_DECLARED)
		lle_exact_rival_reset(port);
	if (d->keeps && rival == LLE_EXACT_DECLARED)
		return true;
	/* wait once per reason, but always until a break has ended */
	if (rival <= port->rival &&
	    (rival != LLE_EXACT_DECLARED || port->asked == LLE_EXACT_ASKS))
		return false;
	port->rival = rival;
	port->defer = lle_exact_after(d, proof, lle_exact_tenths[rival], now);
	d->deferred |= BIT_ULL(ingress);
	d->stats->deferred++;
	return true;
}

void lle_exact_rival_note(struct lle_exact *d, unsigned int ingress, u32 now)
{
	struct lle_exact_port *port = &d->port[ingress];

	if (d->deferred & BIT_ULL(ingress) && port->rival == LLE_EXACT_STOPPED &&
	    lle_exact_is_declared(d, ingress, now))
		port->rival = LLE_EXACT_ELSEWHERE;
}

bool lle_exact_rival_ask(struct lle_exact *d, unsigned int ingress, u32 now)
{
	struct lle_dl_set own = lle_dl_set_one(lle_exact_me(d, ingress));
	struct lle_exact_port *port = &d->port[ingress];
	struct lle_exact_proof proof;

	if (!lle_exact_condition_holds(d, ingress, own, now, &proof)) {
		lle_exact_rival_reset(port);
		return false;
	}
	if (port->rival == LLE_EXACT_STOPPED || port->asked == LLE_EXACT_ASKS ||
	    (port->rival == LLE_EXACT_ELSEWHERE &&
	     lle_exact_is_declared(d, ingress, now)))
		return false;
	port->defer = lle_exact_after(d, &proof, LLE_EXACT_ANSWER, now);
	port->asked++;
	port->seq++;
	lle_exact_table_purge(d);
	return true;
}
