/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_ADMIT_H
#define LLE_ADMIT_H

#include "types/port.h"

enum lle_admission lle_port_admit_locked(struct lle_port *port,
					 unsigned int prio, u32 len,
					 u32 packets, struct lle_port *egress);
void lle_port_release_locked(struct lle_port *port, unsigned int prio, u32 len,
			     struct lle_port *egress, bool repaid);
void lle_port_recount(const struct lle_port *port, unsigned int prio, u32 len,
		      const struct lle_port *egress);
void lle_port_want(struct lle_port *port, unsigned int prio);
void lle_port_tell(struct lle_port *port, unsigned int prio);
void lle_port_drop(struct lle_port *port, unsigned int prio,
		   enum lle_drop_reason reason, u32 len, u32 packets);

bool lle_port_charged(const struct lle_port *port);
void lle_port_close(struct lle_port *port, bool closed);
bool lle_port_end(struct lle_port *port);

/**
 * lle_port_admit() - charge an arriving packet to its priority group
 * @port: ingress port of the packet
 * @prio: its priority
 * @len: its bytes
 * @packets: its packets on the link, see lle_gso_count()
 * @egress: its egress port, of the same switch
 *
 * Away from thresholds, without a lock: see kmod/core/buffer/credit.c.
 *
 * Context: BH off, RCU; under the root lock of @egress.
 * Return: enum lle_admission.
 */
static inline enum lle_admission lle_port_admit(struct lle_port *port,
						unsigned int prio, u32 len,
						u32 packets,
						struct lle_port *egress)
{
	if (likely(lle_sb_borrow(&port->sw->sb, &port->sb,
				 &port->ingress[prio].pg,
				 &egress->egress[prio].credit, len)))
		return LLE_ADMITTED;
	return lle_port_admit_locked(port, prio, len, packets, egress);
}

/**
 * lle_port_release() - release a packet that leaves the switch or is dropped
 * @port: ingress port; must not be used afterwards
 * @prio: as charged
 * @len: as charged
 * @egress: as charged
 *
 * Context: as lle_port_admit(), or while the qdisc of @egress is reset.
 */
static inline void lle_port_release(struct lle_port *port, unsigned int prio,
				    u32 len, struct lle_port *egress)
{
	enum lle_sb_repaid repaid;

	repaid = lle_sb_repay(&port->ingress[prio].pg,
			      &egress->egress[prio].credit, len);
	if (unlikely(repaid != LLE_SB_REPAID))
		lle_port_release_locked(port, prio, len, egress,
					repaid == LLE_SB_REPAID_LOOK);
}

#endif /* LLE_ADMIT_H */
