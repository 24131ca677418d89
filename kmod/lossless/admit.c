// SPDX-License-Identifier: GPL-2.0
/*
 * The packet path through the shared buffer: charge, release, drop.
 *
 * The qdisc of the egress port calls it under its root lock, for the ingress
 * port of a packet; so does the receive side of a host (host.c), without a root
 * lock. Only the switch's lock is taken, which is a leaf. To pause or resume
 * the peer of the ingress port, that port's qdisc is scheduled; its dequeue
 * sends the state that is current then.
 */
#include "admit.h"
#include "deadlock/event.h"
#include "deadlock/packet.h"
#include "reaction.h"
#include "trace.h"
#include "tx.h"

/**
 * lle_port_tell() - update whether the peer of a port should pause a priority
 * @port: the port
 * @prio: the priority
 *
 * A priority group over XOFF pauses the peer, unless the priority is discarded
 * or the port is mute. Discarded packets do not fill the buffer, so a pause
 * would only spread the storm. A mute port is that of a stuck NIC, which would
 * spread its own storm.
 *
 * Context: under the switch's lock; the caller kicks the port when it is not.
 */
void lle_port_tell(struct lle_port *port, unsigned int prio)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	bool pause = in->pg.xoff &&
		     !((port->discard | port->mute) & BIT(prio));
	u64 now_ns;

	if (pause == !!(port->want & BIT(prio)))
		return;
	now_ns = ktime_get_ns();
	if (pause)
		in->paused_since_ns = now_ns;
	else
		lle_history_add(&in->history, in->paused_since_ns, now_ns);
	WRITE_ONCE(port->want, port->want ^ BIT(prio));
	lle_deadlock_tell(port, prio, pause);
}

/**
 * lle_port_want() - act on a priority group that has crossed XOFF or XON
 * @port: the port
 * @prio: the priority
 *
 * Context: under the switch's lock; the caller kicks the port when it is not.
 */
void lle_port_want(struct lle_port *port, unsigned int prio)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	u64 now_ns = ktime_get_ns();

	if (in->pg.xoff) {
		in->xoff_since_ns = now_ns;
		in->defied_bytes = 0;
	} else {
		lle_port_measure(port, prio, now_ns);
	}
	lle_port_tell(port, prio);
}

/**
 * lle_port_drop() - count a dropped packet
 * @port: port that counts this reason, see enum lle_drop_reason
 * @prio: priority of the packet
 * @reason: reason of the drop
 * @len: bytes of the packet
 *
 * Context: the lock that protects the counter of @reason, see struct lle_port.
 */
void lle_port_drop(struct lle_port *port, unsigned int prio,
		   enum lle_drop_reason reason, u32 len)
{
	port->drop_pkts[prio][reason]++;
	port->drop_bytes[prio][reason] += len;
	trace_lle_drop(port, prio, reason, len);
}
EXPORT_SYMBOL_GPL(lle_port_drop);

/* Count a drop, act on XOFF, or both. */
static noinline void lle_port_admit_slow(struct lle_port *port,
					 unsigned int prio, u32 len,
					 unsigned int verdict)
{
	switch (verdict & ~LLE_SB_XOFF) {
	case LLE_SB_DROP_THRESHOLD:
		lle_port_drop(port, prio, LLE_DROP_THRESHOLD, len);
		break;
	case LLE_SB_DROP_BUFFER:
		lle_port_drop(port, prio, LLE_DROP_BUFFER, len);
		break;
	case LLE_SB_DROP_HEADROOM:
		lle_port_drop(port, prio, LLE_DROP_HEADROOM, len);
		break;
	}
	if (verdict & LLE_SB_XOFF)
		lle_port_want(port, prio);
}

/**
 * lle_port_admit() - charge an arriving packet to its priority group
 * @port: ingress port of the packet
 * @prio: its priority
 * @len: its bytes
 * @egress: its egress port, of the same switch; NULL: none
 *
 * Context: BH off, RCU; under the root lock of @egress, if there is one.
 * Return: enum lle_admission; LLE_PARKED only if there is an @egress.
 */
enum lle_admission lle_port_admit(struct lle_port *port, unsigned int prio,
				  u32 len, struct lle_port *egress)
{
	struct lle_switch *sw = port->sw;
	unsigned int verdict;
	u32 *row;

	spin_lock(&sw->lock);
	row = lle_deadlock_row(egress, prio);
	if (!row && unlikely(lle_deadlock_parks(port, prio, len, egress))) {
		spin_unlock(&sw->lock);
		return LLE_PARKED;
	}
	verdict = lle_sb_admit(&sw->sb, &port->sb, &port->ingress[prio].pg,
			       len);
	if (unlikely(verdict))
		lle_port_admit_slow(port, prio, len, verdict);
	if (likely(!(verdict & ~LLE_SB_XOFF)))
		lle_deadlock_enqueued(port, prio, len, egress, row);
	spin_unlock(&sw->lock);

	if (likely(!verdict))
		return LLE_ADMITTED;
	if (verdict & LLE_SB_XOFF)
		lle_tx_kick(port);
	return verdict == LLE_SB_XOFF ? LLE_ADMITTED : LLE_DROPPED;
}
EXPORT_SYMBOL_GPL(lle_port_admit);

/**
 * lle_port_charged() - test whether packets of an ingress port are charged
 * @port: the port
 *
 * Context: under the switch's lock.
 */
bool lle_port_charged(const struct lle_port *port)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (port->ingress[p].pg.occ)
			return true;
	return false;
}

/**
 * lle_port_release() - release a packet that leaves the switch or is dropped
 * @port: ingress port; must not be used afterwards, as the last packet of a
 *	port without a qdisc frees it
 * @prio: as charged
 * @len: as charged
 * @egress: as charged
 *
 * Context: BH off, RCU; under the root lock of @egress, if there is one, or
 * while its qdisc is reset.
 */
void lle_port_release(struct lle_port *port, unsigned int prio, u32 len,
		      struct lle_port *egress)
{
	struct lle_switch *sw = port->sw;
	bool xon, last;

	spin_lock(&sw->lock);
	lle_deadlock_dequeued(port, prio, len, egress,
			      lle_deadlock_row(egress, prio));
	xon = lle_sb_release(&sw->sb, &port->ingress[prio].pg, len);
	if (unlikely(xon))
		lle_port_want(port, prio);
	last = unlikely(!port->dev) && !lle_port_charged(port);
	spin_unlock(&sw->lock);

	if (likely(!xon && !last))
		return;
	if (xon)
		lle_tx_kick(port);
	if (last)
		port->release(port);
}
EXPORT_SYMBOL_GPL(lle_port_release);
