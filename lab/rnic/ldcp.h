/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_LDCP_H
#define RNIC_LDCP_H

#include "../../kmod/core/ldcp/ldcp.h"
#include "../../kmod/lossless/random.h"

/* LDCP in a NIC */
struct rnic_ldcp_params {
	struct lle_ldcp_params core;	/* parameters of a flow */
	u32 iw;	/* initial window, packets */
	bool fast;	/* in the first RTT, only the last packet is ECT */
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
	u64 timed_ns;	/* when that packet was sent; 0: no measurement */
	struct lle_random random;	/* random numbers of the flow */
};

#endif /* RNIC_LDCP_H */
