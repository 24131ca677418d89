/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CLASSIFY_H
#define LLE_CLASSIFY_H

#include <linux/if_ether.h>

#include "../core/path/ether.h"
#include "types/port.h"

unsigned int lle_classify_any(const struct lle_port_params *params,
			      const struct sk_buff *skb, int at,
			      unsigned int unknown);
u16 lle_classify_ip(const struct sk_buff *skb, int at, unsigned int *ip);

/*
 * Return: priority of an IP packet by its DSCP; -1 if the frame has a tag, its
 * header is not linear, or the port does not trust the DSCP.
 */
static __always_inline int
lle_classify_short(const struct lle_port_params *params,
		   const struct sk_buff *skb, int at)
{
	const u8 *ip = skb->data + at;

	if (unlikely((int)skb_headlen(skb) < at + 2 ||
		     params->trust != LLE_TRUST_DSCP))
		return -1;
	if (likely(*(const __be16 *)(ip - 2) == htons(ETH_P_IP)))
		return params->dscp_prio[ip[1] >> 2];
	if (*(const __be16 *)(ip - 2) == htons(ETH_P_IPV6))
		return params->dscp_prio[(ip[0] & 0xf) << 2 | ip[1] >> 6];
	return -1;
}

/* As lle_classify_any(), but fast for IP packets without a tag in the frame. */
static __always_inline unsigned int
lle_classify(const struct lle_port_params *params, const struct sk_buff *skb,
	     int at, unsigned int unknown)
{
	int prio = lle_classify_short(params, skb, at);

	return likely(prio >= 0) ? prio :
				   lle_classify_any(params, skb, at, unknown);
}

#endif /* LLE_CLASSIFY_H */
