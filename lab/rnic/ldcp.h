/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_LDCP_H
#define RNIC_LDCP_H

#include "../../kmod/core/ldcp/ldcp.h"
#include "../../kmod/lossless/random.h"

/**
 * struct rnic_ldcp_params - LDCP in a NIC
 * @core: parameters of a flow
 * @iw: initial window, packets
 * @fast: fast start: of the first RTT, only the last packet is ECN capable
 */
struct rnic_ldcp_params {
	struct lle_ldcp_params core;
	u32 iw;
	bool fast;
};

/**
 * struct rnic_ldcp - state of a sender
 * @window: its window
 * @rtt_ns: last RTT; 0: unknown yet
 * @srtt_ns: smoothed RTT; 0: unknown yet
 * @timed: the ACK of this number of packets ends the measurement; without one,
 *	the first packet behind starts the next
 * @timed_ns: when the measured packet was sent; 0: no measurement
 * @random: random numbers of the flow
 */
struct rnic_ldcp {
	struct lle_ldcp window;
	u64 rtt_ns;
	u64 srtt_ns;
	u32 timed;
	u64 timed_ns;
	struct lle_random random;
};

#endif /* RNIC_LDCP_H */
