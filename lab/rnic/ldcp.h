/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_LDCP_H
#define RNIC_LDCP_H

#include "../../kmod/core/ldcp/ldcp.h"
#include "../../kmod/lossless/random.h"

/**
 * struct rnic_ldcp_params - LDCP in a NIC
 * @core: parameters of a flow
 * @iw: initial window, packets
 * @fast: fast start: packets of the first RTT are not ECN capable, but the last
 *	one
 */
struct rnic_ldcp_params {
	struct lle_ldcp_params core;
	u32 iw;
	bool fast;
};

/**
 * struct rnic_ldcp - state of a sender
 * @window: its window
 * @rtt_ns: last RTT; 0: not known yet
 * @srtt_ns: smoothed RTT; 0: not known yet
 * @timed: the measurement ends when this number of packets is acknowledged;
 *	without one, the next begins with a packet behind them
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
