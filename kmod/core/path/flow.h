/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_FLOW_H
#define LLE_CORE_FLOW_H

#include "../core.h"

/* Bytes read: Ethernet, two VLAN tags, IPv4 with all options, UDP, BTH */
#define LLE_FLOW_BYTES	(14 + 2 * 4 + 60 + 8 + 12)

/**
 * struct lle_flow - flow and destination of a packet, the same at all switches
 * @flow: 32-bit hash of the flow; its packets must not be reordered
 * @dst: 32-bit hash of the destination
 *
 * Flows with the same hash are treated as one.
 */
struct lle_flow {
	u32 flow;
	u32 dst;
};

/**
 * lle_flow_parse() - compute the flow and destination of a packet
 * @frame: from the Ethernet header on; not trusted
 * @len: readable bytes; at most LLE_FLOW_BYTES are read
 * @f: result
 *
 * Flow: 5-tuple and destination QP (RoCEv2), 5-tuple (TCP, UDP), 3-tuple (other
 * IP, fragments), or MAC addresses and type. Destination: IP or MAC address.
 * Context: any, no locking. Return: false if the Ethernet header is truncated.
 * Source: RCM section 3.3 (5-tuple); IBTA's annex on RoCEv2 (QP, as flows may
 * share their ports).
 */
bool lle_flow_parse(const u8 *frame, unsigned int len, struct lle_flow *f);

#endif /* LLE_CORE_FLOW_H */
