// SPDX-License-Identifier: GPL-2.0
/*
 * CNPs: the notification point of "Congestion Control for Large-Scale RDMA
 * Deployments" (SIGCOMM 2015), section 3.1, with what NICs add to it: a limit for
 * the whole NIC, and the time that they take to generate a CNP.
 */
#include <linux/netdevice.h>

#include "rnic.h"

/**
 * rnic_cnp_due() - tell whether a marked packet is answered by a CNP
 * @flow: its flow
 * @now_ns: the time
 * Context: under the lock of the flow's queue pair.
 * Return: false: the last CNP of the flow, or of the NIC, was too short a time ago;
 * or the congestion control has no CNPs.
 */
bool rnic_cnp_due(struct rnic_flow *flow, u64 now_ns)
{
	struct rnic_cnps *nic = &flow->dst->cnps;
	u64 *last_ns = &flow->qp->cnp_ns;
	bool due;

	if (!rnic_config.cc || !rnic_config.cc->cnp ||
	    (*last_ns && now_ns - *last_ns < rnic_config.cnp_ns))
		return false;
	spin_lock(&nic->lock);
	due = !nic->last_ns || now_ns - nic->last_ns >= rnic_config.cnp_nic_ns;
	if (due)
		nic->last_ns = now_ns;
	spin_unlock(&nic->lock);
	if (!due)
		return false;
	*last_ns = now_ns;
	flow->cnps_sent++;
	return true;
}

static void rnic_cnp_set_timer(struct rnic_cnps *nic)
{
	const struct sk_buff *first = skb_peek(&nic->made);

	if (first)
		hrtimer_start(&nic->timer, first->tstamp, HRTIMER_MODE_ABS_SOFT);
}

/**
 * rnic_cnp_send() - send a CNP when the NIC has generated it
 * @host: the NIC
 * @skb: the CNP
 * @now_ns: when the NIC began to
 * Context: softirq, RCU.
 */
void rnic_cnp_send(struct rnic_host *host, struct sk_buff *skb, u64 now_ns)
{
	struct rnic_cnps *nic = &host->cnps;

	if (!rnic_config.cnp_delay_ns) {
		dev_queue_xmit(skb);
		return;
	}
	skb->tstamp = ns_to_ktime(now_ns + rnic_config.cnp_delay_ns);
	spin_lock(&nic->lock);
	__skb_queue_tail(&nic->made, skb);
	if (skb_queue_len(&nic->made) == 1)
		rnic_cnp_set_timer(nic);
	spin_unlock(&nic->lock);
}

static struct sk_buff *rnic_cnp_next(struct rnic_cnps *nic, u64 now_ns)
{
	struct sk_buff *skb;

	spin_lock(&nic->lock);
	skb = skb_peek(&nic->made);
	if (skb && ktime_to_ns(skb->tstamp) <= now_ns) {
		__skb_unlink(skb, &nic->made);
	} else {
		rnic_cnp_set_timer(nic);
		skb = NULL;
	}
	spin_unlock(&nic->lock);
	return skb;
}

static enum hrtimer_restart rnic_cnp_timer(struct hrtimer *timer)
{
	struct rnic_host *host = container_of(timer, struct rnic_host, cnps.timer);
	u64 now_ns = ktime_get_ns();
	struct sk_buff *skb;

	/* after rnic_host_detach() the device of the CNPs may be gone */
	rcu_read_lock();
	while (rcu_access_pointer(host->dev) && (skb = rnic_cnp_next(&host->cnps, now_ns))) {
		skb->tstamp = 0;
		dev_queue_xmit(skb);
	}
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

/**
 * rnic_cnp_init() - prepare a new host
 * @host: the host
 */
void rnic_cnp_init(struct rnic_host *host)
{
	spin_lock_init(&host->cnps.lock);
	__skb_queue_head_init(&host->cnps.made);
	hrtimer_setup(&host->cnps.timer, rnic_cnp_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

/**
 * rnic_cnp_stop() - drop the CNPs that have not left
 * @host: the host, which has no device any more
 * Context: process.
 */
void rnic_cnp_stop(struct rnic_host *host)
{
	hrtimer_cancel(&host->cnps.timer);
	__skb_queue_purge(&host->cnps.made);
}
