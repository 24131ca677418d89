// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "lossless": commands. They are limited to the network
 * namespace of the socket, and use no port after they release RTNL.
 */
#include <linux/rtnetlink.h>
#include <net/sock.h>

#include "deadlock/deadlock.h"
#include "event.h"
#include "netlink.h"
#include "netlink_attr.h"
#include "netlink_gen.h"
#include "netlink_put.h"
#include "netlink_set.h"
#include "path_group.h"
#include "switch.h"

/* --- answers to one request --- */

typedef int (*lle_genl_fill)(struct sk_buff *skb, struct genl_info *info);

static int lle_genl_reply(struct genl_info *info, lle_genl_fill fill)
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
	err = fill(skb, info);
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

static int lle_genl_fill_switch(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_switch *sw = lle_netlink_set_find_switch(info);

	return IS_ERR(sw) ? PTR_ERR(sw) : lle_netlink_put_switch(skb, sw);
}

static int lle_genl_fill_port(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_netlink_set_find_port(info);

	return IS_ERR(port) ? PTR_ERR(port) :
			      lle_netlink_put_port(skb, port, true);
}

static int lle_genl_fill_history(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_netlink_set_find_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_HISTORY_PRIO) ||
	    GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_HISTORY_DIRECTION))
		return -EINVAL;
	return lle_netlink_put_history(skb, port, nla_get_u8(info->attrs[LOSSLESS_A_HISTORY_PRIO]),
				       nla_get_u8(info->attrs[LOSSLESS_A_HISTORY_DIRECTION]));
}

static int lle_genl_fill_watchdog(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_netlink_set_find_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_WATCHDOG_PRIO))
		return -EINVAL;
	return lle_netlink_put_watchdog(skb, port,
					nla_get_u8(info->attrs[LOSSLESS_A_WATCHDOG_PRIO]));
}

static int lle_genl_fill_queue(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_netlink_set_find_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_QUEUE_PRIO))
		return -EINVAL;
	return lle_netlink_put_queue(skb, port, nla_get_u8(info->attrs[LOSSLESS_A_QUEUE_PRIO]));
}

static int lle_genl_fill_congestion(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_netlink_set_find_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LOSSLESS_A_CONGESTION_PRIO))
		return -EINVAL;
	return lle_netlink_put_congestion(skb, port,
					  nla_get_u8(info->attrs[LOSSLESS_A_CONGESTION_PRIO]));
}

int lossless_nl_switch_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_switch);
}

int lossless_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_port);
}

int lossless_nl_history_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_history);
}

int lossless_nl_watchdog_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_watchdog);
}

int lossless_nl_queue_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_queue);
}

int lossless_nl_congestion_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_congestion);
}

/* --- dumps --- */

/**
 * struct lle_genl_dump - state of a dump
 * @skb: the message
 * @cb: args[0]: finished ports; args[1]: finished parts of the next port
 * @at: ports passed so far
 * @ifindex: the only port to dump; 0: all
 * @part: writes part @n of a port. Returns 0, -EMSGSIZE, -ENODATA: empty, or
 *	-ENOENT: there is no such part
 */
struct lle_genl_dump {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	long at;
	u32 ifindex;
	int (*part)(struct sk_buff *skb, struct lle_port *port, unsigned int n);
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
	err = d->part(d->skb, port, n);
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
	for (;; d->cb->args[1]++) {
		err = lle_genl_dump_part(d, port, d->cb->args[1]);
		if (err == -ENOENT)
			break;
		if (err && err != -ENODATA)
			return err;
	}
	d->cb->args[0]++;
	d->cb->args[1] = 0;
	return 0;
}

static int lle_genl_dump(struct sk_buff *skb, struct netlink_callback *cb,
			 u32 ifindex,
			 int (*part)(struct sk_buff *skb, struct lle_port *port,
				     unsigned int n))
{
	struct lle_genl_dump d = {
		.skb = skb, .cb = cb, .ifindex = ifindex, .part = part,
	};
	struct net *net = sock_net(skb->sk);
	int err;

	rtnl_lock();
	cb->seq = lle_switch_net_generation(net);
	err = lle_switch_net_walk_ports(net, lle_genl_dump_port, &d);
	rtnl_unlock();
	/* the rest goes into the next message; an empty one is an error */
	return skb->len ?: err;
}

/* Restrict a dump to this port; 0: all ports */
static u32 lle_genl_only(const struct netlink_callback *cb)
{
	const struct nlattr *ifindex;

	/* its length was checked before the dump began */
	ifindex = nlmsg_find_attr(cb->nlh, GENL_HDRLEN, LOSSLESS_A_PORT_IFINDEX);
	return ifindex ? nla_get_u32(ifindex) : 0;
}

static int lle_genl_part_port(struct sk_buff *skb, struct lle_port *port,
			      unsigned int n)
{
	return n ? -ENOENT : lle_netlink_put_port(skb, port, true);
}

static int lle_genl_part_history(struct sk_buff *skb, struct lle_port *port,
				 unsigned int n)
{
	if (n >= 2 * LLE_NUM_PRIO)
		return -ENOENT;
	return lle_netlink_put_history(skb, port, n / 2, n % 2);
}

static int lle_genl_part_watchdog(struct sk_buff *skb, struct lle_port *port,
				  unsigned int n)
{
	return n >= LLE_NUM_PRIO ? -ENOENT :
				   lle_netlink_put_watchdog(skb, port, n);
}

static int lle_genl_part_queue(struct sk_buff *skb, struct lle_port *port,
			       unsigned int n)
{
	return n >= LLE_NUM_PRIO ? -ENOENT :
				   lle_netlink_put_queue(skb, port, n);
}

static int lle_genl_part_congestion(struct sk_buff *skb, struct lle_port *port,
				    unsigned int n)
{
	return n >= LLE_NUM_PRIO ? -ENOENT :
				   lle_netlink_put_congestion(skb, port, n);
}

/* Part of the first port of a switch, newest first */
static int lle_genl_part_deadlock(struct sk_buff *skb, struct lle_port *port,
				  unsigned int n)
{
	struct lle_deadlock_record *r;
	int err;

	if (n >= LLE_DEADLOCK_RECORDS ||
	    port != lle_switch_first_port(port->sw))
		return -ENOENT;
	r = kmalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	err = lle_deadlock_record_read(port->sw, n, r) ?
		      lle_netlink_attr_put_deadlock(skb, port->sw, r) : -ENOENT;
	kfree(r);
	return err;
}

/* Part of the first port of a switch */
static int lle_genl_part_switch(struct sk_buff *skb, struct lle_port *port,
				unsigned int n)
{
	if (n)
		return -ENOENT;
	return port == lle_switch_first_port(port->sw) ?
		       lle_netlink_put_switch(skb, port->sw) : -ENODATA;
}

/* Part of the first port of a path group */
static int lle_genl_part_path(struct sk_buff *skb, struct lle_port *port,
			      unsigned int n)
{
	struct lle_path_config config;
	struct lle_path_stats stats;

	if (n)
		return -ENOENT;
	return lle_path_group_read(port, &config, &stats) &&
			       port == config.port[0] ?
		       lle_netlink_put_path(skb, &config, &stats) :
		       -ENODATA;
}

/**
 * lle_netlink_start_ports() - make room in a message for the largest port
 * @cb: the dump
 * Context: any. Return: 0.
 */
int lle_netlink_start_ports(struct netlink_callback *cb)
{
	cb->min_dump_alloc = lle_netlink_put_port_bytes();
	return 0;
}

/**
 * lle_netlink_start_deadlocks() - make room in a message for the longest loop
 * @cb: the dump
 * Context: any. Return: 0.
 */
int lle_netlink_start_deadlocks(struct netlink_callback *cb)
{
	cb->min_dump_alloc = NLMSG_HDRLEN + GENL_HDRLEN +
			     lle_netlink_attr_deadlock_bytes(LLE_DL_HOPS);
	return 0;
}

int lossless_nl_switch_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, 0, lle_genl_part_switch);
}

int lossless_nl_port_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_only(cb), lle_genl_part_port);
}

int lossless_nl_history_get_dumpit(struct sk_buff *skb,
				   struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_only(cb), lle_genl_part_history);
}

int lossless_nl_watchdog_get_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_only(cb), lle_genl_part_watchdog);
}

int lossless_nl_queue_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_only(cb), lle_genl_part_queue);
}

int lossless_nl_deadlock_get_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, 0, lle_genl_part_deadlock);
}

int lossless_nl_congestion_get_dumpit(struct sk_buff *skb,
				      struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_only(cb), lle_genl_part_congestion);
}

int lossless_nl_path_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, 0, lle_genl_part_path);
}

int lle_netlink_init(void)
{
	lle_event_init(&lossless_nl_family);
	return lle_genl_register(&lossless_nl_family);
}

void lle_netlink_exit(void)
{
	lle_genl_unregister(&lossless_nl_family);
}
