// SPDX-License-Identifier: GPL-2.0
/*
 * CNPs: the notification point of "Congestion Control for Large-Scale RDMA
 * Deployments" (SIGCOMM 2015), section 3.1, with two additions of real NICs: a
 * rate limit of the whole NIC, and the time to generate a CNP.
 */
#include <linux/netdevice.h>

#include "rnic.h"

/* Does a marked packet trigger a CNP? Under the queue pair's lock. */
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

/* Sends a CNP when the NIC has generated it, from @now_ns on. Softirq, RCU. */
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

	if (rnic_has_ended(now_ns))
		return HRTIMER_NORESTART;
	/* rnic_host_detach() may have removed the device */
	rcu_read_lock();
	while (rcu_access_pointer(host->dev) && (skb = rnic_cnp_next(&host->cnps, now_ns))) {
		skb->tstamp = 0;
		dev_queue_xmit(skb);
	}
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

void rnic_cnp_init(struct rnic_host *host)
{
	spin_lock_init(&host->cnps.lock);
	__skb_queue_head_init(&host->cnps.made);
	hrtimer_setup(&host->cnps.timer, rnic_cnp_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

/* Drops the CNPs that have not left. The host has no device. Process context. */
void rnic_cnp_stop(struct rnic_host *host)
{
	hrtimer_cancel(&host->cnps.timer);
	__skb_queue_purge(&host->cnps.made);
}
