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

/**
 * lle_classify_short() - find the priority of an IP packet by its DSCP
 * @params: as lle_classify()
 * @skb: the packet
 * @at: as lle_classify()
 *
 * The packet has no tag before the IP header, and the first bytes of that in one
 * piece.
 *
 * Context: any. Return: 0..7; -1: the packet is another one, or the port does not
 * trust the DSCP.
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

/**
 * lle_classify() - find the priority that a packet has on a link
 * @params: parameters of the port at that link
 * @skb: the packet
 * @at: where its Ethernet header ends, from @skb->data on: 0 on arrival,
 *	ETH_HLEN in a qdisc
 * @unknown: priority if the packet has none, or the port does not trust it
 *
 * The bytes of the frame decide, behind up to two VLAN tags in it, whatever the
 * stack notes beside them. The short path is an IP packet without a tag, or with
 * one beside the frame.
 *
 * Context: any. Return: 0..7.
 */
static __always_inline unsigned int
lle_classify(const struct lle_port_params *params, const struct sk_buff *skb,
	     int at, unsigned int unknown)
{
	int prio = lle_classify_short(params, skb, at);

	return likely(prio >= 0) ? prio :
				   lle_classify_any(params, skb, at, unknown);
}

#endif /* LLE_CLASSIFY_H */
