/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_ADMIT_H
#define LLE_ADMIT_H

#include "types/port.h"

/**
 * struct lle_charge - what a packet takes of the buffer
 * @pg: priority group: the priority of arrival
 * @queue: egress queue: the priority of departure
 * @packets: packets on the link, see lle_gso_count()
 * @bytes: their bytes
 */
struct lle_charge {
	u8 pg;
	u8 queue;
	u32 packets;
	u32 bytes;
};

enum lle_admission lle_admit_locked(struct lle_port *port,
				    const struct lle_charge *charge,
				    struct lle_port *egress);
void lle_admit_release_locked(struct lle_port *port,
			      const struct lle_charge *charge,
			      struct lle_port *egress, bool repaid);
void lle_admit_crossed(struct lle_port *port, unsigned int prio);
void lle_admit_update_pause(struct lle_port *port, unsigned int prio);
void lle_admit_drop(struct lle_port *port, unsigned int prio,
		    enum lle_drop_reason reason, u32 len, u32 packets);

void lle_admit_update_memory(struct lle_port *port,
			     struct lle_sb_memory *memory);
void lle_admit_close(struct lle_port *port, bool closed);
bool lle_admit_end(struct lle_port *port);

/*
 * As lle_admit_locked(), but lockless away from thresholds, see
 * kmod/core/buffer/credit.c. @egress is not NULL.
 */
static __always_inline enum lle_admission
lle_admit(struct lle_port *port, const struct lle_charge *charge,
	  struct lle_port *egress)
{
	if (likely(lle_credit_borrow(&port->sw->sb, &port->sb,
				     &port->ingress[charge->pg].pg,
				     &egress->egress[charge->queue].credit,
				     charge->bytes)))
		return LLE_ADMITTED;
	return lle_admit_locked(port, charge, egress);
}

/* As lle_admit_release_locked(), but lockless away from thresholds. */
static __always_inline void lle_admit_release(struct lle_port *port,
					      const struct lle_charge *charge,
					      struct lle_port *egress)
{
	enum lle_sb_repaid repaid;

	repaid = lle_credit_repay(&port->ingress[charge->pg].pg,
				  &egress->egress[charge->queue].credit,
				  charge->bytes);
	if (unlikely(repaid != LLE_SB_REPAID))
		lle_admit_release_locked(port, charge, egress,
					 repaid == LLE_SB_REPAID_RECHECK);
}

#endif /* LLE_ADMIT_H */
