// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: life cycle and configuration.
 *
 * A port exists while its device has a lossless root qdisc. `tc qdisc replace`
 * attaches the new qdisc before it detaches the old one; both share the port.
 * Its memory stays until the last packet charged to it leaves another port's
 * queue.
 */
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netdev_lock.h>

#include "admit.h"
#include "congestion.h"
#include "dcb.h"
#include "deadlock/deadlock.h"
#include "headroom.h"
#include "host.h"
#include "ingress.h"
#include "netlink.h"
#include "port.h"
#include "rx.h"
#include "rx_pause.h"
#include "stats.h"
#include "switch.h"
#include "tx.h"
#include "watchdog.h"

static void lle_port_free_rcu(struct rcu_head *rcu)
{
	struct lle_port *port = container_of(rcu, struct lle_port, rcu);

	free_percpu(port->rx_stats);
	lle_congestion_free(port);
	kfree(rcu_dereference_protected(port->params, true));
	kfree(port);
}

/* Frees a port without a qdisc after its last packet. Any context. */
static void lle_port_free(struct lle_port *port)
{
	if (port->slot < LLE_MAX_PORTS)
		clear_bit(port->slot, port->sw->slots);
	lle_ingress_forget(port);
	lle_switch_put(port->sw);
	call_rcu(&port->rcu, lle_port_free_rcu);
}

static int lle_port_hook(struct lle_port *port)
{
	port->hook = (struct nf_hook_ops) {
		.hook = lle_rx_hook,
		.dev = port->dev,
		.priv = port,
		.pf = NFPROTO_NETDEV,
		.hooknum = NF_NETDEV_INGRESS,
		.priority = INT_MAX,
	};
	return nf_register_net_hook(dev_net(port->dev), &port->hook);
}

/*
 * A non-promiscuous NIC passes up only added multicast addresses. The device
 * counts their users. dev_shutdown() deletes the qdisc before the core flushes
 * the addresses of a device that is unregistered or changes its namespace.
 */
static int lle_port_listen(struct net_device *dev,
			   struct netlink_ext_ack *extack)
{
	int err = dev_mc_add(dev, lle_macc_addr);

	if (err)
		NL_SET_ERR_MSG(extack,
			       "Cannot add the address of pause frames to the device's multicast filter");
	return err;
}

/* @params: used by the hook until lle_port_commit() */
static struct lle_port *lle_port_new(struct net_device *dev,
				     const struct lle_port_ops *ops,
				     u32 switch_id,
				     const struct lle_port_params *params)
{
	struct lle_port_params *initial;
	struct lle_port *port;

	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return NULL;

	initial = kmemdup(params, sizeof(*params), GFP_KERNEL);
	if (!initial)
		goto err_free;
	RCU_INIT_POINTER(port->params, initial);
	port->rx_stats = netdev_alloc_pcpu_stats(struct lle_port_rx_stats);
	if (!port->rx_stats)
		goto err_free;
	port->sw = lle_switch_get(dev_net(dev), switch_id);
	if (!port->sw)
		goto err_free;

	port->dev = dev;
	port->ops = ops;
	port->release = lle_port_free;
	port->ifindex = dev->ifindex;
	port->slot = find_first_zero_bit(port->sw->slots, LLE_MAX_PORTS);
	if (port->slot < LLE_MAX_PORTS)
		set_bit(port->slot, port->sw->slots);
	spin_lock_init(&port->pause_lock);
	lle_random_init_dev(&port->random, dev);
	lle_deadlock_uncount(port);
	port->cn_due_ns = LLE_CN_NEVER;
	lle_tx_init(port);
	lle_rx_pause_init(port);
	lle_watchdog_init(port);
	return port;

err_free:
	free_percpu(port->rx_stats);
	kfree(initial);
	kfree(port);
	return NULL;
}

/*
 * Checks @params for contradictions (ranges: callers), and allocates. Under
 * RTNL, and the device's own lock if any. Returns an update to commit or cancel
 * before RTNL is released; or -EINVAL, -ENOMEM, and the port has not changed.
 */
static struct lle_port_update *
lle_port_prepare(struct lle_port *port, const struct lle_port_params *params,
		 struct netlink_ext_ack *extack)
{
	struct lle_port_update *update;
	int err;

	ASSERT_RTNL();

	WRITE_ONCE(port->link_speed, lle_headroom_link_speed(port->dev));
	err = lle_port_check(port, params, extack);
	if (!err)
		err = lle_congestion_prepare(port, params, extack);
	if (err)
		return ERR_PTR(err);

	update = kzalloc(sizeof(*update), GFP_KERNEL);
	if (!update)
		return ERR_PTR(-ENOMEM);
	lle_headroom_plan(port, params, &update->plan);
	if (!lle_headroom_fits(port, &update->plan)) {
		NL_SET_ERR_MSG(extack,
			       "buffer: reserved and headroom of all ports leave nothing to share");
		err = -EINVAL;
		goto err_update;
	}
	err = -ENOMEM;
	update->params = kmemdup(params, sizeof(*params), GFP_KERNEL);
	if (!update->params)
		goto err_update;
	update->deadlock = lle_deadlock_prepare(port, params, extack);
	if (IS_ERR(update->deadlock)) {
		err = PTR_ERR(update->deadlock);
		goto err_params;
	}
	err = lle_host_alloc(port, params, &update->host);
	if (err)
		goto err_deadlock;

	lle_port_check_warn(port, update, extack);
	if (port->attached)
		lle_port_check_members(port->dev, params->pfc_en, extack);
	return update;

err_deadlock:
	kvfree(update->deadlock);
err_params:
	kfree(update->params);
err_update:
	kfree(update);
	return ERR_PTR(err);
}

/**
 * lle_port_cancel() - discard a prepared configuration
 * @update: of lle_port_attach(), or NULL
 */
void lle_port_cancel(struct lle_port_update *update)
{
	if (!update)
		return;
	kfree(update->host);
	kvfree(update->deadlock);
	kfree(update->params);
	kfree(update);
}
EXPORT_SYMBOL_GPL(lle_port_cancel);

/* Settings of the switch apply once: another port may change them. RTNL. */
static void lle_port_said(struct lle_port_params *params)
{
	params->buffer_bytes = 0;
	params->deadlock = LLE_DEADLOCK_UNSAID;
	params->deadlock_trigger = LLE_DEADLOCK_UNSAID;
}

/*
 * Ends received pauses of @prios without a resume of the peer. Under RTNL; the
 * caller kicks the qdisc.
 */
static void lle_port_end_pauses(struct lle_port *port, u8 prios)
{
	spin_lock_bh(&port->pause_lock);
	lle_deadlock_event_ended(port, port->rx.paused & prios);
	lle_pause_rx_clear(&port->rx, prios, ktime_get_ns());
	lle_port_attend(port);
	spin_unlock_bh(&port->pause_lock);
}

/**
 * lle_port_commit() - apply a prepared configuration
 * @port: the port
 * @update: of lle_port_attach(); is freed
 * Context: RTNL, and the device's own lock if it has one; may sleep.
 */
void lle_port_commit(struct lle_port *port, struct lle_port_update *update)
{
	const struct lle_headroom_plan *plan = &update->plan;
	struct lle_port_params *params = update->params;
	struct lle_switch *sw = port->sw;
	struct lle_port_params *old;
	unsigned int p;

	ASSERT_RTNL();

	old = rtnl_dereference(port->params);
	lle_headroom_begin(port, plan);
	spin_lock_bh(&sw->lock);
	lle_headroom_commit(port, plan, params->pfc_en);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (lle_sb_set_lossless(&sw->sb, &port->ingress[p].pg,
					params->pfc_en & BIT(p)))
			lle_admit_crossed(port, p);
	lle_congestion_commit(port, params);
	rcu_assign_pointer(port->params, params);
	spin_unlock_bh(&sw->lock);
	lle_headroom_end(port, plan);
	lle_dcb_replaced(port, old, params);
	kfree_rcu(old, rcu);

	lle_host_configure(port, params, update->host);
	lle_port_end_pauses(port, ~params->pfc_en);
	lle_watchdog_role(port, params->role == LLE_ROLE_HOST);
	lle_watchdog_end(port, ~params->pfc_en);
	lle_deadlock_commit(sw, update->deadlock, params);
	lle_port_said(params);
	kfree(update);
	lle_tx_kick(port);
	if (port->attached)
		lle_netlink_put_port_event(port, false);
}
EXPORT_SYMBOL_GPL(lle_port_commit);

/**
 * lle_port_configure() - set or change the configuration of a port
 * @port: the port
 * @params: as in lle_port_attach()
 * @extack: reason of an error, or a warning
 * Context: as lle_port_commit().
 * Return: 0; -EINVAL or -ENOMEM, and nothing has changed.
 */
int lle_port_configure(struct lle_port *port,
		       const struct lle_port_params *params,
		       struct netlink_ext_ack *extack)
{
	struct lle_port_update *update;

	update = lle_port_prepare(port, params, extack);
	if (IS_ERR(update))
		return PTR_ERR(update);
	lle_port_commit(port, update);
	return 0;
}
EXPORT_SYMBOL_GPL(lle_port_configure);

/**
 * lle_port_resize() - set the size of the buffer of a port's switch
 * @port: the port
 * @buffer_bytes: the size
 * @extack: reason of an error, or a warning
 * Context: RTNL. Return: as lle_port_configure().
 */
int lle_port_resize(struct lle_port *port, u32 buffer_bytes,
		    struct netlink_ext_ack *extack)
{
	struct lle_port_params params = *rtnl_dereference(port->params);
	int err;

	params.buffer_bytes = buffer_bytes;
	netdev_lock_ops(port->dev);
	err = lle_port_configure(port, &params, extack);
	netdev_unlock_ops(port->dev);
	return err;
}

/* Fallible steps first: a failure leaves the switch unchanged. */
static struct lle_port *lle_port_create(struct net_device *dev,
					const struct lle_port_ops *ops,
					u32 switch_id,
					const struct lle_port_params *params,
					struct netlink_ext_ack *extack)
{
	struct lle_port_update *update;
	struct lle_port *port;
	int err;

	err = lle_port_check_device(dev, extack);
	if (err)
		return ERR_PTR(err);

	port = lle_port_new(dev, ops, switch_id, params);
	if (!port)
		return ERR_PTR(-ENOMEM);

	err = lle_ingress_number(port, extack);
	if (err)
		goto err_port;
	update = lle_port_prepare(port, params, extack);
	if (IS_ERR(update)) {
		err = PTR_ERR(update);
		goto err_port;
	}
	err = lle_sysfs_add(port);
	if (err) {
		NL_SET_ERR_MSG(extack, "Cannot make the device's directory lossless/ in sysfs");
		goto err_update;
	}
	err = lle_port_listen(dev, extack);
	if (err)
		goto err_sysfs;
	err = lle_port_hook(port);
	if (err) {
		NL_SET_ERR_MSG(extack, "Cannot hook the device's ingress");
		goto err_listen;
	}

	lle_port_commit(port, update);
	lle_switch_add_port(port->sw, port);
	WRITE_ONCE(port->attached, true);
	lle_port_check_members(dev, port->pfc_en, extack);
	lle_netlink_put_port_event(port, false);
	lle_headroom_report(port);
	lle_dcb_add(port);
	return port;

err_listen:
	dev_mc_del(dev, lle_macc_addr);
err_sysfs:
	lle_sysfs_del(port);
err_update:
	lle_port_cancel(update);
err_port:
	lle_port_free(port);
	return ERR_PTR(err);
}

/**
 * lle_port_switch_id() - find the switch of a device
 * @dev: the device
 * Context: RTNL. Return: number of the switch; 0: not a port yet.
 */
u32 lle_port_switch_id(struct net_device *dev)
{
	struct lle_port *port = lle_switch_net_find_port(dev_net(dev),
							 dev->ifindex);

	return port ? port->sw->id : 0;
}
EXPORT_SYMBOL_GPL(lle_port_switch_id);

/**
 * lle_port_attach() - attach a new qdisc to the port of its device
 * @dev: the device
 * @ops: the qdisc's operations
 * @switch_id: the switch to join
 * @params: complete configuration; its ranges are checked
 * @update: result: for lle_port_commit() when the new qdisc has replaced
 *	another one of the port; NULL: the port is new, and configured
 * @extack: reason of an error, or a warning
 * Context: RTNL, and the device's own lock if it has one.
 * Return: the port, to be detached; an ERR_PTR: -EOPNOTSUPP, -EBUSY, -EINVAL,
 * -ENOMEM, -ENOSPC, or of sysfs or the device, and nothing has changed.
 */
struct lle_port *lle_port_attach(struct net_device *dev,
				 const struct lle_port_ops *ops, u32 switch_id,
				 const struct lle_port_params *params,
				 struct lle_port_update **update,
				 struct netlink_ext_ack *extack)
{
	struct lle_port *port;

	ASSERT_RTNL();

	port = lle_switch_net_find_port(dev_net(dev), dev->ifindex);
	if (!port) {
		*update = NULL;
		port = lle_port_create(dev, ops, switch_id, params, extack);
		if (IS_ERR(port))
			return port;
	} else if (port->sw->id == switch_id) {
		*update = lle_port_prepare(port, params, extack);
		if (IS_ERR(*update))
			return ERR_CAST(*update);
	} else {
		NL_SET_ERR_MSG(extack,
			       "switch: the port belongs to another one; delete its qdisc first");
		return ERR_PTR(-EBUSY);
	}

	port->qdiscs++;
	return port;
}
EXPORT_SYMBOL_GPL(lle_port_attach);

/**
 * lle_port_detach() - detach a qdisc without packets from its port
 * @port: its port
 *
 * The last detach ends the port and resumes its peer.
 * Context: RTNL, may sleep.
 */
void lle_port_detach(struct lle_port *port)
{
	struct lle_switch *sw = port->sw;
	bool last;

	ASSERT_RTNL();

	if (--port->qdiscs) {
		/* the other qdisc refreshes the pauses now */
		lle_tx_kick(port);
		lle_dcb_changed(port);
		return;
	}

	lle_netlink_put_port_event(port, true);
	lle_dcb_del(port);
	/* the host passes packets through the hook, so it ends first */
	lle_host_end(port);
	nf_unregister_net_hook(dev_net(port->dev), &port->hook);
	dev_mc_del(port->dev, lle_macc_addr);
	lle_path_group_leave(port);
	lle_switch_del_port(sw, port);
	WRITE_ONCE(port->attached, false);
	/* after this no CPU uses the port as hooked, hashed or attached */
	synchronize_net();
	cancel_delayed_work_sync(&port->retry);
	lle_rx_pause_exit(port);
	lle_watchdog_exit(port);
	lle_port_end_pauses(port, ~0);
	lle_tx_pause_end(port);
	lle_tx_purge(port);
	lle_sysfs_del(port);
	lle_headroom_leave(port);

	spin_lock_bh(&sw->lock);
	lle_credit_reclaim(&sw->sb);
	lle_admit_close(port, true);
	port->dev = NULL;
	last = lle_admit_end(port);
	spin_unlock_bh(&sw->lock);

	if (last)
		lle_port_free(port);
}
EXPORT_SYMBOL_GPL(lle_port_detach);

/**
 * lle_port_link_changed() - reset pauses after the link went down or came up
 * @port: the port
 *
 * Neither end keeps a pause across a link change: received pauses are void, and
 * sent ones must be repeated.
 * Context: RTNL.
 */
void lle_port_link_changed(struct lle_port *port)
{
	lle_port_end_pauses(port, ~0);
	/* a link change does not repair a stalled NIC */
	if (!port->watchdog.nic)
		lle_watchdog_end(port, ~0);

	spin_lock_bh(&port->pause_lock);
	port->tx.sent = 0;
	lle_port_attend(port);
	spin_unlock_bh(&port->pause_lock);
	lle_tx_kick(port);
}

/**
 * lle_port_clear_max() - set high-water marks to the current values
 * @port: a port; clears those of its switch too
 * Context: RTNL.
 */
void lle_port_clear_max(struct lle_port *port)
{
	struct lle_switch *sw = port->sw;
	unsigned int p;

	spin_lock_bh(&sw->lock);
	lle_credit_reclaim(&sw->sb);
	sw->sb.used_max = sw->sb.used;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		struct lle_sb_pg *pg = &port->ingress[p].pg;
		u32 backlog;

		WRITE_ONCE(pg->occ_max, lle_sb_occ(pg));
		pg->headroom_max = pg->headroom;
		/* a qdisc about to be replaced may be changing it */
		backlog = data_race(READ_ONCE(port->egress[p].backlog));
		WRITE_ONCE(port->egress[p].backlog_max, backlog);
	}
	spin_unlock_bh(&sw->lock);
}
EXPORT_SYMBOL_GPL(lle_port_clear_max);
