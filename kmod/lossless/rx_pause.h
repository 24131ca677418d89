/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_RX_PAUSE_H
#define LLE_RX_PAUSE_H

#include "deadlock/deadlock.h"
#include "types/port.h"

void lle_rx_pause_init(struct lle_port *port);
void lle_rx_pause_exit(struct lle_port *port);
void lle_rx_pause(struct lle_port *port, const struct lle_pfc *pfc,
		  const u8 *data, int len);

/* Returns bit p: priority p is still paused. Under @port->pause_lock. */
static inline u8 lle_rx_pause_update(struct lle_port *port, u64 now_ns)
{
	u8 before = port->rx.paused;
	u8 paused = lle_pause_rx_update(&port->rx, now_ns);

	if (likely(before == paused))
		return paused;
	lle_port_attend(port);
	if (port->pending.prios)
		port->pending.changed |= before & ~paused;
	else
		lle_deadlock_event_ended(port, before & ~paused);
	return paused;
}

/* Returns bit p: received pauses stop priority p. Not under pause_lock. */
static inline u8 lle_rx_pause_active(struct lle_port *port, u64 now_ns)
{
	u8 paused;

	if (likely(!READ_ONCE(port->attention.paused)))
		return 0;
	spin_lock_bh(&port->pause_lock);
	paused = lle_rx_pause_update(port, now_ns);
	paused &= ~port->disobey;
	spin_unlock_bh(&port->pause_lock);
	return paused;
}

/* Next expiry of a pause of @prios, or U64_MAX. Not under pause_lock. */
static inline u64 lle_rx_pause_next_expiry(struct lle_port *port, u8 prios)
{
	u64 next;

	spin_lock_bh(&port->pause_lock);
	next = lle_pause_rx_next(&port->rx, prios);
	spin_unlock_bh(&port->pause_lock);
	return next;
}

#endif /* LLE_RX_PAUSE_H */
