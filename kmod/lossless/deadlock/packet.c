// SPDX-License-Identifier: GPL-2.0
/*
 * Slow part of packet.h: the egress is paused, so detection sees each packet.
 * Under the switch's lock and the root lock of the egress, except for
 * lle_deadlock_packet_recount().
 */
#include "packet.h"

/* Target of lle_port.row while detection does not count the port. */
u32 *const lle_deadlock_no_row;

/*
 * Charges a packet to the parking of a switch. False: full. Under the switch's
 * lock.
 */
bool lle_deadlock_packet_charge(struct lle_parking *parking, u32 len)
{
	if (parking->used_bytes + len > parking->limit_bytes)
		return false;
	parking->used_bytes += len;
	parking->max_bytes = max(parking->max_bytes, parking->used_bytes);
	return true;
}

/*
 * Parks an arriving packet of a broken loop: lets the loop turn until it moves
 * by itself. Half of the parking stays free for breaking loops. True: parked.
 */
bool lle_deadlock_packet_park(const struct lle_port *port, unsigned int prio,
			      u32 len, const struct lle_port *egress)
{
	struct lle_switch *sw = port->sw;

	if (!(sw->deadlock->escape[prio] & BIT_ULL(port->slot)) ||
	    !(sw->deadlock->escape_egress[prio] & BIT_ULL(egress->slot)) ||
	    lle_parking_is_short(&sw->parking) ||
	    !lle_deadlock_packet_charge(&sw->parking, len))
		return false;
	sw->deadlock->stats.parked_bytes += len;
	return true;
}

static void lle_deadlock_noted(struct lle_deadlock *dl, unsigned int prio)
{
	if (lle_exact_is_due(dl->exact[prio]))
		lle_deadlock_look(dl);
}

/* Counts a packet queued at a held egress. @egress, @ingress: slots. */
void lle_deadlock_packet_enq_held(struct lle_deadlock *dl, unsigned int egress,
				  unsigned int ingress, unsigned int prio,
				  u32 len)
{
	lle_exact_enq_held(dl->exact[prio], egress, ingress, len);
	lle_deadlock_noted(dl, prio);
}

/*
 * Counts a packet that leaves a held egress. Ignores packets that
 * lle_deadlock_packet_recount() has not counted.
 */
void lle_deadlock_packet_deq_held(struct lle_deadlock *dl, unsigned int egress,
				  unsigned int ingress, unsigned int prio,
				  u32 len)
{
	if (ingress == LLE_MAX_PORTS)
		return;
	lle_exact_deq_held(dl->exact[prio], egress, ingress, len);
	lle_deadlock_noted(dl, prio);
}

/**
 * lle_deadlock_packet_recount() - count a queued packet when detection begins
 * @port: as lle_admit()
 * @prio: as lle_admit()
 * @len: as lle_admit()
 * @egress: as lle_admit()
 *
 * Skips a deleted port without slot: it no longer pauses its neighbour.
 * Context: BH off; under the root lock of @egress.
 */
void lle_deadlock_packet_recount(const struct lle_port *port, unsigned int prio,
				 u32 len, const struct lle_port *egress)
{
	struct lle_switch *sw = port->sw;

	if (port->slot == LLE_MAX_PORTS)
		return;
	spin_lock(&sw->lock);
	lle_deadlock_packet_enqueued(port, prio, len, egress,
				     lle_deadlock_packet_row(egress, prio));
	spin_unlock(&sw->lock);
}
EXPORT_SYMBOL_GPL(lle_deadlock_packet_recount);
