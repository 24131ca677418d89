// SPDX-License-Identifier: GPL-2.0
/*
 * Flows that start after others, such as the steps of a collective operation.
 *
 * A host sees only its own packets. So a flow may wait for flows that its
 * initiator receives, which end with their last packet's arrival, and for flows
 * that it sends, which end when their last packet is first sent, as messages of
 * a queue pair follow each other. START_NS is then the delay from receiving to
 * sending.
 */
#include <linux/slab.h>

#include "rnic.h"

/* A flow that waits for another one */
struct rnic_waiter {
	struct rnic_flow *flow;	/* the waiting flow */
	struct rnic_waiter *next;	/* next waiter for the same flow */
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

/* @text: earlier flows, from 1: N,N-N. RTNL. Return: NULL, or a message. */
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

/* Starts flows that waited for @flow only. Softirq, under @host's lock. */
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

/* Frees the waiters of a flow. No flow runs. */
void rnic_depend_free(struct rnic_flow *flow)
{
	struct rnic_waiter *waiter;

	while ((waiter = flow->waiters)) {
		flow->waiters = waiter->next;
		kfree(waiter);
	}
}
