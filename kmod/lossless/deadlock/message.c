// SPDX-License-Identifier: GPL-2.0
/*
 * Deadlock messages in frames of their own: how many a switch accepts from a
 * neighbour, and the queue of those to be sent.
 */
#include "message.h"

/*
 * Accepted messages of a port: one in LLE_DEADLOCK_GAP_NS in the long run, and
 * a burst. A neighbour never sends as many, but this bounds their cost.
 */
#define LLE_DEADLOCK_GAP_NS	10000
#define LLE_DEADLOCK_BURST	256

/**
 * lle_deadlock_in_time() - charge a message to the budget of a port
 * @dl: detection of the switch
 * @port: the port that received it in a frame of its own
 * @now_ns: the time
 *
 * Context: under the switch's lock. Return: false: it is to be ignored.
 */
bool lle_deadlock_in_time(struct lle_deadlock *dl, struct lle_port *port,
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
 * lle_deadlock_append() - queue a message for a frame of its own
 * @dl: detection of the switch
 * @slot: the port that sends it
 * @msg: the message; lost if there are too many
 *
 * Context: under the switch's lock.
 */
void lle_deadlock_append(struct lle_deadlock *dl, unsigned int slot,
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
