// SPDX-License-Identifier: GPL-2.0
/*
 * Parking breaks a deadlock without loss: packets wait outside of the buffer.
 *
 * A parked packet changes its account, not its place. It stays in its queue, so
 * nothing is reordered, but it is no longer charged to its ingress port, which
 * so can resume its neighbour. The parking is memory beside the buffer, bounded
 * by the bytes that all hops of the loop may hold: as much as one turn of the
 * loop takes.
 *
 * Source: SPIN (Ramrakhyani et al., ISCA 2018) turns all of a loop at once by
 * one packet. Memory beside the buffer makes an agreed time unnecessary.
 */
#include "../admit.h"
#include "break_lossless.h"
#include "packet.h"

/**
 * lle_port_park() - park a packet that is queued
 * @port: its ingress port, which has not been relieved yet
 * @charge: as charged
 * @egress: as charged
 *
 * Context: BH off, RCU; under the root lock of @egress.
 * Return: false: there is no room.
 */
bool lle_port_park(struct lle_port *port, const struct lle_charge *charge,
		   struct lle_port *egress)
{
	struct lle_switch *sw = port->sw;
	bool parked;

	spin_lock(&sw->lock);
	parked = lle_parking_take(&sw->parking, charge->bytes);
	if (parked && sw->deadlock)
		sw->deadlock->stats.parked_bytes += charge->bytes;
	spin_unlock(&sw->lock);
	if (parked)
		lle_port_release(port, charge, egress);
	return parked;
}
EXPORT_SYMBOL_GPL(lle_port_park);

/**
 * lle_port_unpark() - a parked packet leaves the switch, or is dropped
 * @egress: the port at which it was queued
 * @len: its bytes
 *
 * Context: BH off; under the root lock of @egress.
 */
void lle_port_unpark(struct lle_port *egress, u32 len)
{
	struct lle_switch *sw = egress->sw;

	spin_lock(&sw->lock);
	sw->parking.used_bytes -= len;
	spin_unlock(&sw->lock);
}
EXPORT_SYMBOL_GPL(lle_port_unpark);

/**
 * lle_port_relieved() - test whether the pause of a deadlock has ended
 * @port: the port that pauses its neighbour
 * @relief: the pause
 *
 * Context: BH off.
 */
bool lle_port_relieved(struct lle_port *port, const struct lle_relief *relief)
{
	const struct lle_port_ingress *in = &port->ingress[relief->prio];
	struct lle_switch *sw = port->sw;
	bool paused;

	spin_lock(&sw->lock);
	paused = port->attention.want & BIT(relief->prio) &&
		 in->paused_since_ns == relief->since_ns;
	spin_unlock(&sw->lock);
	return !paused;
}
EXPORT_SYMBOL_GPL(lle_port_relieved);
