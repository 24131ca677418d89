// SPDX-License-Identifier: GPL-2.0
/*
 * The requesting half of READs: the receiver requests all packets of the
 * message. It repeats the request, from the first missing one, after a
 * time-out, and once for each gap. With IRN it does not request after a gap,
 * but answers packets as the receiver of a WRITE does.
 *
 * Source: InfiniBand Architecture Specification 1.4, 9.7.5.1 and 9.7.5.2;
 * "Revisiting Network Support for RDMA" (SIGCOMM 2018), section 5.2, for
 * answers to a READ.
 */
#include <linux/netdevice.h>

#include "rnic.h"

static enum hrtimer_restart rnic_read_timeout(struct hrtimer *timer)
{
	struct rnic_flow *flow = container_of(timer, struct rnic_flow, rto);
	u64 now_ns = ktime_get_ns();
	struct sk_buff *skb = NULL;
	bool again;

	rcu_read_lock();
	spin_lock(&flow->lock);
	/* also if it was stopped, and has no packets */
	if (flow->expected >= flow->packets || rnic_has_ended(now_ns)) {
		spin_unlock(&flow->lock);
		rcu_read_unlock();
		return HRTIMER_NORESTART;
	}
	again = flow->grown_ns;
	if (!again || now_ns - flow->grown_ns >= rnic_config.rto_ns) {
		flow->grown_ns = now_ns;
		flow->nak_sent = false;
		skb = rnic_packet_request(flow, flow->expected);
	}
	hrtimer_set_expires(timer, ns_to_ktime(flow->grown_ns + rnic_config.rto_ns));
	spin_unlock(&flow->lock);
	if (skb) {
		if (again)
			rnic_host_count(flow->dst, &flow->dst->stats.timeouts);
		dev_queue_xmit(skb);
	}
	rcu_read_unlock();
	return HRTIMER_RESTART;
}

/* Sends the request, unless the flow waits for others. Process context. */
void rnic_read_start(struct rnic_flow *flow, u64 start_ns)
{
	hrtimer_setup(&flow->rto, rnic_read_timeout, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	if (!flow->waits && flow->dst->here)
		hrtimer_start(&flow->rto, ns_to_ktime(start_ns), HRTIMER_MODE_ABS_SOFT);
}

/* Sends the request of a flow that waited. Softirq, receiver's lock. */
void rnic_read_begin(struct rnic_flow *flow, u64 start_ns)
{
	if (flow->read_stopped)
		return;
	flow->began_ns = start_ns;
	hrtimer_start(&flow->rto, ns_to_ktime(start_ns), HRTIMER_MODE_ABS_SOFT);
}

/* Ends rnic_read_begin(). Process context, before rnic_send_stop(). */
void rnic_read_stop(struct rnic_flow *flow)
{
	spin_lock_bh(&flow->dst->lock);
	flow->read_stopped = true;
	spin_unlock_bh(&flow->dst->lock);
}
