// SPDX-License-Identifier: GPL-2.0
/*
 * Breaks a deadlock: the declared ingress resumes its neighbour so that the
 * loop can turn. trigger_resolve.c handles the initial trigger first.
 *
 *	1 XON was fixed when the pause began. If the ingress is now below
 *	  the current XON, it simply resumes.
 *	2 After repeated deadlocks the ingress becomes lossy: demote.c.
 *	3 Otherwise its packets waiting on the loop are parked, head first,
 *	  until it is below XON: break_lossless.c. Arrivals for the loop are
 *	  parked too (escape) until the loop moves, or it would lock again.
 *	4 If configured, or if the parking is full, packets are dropped.
 */
#include "../admit.h"
#include "../tx.h"
#include "deadlock.h"

static void lle_deadlock_make_room(struct lle_parking *parking,
				   const struct lle_port *port,
				   const struct lle_deadlock_record *r)
{
	u64 hop = (u64)port->ingress[r->info.prio].pg.xon +
		  port->sb.xon_delta_bytes + port->sb.headroom_bytes;
	u64 limit = r->length * hop;

	if (parking->used_bytes)
		limit = max(limit, parking->limit_bytes);
	parking->limit_bytes = limit;
}

/* Under the switch's lock. Returns true if step 1 or 2 suffices. */
static bool lle_deadlock_resume(struct lle_deadlock *dl, struct lle_port *port,
				struct lle_deadlock_record *r)
{
	unsigned int prio = r->info.prio, slot = r->info.initiator.slot;
	struct lle_switch *sw = dl->sw;

	if (lle_sb_recheck(&sw->sb, &port->sb, &port->ingress[prio].pg)) {
		lle_admit_crossed(port, prio);
		r->info.cure = LOSSLESS_DEADLOCK_CURE_RESUMED;
		return true;
	}
	if (lle_deadlock_demote(dl, port, &r->info)) {
		r->info.cure = LOSSLESS_DEADLOCK_CURE_DEMOTED;
		return true;
	}
	if (dl->action == LLE_DEADLOCK_LOSSLESS) {
		lle_deadlock_make_room(&sw->parking, port, r);
		dl->escape[prio] |= BIT_ULL(slot);
		dl->escape_egress[prio] |= r->egresses &
					   dl->exact[prio]->map.held;
	}
	return false;
}

static void lle_deadlock_relieve(struct lle_port *egress,
				 struct lle_port *ingress,
				 struct lle_relief *relief)
{
	struct Qdisc *q;

	q = rcu_dereference(netdev_get_tx_queue(egress->dev, 0)->qdisc);
	if (q->ops == egress->ops->qdisc)
		egress->ops->relieve(q, ingress, relief);
}

/* Breaks a deadlock, stores the cure in @r. @dl->work, RCU, no lock held. */
void lle_deadlock_break(struct lle_deadlock *dl, struct lle_deadlock_record *r)
{
	struct lle_switch *sw = dl->sw;
	struct lle_relief relief = {
		.prio = r->info.prio,
		.since_ns = r->info.since_ns,
		.drop = READ_ONCE(dl->action) == LLE_DEADLOCK_DROP,
	};
	const struct lle_dl_msg resolve = {
		.type = LLE_DL_RESOLVE,
		.prio = r->info.prio,
		.trig = {
			.sw = r->info.trigger.sw,
			.port = r->info.trigger.slot,
			.host = r->info.trigger.host,
			.seq = r->info.trigger.seq,
		},
	};
	struct lle_port *ingress, *egress;
	u64 egresses = r->egresses;
	unsigned int slot;
	bool resumed;

	ingress = rcu_dereference(sw->slot[r->info.initiator.slot]);
	if (READ_ONCE(dl->action) == LLE_DEADLOCK_ALERT || !ingress ||
	    lle_break_lossless_relieved(ingress, &relief))
		return;

	r->info.resolved = lle_trigger_resolve(sw, ingress->slot, &resolve);
	spin_lock(&sw->lock);
	resumed = lle_deadlock_resume(dl, ingress, r);
	dl->stats.broken++;
	spin_unlock(&sw->lock);
	if (resumed) {
		lle_tx_kick(ingress);
		lle_deadlock_look(dl);
		return;
	}

	lle_dl_for_each(slot, egresses) {
		egress = rcu_dereference(sw->slot[slot]);
		if (egress)
			lle_deadlock_relieve(egress, ingress, &relief);
	}
	r->info.parked_bytes = relief.parked_bytes;
	r->info.dropped_bytes = relief.dropped_bytes;
	r->info.cure = relief.dropped_bytes ? LOSSLESS_DEADLOCK_CURE_DROPPED :
					      LOSSLESS_DEADLOCK_CURE_PARKED;
}
