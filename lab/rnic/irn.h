/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_IRN_H
#define RNIC_IRN_H

#include "../../kmod/core/core.h"

/* Maximum of unacknowledged packets: each end has a bit for each */
#define IRN_WINDOW_MAX	1024
#define IRN_WORDS	(IRN_WINDOW_MAX / 64)

/* No packet is lost. */
#define IRN_NONE	U32_MAX

/* Unacknowledged packets */
struct irn_sender {
	u64 sacked[IRN_WORDS];	/* packets that arrived out of order */
	u32 repair;	/* next packet to send again if it is lost */
	u32 lost_end;	/* packets before it are lost, unless in @sacked */
	u32 recover_end;	/* recovery ends with the ACK of all before */
	bool recovers;	/* in recovery */
};

/* A bit for each packet that has arrived out of order */
struct irn_receiver {
	u64 arrived[IRN_WORDS];
};

/* Each end under its lock */
struct irn {
	struct irn_sender sender;
	struct irn_receiver receiver;
};

void irn_acked(struct irn_sender *s, u32 from, u32 to);
void irn_nak(struct irn_sender *s, u32 acked, u32 next, u32 packet);
void irn_timeout(struct irn_sender *s, u32 acked, u32 next);
u32 irn_lost(struct irn_sender *s);
void irn_repaired(struct irn_sender *s, u32 packet);
bool irn_arrives(struct irn_receiver *r, u32 packet);
u32 irn_in_order(struct irn_receiver *r, u32 expected);

#endif /* RNIC_IRN_H */
