/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Deadlock detection per packet, under the switch's lock and the root lock of
 * the egress. Disabled: loads two NULL pointers. Egress not paused: changes a
 * counter.
 */
#ifndef LLE_DEADLOCK_PACKET_H
#define LLE_DEADLOCK_PACKET_H

#include "../types/port.h"

extern u32 *const lle_deadlock_no_row;

bool lle_deadlock_packet_charge(struct lle_parking *parking, u32 len);
bool lle_deadlock_packet_park(const struct lle_port *port, unsigned int prio,
			      u32 len, const struct lle_port *egress);
void lle_deadlock_packet_enq_held(struct lle_deadlock *dl, unsigned int egress,
				  unsigned int ingress, unsigned int prio,
				  u32 len);
void lle_deadlock_packet_deq_held(struct lle_deadlock *dl, unsigned int egress,
				  unsigned int ingress, unsigned int prio,
				  u32 len);
void lle_deadlock_packet_recount(const struct lle_port *port, unsigned int prio,
				 u32 len, const struct lle_port *egress);

static inline bool lle_deadlock_packet_counts(const struct lle_port *egress,
					      unsigned int prio)
{
	return egress->row[prio] != &lle_deadlock_no_row;
}

/* Row of @egress; NULL: not counted, or held: each packet matters. */
static inline u32 *lle_deadlock_packet_row(const struct lle_port *egress,
					   unsigned int prio)
{
	return egress ? *egress->row[prio] : NULL;
}

/* Without a row: park the arriving packet? */
static inline bool lle_deadlock_packet_parks(const struct lle_port *port,
					     unsigned int prio, u32 len,
					     const struct lle_port *egress)
{
	return port->sw->deadlock && egress &&
	       lle_deadlock_packet_park(port, prio, len, egress);
}

static inline void lle_deadlock_packet_enqueued(const struct lle_port *port,
						unsigned int prio, u32 len,
						const struct lle_port *egress, u32 *row)
{
	if (row)
		row[port->slot] += len;
	else if (port->sw->deadlock && egress &&
		 lle_deadlock_packet_counts(egress, prio))
		lle_deadlock_packet_enq_held(port->sw->deadlock, egress->slot,
					     port->slot, prio, len);
}

/* Ignores packets that lle_deadlock_packet_recount() has not counted. */
static inline void lle_deadlock_packet_dequeued(const struct lle_port *port,
						unsigned int prio, u32 len,
						const struct lle_port *egress, u32 *row)
{
	if (row && likely(port->slot < LLE_MAX_PORTS))
		row[port->slot] -= len;
	else if (port->sw->deadlock && egress &&
		 lle_deadlock_packet_counts(egress, prio))
		lle_deadlock_packet_deq_held(port->sw->deadlock, egress->slot,
					     port->slot, prio, len);
}

#endif /* LLE_DEADLOCK_PACKET_H */
