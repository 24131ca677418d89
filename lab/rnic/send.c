// SPDX-License-Identifier: GPL-2.0
/*
 * The sending half of flows.
 *
 * A NIC does not fill its port's queue; it takes the next packet from a flow when
 * the link is about to be free. So each priority has at most `depth` packets in
 * the qdisc, flows take turns, and a pause stops a priority by itself. What the
 * qdisc holds would be in the way of others: so what a flow has there may be
 * bounded instead, by `flow_depth`.
 *
 * A flow is in one of three places: ready (it may send now), paced (it may send
 * later: before its start, or held back by its rate), or neither (all is sent, or
 * its window or its part of the qdisc is full, or it is not its turn in its queue
 * pair; an ACK, a NAK, a time-out, a packet that leaves or the last one of the
 * message before brings it back). Loss is repaired by going back to the first
 * packet that is not acknowledged.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "rnic.h"

static bool rnic_has_window(void)
{
	return rnic_config.cc && rnic_config.cc->window;
}

/* Packets that may be unacknowledged */
static u32 rnic_window(const struct rnic_flow *flow)
{
	if (rnic_has_window())
		return rnic_config.cc->window(flow);
	return rnic_config.window ?: U32_MAX;
}

/* Is the next packet ECN capable? */
static bool rnic_is_ect(const struct rnic_flow *flow)
{
	return rnic_config.ect &&
	       (!rnic_has_window() || flow->next < flow->highest ||
		rnic_config.cc->is_ect(flow, flow->next));
}

static bool rnic_has_packet(const struct rnic_flow *flow)
{
	if (flow->next >= flow->packets)
		return false;
	if (rnic_config.flow_depth &&
	    atomic_read(&flow->in_qdisc) >= rnic_config.flow_depth)
		return false;
	return flow->next - flow->acked < rnic_window(flow);
}

static bool rnic_is_paced(const struct rnic_flow *flow)
{
	return !RB_EMPTY_NODE(&flow->pace.node);
}

/* Put a flow where it belongs. Under the host's lock. */
static void rnic_queue(struct rnic_flow *flow, u64 now_ns)
{
	struct rnic_host *host = flow->src;

	if (!list_empty(&flow->node) || rnic_is_paced(flow) ||
	    !rnic_has_packet(flow))
		return;
	if (flow->pace.expires > now_ns)
		timerqueue_add(&host->paced, &flow->pace);
	else
		list_add_tail(&flow->node, &host->lane[flow->prio].ready);
}

/* The paced flows whose time has come are ready. */
static void rnic_release(struct rnic_host *host, u64 now_ns)
{
	struct timerqueue_node *first;
	struct rnic_flow *flow;

	while ((first = timerqueue_getnext(&host->paced)) &&
	       first->expires <= now_ns) {
		timerqueue_del(&host->paced, first);
		flow = container_of(first, struct rnic_flow, pace);
		if (!flow->highest)
			hrtimer_start(&flow->rto,
				      ns_to_ktime(now_ns + rnic_config.rto_ns),
				      HRTIMER_MODE_ABS_SOFT);
		rnic_queue(flow, now_ns);
	}
}

/* Those that have less in the qdisc may go on. */
static void rnic_go_on(struct rnic_lane *lane, u64 now_ns)
{
	struct llist_node *sent = llist_del_all(&lane->sent);
	struct rnic_flow *flow, *next;

	llist_for_each_entry_safe(flow, next, llist_reverse_order(sent), sent) {
		clear_bit(0, &flow->is_sent);
		/* what leaves after rnic_queue() has counted comes back here */
		smp_mb__after_atomic();
		rnic_queue(flow, now_ns);
	}
}

/* Wake up for the first of those whose time has not. */
static void rnic_wait(struct rnic_host *host)
{
	struct timerqueue_node *first = timerqueue_getnext(&host->paced);

	if (first && !(hrtimer_is_queued(&host->timer) &&
		       hrtimer_get_expires(&host->timer) == first->expires))
		hrtimer_start(&host->timer, first->expires, HRTIMER_MODE_ABS);
}

/* A packet of some bytes is sent: when may the next one be? */
static void rnic_pace(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	u64 rate = rnic_config.dcqcn.line;

	if (rnic_config.cc)
		rate = rnic_config.cc->send(flow, bytes, now_ns);
	rate = min(rate, flow->rate_cap);
	if (rate >= rnic_config.dcqcn.line)
		return;
	/* what it was late is made up for, but no more than a packet */
	flow->pace.expires = max_t(u64, now_ns, flow->pace.expires +
				   mul_u64_u64_div_u64(bytes, NSEC_PER_SEC,
						       rate));
}

/* All of a message is sent: the next one of its queue pair. Under the host's lock. */
static void rnic_follow(struct rnic_flow *flow, u64 now_ns)
{
	struct rnic_flow *after = flow->after;

	flow->after = NULL;
	after->pace.expires = max(after->pace.expires, flow->pace.expires);
	after->progress_ns = max_t(u64, after->pace.expires, now_ns);
	timerqueue_add(&flow->src->paced, &after->pace);
}

/* Is it time to ask for an RTT? One is asked for at a time. */
static bool rnic_asks(const struct rnic_flow *flow, u64 now_ns)
{
	return rnic_config.cc && rnic_config.cc->rtt &&
	       (!flow->asked_ns ||
		now_ns - flow->asked_ns >= rnic_config.rto_ns);
}

/* The next packet of a priority. Under the host's lock. */
static struct sk_buff *rnic_next(struct rnic_lane *lane, u64 now_ns)
{
	struct rnic_host *host = lane->host;
	struct rnic_flow *flow;
	struct sk_buff *skb;

	flow = list_first_entry_or_null(&lane->ready, struct rnic_flow, node);
	if (!flow)
		return NULL;
	if (rnic_asks(flow, now_ns)) {
		flow->asked_ns = now_ns;
		skb = rnic_packet_rtt(flow, ROCE_OP_RTT_REQUEST, now_ns);
		if (skb)
			return skb;
	}
	list_del_init(&flow->node);

	skb = rnic_packet_data(flow, flow->next, rnic_is_ect(flow));
	if (!skb) {
		/* the time-out tries again */
		host->stats.nomem++;
		return NULL;
	}
	host->stats.data++;
	if (flow->next < flow->highest)
		flow->retrans++;
	flow->next++;
	flow->highest = max(flow->highest, flow->next);
	skb->destructor = rnic_host_sent;
	skb_shinfo(skb)->destructor_arg = flow;
	refcount_inc(&flow->refs);
	refcount_inc(&host->refs);
	__module_get(THIS_MODULE);
	atomic_inc(&lane->in_qdisc);
	atomic_inc(&flow->in_qdisc);

	flow->sent_ns = now_ns;
	rnic_pace(flow, skb->len, now_ns);
	rnic_queue(flow, now_ns);
	if (flow->next == flow->packets && flow->after)
		rnic_follow(flow, now_ns);
	return skb;
}

static void rnic_send(struct tasklet_struct *tasklet)
{
	struct rnic_host *host = from_tasklet(host, tasklet, send);
	u64 now_ns = ktime_get_ns();
	struct rnic_lane *lane;
	struct sk_buff *skb;
	int prio, err;

	rcu_read_lock();
	spin_lock(&host->lock);
	rnic_release(host, now_ns);
	for (prio = LLE_NUM_PRIO - 1; prio >= 0; prio--) {
		lane = &host->lane[prio];
		rnic_go_on(lane, now_ns);
		while (!lane->dropped &&
		       atomic_read(&lane->in_qdisc) < rnic_config.depth) {
			skb = rnic_next(lane, now_ns);
			if (!skb)
				break;
			spin_unlock(&host->lock);
			err = dev_queue_xmit(skb);
			spin_lock(&host->lock);
			lane->dropped = err != NET_XMIT_SUCCESS;
		}
	}
	rnic_wait(host);
	spin_unlock(&host->lock);
	rcu_read_unlock();
}

static enum hrtimer_restart rnic_send_timer(struct hrtimer *timer)
{
	struct rnic_host *host = container_of(timer, struct rnic_host, timer);

	tasklet_schedule(&host->send);
	return HRTIMER_NORESTART;
}

/* No progress for too long: go back. */
static enum hrtimer_restart rnic_send_timeout(struct hrtimer *timer)
{
	struct rnic_flow *flow = container_of(timer, struct rnic_flow, rto);
	struct rnic_host *host = flow->src;
	u64 now_ns = ktime_get_ns();

	spin_lock(&host->lock);
	if (flow->done_ns) {
		spin_unlock(&host->lock);
		return HRTIMER_NORESTART;
	}
	if (now_ns - flow->progress_ns >= rnic_config.rto_ns) {
		if (flow->next > flow->acked) {
			host->stats.timeouts++;
			flow->next = flow->acked;
			if (rnic_has_window())
				rnic_config.cc->lost(flow, true);
		}
		flow->progress_ns = now_ns;
		host->lane[flow->prio].dropped = false;
		rnic_queue(flow, now_ns);
		tasklet_schedule(&host->send);
	}
	hrtimer_set_expires(timer, ns_to_ktime(flow->progress_ns +
					       rnic_config.rto_ns));
	spin_unlock(&host->lock);
	return HRTIMER_RESTART;
}

/* A congestion control with a window learns of it, and says when the next packet may go. */
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

/**
 * rnic_send_acked() - an ACK or a NAK has arrived
 * @flow: the flow
 * @packet: packets that the receiver has, without a gap
 * @nak: there is a gap behind them
 * @marked: the packet that it answers was
 *
 * Context: softirq.
 */
void rnic_send_acked(struct rnic_flow *flow, u32 packet, bool nak, bool marked)
{
	struct rnic_host *host = flow->src;
	u64 now_ns = ktime_get_ns();
	struct rnic_ack ack;

	spin_lock(&host->lock);
	if (packet > flow->highest || packet < flow->acked) {
		spin_unlock(&host->lock);
		return;
	}
	ack = (struct rnic_ack){
		.packets = packet - flow->acked, .marked = marked,
		.limited = flow->next - flow->acked >= rnic_window(flow),
	};
	if (packet > flow->acked) {
		WRITE_ONCE(flow->acked, packet);
		flow->progress_ns = now_ns;
		flow->next = max(flow->next, packet);
		if (packet == flow->packets)
			flow->done_ns = now_ns;
	}
	if (rnic_has_window())
		rnic_acked(flow, &ack, nak, now_ns);
	if (nak)
		flow->next = packet;
	rnic_queue(flow, now_ns);
	spin_unlock(&host->lock);
	tasklet_schedule(&host->send);
}

/**
 * rnic_send_cnp() - a CNP has arrived
 * @flow: the flow
 *
 * Context: softirq.
 */
void rnic_send_cnp(struct rnic_flow *flow)
{
	spin_lock(&flow->src->lock);
	flow->cnps++;
	if (rnic_config.cc && rnic_config.cc->cnp)
		rnic_config.cc->cnp(flow, ktime_get_ns());
	spin_unlock(&flow->src->lock);
}

/**
 * rnic_send_rtt() - a request for an RTT has been answered
 * @flow: the flow
 * @sent_ns: when it was sent, as the answer says
 *
 * Context: softirq.
 */
void rnic_send_rtt(struct rnic_flow *flow, u64 sent_ns)
{
	u64 now_ns = ktime_get_ns();

	spin_lock(&flow->src->lock);
	/* what is not of the last request is none, or late */
	if (sent_ns && sent_ns == flow->asked_ns && sent_ns < now_ns) {
		flow->asked_ns = 0;
		rnic_config.cc->rtt(flow, now_ns - sent_ns);
	}
	spin_unlock(&flow->src->lock);
}

/**
 * rnic_send_start() - let a flow begin
 * @flow: the flow
 * @start_ns: when
 *
 * Context: process.
 */
void rnic_send_start(struct rnic_flow *flow, u64 start_ns)
{
	struct rnic_host *host = flow->src;

	hrtimer_setup(&flow->rto, rnic_send_timeout, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	if (rnic_config.cc && flow->qp == flow)
		rnic_config.cc->init(flow);
	spin_lock_bh(&host->lock);
	flow->progress_ns = start_ns;
	flow->pace.expires = start_ns;
	if (flow->qp == flow)
		timerqueue_add(&host->paced, &flow->pace);
	spin_unlock_bh(&host->lock);
	tasklet_schedule(&host->send);
}

/**
 * rnic_send_stop() - end a flow that was started, wherever it is
 * @flow: the flow; packets may still be on their way
 *
 * Context: process.
 */
void rnic_send_stop(struct rnic_flow *flow)
{
	struct rnic_host *host = flow->src;

	spin_lock_bh(&host->lock);
	flow->packets = 0;
	flow->done_ns = flow->done_ns ?: 1;
	list_del_init(&flow->node);
	if (rnic_is_paced(flow))
		timerqueue_del(&host->paced, &flow->pace);
	spin_unlock_bh(&host->lock);
	hrtimer_cancel(&flow->rto);
}

/**
 * rnic_send_init() - prepare a new host
 * @host: the host
 */
void rnic_send_init(struct rnic_host *host)
{
	unsigned int prio;

	spin_lock_init(&host->lock);
	for (prio = 0; prio < LLE_NUM_PRIO; prio++)
		INIT_LIST_HEAD(&host->lane[prio].ready);
	timerqueue_init_head(&host->paced);
	tasklet_setup(&host->send, rnic_send);
	hrtimer_setup(&host->timer, rnic_send_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
}

/**
 * rnic_send_exit() - stop sending
 * @host: the host; it has no device and no flow, so that nobody starts it again
 *
 * Context: process.
 */
void rnic_send_exit(struct rnic_host *host)
{
	hrtimer_cancel(&host->timer);
	tasklet_kill(&host->send);
	hrtimer_cancel(&host->timer);
}
