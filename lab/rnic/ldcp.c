// SPDX-License-Identifier: GPL-2.0
/*
 * LDCP for RoCEv2: sections 3.1 (a window; each packet is acknowledged, and the
 * ACK says whether it was marked) and 3.2 (a rate, from CNPs and RTTs alone) of
 * draft-dai-tsvwg-pfc-free-congestion-control-01.
 */

#include "rnic.h"

/* our own copy; tcp_ldcp.ko has another */
#include "../../kmod/core/ldcp/ldcp.c"

static const struct lle_ldcp_params *rnic_ldcp_core(void)
{
	return &rnic_config.ldcp.core;
}

static void rnic_ldcp_measured(struct rnic_ldcp *s, u64 rtt_ns)
{
	s->rtt_ns = rtt_ns;
	s->srtt_ns = s->srtt_ns ? s->srtt_ns - s->srtt_ns / 8 + rtt_ns / 8 : rtt_ns;
}

/* --- section 3.1 */

static void rnic_ldcp_init(struct rnic_flow *flow)
{
	flow->ldcp = (struct rnic_ldcp){};
	lle_random_init(&flow->ldcp.random, flow->id, 0);
	lle_ldcp_start(&flow->ldcp.window, rnic_config.ldcp.iw);
}

/* Packets are sent at line rate: the window is the limit. */
static u64 rnic_ldcp_send(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	struct rnic_ldcp *s = &flow->ldcp;

	if (!s->timed_ns && flow->next > s->timed) {
		s->timed = flow->next;
		s->timed_ns = now_ns;
	}
	return U64_MAX;
}

static u32 rnic_ldcp_window(const struct rnic_flow *flow)
{
	return lle_ldcp_window(&flow->ldcp.window);
}

static bool rnic_ldcp_is_ect(const struct rnic_flow *flow, u32 packet)
{
	return !rnic_config.ldcp.fast ||
	       lle_ldcp_is_ect(&flow->ldcp.window, rnic_ldcp_core(), packet,
			       flow->packets - packet - 1);
}

static u64 rnic_ldcp_acked(struct rnic_flow *flow, const struct rnic_ack *ack,
			   u64 now_ns)
{
	struct rnic_ldcp *s = &flow->ldcp;
	const struct lle_ldcp_ack a = {
		.arrived = ack->packets, .acked = ack->packets,
		.marked = ack->marked, .limited = ack->limited,
	};

	if (s->timed_ns && flow->acked >= s->timed) {
		rnic_ldcp_measured(s, now_ns - s->timed_ns);
		s->timed_ns = 0;
	}
	lle_ldcp_ack(&s->window, rnic_ldcp_core(), &a);
	return lle_ldcp_gap_ns(&s->window, rnic_ldcp_core(), s->rtt_ns,
			       lle_random(&s->random));
}

static void rnic_ldcp_lost(struct rnic_flow *flow, bool timeout)
{
	struct rnic_ldcp *s = &flow->ldcp;

	/*
	 * After a NAK the receiver has dropped all later packets, so the next
	 * ACK is for the retransmission. After a time-out it may be for either.
	 */
	s->timed = timeout ? flow->highest : flow->acked;
	s->timed_ns = 0;
	if (timeout)
		lle_ldcp_timeout(&s->window, rnic_ldcp_core());
	else
		lle_ldcp_lost(&s->window, rnic_ldcp_core(), false);
}

const struct rnic_cc rnic_cc_ldcp = {
	.name = "ldcp",
	.init = rnic_ldcp_init,
	.send = rnic_ldcp_send,
	.window = rnic_ldcp_window,
	.is_ect = rnic_ldcp_is_ect,
	.acked = rnic_ldcp_acked,
	.lost = rnic_ldcp_lost,
};

/* --- section 3.2 */

static void rnic_ldcp_rate_init(struct rnic_flow *flow)
{
	rnic_ldcp_init(flow);
	flow->ldcp.window.phase = LLE_LDCP_STABLE;
}

static u64 rnic_ldcp_rate_send(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	const struct rnic_ldcp *s = &flow->ldcp;
	u64 window = (u64)s->window.cw * bytes >> LLE_LDCP_SHIFT;

	if (!s->srtt_ns)
		return U64_MAX;
	return max_t(u64, 1, mul_u64_u64_div_u64(window, NSEC_PER_SEC,
						 s->srtt_ns));
}

/* Each CNP stands for a marked packet. */
static void rnic_ldcp_rate_cnp(struct rnic_flow *flow, u64 now_ns)
{
	lle_ldcp_ack(&flow->ldcp.window, rnic_ldcp_core(),
		     &(const struct lle_ldcp_ack){ .arrived = 1, .marked = 1 });
}

/* An RTT has passed: counts as ACKs of a window of packets. */
static void rnic_ldcp_rate_rtt(struct rnic_flow *flow, u64 rtt_ns)
{
	struct rnic_ldcp *s = &flow->ldcp;

	rnic_ldcp_measured(s, rtt_ns);
	lle_ldcp_ack(&s->window, rnic_ldcp_core(), &(const struct lle_ldcp_ack){
		.arrived = lle_ldcp_window(&s->window), .limited = true });
}

const struct rnic_cc rnic_cc_ldcp_rate = {
	.name = "ldcp-rate",
	.init = rnic_ldcp_rate_init,
	.send = rnic_ldcp_rate_send,
	.cnp = rnic_ldcp_rate_cnp,
	.rtt = rnic_ldcp_rate_rtt,
};
