/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_IRN_H
#define RNIC_IRN_H

#include "../../kmod/core/core.h"

/* Maximum of unacknowledged packets: both ends have a bit for each */
#define IRN_WINDOW_MAX	1024
#define IRN_WORDS	(IRN_WINDOW_MAX / 64)

/* No packet is lost. */
#define IRN_NONE	U32_MAX

/**
 * struct irn_sender - what a sender knows of packets that are not acknowledged
 * @sacked: a bit for each packet that the receiver has out of order
 * @repair: next packet that is sent again, if it is lost
 * @lost_end: packets before it are lost, unless the receiver has them
 * @recover_end: recovery ends when all packets before it are acknowledged
 * @recovers: is in recovery
 */
struct irn_sender {
	u64 sacked[IRN_WORDS];
	u32 repair;
	u32 lost_end;
	u32 recover_end;
	bool recovers;
};

/**
 * struct irn_receiver - packets that have arrived out of order
 * @arrived: a bit for each
 */
struct irn_receiver {
	u64 arrived[IRN_WORDS];
};

/**
 * struct irn - both ends of a flow
 * @sender: under the lock of the sender
 * @receiver: under the lock of the receiver
 */
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
