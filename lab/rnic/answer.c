// SPDX-License-Identifier: GPL-2.0
/* Packets that return to a sender: ACKs, NAKs, READ requests, CNPs and RTTs. */
#include <linux/skbuff.h>

#include "rnic.h"

/* Passes an ACK to a congestion control with a window. */
static void rnic_acked(struct rnic_flow *flow, const struct rnic_ack *ack,
		       bool nak, u64 now_ns)
{
	u64 gap_ns;

	gap_ns = rnic_config.cc->acked(flow, ack, now_ns);
	if (nak)
		rnic_config.cc->lost(flow, false);
	if (!rnic_is_paced(flow) && gap_ns)
		flow->pace.expires = max_t(u64, flow->pace.expires,
					   flow->sent_ns + gap_ns);
}

/* Packets before @packet have arrived. Return: false: impossible, or old */
static bool rnic_progress(struct rnic_flow *flow, u32 packet, u64 now_ns)
{
	if (packet > flow->highest || packet < flow->acked)
		return false;
	if (packet == flow->acked)
		return true;
	if (flow->irn)
		irn_acked(&flow->irn->sender, flow->acked, packet);
	WRITE_ONCE(flow->acked, packet);
	flow->progress_ns = now_ns;
	flow->next = max(flow->next, packet);
	if (packet == flow->packets)
		flow->done_ns = now_ns;
	return true;
}

/* An ACK or a NAK: @packet packets have arrived without a gap. Softirq. */
void rnic_send_acked(struct rnic_flow *flow, u32 packet, bool nak, bool marked)
{
	struct rnic_host *host = flow->src;
	u64 now_ns = ktime_get_ns();
	struct rnic_ack ack;

	spin_lock(&host->lock);
	ack = (struct rnic_ack){
		.packets = packet - flow->acked, .marked = marked,
		.limited = flow->next - flow->acked >= rnic_send_window(flow),
	};
	if (!rnic_progress(flow, packet, now_ns)) {
		spin_unlock(&host->lock);
		return;
	}
	if (rnic_cc_has_window())
		rnic_acked(flow, &ack, nak, now_ns);
	if (nak)
		flow->next = packet;
	rnic_send_queue(flow, now_ns);
	spin_unlock(&host->lock);
	tasklet_schedule(&host->send);
}

/* IRN's NAK: @expected packets without a gap, and @packet. Softirq. */
void rnic_send_sack(struct rnic_flow *flow, u32 expected, u32 packet)
{
	struct rnic_host *host = flow->src;
	u64 now_ns = ktime_get_ns();

	spin_lock(&host->lock);
	if (flow->irn && packet > expected && packet < flow->highest &&
	    rnic_progress(flow, expected, now_ns)) {
		irn_nak(&flow->irn->sender, expected, flow->next, packet);
		rnic_send_queue(flow, now_ns);
	}
	spin_unlock(&host->lock);
	tasklet_schedule(&host->send);
}

/* A READ request: the requester has @packet packets without a gap. Softirq. */
void rnic_send_requested(struct rnic_flow *flow, u32 packet)
{
	struct rnic_host *host = flow->src;
	u64 now_ns = ktime_get_ns();

	spin_lock(&host->lock);
	if (packet < flow->packets && rnic_progress(flow, packet, now_ns)) {
		if (flow->highest)
			rnic_send_repair(flow);
		rnic_send_queue(flow, now_ns);
	}
	spin_unlock(&host->lock);
	tasklet_schedule(&host->send);
}

/* Softirq. */
void rnic_send_cnp(struct rnic_flow *flow)
{
	spin_lock(&flow->src->lock);
	flow->cnps++;
	if (rnic_config.cc && rnic_config.cc->cnp)
		rnic_config.cc->cnp(flow, ktime_get_ns());
	spin_unlock(&flow->src->lock);
}

/* Softirq. @sent_ns: from the answer, hostile */
void rnic_send_rtt(struct rnic_flow *flow, u64 sent_ns)
{
	u64 now_ns = ktime_get_ns();

	spin_lock(&flow->src->lock);
	/* accept only the answer to the last request */
	if (sent_ns && sent_ns == flow->asked_ns && sent_ns < now_ns) {
		flow->asked_ns = 0;
		rnic_config.cc->rtt(flow, now_ns - sent_ns);
	}
	spin_unlock(&flow->src->lock);
}
