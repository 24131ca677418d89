/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_ADMIT_H
#define LLE_ADMIT_H

#include "types/port.h"

/**
 * struct lle_charge - what a packet takes of the buffer
 * @pg: its priority group: the priority with which it arrived
 * @queue: the queue of its egress port: the priority with which it leaves
 * @packets: its packets on the link, see lle_gso_count()
 * @bytes: their bytes
 */
struct lle_charge {
	u8 pg;
	u8 queue;
	u32 packets;
	u32 bytes;
};

enum lle_admission lle_port_admit_locked(struct lle_port *port,
					 const struct lle_charge *charge,
					 struct lle_port *egress);
void lle_port_release_locked(struct lle_port *port,
			     const struct lle_charge *charge,
			     struct lle_port *egress, bool repaid);
void lle_port_count(struct lle_port *port, unsigned int prio);
void lle_port_recount(const struct lle_port *port, unsigned int prio, u32 len,
		      const struct lle_port *egress);
void lle_port_want(struct lle_port *port, unsigned int prio);
void lle_port_tell(struct lle_port *port, unsigned int prio);
void lle_port_drop(struct lle_port *port, unsigned int prio,
		   enum lle_drop_reason reason, u32 len, u32 packets);

void lle_port_know_memory(struct lle_port *port, struct lle_sb_memory *memory);
bool lle_port_charged(const struct lle_port *port);
void lle_port_close(struct lle_port *port, bool closed);
bool lle_port_end(struct lle_port *port);

/**
 * lle_port_admit() - charge an arriving packet to its priority group
 * @port: ingress port of the packet
 * @charge: what it takes
 * @egress: its egress port, of the same switch
 *
 * Away from thresholds, without a lock: see kmod/core/buffer/credit.c.
 *
 * Context: BH off, RCU; under the root lock of @egress.
 * Return: enum lle_admission.
 */
static __always_inline enum lle_admission
lle_port_admit(struct lle_port *port, const struct lle_charge *charge,
	       struct lle_port *egress)
{
	if (likely(lle_sb_borrow(&port->sw->sb, &port->sb,
				 &port->ingress[charge->pg].pg,
				 &egress->egress[charge->queue].credit,
				 charge->bytes)))
		return LLE_ADMITTED;
	return lle_port_admit_locked(port, charge, egress);
}

/**
 * lle_port_release() - release a packet that leaves the switch or is dropped
 * @port: ingress port; must not be used afterwards
 * @charge: as charged
 * @egress: as charged
 *
 * Context: as lle_port_admit(), or while the qdisc of @egress is reset.
 */
static __always_inline void lle_port_release(struct lle_port *port,
					     const struct lle_charge *charge,
					     struct lle_port *egress)
{
	enum lle_sb_repaid repaid;

	repaid = lle_sb_repay(&port->ingress[charge->pg].pg,
			      &egress->egress[charge->queue].credit,
			      charge->bytes);
	if (unlikely(repaid != LLE_SB_REPAID))
		lle_port_release_locked(port, charge, egress,
					repaid == LLE_SB_REPAID_LOOK);
}

#endif /* LLE_ADMIT_H */
