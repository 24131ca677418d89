// SPDX-License-Identifier: GPL-2.0
/*
 * Flows that start when others have ended, such as the steps of a collective
 * operation.
 *
 * A host learns of the end of a flow by its own packets only. So a flow may wait
 * for flows that its initiator receives, which end when their last packet arrives,
 * and for flows that its initiator sends, which end when their last packet is sent
 * for the first time, as messages of a queue pair follow each other. START_NS of
 * such a flow is the time from what it received to what it sends.
 */
#include <linux/slab.h>

#include "rnic.h"

/**
 * struct rnic_waiter - a flow that waits for another one
 * @flow: the flow that waits
 * @next: next one that waits for the same flow
 */
struct rnic_waiter {
	struct rnic_flow *flow;
	struct rnic_waiter *next;
};

static const char *rnic_depend_on(struct rnic_flow *flow, u32 number)
{
	struct rnic_flow *first = rnic_flow_find(RNIC_FIRST_QPN - 1 + number);
	const struct rnic_host *host = rnic_flow_initiator(flow);
	struct rnic_waiter *waiter;

	if (!number || !first)
		return "it waits for a flow that is no earlier line";
	if (host != first->src && host != first->dst)
		return "its initiator is no end of a flow that it waits for";
	waiter = kmalloc(sizeof(*waiter), GFP_KERNEL);
	if (!waiter)
		return "no memory";
	*waiter = (struct rnic_waiter){ .flow = flow, .next = first->waiters };
	first->waiters = waiter;
	flow->waits++;
	flow->answers |= host == first->dst;
	return NULL;
}

/**
 * rnic_depend_parse() - let a flow wait for others
 * @flow: the flow, with both hosts
 * @text: numbers of flows, of the order in which they were written, from 1:
 *	N or N-N, with commas
 * Context: RTNL. Return: NULL, or an error message.
 */
const char *rnic_depend_parse(struct rnic_flow *flow, const char *text)
{
	const char *why;
	u32 from, to;
	int used;

	for (;;) {
		if (sscanf(text, "%u%n", &from, &used) != 1)
			return "after: not a list of numbers";
		text += used;
		to = from;
		if (*text == '-') {
			if (sscanf(text + 1, "%u%n", &to, &used) != 1)
				return "after: not a list of numbers";
			text += 1 + used;
		}
		for (; from <= to; from++) {
			why = rnic_depend_on(flow, from);
			if (why)
				return why;
		}
		text = skip_spaces(text);
		if (!*text)
			return NULL;
		if (*text++ != ',')
			return "after: not a list of numbers";
	}
}

static void rnic_begin(struct rnic_flow *flow, u64 start_ns)
{
	if (flow->verb == RNIC_READ)
		rnic_read_begin(flow, start_ns);
	else
		rnic_send_begin(flow, start_ns);
}

/**
 * rnic_depend_ended() - start flows of a host that have waited for a flow only
 * @flow: the flow that has ended at @host
 * @host: one of its two hosts
 * @now_ns: time, of the monotonic clock
 * Context: softirq, under @host's lock.
 */
void rnic_depend_ended(const struct rnic_flow *flow, struct rnic_host *host, u64 now_ns)
{
	const struct rnic_waiter *waiter;
	struct rnic_flow *next;

	for (waiter = flow->waiters; waiter; waiter = waiter->next) {
		next = waiter->flow;
		if (rnic_flow_initiator(next) != host)
			continue;
		if (flow->dst == host)
			next->ready_ns = max(next->ready_ns, now_ns + next->start_ns);
		if (!--next->waits)
			rnic_begin(next, max(next->ready_ns, now_ns));
	}
}

/**
 * rnic_depend_free() - forget the flows that wait for a flow
 * @flow: the flow; none runs
 */
void rnic_depend_free(struct rnic_flow *flow)
{
	struct rnic_waiter *waiter;

	while ((waiter = flow->waiters)) {
		flow->waiters = waiter->next;
		kfree(waiter);
	}
}
