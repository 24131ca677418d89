// SPDX-License-Identifier: GPL-2.0
/*
 * Makes an ingress lossy until it is quiet if it locks repeatedly due to one
 * trigger: without pauses, no loop passes through it. It drops only packets
 * that would otherwise wait for themselves.
 */
#include "../admit.h"
#include "deadlock.h"

/* Deadlocks in a row before demotion, and longest time between them. */
#define LLE_DEADLOCK_ROW	3
#define LLE_DEADLOCK_ROW_NS	NSEC_PER_SEC

/* Time without a drop; doubled each time it locks again soon, up to 2^6. */
#define LLE_DEADLOCK_QUIET_NS	(200 * NSEC_PER_MSEC)
#define LLE_DEADLOCK_AGAIN_MAX	6

static bool lle_deadlock_same(const struct lle_deadlock_who *a,
			      const struct lle_deadlock_who *b)
{
	return a->sw == b->sw && a->slot == b->slot && a->host == b->host;
}

static u64 lle_deadlock_quiet_ns(const struct lle_demotion *demotion)
{
	return LLE_DEADLOCK_QUIET_NS << demotion->again;
}

static u64 lle_deadlock_lost(const struct lle_port *port, unsigned int prio)
{
	return port->drop_pkts[prio][LLE_DROP_THRESHOLD] +
	       port->drop_pkts[prio][LLE_DROP_BUFFER];
}

/* Counts deadlocks in a row. Returns true if they suffice. */
static bool lle_deadlock_in_row(struct lle_demotion *demotion,
				const struct lle_deadlock_info *info)
{
	if (!lle_deadlock_same(&demotion->trigger, &info->trigger) ||
	    info->declared_ns - demotion->declared_ns > LLE_DEADLOCK_ROW_NS)
		demotion->in_row = 0;
	demotion->trigger = info->trigger;
	demotion->declared_ns = info->declared_ns;
	return ++demotion->in_row >= LLE_DEADLOCK_ROW;
}

/*
 * Makes the declared ingress lossy if it has locked too often. True: it is
 * lossy and has resumed. Under the switch's lock.
 */
bool lle_deadlock_demote(struct lle_deadlock *dl, struct lle_port *port,
			 const struct lle_deadlock_info *info)
{
	struct lle_port_ingress *in = &port->ingress[info->prio];
	struct lle_demotion *demotion = &in->demotion;
	u64 now_ns = ktime_get_ns();

	if (READ_ONCE(dl->sw->deadlock_trigger) == LLE_DEADLOCK_TRIGGER_LEAVE ||
	    !lle_deadlock_in_row(demotion, info))
		return false;
	if (demotion->until_ns &&
	    now_ns - demotion->until_ns < lle_deadlock_quiet_ns(demotion))
		demotion->again = min(demotion->again + 1,
				      LLE_DEADLOCK_AGAIN_MAX);
	else
		demotion->again = 0;
	demotion->in_row = 0;
	demotion->until_ns = now_ns + lle_deadlock_quiet_ns(demotion);
	demotion->lost = lle_deadlock_lost(port, info->prio);
	dl->demoted[info->prio] |= BIT_ULL(port->slot);
	dl->stats.demoted++;
	if (lle_sb_set_lossless(&dl->sw->sb, &in->pg, false))
		lle_admit_crossed(port, info->prio);
	return true;
}

static bool lle_deadlock_promote(struct lle_deadlock *dl, struct lle_port *port,
				 unsigned int prio, u64 now_ns)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	u64 lost = lle_deadlock_lost(port, prio);

	/* lossless by configuration, or PFC disabled */
	if (in->pg.lossless || !(port->pfc_en & BIT(prio)))
		return true;
	if (now_ns < in->demotion.until_ns)
		return false;
	if (lost != in->demotion.lost) {
		in->demotion.lost = lost;
		in->demotion.until_ns =
			now_ns + lle_deadlock_quiet_ns(&in->demotion);
		return false;
	}
	lle_sb_set_lossless(&dl->sw->sb, &in->pg, true);
	return true;
}

/*
 * Makes quiet ingresses lossless again. Returns ns until the next call;
 * U64_MAX: not needed. Under the switch's lock, RCU.
 */
u64 lle_deadlock_demote_end_quiet(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns)
{
	u64 demoted = dl->demoted[prio], wait_ns = U64_MAX;
	unsigned int slot;

	lle_dl_for_each(slot, demoted) {
		struct lle_port *port = rcu_dereference(dl->sw->slot[slot]);

		if (port && !lle_deadlock_promote(dl, port, prio, now_ns))
			wait_ns = min(wait_ns,
				      port->ingress[prio].demotion.until_ns -
				      now_ns);
		else
			dl->demoted[prio] &= ~BIT_ULL(slot);
	}
	return wait_ns;
}

/*
 * Makes all ingresses lossless, as detection ends. RTNL, under the switch's
 * lock.
 */
void lle_deadlock_demote_end_all(struct lle_deadlock *dl)
{
	unsigned int slot, p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_dl_for_each(slot, dl->demoted[p]) {
			struct lle_port *port;

			port = rcu_dereference_protected(dl->sw->slot[slot],
							 lockdep_rtnl_is_held());
			if (port && port->pfc_en & BIT(p))
				lle_sb_set_lossless(&dl->sw->sb,
						    &port->ingress[p].pg, true);
		}
}
