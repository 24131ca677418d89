/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_FLOW_H
#define LLE_CORE_FLOW_H

#include "../core.h"

/* Ethernet, two VLAN tags, IPv4 with all its options, UDP, BTH: all that is looked at */
#define LLE_FLOW_BYTES	(14 + 2 * 4 + 60 + 8 + 12)

/**
 * struct lle_flow - whose packet it is, as numbers that all switches agree on
 * @flow: of the flow: what must not be reordered
 * @dst: of its destination
 *
 * A number is 32 bits of a hash, so that two flows may have the same one. They are
 * then treated as one flow.
 */
struct lle_flow {
	u32 flow;
	u32 dst;
};

/**
 * lle_flow_parse() - whose packet it is
 * @frame: from its Ethernet header on; hostile
 * @len: how many bytes of it there are; more than LLE_FLOW_BYTES are not looked at
 * @f: set to it
 *
 * A flow of RoCEv2 is its 5-tuple and destination QP, of TCP and UDP its 5-tuple, of
 * another protocol of IP or of a fragment its 3-tuple, of anything else its MAC addresses
 * and its type. A destination is an address of IP, else one of Ethernet. VLAN tags are
 * passed over.
 *
 * Context: any, no locking. Return: false if there is not even an Ethernet header.
 * Source: RCM section 3.2 (a flow's ID is its 5-tuple); IBTA RoCEv2 annex A17 (the QP
 * tells flows apart that have the same ports).
 */
bool lle_flow_parse(const u8 *frame, unsigned int len, struct lle_flow *f);

#endif /* LLE_CORE_FLOW_H */
