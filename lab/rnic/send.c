// SPDX-License-Identifier: GPL-2.0
/*
 * The sending half of flows.
 *
 * A NIC does not fill its port's queue; it takes the next packet from a flow
 * when the link is about to be free. So each priority has at most `depth`
 * packets in the qdisc, flows take turns, and a pause stops a priority by
 * itself. Packets of one flow in the qdisc delay those of others: so
 * `flow_depth` may limit each flow there instead.
 *
 * A flow is in one of three states: ready (it may send now), paced (it may send
 * later: before its start, or limited by its rate), or neither (all is sent, or
 * its window or its part of the qdisc is full, or an earlier message of its
 * queue pair is being sent, or it waits for other flows). An ACK, a NAK, a
 * time-out, a packet that leaves, the last packet of the earlier message, or the
 * end of the other flows brings it back. To repair a loss,
 * the flow goes back to the first unacknowledged packet.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "rnic.h"

static bool rnic_has_window(void)
{
	return rnic_config.cc && rnic_config.cc->window;
}

/* Maximum of unacknowledged packets */
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

/* Puts a flow on the list it belongs to. Under the host's lock. */
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

/* Moves flows that may send by now from the paced ones to the ready ones. */
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

/* Looks again at flows that have fewer packets in the qdisc. */
static void rnic_go_on(struct rnic_lane *lane, u64 now_ns)
{
	struct llist_node *sent = llist_del_all(&lane->sent);
	struct rnic_flow *flow, *next;

	llist_for_each_entry_safe(flow, next, llist_reverse_order(sent), sent) {
		clear_bit(0, &flow->is_sent);
		/*
		 * pairs with test_and_set_bit() in rnic_host_sent(): a packet
		 * that leaves after rnic_queue() has read in_qdisc adds the
		 * flow again
		 */
		smp_mb__after_atomic();
		rnic_queue(flow, now_ns);
	}
}

/* Arms the timer for the first flow that may send later. */
static void rnic_wait(struct rnic_host *host)
{
	struct timerqueue_node *first = timerqueue_getnext(&host->paced);

	if (first && !(hrtimer_is_queued(&host->timer) &&
		       hrtimer_get_expires(&host->timer) == first->expires))
		hrtimer_start(&host->timer, first->expires, HRTIMER_MODE_ABS);
}

/* A packet of @bytes is sent: sets the time of the next one. */
static void rnic_pace(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	u64 rate = rnic_config.dcqcn.line;

	if (rnic_config.cc)
		rate = rnic_config.cc->send(flow, bytes, now_ns);
	rate = min(rate, flow->rate_cap);
	if (rate >= rnic_config.dcqcn.line)
		return;
	/* a late flow catches up, but by one packet at most */
	flow->pace.expires = max_t(u64, now_ns, flow->pace.expires +
				   mul_u64_u64_div_u64(bytes, NSEC_PER_SEC,
						       rate));
}

/* A message is sent: starts the next one of its pair. Under the host's lock. */
static void rnic_follow(struct rnic_flow *flow, u64 now_ns)
{
	struct rnic_flow *after = flow->after;

	flow->after = NULL;
	after->pace.expires = max(after->pace.expires, flow->pace.expires);
	after->progress_ns = max_t(u64, after->pace.expires, now_ns);
	timerqueue_add(&flow->src->paced, &after->pace);
}

/* Is it time to request an RTT? One request is outstanding at a time. */
static bool rnic_asks(const struct rnic_flow *flow, u64 now_ns)
{
	return rnic_config.cc && rnic_config.cc->rtt &&
	       (!flow->asked_ns ||
		now_ns - flow->asked_ns >= rnic_config.rto_ns);
}

/* Return: the next packet of a priority. Under the host's lock. */
static struct sk_buff *rnic_next(struct rnic_lane *lane, u64 now_ns)
{
	struct rnic_host *host = lane->host;
	struct rnic_flow *flow;
	struct sk_buff *skb;
	bool ended;

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
		/* the time-out will send it */
		host->stats.nomem++;
		return NULL;
	}
	host->stats.data++;
	if (flow->next < flow->highest)
		flow->retrans++;
	flow->next++;
	ended = flow->next > flow->highest && flow->next == flow->packets;
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
	if (ended)
		rnic_depend_ended(flow, host, now_ns);
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

/* No progress for too long: goes back to the first unacknowledged packet. */
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

/* Tells a congestion control with a window of an ACK; it may delay the flow. */
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
 * rnic_send_acked() - handle an ACK or a NAK
 * @flow: the flow
 * @packet: number of packets that the receiver has, without a gap
 * @nak: there is a gap after them
 * @marked: the packet that it answers was marked
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
 * rnic_send_cnp() - handle a CNP
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
 * rnic_send_rtt() - handle the answer to a request for an RTT
 * @flow: the flow
 * @sent_ns: when the request was sent, as the answer says
 *
 * Context: softirq.
 */
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

/**
 * rnic_send_begin() - let a flow send, which has waited for others
 * @flow: the flow
 * @start_ns: when it begins
 *
 * Context: softirq, under the sender's lock. The caller schedules its tasklet.
 */
void rnic_send_begin(struct rnic_flow *flow, u64 start_ns)
{
	/* it was stopped */
	if (!flow->packets)
		return;
	flow->began_ns = start_ns;
	flow->progress_ns = start_ns;
	flow->pace.expires = start_ns;
	timerqueue_add(&flow->src->paced, &flow->pace);
}

/**
 * rnic_send_start() - start a flow, unless it waits for others
 * @flow: the flow
 * @start_ns: when it begins
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
	flow->ready_ns = flow->answers ? 0 : start_ns;
	if (flow->qp == flow && !flow->waits && host->here)
		timerqueue_add(&host->paced, &flow->pace);
	spin_unlock_bh(&host->lock);
	tasklet_schedule(&host->send);
}

/**
 * rnic_send_stop() - stop a flow that was started, in any state
 * @flow: the flow; packets of it may still be in the qdisc
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
 * @host: the host; it has no device and no flow that could start it again
 *
 * Context: process.
 */
void rnic_send_exit(struct rnic_host *host)
{
	hrtimer_cancel(&host->timer);
	tasklet_kill(&host->send);
	hrtimer_cancel(&host->timer);
}
