/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Deadlock detection in the path of each packet. While detection is off: the
 * row of the egress and the detection of the switch are loaded, and both are
 * NULL. While the egress is not paused: one counter changes.
 *
 * Callers of the inline functions hold the switch's lock and the root lock of
 * the egress.
 */
#ifndef LLE_DEADLOCK_PACKET_H
#define LLE_DEADLOCK_PACKET_H

#include "../types/port.h"

extern u32 *const lle_deadlock_no_row;

bool lle_parking_take(struct lle_parking *parking, u32 len);
bool lle_deadlock_park_arrival(const struct lle_port *port, unsigned int prio,
			       u32 len, const struct lle_port *egress);
void lle_deadlock_enq_held(struct lle_deadlock *dl, unsigned int egress,
			   unsigned int ingress, unsigned int prio, u32 len);
void lle_deadlock_deq_held(struct lle_deadlock *dl, unsigned int egress,
			   unsigned int ingress, unsigned int prio, u32 len);
void lle_port_recount(const struct lle_port *port, unsigned int prio, u32 len,
		      const struct lle_port *egress);

/* Does detection count the packets of a queue? */
static inline bool lle_deadlock_counts(const struct lle_port *egress,
				       unsigned int prio)
{
	return egress->row[prio] != &lle_deadlock_no_row;
}

/*
 * Counters of the packets queued at an egress, by ingress. NULL: detection does
 * not count, or the egress is held and each packet matters.
 */
static inline u32 *lle_deadlock_row(const struct lle_port *egress,
				    unsigned int prio)
{
	return egress ? *egress->row[prio] : NULL;
}

/* Without a row: is an arriving packet parked instead of charged? */
static inline bool lle_deadlock_parks(const struct lle_port *port,
				      unsigned int prio, u32 len,
				      const struct lle_port *egress)
{
	return port->sw->deadlock && egress &&
	       lle_deadlock_park_arrival(port, prio, len, egress);
}

/* Counts a packet that is queued at @egress, with the counters @row. */
static inline void lle_deadlock_enqueued(const struct lle_port *port,
					 unsigned int prio, u32 len,
					 const struct lle_port *egress, u32 *row)
{
	if (row)
		row[port->slot] += len;
	else if (port->sw->deadlock && egress &&
		 lle_deadlock_counts(egress, prio))
		lle_deadlock_enq_held(port->sw->deadlock, egress->slot,
				      port->slot, prio, len);
}

/* The reverse, except for packets that lle_port_recount() has not counted. */
static inline void lle_deadlock_dequeued(const struct lle_port *port,
					 unsigned int prio, u32 len,
					 const struct lle_port *egress, u32 *row)
{
	if (row && likely(port->slot < LLE_MAX_PORTS))
		row[port->slot] -= len;
	else if (port->sw->deadlock && egress &&
		 lle_deadlock_counts(egress, prio))
		lle_deadlock_deq_held(port->sw->deadlock, egress->slot,
				      port->slot, prio, len);
}

#endif /* LLE_DEADLOCK_PACKET_H */
