// SPDX-License-Identifier: GPL-2.0
/*
 * Handles the initial trigger before the loop is broken, or the deadlock would
 * come back (paper section 4): quarantines a host, or sends a message backwards
 * along the probes to the trigger's switch.
 */
#include "../../core/deadlock/exact_walk.h"
#include "../tx.h"
#include "../watchdog.h"
#include "deadlock.h"

static bool lle_deadlock_resolve_here(struct lle_switch *sw, unsigned int prio,
				      struct lle_dl_id trigger)
{
	const struct lle_port_params *params;
	struct lle_port *port;

	port = rcu_dereference(sw->slot[trigger.port]);
	if (!port)
		return false;
	params = rcu_dereference(port->params);
	return params->facing != LLE_FACING_FABRIC &&
	       lle_watchdog_quarantine(port, prio);
}

/* Port toward the trigger's switch; NULL: unknown. @slot: port that leads there */
static struct lle_port *lle_deadlock_toward(struct lle_switch *sw,
					    unsigned int prio, unsigned int slot,
					    struct lle_dl_id trigger)
{
	int egress = -1;

	spin_lock(&sw->lock);
	if (sw->deadlock)
		egress = lle_exact_walk_egress(sw->deadlock->exact[prio], slot,
					       trigger);
	spin_unlock(&sw->lock);
	return egress < 0 ? NULL : rcu_dereference(sw->slot[egress]);
}

/*
 * Handles the initial trigger of a deadlock. @msg: LLE_DL_RESOLVE, received or
 * of this switch. @slot: the port that received it, or is declared. True: done,
 * or another switch was requested to do it. BH off, RCU, no lock held.
 */
bool lle_trigger_resolve(struct lle_switch *sw, unsigned int slot,
			 const struct lle_dl_msg *msg)
{
	struct lle_dl_msg next = *msg;
	struct lle_port *port;
	struct sk_buff *skb;
	void *rest;

	if (READ_ONCE(sw->deadlock_trigger) == LLE_DEADLOCK_TRIGGER_LEAVE ||
	    !msg->trig.host)
		return false;
	if (msg->trig.sw == sw->id)
		return lle_deadlock_resolve_here(sw, msg->prio, msg->trig);
	if (next.hops++ >= LLE_DL_HOPS)
		return false;
	port = lle_deadlock_toward(sw, msg->prio, slot, msg->trig);
	if (!port)
		return false;
	skb = lle_tx_message(port, &next, 0, &rest);
	if (!skb)
		return false;
	lle_tx_send(port, skb);
	return true;
}

/**
 * lle_trigger_resolve_asked() - process a request to handle an initial trigger
 * @port: the receiving port
 * @msg: LLE_DL_RESOLVE
 * @now_ns: the time
 *
 * Ignored, and not forwarded, by a switch that only reports deadlocks.
 * Context: BH off, RCU, no lock held.
 */
void lle_trigger_resolve_asked(struct lle_port *port,
			       const struct lle_dl_msg *msg, u64 now_ns)
{
	struct lle_switch *sw = port->sw;
	struct lle_deadlock *dl;
	bool may;

	spin_lock(&sw->lock);
	dl = sw->deadlock;
	may = dl && lle_deadlock_event_admit(dl, port, now_ns) &&
	      dl->action != LLE_DEADLOCK_ALERT;
	spin_unlock(&sw->lock);
	if (may)
		lle_trigger_resolve(sw, port->slot, msg);
}
