// SPDX-License-Identifier: GPL-2.0
/* Writes the parts of messages: ports, switches, pauses, watchdogs, queues. */
#include "congestion.h"
#include "deadlock/deadlock.h"
#include "event.h"
#include "netlink_attr.h"
#include "netlink_put.h"
#include "netlink_stats.h"
#include "rx_pause.h"
#include "stats.h"
#include "watchdog.h"

/* Bytes of a port's message without counters, with headers, at most */
#define LLE_PORT_BYTES	256

/* Add the other end of a link within this network namespace. */
static int lle_put_peer(struct sk_buff *skb, const struct lle_port *port)
{
	const struct net_device *dev = port->dev, *peer = NULL;
	int ifindex = 0;

	rcu_read_lock();	/* required by ndo_get_peer_dev */
	if (dev->netdev_ops->ndo_get_peer_dev)
		peer = dev->netdev_ops->ndo_get_peer_dev(port->dev);
	if (peer && net_eq(dev_net(peer), dev_net(dev)))
		ifindex = peer->ifindex;
	rcu_read_unlock();
	return ifindex ? nla_put_u32(skb, LOSSLESS_A_PORT_PEER, ifindex) : 0;
}

static int lle_put_params(struct sk_buff *skb, const struct lle_port *port)
{
	const struct lle_port_params *params = rtnl_dereference(port->params);
	u32 xoff, headroom, need;

	spin_lock_bh(&port->sw->lock);
	xoff = port->sb.xoff_bytes;
	headroom = port->sb.headroom_bytes;
	need = port->ask.need_bytes;
	spin_unlock_bh(&port->sw->lock);

	return nla_put_u8(skb, LOSSLESS_A_PORT_SLOT, port->slot) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_FACING, params->facing) ||
	       nla_put_u64_64bit(skb, LOSSLESS_A_PORT_RATE,
				 lle_port_speed(port, params),
				 LOSSLESS_A_PORT_PAD) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_MTU, port->dev->mtu) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_PFC_EN, params->pfc_en) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_RCM,
			  params->rcm.on ? params->pfc_en : 0) ||
	       nla_put_u8(skb, LOSSLESS_A_PORT_TO_ALPHA, params->sb.to_alpha) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_XOFF, xoff) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_HEADROOM, headroom) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_HEADROOM_NEED, need) ?
		       -EMSGSIZE : 0;
}

/**
 * lle_netlink_put_port_bytes() - compute the room that a port with all its
 * counters needs
 * Context: any. Return: bytes of its message, at most.
 */
unsigned int lle_netlink_put_port_bytes(void)
{
	return LLE_PORT_BYTES + LLE_NUM_PRIO * lle_netlink_stats_prio_bytes();
}

/**
 * lle_netlink_put_port() - add a port
 * @skb: the message
 * @port: the port
 * @stats: with its counters
 * Context: RTNL. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_put_port(struct sk_buff *skb, struct lle_port *port, bool stats)
{
	struct lle_prio_stats s;
	unsigned int p;

	if (lle_netlink_attr_put_who(skb, port) || lle_put_peer(skb, port) ||
	    lle_netlink_attr_put_peer_mac(skb, port,
					  LOSSLESS_A_PORT_PEER_MAC) ||
	    lle_put_params(skb, port))
		return -EMSGSIZE;
	if (!stats)
		return 0;
	if (lle_netlink_attr_put_unaccounted(skb, port) ||
	    nla_put_u64_64bit(skb, LOSSLESS_A_PORT_TIME_NS, ktime_get_ns(),
			      LOSSLESS_A_PORT_PAD))
		return -EMSGSIZE;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		lle_stats_read(port, p, &s);
		if (lle_netlink_stats_put_prio(skb, &s))
			return -EMSGSIZE;
	}
	return 0;
}

/* Add the calling process, such as tc, dcb or ovs-vswitchd. */
static int lle_put_author(struct sk_buff *skb)
{
	char comm[TASK_COMM_LEN];

	if (current->flags & PF_KTHREAD)
		return 0;
	get_task_comm(comm, current);
	return nla_put_string(skb, LOSSLESS_A_PORT_AUTHOR, comm) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_AUTHOR_PID, task_tgid_vnr(current)) ?
		       -EMSGSIZE : 0;
}

/**
 * lle_netlink_put_port_event() - report a new, changed or removed port
 * @port: the port
 * @gone: removed
 * Context: RTNL; in the process that caused it.
 */
void lle_netlink_put_port_event(struct lle_port *port, bool gone)
{
	struct lle_event e;
	struct sk_buff *skb;
	bool failed;

	skb = lle_event_begin(&e, port->sw,
			      gone ? LOSSLESS_CMD_PORT_DEL_NTF : LOSSLESS_CMD_PORT_NTF,
			      LOSSLESS_NLGRP_CONFIG, GFP_KERNEL);
	if (!skb)
		return;
	failed = gone ? lle_netlink_attr_put_who(skb, port) :
			lle_netlink_put_port(skb, port, false);
	failed = failed || lle_put_author(skb);
	lle_event_end(&e, failed);
}

/**
 * lle_netlink_put_switch() - add a switch
 * @skb: the message
 * @sw: the switch
 * Context: RTNL. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_put_switch(struct sk_buff *skb, struct lle_switch *sw)
{
	struct lle_deadlock_stats stats;
	struct lle_sb sb;
	u8 deadlock;

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
	       nla_put_u64_64bit(skb, LOSSLESS_A_SWITCH_USED, sb.used,
				 LOSSLESS_A_SWITCH_PAD) ||
	       nla_put_u64_64bit(skb, LOSSLESS_A_SWITCH_USED_MAX, sb.used_max,
				 LOSSLESS_A_SWITCH_PAD) ||
	       nla_put_u8(skb, LOSSLESS_A_SWITCH_DISCARD, sw->discard) ||
	       nla_put_u8(skb, LOSSLESS_A_SWITCH_DEADLOCK_ACTION, deadlock) ||
	       lle_netlink_stats_put_deadlock(skb, &stats) ? -EMSGSIZE : 0;
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
	    nla_put_u64_64bit(skb, LOSSLESS_A_EPISODE_START_NS, e->start_ns,
			      LOSSLESS_A_EPISODE_PAD) ||
	    nla_put_u64_64bit(skb, LOSSLESS_A_EPISODE_DURATION_NS, e->ns,
			      LOSSLESS_A_EPISODE_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_put_pauses(struct sk_buff *skb, const struct lle_history *h,
			  u64 since_ns)
{
	unsigned int n;

	if ((since_ns && nla_put_u64_64bit(skb, LOSSLESS_A_HISTORY_SINCE_NS,
					   since_ns, LOSSLESS_A_HISTORY_PAD)) ||
	    nla_put_u64_64bit(skb, LOSSLESS_A_HISTORY_COUNT, h->count,
			      LOSSLESS_A_HISTORY_PAD) ||
	    nla_put_u64_64bit(skb, LOSSLESS_A_HISTORY_TOTAL_NS, h->total_ns,
			      LOSSLESS_A_HISTORY_PAD) ||
	    nla_put_u64_64bit(skb, LOSSLESS_A_HISTORY_LONGEST_NS, h->longest_ns,
			      LOSSLESS_A_HISTORY_PAD))
		return -EMSGSIZE;
	for (n = 0; lle_history_last(h, n); n++)
		if (lle_put_episode(skb, lle_history_last(h, n)))
			return -EMSGSIZE;
	return 0;
}

/**
 * lle_netlink_put_history() - add the pauses of a priority in one direction
 * @skb: the message
 * @port: the port
 * @prio: the priority
 * @direction: pauses received or sent
 * Context: RTNL. Return: 0; -EMSGSIZE; -ENODATA: no pause so far.
 */
int lle_netlink_put_history(struct sk_buff *skb, struct lle_port *port,
			    unsigned int prio,
			    enum lossless_direction direction)
{
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

/**
 * lle_netlink_put_watchdog() - add the watchdog of a priority
 * @skb: the message
 * @port: the port
 * @prio: the priority
 * Context: RTNL. Return: 0; -EMSGSIZE; -ENODATA: off, and no storm so far.
 */
int lle_netlink_put_watchdog(struct sk_buff *skb, struct lle_port *port,
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
	       lle_netlink_stats_put_watchdog(skb, &stats) ? -EMSGSIZE : 0;
}

static int lle_put_waiting(struct sk_buff *skb, const struct lle_waiting *w)
{
	struct nlattr *nest = nla_nest_start(skb, LOSSLESS_A_QUEUE_WAITING);

	if (!nest ||
	    nla_put_u32(skb, LOSSLESS_A_WAITING_IFINDEX, w->ifindex) ||
	    nla_put_u32(skb, LOSSLESS_A_WAITING_PACKETS, w->packets) ||
	    nla_put_u64_64bit(skb, LOSSLESS_A_WAITING_BYTES, w->bytes,
			      LOSSLESS_A_WAITING_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * lle_netlink_put_queue() - add the queued packets, by ingress port
 * @skb: the message
 * @port: their egress port
 * @prio: the priority
 * Context: RTNL. Return: 0; -EMSGSIZE; -ENOMEM; -ENODATA: the queue is empty.
 */
int lle_netlink_put_queue(struct sk_buff *skb, struct lle_port *port,
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

/**
 * lle_netlink_put_congestion() - add the RCM of a priority
 * @skb: the message
 * @port: the port
 * @prio: the priority
 * Context: RTNL. Return: 0; -EMSGSIZE; -ENOMEM; -ENODATA: without RCM.
 */
int lle_netlink_put_congestion(struct sk_buff *skb, struct lle_port *port,
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
		      lle_netlink_stats_put_congestion(skb, &c) ? -EMSGSIZE : 0;
	}
	for (i = 0; i < num && !err; i++)
		err = lle_put_congested(skb, &ids[i]);
	kfree(ids);
	return err;
}

/**
 * lle_netlink_put_path() - add a path group
 * @skb: the message
 * @config: its configuration
 * @stats: its counters
 * Context: RTNL. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_put_path(struct sk_buff *skb,
			 const struct lle_path_config *config,
			 const struct lle_path_stats *stats)
{
	unsigned int n;

	if (nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_SWITCH,
			config->port[0]->sw->id) ||
	    nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_ID, config->id) ||
	    nla_put_u8(skb, LOSSLESS_A_PATH_GROUP_ADAPTIVE, config->adaptive) ||
	    nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_GAP_US, config->gap_us) ||
	    (stats->moved &&
	     nla_put_u64_64bit(skb, LOSSLESS_A_PATH_GROUP_MOVED, stats->moved,
			       LOSSLESS_A_PATH_GROUP_PAD)) ||
	    (stats->saved &&
	     nla_put_u64_64bit(skb, LOSSLESS_A_PATH_GROUP_SAVED, stats->saved,
			       LOSSLESS_A_PATH_GROUP_PAD)))
		return -EMSGSIZE;
	for (n = 0; n < config->ports; n++)
		if (nla_put_u32(skb, LOSSLESS_A_PATH_GROUP_MEMBER,
				config->port[n]->ifindex))
			return -EMSGSIZE;
	return 0;
}
