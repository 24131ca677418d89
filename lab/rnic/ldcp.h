/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_LDCP_H
#define RNIC_LDCP_H

#include "../../kmod/core/ldcp/ldcp.h"

/**
 * struct rnic_ldcp_params - LDCP of a NIC
 * @core: parameters of a flow
 * @iw: packets of an initial window
 * @fast: those of the first RTT are not ECN capable, but the last one
 */
struct rnic_ldcp_params {
	struct lle_ldcp_params core;
	u32 iw;
	bool fast;
};

/**
 * struct rnic_ldcp - a sender
 * @window: its window
 * @rtt_ns: the last RTT; 0: not known yet
 * @srtt_ns: RTTs, smoothed
 * @timed: packets that were sent when the last one began to be timed, or some were lost
 * @timed_ns: when that one was sent; 0: none is timed
 */
struct rnic_ldcp {
	struct lle_ldcp window;
	u64 rtt_ns;
	u64 srtt_ns;
	u32 timed;
	u64 timed_ns;
};

#endif /* RNIC_LDCP_H */
