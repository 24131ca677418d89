// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitration: which initiator of a deadlock declares it. All of them get their
 * probes back, and one report and one break are enough.
 *
 * A hop that sends the probe of i on also sends those that have come with it,
 * and puts the smallest initiator on the way into it, as far as the probe of
 * that one has come, too. So when the probe is back:
 *
 *	it names none smaller than i	i is the smallest on its loop
 *	it names x, and x holds i	the probe of x goes where that of i has
 *					gone, so it returns to x: x declares
 *	it names x, but x does not	the probe of x has stopped where that of
 *	hold i				i has not: x may never get it back
 *
 * Other loops of the same knot may be closed at the same time. A smaller
 * initiator that holds i and waits for others may be on one of them, and the
 * news that it has declared takes about a round. The one that declares first
 * sends its probe once more, to tell the others.
 *
 * News may be lost, a break may take long, and a break may have opened the loop
 * since. So an initiator that has waited does not declare yet. It asks: it
 * sends its own probe with a new number, which replaces all that the switches
 * know of the earlier ones. The probe returns only if the loop still waits, and
 * says whether one on it has declared; while it does, the initiator waits on.
 * A smaller one with a probe that has stopped is the exception: its news will
 * not come, so a wait is enough.
 *
 * The smallest would break all deadlocks of a loop that locks again and again,
 * and its switch may have no room for that any more. Then it waits until the
 * others, which wait for it, have declared.
 */
#include "exact_rival.h"

/*
 * Most questions in a pause, 33 rounds apart: a break may take 10 ms, as walks
 * are lost, too.
 */
#define LLE_EXACT_ASKS 255

/*
 * Time for an answer, and times to wait before asking; tenths of a round. NONE
 * does not ask, ELSEWHERE asks at once.
 */
#define LLE_EXACT_ANSWER 20

static const u16 lle_exact_tenths[] = {
	[LLE_EXACT_NONE] = 0,
	[LLE_EXACT_STOPPED] = 7,
	[LLE_EXACT_ELSEWHERE] = 0,
	[LLE_EXACT_SMALLER] = 60,
	[LLE_EXACT_FULL] = 120,
	[LLE_EXACT_DECLARED] = 320,
};

/* Does the probe of another initiator hold the ingress alone? */
static bool lle_exact_holds_alone(const struct lle_exact *d,
				  unsigned int ingress,
				  const struct lle_exact_entry *e, u32 now)
{
	struct lle_exact_proof proof;

	return lle_dl_set_num(e->set) == 1 &&
	       !lle_dl_id_same(e->set.id[0], lle_exact_me(d, ingress)) &&
	       lle_exact_holds(d, ingress, e->set, now, &proof);
}

/* Does the ingress send the probe of another one on, whatever its number? */
static bool lle_exact_passes(const struct lle_exact *d, unsigned int ingress,
			     struct lle_dl_id id, u32 now)
{
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (lle_dl_id_kin(e->set.id[0], id) &&
		    lle_exact_holds_alone(d, ingress, e, now))
			return true;
	return false;
}

struct lle_dl_id lle_exact_min(const struct lle_exact *d, unsigned int ingress,
			       struct lle_dl_set set, u32 now)
{
	struct lle_dl_id least = lle_exact_me(d, ingress);
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e) {
		struct lle_dl_id min = lle_exact_entry_min(e);

		if (lle_dl_set_within(e->set, set) &&
		    lle_exact_binds(d, e, ingress, now) &&
		    lle_dl_id_less(min, least) &&
		    (!min.sw || lle_exact_passes(d, ingress, min, now)))
			least = min;
	}
	return least;
}

bool lle_exact_waits(const struct lle_exact *d, unsigned int ingress, u32 now)
{
	const struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (lle_exact_holds_alone(d, ingress, e, now))
			return true;
	return false;
}

/*
 * Has an initiator that the ingress waits for declared? Once the ingress has
 * asked, only the answer counts: its own probe.
 */
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

		if ((said || here) && lle_exact_binds(d, e, ingress, now))
			return true;
	}
	return false;
}

/*
 * May a smaller initiator be on another loop of the knot? A probe that has gone
 * more than twice as far as the own one circles: its pause is over.
 */
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
	struct lle_dl_id min = lle_exact_min(d, ingress, lle_dl_set_one(me),
					     now);

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

/* What an ingress has waited for says nothing of another deadlock. */
void lle_exact_rival_reset(struct lle_exact_port *port)
{
	port->rival = LLE_EXACT_NONE;
	port->asked = 0;
}

/* The time after some tenths of a round of the loop. */
static u32 lle_exact_after(const struct lle_exact *d,
			   const struct lle_exact_proof *proof, u32 tenths,
			   u32 now)
{
	u64 wait_ns = (u64)tenths * proof->hops * d->hop_ns / 10;

	return wait_ns ? now + 1 + lle_exact_time(wait_ns) : now;
}

bool lle_exact_yield(struct lle_exact *d, unsigned int ingress,
		     const struct lle_exact_proof *proof, u32 now)
{
	struct lle_exact_port *port = &d->port[ingress];
	enum lle_exact_rival rival;

	/* the first answer, if it is late, may be about another deadlock */
	if (port->asked == 1 && (s32)(now - port->defer) > 0)
		port->rival = LLE_EXACT_NONE;
	rival = lle_exact_find_rival(d, ingress, proof, now);
	/* and one after a break is */
	if (rival < port->rival && port->rival == LLE_EXACT_DECLARED)
		lle_exact_rival_reset(port);
	if (d->keeps && rival == LLE_EXACT_DECLARED)
		return true;
	/* not twice for the same reason, but until a break has ended */
	if (rival <= port->rival &&
	    (rival != LLE_EXACT_DECLARED || port->asked == LLE_EXACT_ASKS))
		return false;
	port->rival = rival;
	port->defer = lle_exact_after(d, proof, lle_exact_tenths[rival], now);
	d->deferred |= BIT_ULL(ingress);
	d->stats->deferred++;
	return true;
}

bool lle_exact_ask(struct lle_exact *d, unsigned int ingress, u32 now)
{
	struct lle_dl_set own = lle_dl_set_one(lle_exact_me(d, ingress));
	struct lle_exact_port *port = &d->port[ingress];
	struct lle_exact_proof proof;

	if (!lle_exact_holds(d, ingress, own, now, &proof)) {
		lle_exact_rival_reset(port);
		return false;
	}
	if (port->rival == LLE_EXACT_STOPPED || port->asked == LLE_EXACT_ASKS)
		return false;
	port->defer = lle_exact_after(d, &proof, LLE_EXACT_ANSWER, now);
	port->asked++;
	port->seq++;
	lle_exact_purge(d);
	return true;
}
