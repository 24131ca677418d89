// SPDX-License-Identifier: GPL-2.0
/* Deadlock messages in frames of their own: receive budget and send queue. */
#include "message.h"

/*
 * Accepted messages of a port: one per LLE_DEADLOCK_GAP_NS on average, and a
 * burst. Above what a correct neighbour sends; bounds the cost of a hostile
 * one.
 */
#define LLE_DEADLOCK_GAP_NS	10000
#define LLE_DEADLOCK_BURST	256

/**
 * lle_deadlock_message_admit() - charge a message to the budget of a port
 * @dl: detection of the switch
 * @port: the receiving port
 * @now_ns: the time
 * Context: under the switch's lock. Return: false: ignore the message.
 */
bool lle_deadlock_message_admit(struct lle_deadlock *dl, struct lle_port *port,
				u64 now_ns)
{
	dl->stats.received++;
	if (lle_budget_take(&port->messages, LLE_DEADLOCK_GAP_NS,
			    LLE_DEADLOCK_BURST, now_ns))
		return true;
	dl->stats.ignored++;
	return false;
}

/**
 * lle_deadlock_message_append() - queue a message for a frame of its own
 * @dl: detection of the switch
 * @slot: sending port
 * @msg: the message; dropped if the queue is full
 * Context: under the switch's lock.
 */
void lle_deadlock_message_append(struct lle_deadlock *dl, unsigned int slot,
				 const struct lle_dl_msg *msg)
{
	struct lle_dl_out *out = &dl->out;

	if (out->num == LLE_DL_SENDS)
		return;
	out->send[out->num++] = (struct lle_dl_send) {
		.port = slot,
		.msg = *msg,
	};
	lle_deadlock_look(dl);
}
