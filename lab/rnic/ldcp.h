/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_LDCP_H
#define RNIC_LDCP_H

#include "../../kmod/core/ldcp/ldcp.h"
#include "../../kmod/lossless/random.h"

/* LDCP in a NIC */
struct rnic_ldcp_params {
	struct lle_ldcp_params core;	/* parameters of a flow */
	u32 iw;	/* initial window, packets */
	/* fast start: of the first RTT, only the last packet is ECN capable */
	bool fast;
};

/* State of a sender */
struct rnic_ldcp {
	struct lle_ldcp window;	/* its window */
	u64 rtt_ns;	/* last RTT; 0: unknown yet */
	u64 srtt_ns;	/* smoothed RTT; 0: unknown yet */
	/*
	 * the ACK of this number of packets ends the measurement; without one,
	 * the first packet behind starts the next
	 */
	u32 timed;
	/* when the measured packet was sent; 0: no measurement */
	u64 timed_ns;
	struct lle_random random;	/* random numbers of the flow */
};

#endif /* RNIC_LDCP_H */
