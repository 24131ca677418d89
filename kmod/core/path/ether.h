/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network header of an Ethernet frame, behind its VLAN tags. Priority, ECN
 * and flow are read from the bytes that the next switch reads.
 */
#ifndef LLE_CORE_ETHER_H
#define LLE_CORE_ETHER_H

#include "../core.h"

#define LLE_ETHER_IPV4	0x0800
#define LLE_ETHER_VLAN	0x8100
#define LLE_ETHER_IPV6	0x86dd
#define LLE_ETHER_QINQ	0x88a8

/* Bytes of a VLAN tag; maximum number of tags */
#define LLE_ETHER_TAG	4
#define LLE_ETHER_TAGS	2

/* Bytes with the priority: tags, and two bytes of an IP header */
#define LLE_ETHER_BYTES	(LLE_ETHER_TAGS * LLE_ETHER_TAG + 2)

/* No priority or DSCP */
#define LLE_ETHER_NONE	(-1)

/**
 * struct lle_ether - what follows the addresses of a frame
 * @type: EtherType behind the tags
 * @at: bytes of the tags
 * @pcp: priority of the first tag, or LLE_ETHER_NONE
 */
struct lle_ether {
	u16 type;
	u8 at;
	int pcp;
};

static inline u16 lle_ether_16(const u8 *at)
{
	return at[0] << 8 | at[1];
}

/*
 * Skips VLAN tags (IEEE 802.1Q clause 9). @bytes: @len untrusted bytes behind
 * the first EtherType. A truncated tag leaves its own type.
 */
static inline void lle_ether_parse(u16 type, const u8 *bytes, unsigned int len,
				   struct lle_ether *e)
{
	unsigned int tags;

	*e = (struct lle_ether){ type, 0, LLE_ETHER_NONE };
	for (tags = 0; tags < LLE_ETHER_TAGS; tags++) {
		if ((e->type != LLE_ETHER_VLAN && e->type != LLE_ETHER_QINQ) ||
		    len < (unsigned int)e->at + LLE_ETHER_TAG)
			return;
		if (!tags)
			e->pcp = bytes[0] >> 5;
		e->type = lle_ether_16(bytes + e->at + 2);
		e->at += LLE_ETHER_TAG;
	}
}

/* LLE_ETHER_NONE without an IP header; @bytes, @len as lle_ether_parse() */
static inline int lle_ether_dscp(const struct lle_ether *e, const u8 *bytes,
				 unsigned int len)
{
	const u8 *ip = bytes + e->at;

	if (len < (unsigned int)e->at + 2)
		return LLE_ETHER_NONE;
	if (e->type == LLE_ETHER_IPV4)
		return ip[1] >> 2;
	if (e->type == LLE_ETHER_IPV6)
		return (ip[0] & 0xf) << 2 | ip[1] >> 6;
	return LLE_ETHER_NONE;
}

#endif /* LLE_CORE_ETHER_H */
