// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "lossless": requests that read. They are limited to
 * the network namespace of the socket, and use no port after they release RTNL.
 */
#include <linux/rtnetlink.h>
#include <net/sock.h>

#include "congestion.h"
#include "deadlock/deadlock.h"
#include "event.h"
#include "netlink.h"
#include "rx_pause.h"
#include "switch.h"
#include "watchdog.h"

/* --- parts of ports: under RTNL; -ENODATA: nothing to show --- */

static int lle_genl_port(struct sk_buff *skb, struct lle_port *port,
			 unsigned int n)
{
	return lle_netlink_put_port(skb, port, true);
}

/* Part of the first port of a switch */
static int lle_genl_switch(struct sk_buff *skb, struct lle_port *port,
			   unsigned int n)
{
	struct lle_switch *sw = port->sw;
	struct lle_deadlock_stats stats;
	struct lle_sb sb;
	u8 deadlock;

	if (port != lle_switch_first_port(sw))
		return -ENODATA;
	spin_lock_bh(&sw->lock);
	sb = sw->sb;
	sb.used -= lle_credit_lent(&sw->sb);
	spin_unlock_bh(&sw->lock);

	deadlock = lle_deadlock_event_read_stats(sw, &stats);

	return nla_put_u32(skb, LOSSLESS_A_SWITCH_ID, sw->id) ||
	       nla_put_u32(skb, LOSSLESS_A_SWITCH_PORTS, sw->attached) ||
	       nla_put_u32(skb, LOSSLESS_A_SWITCH_BUFFER, sb.size) ||
	       nla_put_u32(skb, LOSSLESS_A_SWITCH_SHARED,
			   sb.size - sb.carved) ||
	       LLE_PUT_U64(skb, SWITCH, USED, sb.used) ||
	       LLE_PUT_U64(skb, SWITCH, USED_MAX, sb.used_max) ||
	       nla_put_u8(skb, LOSSLESS_A_SWITCH_DISCARD, sw->discard) ||
	       nla_put_u8(skb, LOSSLESS_A_SWITCH_DEADLOCK_ACTION, deadlock) ||
	       lle_netlink_attr_put_deadlock_stats(skb, &stats) ? -EMSGSIZE : 0;
}

/* @since_ns: begin of the current pause; 0: not paused */
static void lle_history_read(struct lle_port *port, unsigned int prio,
			     enum lossless_direction direction,
			     struct lle_history *h, u64 *since_ns)
{
	if (direction == LOSSLESS_DIRECTION_RX) {
		spin_lock_bh(&port->pause_lock);
		lle_rx_pause_update(port, ktime_get_ns());
		*h = port->rx.history[prio];
		*since_ns = port->rx.paused & BIT(prio) ?
				    port->rx.since_ns[prio] : 0;
		spin_unlock_bh(&port->pause_lock);
	} else {
		const struct lle_port_ingress *in = &port->ingress[prio];

		spin_lock_bh(&port->sw->lock);
		*h = in->history;
		*since_ns = port->attention.want & BIT(prio) ? in->paused_since_ns : 0;
		spin_unlock_bh(&port->sw->lock);
	}
}

static int lle_put_episode(struct sk_buff *skb, const struct lle_episode *e)
{
	struct nlattr *nest = nla_nest_start(skb, LOSSLESS_A_HISTORY_EPISODE);

	if (!nest ||
	    LLE_PUT_U64(skb, EPISODE, START_NS, e->start_ns) ||
	    LLE_PUT_U64(skb, EPISODE, DURATION_NS, e->ns))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_put_pauses(struct sk_buff *skb, const struct lle_history *h,
			  u64 since_ns)
{
	unsigned int n;

	if ((since_ns && LLE_PUT_U64(skb, HISTORY, SINCE_NS, since_ns)) ||
	    LLE_PUT_U64(skb, HISTORY, COUNT, h->count) ||
	    LLE_PUT_U64(skb, HISTORY, TOTAL_NS, h->total_ns) ||
	    LLE_PUT_U64(skb, HISTORY, LONGEST_NS, h->longest_ns))
		return -EMSGSIZE;
	for (n = 0; lle_history_last(h, n); n++)
		if (lle_put_episode(skb, lle_history_last(h, n)))
			return -EMSGSIZE;
	return 0;
}

/* @n: 2 * priority + direction */
static int lle_genl_history(struct sk_buff *skb, struct lle_port *port,
			    unsigned int n)
{
	enum lossless_direction direction = n % 2;
	unsigned int prio = n / 2;
	struct lle_history h;
	u64 since_ns;

	lle_history_read(port, prio, direction, &h, &since_ns);
	if (!h.count && !since_ns)
		return -ENODATA;

	return lle_netlink_attr_put_who(skb, port) ||
	       nla_put_u8(skb, LOSSLESS_A_HISTORY_PRIO, prio) ||
	       nla_put_u8(skb, LOSSLESS_A_HISTORY_DIRECTION, direction) ||
	       lle_put_pauses(skb, &h, since_ns) ? -EMSGSIZE : 0;
}

static int lle_genl_watchdog(struct sk_buff *skb, struct lle_port *port,
			     unsigned int prio)
{
	const struct lle_watchdog_params *p = &port->watchdog.prio[prio].params;
	struct lle_watchdog_stats stats;
	bool stormed;

	stormed = lle_watchdog_read(port, prio, &stats);
	if (!p->times.detection_ns && !stats.detected)
		return -ENODATA;

	return lle_netlink_attr_put_who(skb, port) ||
	       nla_put_u8(skb, LOSSLESS_A_WATCHDOG_PRIO, prio) ||
	       nla_put_u32(skb, LOSSLESS_A_WATCHDOG_DETECTION_MS,
			   div_u64(p->times.detection_ns, NSEC_PER_MSEC)) ||
	       nla_put_u32(skb, LOSSLESS_A_WATCHDOG_RESTORATION_MS,
			   div_u64(p->times.restoration_ns, NSEC_PER_MSEC)) ||
	       nla_put_u8(skb, LOSSLESS_A_WATCHDOG_ACTION, p->action) ||
	       nla_put_u8(skb, LOSSLESS_A_WATCHDOG_STORMED, stormed) ||
	       lle_netlink_attr_put_watchdog(skb, &stats) ? -EMSGSIZE : 0;
}

static int lle_put_waiting(struct sk_buff *skb, const struct lle_waiting *w)
{
	struct nlattr *nest = nla_nest_start(skb, LOSSLESS_A_QUEUE_WAITING);

	if (!nest ||
	    nla_put_u32(skb, LOSSLESS_A_WAITING_IFINDEX, w->ifindex) ||
	    nla_put_u32(skb, LOSSLESS_A_WAITING_PACKETS, w->packets) ||
	    LLE_PUT_U64(skb, WAITING, BYTES, w->bytes))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_genl_queue(struct sk_buff *skb, struct lle_port *port,
			  unsigned int prio)
{
	u32 backlog = READ_ONCE(port->egress[prio].backlog);
	struct lle_waiting *waiting;
	unsigned int n, i;
	int err;

	if (!backlog)
		return -ENODATA;
	waiting = kcalloc(LOSSLESS_NUM_WAITING, sizeof(*waiting), GFP_KERNEL);
	if (!waiting)
		return -ENOMEM;
	n = port->ops->waiting(rtnl_dereference(port->dev->qdisc), prio,
			       waiting);
	if (!n)
		err = -ENODATA;
	else
		err = lle_netlink_attr_put_who(skb, port) ||
		      nla_put_u8(skb, LOSSLESS_A_QUEUE_PRIO, prio) ||
		      nla_put_u32(skb, LOSSLESS_A_QUEUE_BACKLOG, backlog) ?
			      -EMSGSIZE : 0;
	for (i = 0; i < n && !err; i++)
		err = lle_put_waiting(skb, &waiting[i]);
	kfree(waiting);
	return err;
}

static int lle_put_congested(struct sk_buff *skb, const struct lle_congested *c)
{
	struct nlattr *nest = nla_nest_start(skb,
					     LOSSLESS_A_CONGESTION_CONGESTED);

	if (!nest ||
	    nla_put_u32(skb, LOSSLESS_A_CONGESTED_NAME, c->name) ||
	    nla_put_u32(skb, LOSSLESS_A_CONGESTED_BYTES, c->bytes) ||
	    nla_put_u8(skb, LOSSLESS_A_CONGESTED_LOCAL, c->local) ||
	    nla_put_u8(skb, LOSSLESS_A_CONGESTED_REMOTE, c->remote) ||
	    nla_put_u8(skb, LOSSLESS_A_CONGESTED_HELD, c->held) ||
	    nla_put_u8(skb, LOSSLESS_A_CONGESTED_ASKED, c->asked))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_genl_congestion(struct sk_buff *skb, struct lle_port *port,
			       unsigned int prio)
{
	struct lle_congestion c = {};
	struct lle_congested *ids;
	int num, i, err;

	ids = kcalloc(LOSSLESS_NUM_CONGESTED, sizeof(*ids), GFP_KERNEL);
	if (!ids)
		return -ENOMEM;
	num = port->ops->congestion(rtnl_dereference(port->dev->qdisc), prio, &c,
				    ids);
	err = num;
	if (num >= 0) {
		lle_congestion_read(port, prio, &c);
		err = lle_netlink_attr_put_who(skb, port) ||
		      nla_put_u8(skb, LOSSLESS_A_CONGESTION_PRIO, prio) ||
		      lle_netlink_attr_put_congestion(skb, &c) ? -EMSGSIZE : 0;
	}
	for (i = 0; i < num && !err; i++)
		err = lle_put_congested(skb, &ids[i]);
	kfree(ids);
	return err;
}

/* Part of the first port of a path group */
static int lle_genl_path(struct sk_buff *skb, struct lle_port *port,
			 unsigned int n)
{
	struct lle_path_config config;
	struct lle_path_stats stats;

	if (!lle_path_group_read(port, &config, &stats) ||
	    port != config.port[0])
		return -ENODATA;
	if (nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_SWITCH, port->sw->id) ||
	    nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_ID, config.id) ||
	    nla_put_u8(skb, LOSSLESS_A_PATH_GROUP_ADAPTIVE, config.adaptive) ||
	    nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_GAP_US, config.gap_us) ||
	    (stats.moved &&
	     LLE_PUT_U64(skb, PATH_GROUP, MOVED, stats.moved)) ||
	    (stats.saved &&
	     LLE_PUT_U64(skb, PATH_GROUP, SAVED, stats.saved)))
		return -EMSGSIZE;
	for (n = 0; n < config.ports; n++)
		if (nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_MEMBER,
				config.port[n]->ifindex))
			return -EMSGSIZE;
	return 0;
}

/* Part of the first port of a switch, newest first */
static int lle_genl_deadlock(struct sk_buff *skb, struct lle_port *port,
			     unsigned int n)
{
	struct lle_deadlock_record *r;
	int err;

	if (port != lle_switch_first_port(port->sw))
		return -ENODATA;
	r = kmalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	err = lle_deadlock_record_read(port->sw, n, r) ?
		      lle_netlink_attr_put_deadlock(skb, port->sw, r) :
		      -ENODATA;
	kfree(r);
	return err;
}

/**
 * struct lle_genl_read - command that reads
 * @put: adds part @n of a port
 * @num: parts of a port
 * @by_port: a dump may be limited to a port
 * @prio: attribute of the priority, which selects the part for an answer; or 0
 * @direction: attribute of the direction: part 2 * priority + direction; or 0
 */
struct lle_genl_read {
	int (*put)(struct sk_buff *skb, struct lle_port *port, unsigned int n);
	u8 num;
	bool by_port;
	u8 prio;
	u8 direction;
};

static const struct lle_genl_read lle_genl_reads[] = {
	[LOSSLESS_CMD_SWITCH_GET] = { lle_genl_switch, 1 },
	[LOSSLESS_CMD_PORT_GET] = { lle_genl_port, 1, true },
	[LOSSLESS_CMD_HISTORY_GET] = {
		lle_genl_history, 2 * LLE_NUM_PRIO, true,
		LOSSLESS_A_HISTORY_PRIO, LOSSLESS_A_HISTORY_DIRECTION,
	},
	[LOSSLESS_CMD_WATCHDOG_GET] = {
		lle_genl_watchdog, LLE_NUM_PRIO, true, LOSSLESS_A_WATCHDOG_PRIO,
	},
	[LOSSLESS_CMD_QUEUE_GET] = {
		lle_genl_queue, LLE_NUM_PRIO, true, LOSSLESS_A_QUEUE_PRIO,
	},
	[LOSSLESS_CMD_DEADLOCK_GET] = { lle_genl_deadlock, LLE_DEADLOCK_RECORDS },
	[LOSSLESS_CMD_CONGESTION_GET] = {
		lle_genl_congestion, LLE_NUM_PRIO, true,
		LOSSLESS_A_CONGESTION_PRIO,
	},
	[LOSSLESS_CMD_PATH_GET] = { lle_genl_path, 1 },
};

/* --- answers to one request --- */

static int lle_genl_fill(struct sk_buff *skb, struct genl_info *info)
{
	const struct lle_genl_read *read = &lle_genl_reads[info->genlhdr->cmd];
	struct lle_switch *sw;
	struct lle_port *port;
	unsigned int n = 0;

	if (read->by_port) {
		port = lle_netlink_set_find_port(info);
		if (IS_ERR(port))
			return PTR_ERR(port);
	} else {
		sw = lle_netlink_set_find_switch(info);
		if (IS_ERR(sw))
			return PTR_ERR(sw);
		port = lle_switch_first_port(sw);
	}
	if ((read->prio && GENL_REQ_ATTR_CHECK(info, read->prio)) ||
	    (read->direction && GENL_REQ_ATTR_CHECK(info, read->direction)))
		return -EINVAL;
	if (read->prio)
		n = nla_get_u8(info->attrs[read->prio]);
	if (read->direction)
		n = 2 * n + nla_get_u8(info->attrs[read->direction]);
	return read->put(skb, port, n);
}

static int lle_genl_reply(struct genl_info *info)
{
	struct sk_buff *skb;
	void *head;
	int err;

	skb = genlmsg_new(max_t(size_t, lle_netlink_put_port_bytes(),
				NLMSG_GOODSIZE),
			  GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	head = genlmsg_put_reply(skb, info, &lossless_nl_family, 0,
				 info->genlhdr->cmd);
	if (!head) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}

	rtnl_lock();
	err = lle_genl_fill(skb, info);
	rtnl_unlock();
	if (err == -ENODATA)
		NL_SET_ERR_MSG(info->extack, "There is nothing to show");
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, head);
	return genlmsg_reply(skb, info);
}

/* --- dumps --- */

/**
 * struct lle_genl_dump - state of a dump
 * @skb: the message
 * @cb: args[0]: finished ports; args[1]: finished parts of the next port
 * @at: ports passed so far
 * @read: the command
 * @ifindex: the only port to dump; 0: all
 */
struct lle_genl_dump {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	long at;
	const struct lle_genl_read *read;
	u32 ifindex;
};

static int lle_genl_dump_part(struct lle_genl_dump *d, struct lle_port *port,
			      unsigned int n)
{
	struct netlink_callback *cb = d->cb;
	const struct genlmsghdr *request = nlmsg_data(cb->nlh);
	void *head;
	int err;

	head = genlmsg_put(d->skb, NETLINK_CB(cb->skb).portid,
			   cb->nlh->nlmsg_seq, &lossless_nl_family, NLM_F_MULTI,
			   request->cmd);
	if (!head)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, head);
	err = d->read->put(d->skb, port, n);
	if (err)
		genlmsg_cancel(d->skb, head);
	else
		genlmsg_end(d->skb, head);
	return err;
}

static int lle_genl_dump_port(struct lle_port *port, void *arg)
{
	struct lle_genl_dump *d = arg;
	int err;

	if (d->ifindex && d->ifindex != port->ifindex)
		return 0;
	if (d->at++ < d->cb->args[0])
		return 0;
	for (; d->cb->args[1] < d->read->num; d->cb->args[1]++) {
		err = lle_genl_dump_part(d, port, d->cb->args[1]);
		if (err && err != -ENODATA)
			return err;
	}
	d->cb->args[0]++;
	d->cb->args[1] = 0;
	return 0;
}

static int lle_genl_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genlmsghdr *request = nlmsg_data(cb->nlh);
	struct lle_genl_dump d = {
		.skb = skb, .cb = cb, .read = &lle_genl_reads[request->cmd],
	};
	struct net *net = sock_net(skb->sk);
	const struct nlattr *ifindex = NULL;
	int err;

	/* its length was checked before the dump began */
	if (d.read->by_port)
		ifindex = nlmsg_find_attr(cb->nlh, GENL_HDRLEN,
					  LOSSLESS_A_PORT_IFINDEX);
	if (ifindex)
		d.ifindex = nla_get_u32(ifindex);
	rtnl_lock();
	cb->seq = lle_switch_net_generation(net);
	err = lle_switch_net_walk_ports(net, lle_genl_dump_port, &d);
	rtnl_unlock();
	/* the rest goes into the next message; an empty one is an error */
	return skb->len ?: err;
}

/* Makes room in a message for the largest port. */
int lle_netlink_start_ports(struct netlink_callback *cb)
{
	cb->min_dump_alloc = lle_netlink_put_port_bytes();
	return 0;
}

/* Makes room in a message for the longest loop. */
int lle_netlink_start_deadlocks(struct netlink_callback *cb)
{
	cb->min_dump_alloc = NLMSG_HDRLEN + GENL_HDRLEN +
			     lle_netlink_attr_deadlock_bytes(LLE_DL_HOPS);
	return 0;
}

#define LLE_GENL_DO(name)						\
int lossless_nl_##name##_get_doit(struct sk_buff *skb,			\
				  struct genl_info *info)		\
{									\
	return lle_genl_reply(info);					\
}

#define LLE_GENL_DUMP(name)						\
int lossless_nl_##name##_get_dumpit(struct sk_buff *skb,		\
				    struct netlink_callback *cb)	\
{									\
	return lle_genl_dump(skb, cb);					\
}

LLE_GENL_DO(switch)
LLE_GENL_DO(port)
LLE_GENL_DO(history)
LLE_GENL_DO(watchdog)
LLE_GENL_DO(queue)
LLE_GENL_DO(congestion)

LLE_GENL_DUMP(switch)
LLE_GENL_DUMP(port)
LLE_GENL_DUMP(history)
LLE_GENL_DUMP(watchdog)
LLE_GENL_DUMP(queue)
LLE_GENL_DUMP(deadlock)
LLE_GENL_DUMP(congestion)
LLE_GENL_DUMP(path)

int lle_netlink_init(void)
{
	lle_event_init(&lossless_nl_family);
	return lle_genl_register(&lossless_nl_family);
}

void lle_netlink_exit(void)
{
	lle_genl_unregister(&lossless_nl_family);
}
