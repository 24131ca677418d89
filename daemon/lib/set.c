// SPDX-License-Identifier: GPL-2.0
/* Changes. All need CAP_NET_ADMIN in the initial user namespace. */
#include <errno.h>

#include "request.h"

/**
 * lle_nl_do() - send a request that is answered with yes or no
 * @nl: the client, which knows what it is about
 * @msg: the request; is freed. NULL: there was no memory for it
 * @fits: it has got all its attributes, and there was room for them
 *
 * Return: 0 or a negative errno.
 */
int lle_nl_do(struct lle_nl *nl, struct nl_msg *msg, bool fits)
{
	if (!fits) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return lle_nl_talk(nl, msg, NULL, NULL);
}

/**
 * lle_nl_set_buffer() - change the packet memory of a switch
 * @nl: the client
 * @id: number of the switch
 * @bytes: its packet memory
 *
 * Return: 0 or a negative errno.
 */
int lle_nl_set_buffer(struct lle_nl *nl, uint32_t id, uint32_t bytes)
{
	struct nl_msg *msg = lle_nl_request(nl, LLE_CMD_SWITCH_SET, 0);

	lle_nl_about(nl, "switch %u", id);
	return lle_nl_do(nl, msg, msg &&
			 nla_put_u32(msg, LLE_A_SWITCH, id) >= 0 &&
			 nla_put_u32(msg, LLE_A_BUFFER, bytes) >= 0);
}

/**
 * lle_nl_set_discard() - treat all watched priorities of a switch as stormed
 * @nl: the client
 * @id: number of the switch
 * @on: do so
 *
 * Return: 0 or a negative errno.
 */
int lle_nl_set_discard(struct lle_nl *nl, uint32_t id, bool on)
{
	struct nl_msg *msg = lle_nl_request(nl, LLE_CMD_SWITCH_SET, 0);

	lle_nl_about(nl, "switch %u", id);
	return lle_nl_do(nl, msg, msg &&
			 nla_put_u32(msg, LLE_A_SWITCH, id) >= 0 &&
			 nla_put_u8(msg, LLE_A_DISCARD, on) >= 0);
}

/* @value: negative: the attribute is left out */
static bool lle_nl_put_ms(struct nl_msg *msg, int attr, int value)
{
	return value < 0 || nla_put_u32(msg, attr, value) >= 0;
}

/**
 * lle_nl_set_watchdog() - change watchdogs of a port
 * @nl: the client
 * @change: what to change
 *
 * Return: 0 or a negative errno.
 */
int lle_nl_set_watchdog(struct lle_nl *nl,
			const struct lle_nl_watchdog_change *change)
{
	struct nl_msg *msg = lle_nl_request(nl, LLE_CMD_WATCHDOG_SET, 0);

	lle_nl_about_port(nl, change->ifindex);
	return lle_nl_do(nl, msg, msg &&
			 nla_put_u32(msg, LLE_A_IFINDEX, change->ifindex) >= 0 &&
			 nla_put_u8(msg, LLE_A_PRIOS, change->prios) >= 0 &&
			 lle_nl_put_ms(msg, LLE_A_DETECTION_MS,
				       change->detection_ms) &&
			 lle_nl_put_ms(msg, LLE_A_RESTORATION_MS,
				       change->restoration_ms) &&
			 (change->action < 0 ||
			  nla_put_u8(msg, LLE_A_ACTION, change->action) >= 0));
}

/**
 * lle_nl_clear() - clear counters of watchdogs, and high-water marks
 * @nl: the client
 * @ifindex: of this port; 0: of all
 *
 * Return: 0 or a negative errno.
 */
int lle_nl_clear(struct lle_nl *nl, unsigned int ifindex)
{
	struct nl_msg *msg = lle_nl_request(nl, LLE_CMD_CLEAR, 0);

	if (ifindex)
		lle_nl_about_port(nl, ifindex);
	else
		lle_nl_about(nl, "ports");
	return lle_nl_do(nl, msg, msg &&
			 (!ifindex ||
			  nla_put_u32(msg, LLE_A_IFINDEX, ifindex) >= 0));
}
