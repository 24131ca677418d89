// SPDX-License-Identifier: GPL-2.0
/* Changes. All need CAP_NET_ADMIN in the initial user namespace. */
#include <errno.h>

#include "request.h"

/* Sends and frees @msg; NULL: no memory. @fits: all attributes fitted in. */
int lle_nl_do(struct lle_nl *nl, struct nl_msg *msg, bool fits)
{
	return lle_nl_talk(nl, lle_nl_fit(msg, fits), NULL, NULL);
}

int lle_nl_set_buffer(struct lle_nl *nl, uint32_t id, uint32_t bytes)
{
	struct nl_msg *msg = lle_nl_request(nl, LOSSLESS_CMD_SWITCH_SET, 0);

	lle_nl_about(nl, "switch %u", id);
	return lle_nl_do(nl, msg, msg &&
			 nla_put_u32(msg, LOSSLESS_A_SWITCH_ID, id) >= 0 &&
			 nla_put_u32(msg, LOSSLESS_A_SWITCH_BUFFER, bytes) >= 0);
}

/* Treats lossless priorities with a watchdog as stormed, or no longer. */
int lle_nl_set_discard(struct lle_nl *nl, uint32_t id, bool on)
{
	struct nl_msg *msg = lle_nl_request(nl, LOSSLESS_CMD_SWITCH_SET, 0);

	lle_nl_about(nl, "switch %u", id);
	return lle_nl_do(nl, msg, msg &&
			 nla_put_u32(msg, LOSSLESS_A_SWITCH_ID, id) >= 0 &&
			 nla_put_u8(msg, LOSSLESS_A_SWITCH_DISCARD, on) >= 0);
}

/* A negative @value omits the attribute. */
static bool lle_nl_put_ms(struct nl_msg *msg, int attr, int value)
{
	return value < 0 || nla_put_u32(msg, attr, value) >= 0;
}

int lle_nl_set_watchdog(struct lle_nl *nl,
			const struct lle_nl_watchdog_change *change)
{
	struct nl_msg *msg = lle_nl_request(nl, LOSSLESS_CMD_WATCHDOG_SET, 0);

	lle_nl_about_port(nl, change->ifindex);
	return lle_nl_do(nl, msg, msg &&
			 nla_put_u32(msg, LOSSLESS_A_WATCHDOG_IFINDEX, change->ifindex) >= 0 &&
			 nla_put_u8(msg, LOSSLESS_A_WATCHDOG_PRIOS, change->prios) >= 0 &&
			 lle_nl_put_ms(msg, LOSSLESS_A_WATCHDOG_DETECTION_MS,
				       change->detection_ms) &&
			 lle_nl_put_ms(msg, LOSSLESS_A_WATCHDOG_RESTORATION_MS,
				       change->restoration_ms) &&
			 (change->action < 0 ||
			  nla_put_u8(msg, LOSSLESS_A_WATCHDOG_ACTION, change->action) >= 0));
}

/* Clears watchdog counters and high-water marks. @ifindex: 0: of all ports */
int lle_nl_clear(struct lle_nl *nl, unsigned int ifindex)
{
	struct nl_msg *msg = lle_nl_request(nl, LOSSLESS_CMD_CLEAR, 0);

	if (ifindex)
		lle_nl_about_port(nl, ifindex);
	else
		lle_nl_about(nl, "ports");
	return lle_nl_do(nl, msg, msg &&
			 (!ifindex ||
			  nla_put_u32(msg, LOSSLESS_A_PORT_IFINDEX, ifindex) >= 0));
}
