// SPDX-License-Identifier: GPL-2.0
/*
 * Parking breaks a deadlock without loss. A parked packet keeps its place in
 * its queue, but is charged to memory beside the buffer, so its ingress port
 * can resume. The limit is the bytes that all hops may hold: one turn of the
 * loop.
 *
 * Source: SPIN (Ramrakhyani et al., ISCA 2018) turns a whole loop at once by
 * one packet. Memory beside the buffer makes an agreed time unnecessary.
 */
#include "../admit.h"
#include "deadlock.h"
#include "packet.h"

/**
 * lle_break_lossless_park() - park a queued packet
 * @port: ingress port, not yet relieved
 * @charge: as charged
 * @egress: as charged
 * Context: BH off, RCU; root lock of @egress. Return: false: parking full.
 */
bool lle_break_lossless_park(struct lle_port *port,
			     const struct lle_charge *charge,
			     struct lle_port *egress)
{
	struct lle_switch *sw = port->sw;
	bool parked;

	spin_lock(&sw->lock);
	parked = lle_deadlock_packet_charge(&sw->parking, charge->bytes);
	if (parked && sw->deadlock)
		sw->deadlock->stats.parked_bytes += charge->bytes;
	spin_unlock(&sw->lock);
	if (parked)
		lle_admit_release(port, charge, egress);
	return parked;
}
EXPORT_SYMBOL_GPL(lle_break_lossless_park);

/**
 * lle_break_lossless_unpark() - uncharge a packet that leaves
 * @egress: port of its queue
 * @len: its bytes
 * Context: BH off; under the root lock of @egress.
 */
void lle_break_lossless_unpark(struct lle_port *egress, u32 len)
{
	struct lle_switch *sw = egress->sw;

	spin_lock(&sw->lock);
	sw->parking.used_bytes -= len;
	spin_unlock(&sw->lock);
}
EXPORT_SYMBOL_GPL(lle_break_lossless_unpark);

/**
 * lle_break_lossless_relieved() - test whether a pause has ended
 * @port: the pausing port
 * @relief: the pause
 * Context: BH off.
 */
bool lle_break_lossless_relieved(struct lle_port *port,
				 const struct lle_relief *relief)
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
EXPORT_SYMBOL_GPL(lle_break_lossless_relieved);
