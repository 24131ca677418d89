// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "lossless": commands. They see the network namespace
 * of the socket only, and use no port after they have released RTNL.
 */
#include <linux/rtnetlink.h>
#include <net/sock.h>

#include "deadlock/record.h"
#include "event.h"
#include "netlink.h"
#include "netlink_attr.h"
#include "netlink_path.h"
#include "netlink_put.h"
#include "netlink_set.h"
#include "path_group.h"
#include "switch.h"

static struct genl_family lle_genl_family;

static struct netlink_range_validation lle_genl_buffer = {
	.min = LLE_BUFFER_MIN,
	.max = LLE_BUFFER_MAX,
};

/* 0: the watchdog is off; or the priority is never restored by itself */
static struct netlink_range_validation lle_genl_ms = {
	.max = LLE_WATCHDOG_MS_MAX,
};

/* 0: computed; at most a minute */
static struct netlink_range_validation lle_genl_gap = {
	.max = 60 * USEC_PER_SEC,
};

static const struct nla_policy lle_genl_policy[LLE_A_MAX + 1] = {
	[LLE_A_SWITCH] = { .type = NLA_U32 },
	[LLE_A_BUFFER] = NLA_POLICY_FULL_RANGE(NLA_U32, &lle_genl_buffer),
	[LLE_A_DISCARD] = NLA_POLICY_MAX(NLA_U8, 1),
	[LLE_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[LLE_A_PRIO] = NLA_POLICY_MAX(NLA_U8, LLE_NUM_PRIO - 1),
	[LLE_A_DIRECTION] = NLA_POLICY_MAX(NLA_U8, LLE_DIR_TX),
	[LLE_A_PRIOS] = NLA_POLICY_MIN(NLA_U8, 1),
	[LLE_A_DETECTION_MS] = NLA_POLICY_FULL_RANGE(NLA_U32, &lle_genl_ms),
	[LLE_A_RESTORATION_MS] = NLA_POLICY_FULL_RANGE(NLA_U32, &lle_genl_ms),
	[LLE_A_ACTION] = NLA_POLICY_MAX(NLA_U8, LLE_WD_MAX),
	[LLE_A_GROUP] = { .type = NLA_U32 },
	[LLE_A_MEMBERS] = { .type = NLA_BINARY,
			    .len = LLE_PATHS_MAX * sizeof(u32) },
	[LLE_A_ADAPTIVE] = NLA_POLICY_MAX(NLA_U8, 1),
	[LLE_A_GAP_US] = NLA_POLICY_FULL_RANGE(NLA_U32, &lle_genl_gap),
};

/* --- answers to one request --- */

typedef int (*lle_genl_fill)(struct sk_buff *skb, struct genl_info *info);

static int lle_genl_reply(struct genl_info *info, lle_genl_fill fill)
{
	struct sk_buff *skb;
	void *head;
	int err;

	skb = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	head = genlmsg_put_reply(skb, info, &lle_genl_family, 0,
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
	struct lle_switch *sw = lle_genl_switch(info);

	return IS_ERR(sw) ? PTR_ERR(sw) : lle_put_switch(skb, sw);
}

static int lle_genl_fill_port(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_genl_port(info);

	return IS_ERR(port) ? PTR_ERR(port) : lle_put_port(skb, port, true);
}

static int lle_genl_fill_history(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_genl_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LLE_A_PRIO) ||
	    GENL_REQ_ATTR_CHECK(info, LLE_A_DIRECTION))
		return -EINVAL;
	return lle_put_history(skb, port, nla_get_u8(info->attrs[LLE_A_PRIO]),
			       nla_get_u8(info->attrs[LLE_A_DIRECTION]));
}

static int lle_genl_fill_watchdog(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_genl_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LLE_A_PRIO))
		return -EINVAL;
	return lle_put_watchdog(skb, port, nla_get_u8(info->attrs[LLE_A_PRIO]));
}

static int lle_genl_fill_queue(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_genl_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LLE_A_PRIO))
		return -EINVAL;
	return lle_put_queue(skb, port, nla_get_u8(info->attrs[LLE_A_PRIO]));
}

static int lle_genl_fill_congestion(struct sk_buff *skb, struct genl_info *info)
{
	struct lle_port *port = lle_genl_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (GENL_REQ_ATTR_CHECK(info, LLE_A_PRIO))
		return -EINVAL;
	return lle_put_congestion(skb, port, nla_get_u8(info->attrs[LLE_A_PRIO]));
}

static int lle_genl_get_switch(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_switch);
}

static int lle_genl_get_port(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_port);
}

static int lle_genl_get_history(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_history);
}

static int lle_genl_get_watchdog(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_watchdog);
}

static int lle_genl_get_queue(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_queue);
}

static int lle_genl_get_congestion(struct sk_buff *skb, struct genl_info *info)
{
	return lle_genl_reply(info, lle_genl_fill_congestion);
}

/* --- dumps --- */

/**
 * struct lle_genl_dump - state of a dump
 * @skb: the message
 * @cb: args[0]: number of ports that are done; args[1]: number of parts of the
 *	next one that are done
 * @at: number of ports passed so far
 * @ifindex: the only port to dump; 0: all
 * @part: writes part @n of a port. Returns 0, -EMSGSIZE, -ENODATA if the part
 *	is empty, or -ENOENT if there are no more parts
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
			   cb->nlh->nlmsg_seq, &lle_genl_family, NLM_F_MULTI,
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
			 int (*part)(struct sk_buff *skb, struct lle_port *port,
				     unsigned int n))
{
	struct lle_genl_dump d = { .skb = skb, .cb = cb, .part = part };
	struct net *net = sock_net(skb->sk);
	const struct nlattr *ifindex;
	int err;

	/* its length was checked before the dump began */
	ifindex = nlmsg_find_attr(cb->nlh, GENL_HDRLEN, LLE_A_IFINDEX);
	if (ifindex)
		d.ifindex = nla_get_u32(ifindex);
	rtnl_lock();
	cb->seq = lle_net_generation(net);
	err = lle_net_walk_ports(net, lle_genl_dump_port, &d);
	rtnl_unlock();
	/* the rest goes into the next message; an empty one is an error */
	return skb->len ?: err;
}

static int lle_genl_part_port(struct sk_buff *skb, struct lle_port *port,
			      unsigned int n)
{
	return n ? -ENOENT : lle_put_port(skb, port, true);
}

static int lle_genl_part_history(struct sk_buff *skb, struct lle_port *port,
				 unsigned int n)
{
	if (n >= 2 * LLE_NUM_PRIO)
		return -ENOENT;
	return lle_put_history(skb, port, n / 2, n % 2);
}

static int lle_genl_part_watchdog(struct sk_buff *skb, struct lle_port *port,
				  unsigned int n)
{
	return n >= LLE_NUM_PRIO ? -ENOENT : lle_put_watchdog(skb, port, n);
}

static int lle_genl_part_queue(struct sk_buff *skb, struct lle_port *port,
			       unsigned int n)
{
	return n >= LLE_NUM_PRIO ? -ENOENT : lle_put_queue(skb, port, n);
}

static int lle_genl_part_congestion(struct sk_buff *skb, struct lle_port *port,
				    unsigned int n)
{
	return n >= LLE_NUM_PRIO ? -ENOENT : lle_put_congestion(skb, port, n);
}

/* Deadlocks are parts of the first port of a switch, the newest first. */
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
	err = lle_deadlock_read(port->sw, n, r) ?
		      lle_put_deadlock(skb, port->sw, r) : -ENOENT;
	kfree(r);
	return err;
}

/* A switch is a part of its first port. */
static int lle_genl_part_switch(struct sk_buff *skb, struct lle_port *port,
				unsigned int n)
{
	if (n)
		return -ENOENT;
	return port == lle_switch_first_port(port->sw) ?
		       lle_put_switch(skb, port->sw) : -ENODATA;
}

/* A path group is a part of its first port. */
static int lle_genl_part_path(struct sk_buff *skb, struct lle_port *port,
			      unsigned int n)
{
	struct lle_path_config config;
	struct lle_path_stats stats;

	if (n)
		return -ENOENT;
	return lle_path_read(port, &config, &stats) && port == config.port[0] ?
		       lle_put_path(skb, &config, &stats) : -ENODATA;
}

static int lle_genl_dump_ports(struct sk_buff *skb, struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_port);
}

static int lle_genl_dump_histories(struct sk_buff *skb,
				   struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_history);
}

static int lle_genl_dump_watchdogs(struct sk_buff *skb,
				   struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_watchdog);
}

static int lle_genl_dump_queues(struct sk_buff *skb,
				struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_queue);
}

static int lle_genl_dump_congestions(struct sk_buff *skb,
				     struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_congestion);
}

static int lle_genl_dump_paths(struct sk_buff *skb, struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_path);
}

static int lle_genl_dump_deadlocks(struct sk_buff *skb,
				   struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_deadlock);
}

static int lle_genl_dump_switches(struct sk_buff *skb,
				  struct netlink_callback *cb)
{
	return lle_genl_dump(skb, cb, lle_genl_part_switch);
}

/* --- the family --- */

static const struct genl_small_ops lle_genl_ops[] = {
	{
		.cmd = LLE_CMD_SWITCH_GET,
		.doit = lle_genl_get_switch,
		.dumpit = lle_genl_dump_switches,
	},
	{
		.cmd = LLE_CMD_SWITCH_SET,
		.flags = GENL_ADMIN_PERM,
		.doit = lle_genl_set_switch,
	},
	{
		.cmd = LLE_CMD_PORT_GET,
		.doit = lle_genl_get_port,
		.dumpit = lle_genl_dump_ports,
	},
	{
		.cmd = LLE_CMD_HISTORY_GET,
		.doit = lle_genl_get_history,
		.dumpit = lle_genl_dump_histories,
	},
	{
		.cmd = LLE_CMD_WATCHDOG_GET,
		.doit = lle_genl_get_watchdog,
		.dumpit = lle_genl_dump_watchdogs,
	},
	{
		.cmd = LLE_CMD_WATCHDOG_SET,
		.flags = GENL_ADMIN_PERM,
		.doit = lle_genl_set_watchdog,
	},
	{
		.cmd = LLE_CMD_CLEAR,
		.flags = GENL_ADMIN_PERM,
		.doit = lle_genl_clear,
	},
	{
		/* holds a root lock for up to LLE_QUEUE_LOOK packets */
		.cmd = LLE_CMD_QUEUE_GET,
		.flags = GENL_ADMIN_PERM,
		.doit = lle_genl_get_queue,
		.dumpit = lle_genl_dump_queues,
	},
	{
		.cmd = LLE_CMD_DEADLOCK_GET,
		.dumpit = lle_genl_dump_deadlocks,
	},
	{
		.cmd = LLE_CMD_CONGESTION_GET,
		.doit = lle_genl_get_congestion,
		.dumpit = lle_genl_dump_congestions,
	},
	{
		.cmd = LLE_CMD_PATH_GET,
		.dumpit = lle_genl_dump_paths,
	},
	{
		.cmd = LLE_CMD_PATH_SET,
		.flags = GENL_ADMIN_PERM,
		.doit = lle_genl_set_path,
	},
	{
		.cmd = LLE_CMD_PATH_DEL,
		.flags = GENL_ADMIN_PERM,
		.doit = lle_genl_del_path,
	},
};

static const struct genl_multicast_group lle_genl_groups[] = {
	[LLE_GENL_PAUSE] = { .name = LLE_MCGRP_PAUSE },
	[LLE_GENL_STORM] = { .name = LLE_MCGRP_STORM },
	[LLE_GENL_CONFIG] = { .name = LLE_MCGRP_CONFIG },
	[LLE_GENL_DEADLOCK] = { .name = LLE_MCGRP_DEADLOCK },
	[LLE_GENL_CONGESTION] = { .name = LLE_MCGRP_CONGESTION },
};

static struct genl_family lle_genl_family = {
	.name = LLE_GENL_NAME,
	.version = LLE_GENL_VERSION,
	.module = THIS_MODULE,
	.netnsok = true,
	.maxattr = LLE_A_MAX,
	.policy = lle_genl_policy,
	.small_ops = lle_genl_ops,
	.n_small_ops = ARRAY_SIZE(lle_genl_ops),
	.mcgrps = lle_genl_groups,
	.n_mcgrps = ARRAY_SIZE(lle_genl_groups),
};

int lle_genl_init(void)
{
	lle_event_init(&lle_genl_family);
	return genl_register_family(&lle_genl_family);
}

void lle_genl_exit(void)
{
	genl_unregister_family(&lle_genl_family);
}
