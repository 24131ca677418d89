// SPDX-License-Identifier: GPL-2.0
/* Priority and ECN field of a packet, from bytes that the next switch reads. */
#include "classify.h"

/* Parse the bytes behind the first EtherType. Return: bytes in @buf. */
static unsigned int lle_classify_parse(const struct sk_buff *skb, int at,
				       u8 *buf, struct lle_ether *e)
{
	int len = min_t(int, (int)skb->len - at, LLE_ETHER_BYTES);
	__be16 type;

	if (len < 0 || skb_copy_bits(skb, at - 2, &type, sizeof(type)) ||
	    skb_copy_bits(skb, at, buf, len)) {
		*e = (struct lle_ether){ .pcp = LLE_ETHER_NONE };
		return 0;
	}
	lle_ether_parse(ntohs(type), buf, len, e);
	return len;
}

static unsigned int lle_classify_type(const struct lle_port_params *params,
				      u16 type, unsigned int unknown)
{
	unsigned int i;

	for (i = 0; i < params->num_ethertype; i++)
		if (params->ethertype[i].type == htons(type))
			return params->ethertype[i].prio;
	return unknown;
}

/* Does an IP header follow the Ethernet header, both in the linear part? */
static bool lle_classify_is_ip(const struct sk_buff *skb, int at)
{
	const __be16 *type = (const __be16 *)(skb->data + at - 2);

	return (int)skb_headlen(skb) >= at + 2 &&
	       (*type == htons(ETH_P_IP) || *type == htons(ETH_P_IPV6));
}

/**
 * lle_classify_any() - find the priority that a packet has on a link
 * @params: parameters of the port at that link
 * @skb: the packet; untrusted
 * @at: end of its Ethernet header from @skb->data: 0 on arrival, ETH_HLEN in
 *	a qdisc
 * @unknown: priority if the packet has none, or the port does not trust it
 *
 * The bytes of the frame decide, behind up to two VLAN tags in it.
 * Context: any. Return: 0..7.
 */
unsigned int lle_classify_any(const struct lle_port_params *params,
			      const struct sk_buff *skb, int at,
			      unsigned int unknown)
{
	u8 buf[LLE_ETHER_BYTES];
	struct lle_ether e;
	unsigned int len;
	int dscp;

	if (params->trust == LLE_TRUST_NONE)
		return unknown;
	if (params->trust == LLE_TRUST_PCP && lle_classify_is_ip(skb, at))
		return skb_vlan_tag_present(skb) ? skb_vlan_tag_get_prio(skb) :
						   unknown;
	len = lle_classify_parse(skb, at, buf, &e);
	dscp = params->trust == LLE_TRUST_DSCP ? lle_ether_dscp(&e, buf, len) :
						 LLE_ETHER_NONE;
	if (dscp != LLE_ETHER_NONE)
		return params->dscp_prio[dscp];
	/* the outer tag */
	if (skb_vlan_tag_present(skb))
		e.pcp = skb_vlan_tag_get_prio(skb);
	if (e.pcp > 0)
		return e.pcp;
	if (e.pcp == 0)
		unknown = 0;
	/* before a priority-0 tag, which fcoe.ko writes for any priority */
	return lle_classify_type(params, e.type, unknown);
}
EXPORT_SYMBOL_GPL(lle_classify_any);

/**
 * lle_classify_ip() - find the IP header of a packet
 * @skb: the packet; untrusted
 * @at: as lle_classify_any()
 * @ip: result: offset from @skb->data of the bytes behind Ethernet and VLAN
 * Context: any. Return: ETH_P_IP, ETH_P_IPV6; 0: no IP header.
 */
u16 lle_classify_ip(const struct sk_buff *skb, int at, unsigned int *ip)
{
	u8 buf[LLE_ETHER_BYTES];
	struct lle_ether e;
	unsigned int len;

	len = lle_classify_parse(skb, at, buf, &e);
	*ip = at + e.at;
	return lle_ether_dscp(&e, buf, len) == LLE_ETHER_NONE ? 0 : e.type;
}
EXPORT_SYMBOL_GPL(lle_classify_ip);
