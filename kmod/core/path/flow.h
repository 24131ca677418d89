/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_FLOW_H
#define LLE_CORE_FLOW_H

#include "../core.h"

/* Bytes read: Ethernet, two VLAN tags, IPv4 with all options, UDP, BTH */
#define LLE_FLOW_BYTES	(14 + 2 * 4 + 60 + 8 + 12)

/**
 * struct lle_flow - flow and destination of a packet, the same at all switches
 * @flow: number of the flow; its packets must not be reordered
 * @dst: number of its destination
 *
 * A number is 32 bits of a hash. Two flows with the same number are treated as
 * one flow.
 */
struct lle_flow {
	u32 flow;
	u32 dst;
};

/**
 * lle_flow_parse() - compute the flow and destination of a packet
 * @frame: the packet from its Ethernet header on; not trusted
 * @len: bytes that may be read; no more than LLE_FLOW_BYTES are
 * @f: result
 *
 * A flow of RoCEv2 is its 5-tuple and destination QP, of TCP and UDP its
 * 5-tuple, of another IP protocol or a fragment its 3-tuple, of other packets
 * the MAC addresses and the type. A destination is an IP address, else a MAC
 * address. Up to two VLAN tags are skipped.
 *
 * Context: any, no locking. Return: false if the Ethernet header is truncated.
 * Source: RCM section 3.3 (a flow's ID is its 5-tuple); IBTA's annex on RoCEv2
 * (the QP tells flows apart that have the same ports).
 */
bool lle_flow_parse(const u8 *frame, unsigned int len, struct lle_flow *f);

#endif /* LLE_CORE_FLOW_H */
