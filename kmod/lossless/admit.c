// SPDX-License-Identifier: GPL-2.0
/*
 * Packet path through the shared buffer: charge, release, drop. The short path,
 * without the switch's lock, is in admit.h.
 *
 * Called by the qdisc of the egress port under its root lock, or by the receive
 * side of a host (host.c) without one. Takes only the switch's lock, a leaf.
 * Schedules the ingress port's qdisc to pause or resume its peer; the dequeue
 * sends the state that is current then.
 */
#include "admit.h"
#include "deadlock/deadlock.h"
#include "deadlock/packet.h"
#include "headroom.h"
#include "trace.h"
#include "tx.h"

/**
 * lle_admit_update_pause() - update whether the peer should pause a priority
 * @port: the port
 * @prio: the priority
 *
 * No pause if the priority is discarded: its packets do not fill the buffer, so
 * a pause would only spread the storm. Nor on the mute port of a stuck NIC.
 * Context: switch's lock; the caller kicks the port after unlocking.
 */
void lle_admit_update_pause(struct lle_port *port, unsigned int prio)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	bool pause = in->pg.xoff &&
		     !((port->attention.discard | port->mute) & BIT(prio));
	u64 now_ns;

	if (pause == !!(port->attention.want & BIT(prio)))
		return;
	now_ns = ktime_get_ns();
	if (pause)
		in->paused_since_ns = now_ns;
	else
		lle_history_add(&in->history, in->paused_since_ns, now_ns);
	WRITE_ONCE(port->attention.want, port->attention.want ^ BIT(prio));
	lle_deadlock_event_xoff(port, prio, pause);
}

/**
 * lle_admit_crossed() - handle a priority group that crossed XOFF or XON
 * @port: the port
 * @prio: the priority
 * Context: switch's lock; the caller kicks the port after unlocking.
 */
void lle_admit_crossed(struct lle_port *port, unsigned int prio)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	u64 now_ns = ktime_get_ns();

	if (in->pg.xoff) {
		in->xoff_since_ns = now_ns;
		in->overshoot_bytes = 0;
	} else {
		lle_reaction_measure(port, prio, now_ns);
	}
	lle_admit_update_pause(port, prio);
}

/**
 * lle_admit_drop() - count a dropped packet
 * @port: port that counts this reason, see enum lle_drop_reason
 * @prio: its priority
 * @reason: reason of the drop
 * @len: its bytes
 * @packets: its packets on the link, see lle_gso_count()
 * Context: the lock that protects the counter of @reason, see struct lle_port.
 */
void lle_admit_drop(struct lle_port *port, unsigned int prio,
		    enum lle_drop_reason reason, u32 len, u32 packets)
{
	port->drop_pkts[prio][reason] += packets;
	port->drop_bytes[prio][reason] += len;
	trace_lle_drop(port, prio, reason, len);
}
EXPORT_SYMBOL_GPL(lle_admit_drop);

static noinline void lle_port_cross(struct lle_port *port, unsigned int prio,
				    u32 len, u32 packets,
				    unsigned int verdict)
{
	switch (verdict & ~LLE_SB_XOFF) {
	case LLE_SB_DROP_THRESHOLD:
		lle_admit_drop(port, prio, LLE_DROP_THRESHOLD, len, packets);
		break;
	case LLE_SB_DROP_BUFFER:
		lle_admit_drop(port, prio, LLE_DROP_BUFFER, len, packets);
		break;
	case LLE_SB_DROP_HEADROOM:
		lle_admit_drop(port, prio, LLE_DROP_HEADROOM, len, packets);
		break;
	}
	if (verdict & LLE_SB_XOFF)
		lle_admit_crossed(port, prio);
}

static noinline void lle_port_lend(struct lle_switch *sw,
				   struct lle_sb_credit *credit)
{
	unsigned int ports = READ_ONCE(sw->attached);

	if (ports)
		lle_credit_lend(&sw->sb, credit, ports);
}

/*
 * Port where detection counts a packet. A packet that changes priority does
 * not close a pause loop, as all pauses of a loop have one priority.
 */
static struct lle_port *lle_port_counted(struct lle_port *egress,
					 const struct lle_charge *charge)
{
	return charge->pg == charge->queue ? egress : NULL;
}

/**
 * lle_admit_locked() - charge an arriving packet to its priority group
 * @port: ingress port
 * @charge: what it takes
 * @egress: egress port, of the same switch; NULL: none
 * Context: BH off, RCU, root lock of @egress.
 * Return: enum lle_admission; LLE_PARKED only with an @egress.
 */
enum lle_admission lle_admit_locked(struct lle_port *port,
				    const struct lle_charge *charge,
				    struct lle_port *egress)
{
	struct lle_port *counted = lle_port_counted(egress, charge);
	struct lle_sb_pg *pg = &port->ingress[charge->pg].pg;
	struct lle_switch *sw = port->sw;
	struct lle_sb_credit *credit;
	unsigned int verdict;
	u32 *row;

	spin_lock(&sw->lock);
	/* settle bytes that were repaid after the loan ended */
	credit = egress ? &egress->egress[charge->queue].credit : NULL;
	if (credit && unlikely(!credit->keep && atomic_read(&credit->bytes)))
		lle_credit_settle(&sw->sb, credit);
	row = lle_deadlock_packet_row(counted, charge->pg);
	if (!row &&
	    unlikely(lle_deadlock_packet_parks(port, charge->pg, charge->bytes,
					       counted))) {
		spin_unlock(&sw->lock);
		return LLE_PARKED;
	}
	verdict = lle_sb_admit(&sw->sb, &port->sb, pg, charge->bytes);
	if (unlikely(verdict))
		lle_port_cross(port, charge->pg, charge->bytes, charge->packets,
			       verdict);
	else if (credit && !sw->deadlock && !pg->careful)
		lle_port_lend(sw, credit);
	if (likely(!(verdict & ~LLE_SB_XOFF)))
		lle_deadlock_packet_enqueued(port, charge->pg, charge->bytes,
					     counted, row);
	spin_unlock(&sw->lock);

	if (likely(!verdict))
		return LLE_ADMITTED;
	if (verdict & LLE_SB_XOFF)
		lle_tx_kick(port);
	return verdict == LLE_SB_XOFF ? LLE_ADMITTED : LLE_DROPPED;
}
EXPORT_SYMBOL_GPL(lle_admit_locked);

/**
 * lle_admit_update_memory() - report the memory of a queue to the buffer
 * @port: port of the queue
 * @memory: memory of its packets
 * Context: BH off; the lock of the queue.
 */
void lle_admit_update_memory(struct lle_port *port,
			     struct lle_sb_memory *memory)
{
	struct lle_switch *sw = port->sw;
	bool shrinks;

	spin_lock(&sw->lock);
	shrinks = lle_memory_update(&sw->sb, memory);
	spin_unlock(&sw->lock);
	if (shrinks)
		net_warn_ratelimited("lossless: switch %u: packets occupy %llu MB of memory: the buffer of %llu MB shrinks\n",
				     sw->id, sw->sb.memory >> 20,
				     sw->sb.size >> 20);
}
EXPORT_SYMBOL_GPL(lle_admit_update_memory);

/* Are packets of an ingress port charged? Under the switch's lock. */
static bool lle_admit_is_charged(const struct lle_port *port)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (lle_sb_occ(&port->ingress[p].pg))
			return true;
	return false;
}

/**
 * lle_admit_close() - require the switch's lock for packets of a port
 * @port: the port
 * @closed: required; false: no longer
 * Context: switch's lock.
 */
void lle_admit_close(struct lle_port *port, bool closed)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		port->ingress[p].pg.closed = closed;
		lle_sb_check_careful(&port->ingress[p].pg);
	}
}

/**
 * lle_admit_end() - test whether a port without a qdisc may be freed
 * @port: the port; closed
 * Context: switch's lock. Return: true only once, though concurrent releases
 * may each find the port empty.
 */
bool lle_admit_end(struct lle_port *port)
{
	if (port->ended || lle_admit_is_charged(port))
		return false;
	port->ended = true;
	return true;
}

/**
 * lle_admit_release_locked() - release a packet that leaves or is dropped
 * @port: ingress port; unusable afterwards: the last packet of a port without
 *	a qdisc frees it
 * @charge: as charged
 * @egress: as charged
 * @repaid: its bytes are already credit of @egress, see lle_credit_recheck()
 * Context: BH off, RCU; root lock of @egress, or reset of its qdisc.
 */
void lle_admit_release_locked(struct lle_port *port,
			      const struct lle_charge *charge,
			      struct lle_port *egress, bool repaid)
{
	struct lle_sb_pg *pg = &port->ingress[charge->pg].pg;
	struct lle_port *counted = lle_port_counted(egress, charge);
	struct lle_switch *sw = port->sw;
	struct lle_sb_memory *memory;
	bool xon, last;

	spin_lock(&sw->lock);
	memory = egress ? &egress->egress[charge->queue].memory : NULL;
	if (memory && unlikely(lle_memory_has_changed(memory)))
		lle_memory_update(&sw->sb, memory);
	if (repaid) {
		xon = lle_credit_recheck(&sw->sb, pg,
					 &egress->egress[charge->queue].credit);
	} else {
		lle_deadlock_packet_dequeued(port, charge->pg, charge->bytes,
					     counted,
					     lle_deadlock_packet_row(counted, charge->pg));
		xon = lle_sb_release(&sw->sb, pg, charge->bytes);
	}
	if (unlikely(xon))
		lle_admit_crossed(port, charge->pg);
	last = unlikely(!port->dev) && lle_admit_end(port);
	spin_unlock(&sw->lock);

	if (likely(!xon && !last))
		return;
	if (xon)
		lle_tx_kick(port);
	if (last)
		port->release(port);
}
EXPORT_SYMBOL_GPL(lle_admit_release_locked);
