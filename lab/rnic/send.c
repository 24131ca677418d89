// SPDX-License-Identifier: GPL-2.0
/*
 * The sending half of flows.
 *
 * A NIC does not fill its port's queue; it takes the next packet from a flow
 * when the link is about to be free. So each priority has at most `depth`
 * packets in the qdisc, flows take turns of a packet or of `turn_bytes`, and a
 * pause stops a priority by itself. A flow with a rate sends a turn at once,
 * and then waits for the time that it takes at this rate. As packets of one
 * flow in the qdisc delay others, `flow_depth` may limit each flow there
 * instead.
 *
 * A flow is ready (may send now), paced (may send later: before its start, or
 * limited by its rate), or neither (all is sent, its window or its part of the
 * qdisc is full, an earlier message of its queue pair is being sent, or it
 * waits for other flows or for a READ request). An ACK, a NAK, a time-out, a
 * packet that leaves, the end of the earlier message or of the other flows, or
 * the request makes it ready again. To repair a loss, the flow goes back to the
 * first unacknowledged packet, or with IRN sends only lost packets.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "rnic.h"

#define RNIC_NO_PACKET	IRN_NONE

bool rnic_cc_has_window(void)
{
	return rnic_config.cc && rnic_config.cc->window;
}

/* Are unacknowledged packets limited? */
bool rnic_has_window(void)
{
	return rnic_cc_has_window() || rnic_config.window;
}

/* Return: maximum of unacknowledged packets. */
u32 rnic_send_window(const struct rnic_flow *flow)
{
	if (rnic_cc_has_window())
		return rnic_config.cc->window(flow);
	return rnic_config.window ?: U32_MAX;
}

static bool rnic_is_ect(const struct rnic_flow *flow, u32 packet)
{
	return rnic_config.ect &&
	       (!rnic_cc_has_window() || packet < flow->highest ||
		rnic_config.cc->is_ect(flow, packet));
}

/* Return: the packet that a flow may send; RNIC_NO_PACKET */
static u32 rnic_choose(const struct rnic_flow *flow)
{
	u32 packet;

	if (rnic_config.flow_depth &&
	    atomic_read(&flow->in_qdisc) >= rnic_config.flow_depth)
		return RNIC_NO_PACKET;
	if (flow->irn) {
		packet = irn_lost(&flow->irn->sender);
		/* not so if the flow was stopped */
		if (packet < flow->packets)
			return packet;
	}
	if (flow->next >= flow->packets ||
	    flow->next - flow->acked >= rnic_send_window(flow))
		return RNIC_NO_PACKET;
	return flow->next;
}

static bool rnic_has_packet(const struct rnic_flow *flow)
{
	return rnic_choose(flow) != RNIC_NO_PACKET;
}

/* Adds a flow to its list. Sender's lock; the caller schedules the tasklet. */
void rnic_send_queue(struct rnic_flow *flow, u64 now_ns)
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

static u64 rnic_rto_ns(const struct rnic_flow *flow)
{
	if (flow->irn && flow->next - flow->acked <= rnic_config.rto_low_packets)
		return rnic_config.rto_low_ns;
	return rnic_config.rto_ns;
}

/* Return: time of a check for a time-out; with IRN more often */
static u64 rnic_timeout_ns(const struct rnic_flow *flow, u64 now_ns)
{
	u64 at_ns = flow->progress_ns + rnic_rto_ns(flow);

	return flow->irn ? min(at_ns, now_ns + rnic_config.rto_low_ns) : at_ns;
}

/* Moves paced flows that may send now to the ready ones. */
static void rnic_release(struct rnic_host *host, u64 now_ns)
{
	struct timerqueue_node *first;
	struct rnic_flow *flow;

	while ((first = timerqueue_getnext(&host->paced)) &&
	       first->expires <= now_ns) {
		timerqueue_del(&host->paced, first);
		flow = container_of(first, struct rnic_flow, pace);
		if (!flow->highest && flow->verb != RNIC_READ)
			hrtimer_start(&flow->rto,
				      ns_to_ktime(now_ns + rnic_rto_ns(flow)),
				      HRTIMER_MODE_ABS_SOFT);
		rnic_send_queue(flow, now_ns);
	}
}

/* Checks flows that have fewer packets in the qdisc. */
static void rnic_go_on(struct rnic_lane *lane, u64 now_ns)
{
	struct llist_node *sent = llist_del_all(&lane->sent);
	struct rnic_flow *flow, *next;

	llist_for_each_entry_safe(flow, next, llist_reverse_order(sent), sent) {
		clear_bit(0, &flow->is_sent);
		/*
		 * pairs with test_and_set_bit() in rnic_host_sent(): a packet
		 * that leaves after rnic_send_queue() has read in_qdisc adds
		 * the flow again
		 */
		smp_mb__after_atomic();
		rnic_send_queue(flow, now_ns);
	}
}

/* Arms the timer for the first paced flow. */
static void rnic_wait(struct rnic_host *host)
{
	struct timerqueue_node *first = timerqueue_getnext(&host->paced);

	if (first && !(hrtimer_is_queued(&host->timer) &&
		       hrtimer_get_expires(&host->timer) == first->expires))
		hrtimer_start(&host->timer, first->expires, HRTIMER_MODE_ABS);
}

/* A turn of @bytes ends: sets the time of the next one. */
static void rnic_pace(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	u64 rate = rnic_config.dcqcn.line;

	if (rnic_config.cc)
		rate = rnic_config.cc->send(flow, bytes, now_ns);
	rate = min(rate, flow->rate_cap);
	if (rate >= rnic_config.dcqcn.line)
		return;
	/* a late flow catches up, but by one turn at most */
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

/* Is an RTT request due? One is outstanding at a time. */
static bool rnic_asks(const struct rnic_flow *flow, u64 now_ns)
{
	return rnic_config.cc && rnic_config.cc->rtt &&
	       (!flow->asked_ns ||
		now_ns - flow->asked_ns >= rnic_config.rto_ns);
}

/* Return: the flow that has its turn, and its packet; NULL: none may send */
static struct rnic_flow *rnic_take_turn(struct rnic_lane *lane, u32 *packet)
{
	struct rnic_flow *flow;

	while ((flow = list_first_entry_or_null(&lane->ready, struct rnic_flow,
						node))) {
		*packet = rnic_choose(flow);
		if (*packet != RNIC_NO_PACKET)
			return flow;
		/* all packets have been acknowledged since */
		list_del_init(&flow->node);
	}
	return NULL;
}

/* A flow has sent a packet of @bytes: continues its turn, or ends it. */
static void rnic_turn(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	flow->turn += bytes;
	if (flow->turn < rnic_config.turn_bytes && rnic_has_packet(flow)) {
		list_add(&flow->node, &flow->src->lane[flow->prio].ready);
		return;
	}
	rnic_pace(flow, flow->turn, now_ns);
	flow->turn = 0;
	rnic_send_queue(flow, now_ns);
}

/* Return: the next packet of a priority. Under the host's lock. */
static struct sk_buff *rnic_next(struct rnic_lane *lane, u64 now_ns)
{
	struct rnic_host *host = lane->host;
	struct rnic_flow *flow;
	struct sk_buff *skb;
	u32 packet;
	bool ended;

	flow = rnic_take_turn(lane, &packet);
	if (!flow)
		return NULL;
	if (rnic_asks(flow, now_ns)) {
		flow->asked_ns = now_ns;
		skb = rnic_packet_rtt(flow, ROCE_OP_RTT_REQUEST, now_ns);
		if (skb)
			return skb;
	}
	list_del_init(&flow->node);

	skb = rnic_packet_data(flow, packet, rnic_is_ect(flow, packet));
	if (!skb) {
		/* the time-out sends it */
		host->stats.nomem++;
		return NULL;
	}
	host->stats.data++;
	if (packet < flow->highest)
		flow->retrans++;
	if (packet == flow->next)
		flow->next++;
	else
		irn_repaired(&flow->irn->sender, packet);
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
	rnic_turn(flow, skb->len, now_ns);
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

	if (rnic_has_ended(now_ns))
		return;
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

/* Repeats packets from @flow->acked on. Under the sender's lock. */
void rnic_send_repair(struct rnic_flow *flow)
{
	if (flow->irn)
		irn_timeout(&flow->irn->sender, flow->acked, flow->next);
	else
		flow->next = flow->acked;
}

static enum hrtimer_restart rnic_send_timeout(struct hrtimer *timer)
{
	struct rnic_flow *flow = container_of(timer, struct rnic_flow, rto);
	struct rnic_host *host = flow->src;
	u64 now_ns = ktime_get_ns();

	spin_lock(&host->lock);
	if (flow->done_ns || rnic_has_ended(now_ns)) {
		spin_unlock(&host->lock);
		return HRTIMER_NORESTART;
	}
	if (now_ns - flow->progress_ns >= rnic_rto_ns(flow)) {
		if (flow->next > flow->acked) {
			host->stats.timeouts++;
			rnic_send_repair(flow);
			if (rnic_cc_has_window())
				rnic_config.cc->lost(flow, true);
		}
		flow->progress_ns = now_ns;
		host->lane[flow->prio].dropped = false;
		rnic_send_queue(flow, now_ns);
		tasklet_schedule(&host->send);
	}
	hrtimer_set_expires(timer, ns_to_ktime(rnic_timeout_ns(flow, now_ns)));
	spin_unlock(&host->lock);
	return HRTIMER_RESTART;
}

/* Starts a waiting flow. Softirq, sender's lock; needs its tasklet. */
void rnic_send_begin(struct rnic_flow *flow, u64 start_ns)
{
	/* stopped */
	if (!flow->packets)
		return;
	flow->began_ns = start_ns;
	flow->progress_ns = start_ns;
	flow->pace.expires = start_ns;
	timerqueue_add(&flow->src->paced, &flow->pace);
}

/* Starts a flow, unless it waits for others or a request. Process context. */
void rnic_send_start(struct rnic_flow *flow, u64 start_ns)
{
	struct rnic_host *host = flow->src;

	if (rnic_config.cc && flow->qp == flow)
		rnic_config.cc->init(flow);
	spin_lock_bh(&host->lock);
	flow->progress_ns = start_ns;
	flow->pace.expires = start_ns;
	flow->ready_ns = flow->answers ? 0 : start_ns;
	if (flow->verb == RNIC_READ) {
		spin_unlock_bh(&host->lock);
		rnic_read_start(flow, start_ns);
		return;
	}
	hrtimer_setup(&flow->rto, rnic_send_timeout, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	if (flow->qp == flow && !flow->waits && host->here)
		timerqueue_add(&host->paced, &flow->pace);
	spin_unlock_bh(&host->lock);
	tasklet_schedule(&host->send);
}

/* Stops a flow in any state; the qdisc may have packets. Process context. */
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

/* Stops sending, without a device or a flow. Process context. */
void rnic_send_exit(struct rnic_host *host)
{
	hrtimer_cancel(&host->timer);
	tasklet_kill(&host->send);
	hrtimer_cancel(&host->timer);
}
