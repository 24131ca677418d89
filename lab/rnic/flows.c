// SPDX-License-Identifier: GPL-2.0
/* The flows of a run. All under RTNL, except rnic_flow_find(). */
#include <linux/ctype.h>
#include <linux/inet.h>
#include <linux/mm.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "rnic.h"

const char *const rnic_verbs[3] = { "write", "send", "read" };

static DEFINE_XARRAY_FLAGS(rnic_flows, XA_FLAGS_ALLOC);

/* RCU. Return: NULL: no such flow. */
struct rnic_flow *rnic_flow_find(u32 id)
{
	return xa_load(&rnic_flows, id);
}

/* *@id is 0 at first. RTNL. Return: NULL after the last. */
struct rnic_flow *rnic_flow_next(unsigned long *id)
{
	struct rnic_flow *flow = xa_find(&rnic_flows, id, ULONG_MAX, XA_PRESENT);

	(*id)++;
	return flow;
}

/* Return: the host that begins: the sender; for a READ, the receiver. */
struct rnic_host *rnic_flow_initiator(const struct rnic_flow *flow)
{
	return flow->verb == RNIC_READ ? flow->dst : flow->src;
}

/* "write ", "send " or "read ". Return: the text after it. */
static const char *rnic_flow_parse_verb(struct rnic_flow *flow, const char *text)
{
	unsigned int verb;
	size_t len;

	for (verb = 0; verb < ARRAY_SIZE(rnic_verbs); verb++) {
		len = strlen(rnic_verbs[verb]);
		if (strncmp(text, rnic_verbs[verb], len) || (text[len] && !isspace(text[len])))
			continue;
		flow->verb = verb;
		return skip_spaces(text + len);
	}
	return text;
}

/* [RATE] [VERB] [after FLOWS]. Return: FLOWS; NULL: there is other text. */
static const char *rnic_flow_parse_rest(struct rnic_flow *flow, const char *text)
{
	u64 bits;
	int used;

	flow->rate_cap = U64_MAX;
	text = skip_spaces(text);
	if (sscanf(text, "%llu%n", &bits, &used) == 1) {
		if (bits < 8)
			return NULL;
		flow->rate_cap = div_u64(bits, 8);
		text = skip_spaces(text + used);
	}
	text = rnic_flow_parse_verb(flow, text);
	if (!strncmp(text, "after ", 6))
		return skip_spaces(text + 6);
	return *text ? NULL : text;
}

/* START_NS SIZE SRC DST PRIO and the rest. Return: NULL, or a message. */
static const char *rnic_flow_parse(struct rnic_flow *flow, const char *line,
				   __be32 *src, __be32 *dst, const char **after)
{
	char from[INET_ADDRSTRLEN], to[INET_ADDRSTRLEN];
	unsigned int prio;
	int n, used;

	n = sscanf(line, "%llu %llu %15s %15s %u%n", &flow->start_ns,
		   &flow->size, from, to, &prio, &used);
	if (n == 5)
		*after = rnic_flow_parse_rest(flow, line + used);
	if (n != 5 || !*after)
		return "not START_NS SIZE SRC DST PRIO [BITS_PER_SECOND] [VERB] [after FLOWS]";
	if (!in4_pton(from, -1, (u8 *)src, -1, NULL))
		return "SRC is not an IPv4 address";
	if (!in4_pton(to, -1, (u8 *)dst, -1, NULL))
		return "DST is not an IPv4 address";
	if (*src == *dst)
		return "SRC is DST";
	if (prio >= LLE_NUM_PRIO)
		return "PRIO is over 7";
	if (!flow->size)
		return "SIZE is 0";
	if (flow->size > (u64)rnic_config.mtu << 31)
		return "SIZE is over 2^31 packets";
	if (**after && rnic_config.pair_ns)
		return "flows wait for others, or share queue pairs";
	if (flow->verb == RNIC_READ && rnic_config.pair_ns)
		return "READs share no queue pairs";
	if (flow->verb == RNIC_READ && !rnic_config.irn && rnic_has_window())
		return "nobody acknowledges the packets of a READ, as a window needs";
	flow->prio = prio;
	flow->packets = DIV_ROUND_UP_ULL(flow->size, rnic_config.mtu);
	return NULL;
}

void rnic_flow_put(struct rnic_flow *flow)
{
	if (refcount_dec_and_test(&flow->refs))
		kfree(flow);
}

static void rnic_flow_free(struct rnic_flow *flow)
{
	rnic_depend_free(flow);
	kfree(flow->irn);
	kvfree(flow->bin);
	rnic_flow_put(flow);
}

static const char *rnic_flow_hosts(struct rnic_flow *flow, __be32 src,
				   __be32 dst)
{
	flow->src = rnic_host_get(src);
	if (IS_ERR(flow->src))
		return PTR_ERR(flow->src) == -ENODEV ? "nobody is SRC" :
						       "SRC is in use";
	flow->dst = rnic_host_get(dst);
	if (IS_ERR(flow->dst))
		return PTR_ERR(flow->dst) == -ENODEV ? "nobody is DST" :
						       "DST is in use";
	return NULL;
}

/* Appends a message to the latest queue pair, or starts a new pair. */
static int rnic_flow_join(struct rnic_flow *flow)
{
	struct xarray *last = &flow->src->lane[flow->prio].last;
	struct rnic_flow *before;

	flow->qp = flow;
	if (!rnic_config.pair_ns)
		return 0;
	before = xa_store(last, be32_to_cpu(flow->dst->addr), flow, GFP_KERNEL);
	if (xa_is_err(before))
		return xa_err(before);
	if (before &&
	    flow->start_ns < before->start_ns + rnic_config.pair_ns) {
		before->after = flow;
		flow->qp = before->qp;
	}
	return 0;
}

static int rnic_flows_refuse(unsigned int number, const char *why)
{
	pr_err("lle_rnic: flows, line %u: %s\n", number, why);
	return -EINVAL;
}

/*
 * @line: START_NS SIZE SRC DST PRIO [BITS_PER_SECOND] [VERB] [after FLOWS], with
 * VERB write, send or read, and FLOWS as in rnic_depend_parse(); or storm
 * START_NS HOST PRIO [NS]: a NIC that breaks; or empty. RTNL. Return: 0;
 * -EINVAL after a message; -EBUSY while flows run; -ENOMEM.
 */
int rnic_flows_add(const char *line, unsigned int number)
{
	const struct xa_limit limit = XA_LIMIT(RNIC_FIRST_QPN, ROCE_24_BITS);
	struct rnic_flow *flow;
	const char *why, *after = "";
	__be32 src, dst;
	int err = -ENOMEM;

	line = skip_spaces(line);
	if (!*line)
		return 0;
	if (rnic_running)
		return -EBUSY;
	if (!strncmp(line, "storm ", 6)) {
		why = rnic_storm_add(line + 6);
		return why ? rnic_flows_refuse(number, why) : 0;
	}
	flow = kzalloc(sizeof(*flow), GFP_KERNEL);
	if (!flow)
		return -ENOMEM;
	refcount_set(&flow->refs, 1);
	spin_lock_init(&flow->lock);
	INIT_LIST_HEAD(&flow->node);
	timerqueue_init(&flow->pace);

	why = rnic_flow_parse(flow, line, &src, &dst, &after) ?:
	      rnic_flow_hosts(flow, src, dst) ?:
	      (*after ? rnic_depend_parse(flow, after) : NULL);
	if (why) {
		err = rnic_flows_refuse(number, why);
		goto err;
	}
	if (rnic_config.irn) {
		flow->irn = kzalloc(sizeof(*flow->irn), GFP_KERNEL);
		if (!flow->irn)
			goto err;
	}
	if (rnic_config.bin_ns) {
		flow->bin = kvcalloc(rnic_config.bins, sizeof(*flow->bin),
				     GFP_KERNEL);
		if (!flow->bin)
			goto err;
	}
	err = xa_alloc(&rnic_flows, &flow->id, flow, limit, GFP_KERNEL);
	if (err)
		goto err;
	err = rnic_flow_join(flow);
	if (err) {
		xa_erase(&rnic_flows, flow->id);
		goto err;
	}
	return 0;
err:
	rnic_flow_free(flow);
	return err;
}

/*
 * @start_ns, @end_ns: monotonic clock; U64_MAX: no end. RTNL. Return: 0; -EBUSY
 * while flows run.
 */
int rnic_flows_start(u64 start_ns, u64 end_ns)
{
	struct rnic_flow *flow;
	unsigned long id = 0;

	if (rnic_running)
		return -EBUSY;
	rnic_running = true;
	rnic_start_ns = start_ns;
	rnic_end_ns = end_ns;
	rnic_queues_start(start_ns);
	rnic_timeline_start();
	rnic_storms_start(start_ns);
	while ((flow = rnic_flow_next(&id)))
		rnic_send_start(flow, start_ns + flow->start_ns);
	return 0;
}

/* Stops and removes all flows and hosts. RTNL. */
void rnic_flows_clear(void)
{
	struct rnic_flow *flow;
	unsigned long id = 0;

	while (rnic_running && (flow = rnic_flow_next(&id))) {
		rnic_read_stop(flow);
		rnic_send_stop(flow);
	}
	rnic_queues_clear();
	rnic_timeline_stop();
	rnic_storms_clear();
	rnic_hosts_clear();
	/* wait for receive handlers that use a flow */
	synchronize_net();
	id = 0;
	while ((flow = rnic_flow_next(&id))) {
		xa_erase(&rnic_flows, flow->id);
		rnic_flow_free(flow);
	}
	rnic_running = false;
}
