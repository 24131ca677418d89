// SPDX-License-Identifier: GPL-2.0
/*
 * The lossless qdisc: an Ethernet switch port with PFC.
 *
 * At the root of a netdev it is the egress side of a port of a software switch:
 * eight queues, strict priority and deficit round robin, WRED/ECN, an emulated
 * link, 802.1Qbb pauses. The ingress side is in lossless.ko. The bridge, or
 * another forwarder, in between is unmodified.
 *
 * Source: IEEE 802.1Q clauses 36 (PFC) and 37 (ETS); "RDMA over Commodity
 * Ethernet at Scale" (shared buffer); LDCP (WRED on the instantaneous queue).
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "../kmod/lossless/dcb.h"
#include "../kmod/lossless/port.h"
#include "config.h"
#include "rcm.h"

static bool allow_userns;
module_param(allow_userns, bool, 0644);
MODULE_PARM_DESC(allow_userns, "Let user namespaces attach the qdisc (default: no)");

static const struct lle_port_ops lossless_port_ops;

/*
 * Any user may have CAP_NET_ADMIN over a network namespace, through a user
 * namespace. The qdisc takes frames before the bridge and keeps per-port
 * memory: it requires the capability in the initial user namespace.
 */
static int lossless_permitted(struct netlink_ext_ack *extack)
{
	if (READ_ONCE(allow_userns) || capable(CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, "Not from a user namespace: see the module parameter allow_userns");
	return -EPERM;
}

/* Does WRED mark a packet that finds its queue empty? */
static bool lossless_marks_empty(const struct lossless_qdisc *q)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (!q->queue[p].wred.idle_bytes)
			return true;
	return false;
}

/* Does WRED mark packets that leave? */
static bool lossless_marks_leaving(const struct lossless_qdisc *q)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (q->queue[p].wred.leave_bytes != U32_MAX)
			return true;
	return false;
}

/* A size table would count other bytes than buffer and link. */
static int lossless_check_stab(const struct Qdisc *sch,
			       struct netlink_ext_ack *extack)
{
	if (!rcu_access_pointer(sch->stab))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "stab: has no effect on a port, use its option overhead");
	return -EOPNOTSUPP;
}

static bool lossless_is_wire(const struct net_device *dev)
{
	return dev->rtnl_link_ops && !strcmp(dev->rtnl_link_ops->kind, LLE_WIRE_KIND);
}

/* @rcm: new queues of RCM, used or freed */
static void lossless_commit(struct Qdisc *sch, const struct lossless_config *c,
			    struct lossless_rcm **rcm)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int p;

	sch_tree_lock(sch);
	lossless_qdisc_settle(sch);
	q->limit_bytes = c->limit_bytes;
	q->sched_params = c->sched;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		q->queue[p].wred = c->wred[p];
		q->queue[p].stats = &q->port->egress[p];
	}
	lle_link_params_init(&q->link_params, c->port.rate,
			     c->port.overhead_bytes, c->port.burst_bytes);
	q->delay_ns = c->port.delay_ns;
	q->whole = c->port.whole;
	q->ahead = lossless_is_wire(qdisc_dev(sch));
	q->special = (q->limit_bytes == U32_MAX ? 0 : LOSSLESS_SPECIAL_LIMIT) |
		     (lossless_marks_empty(q) ? LOSSLESS_SPECIAL_WRED : 0);
	lossless_rcm_config_commit(q, &c->port, rcm);
	q->slow = lossless_marks_leaving(q) ? LOSSLESS_SLOW_LEAVING : 0;
	lossless_qdisc_set_slow(q);
	/* do not wait for a frame sent at the old rate */
	q->link.free_ns = min(q->link.free_ns, ktime_get_ns());
	sch_tree_unlock(sch);

	lossless_rcm_config_free(rcm);
}

/* An existing qdisc continues until attach(): steps after init() may fail. */
static int lossless_init(struct Qdisc *sch, struct nlattr *opt,
			 struct netlink_ext_ack *extack)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_rcm *rcm[LLE_NUM_PRIO];
	struct lossless_config *c;
	struct lle_port *port;
	int err;

	qdisc_watchdog_init(&q->watchdog, sch);

	err = lossless_permitted(extack);
	if (!err)
		err = lossless_check_stab(sch, extack);
	if (err)
		return err;
	if (sch->parent != TC_H_ROOT)
		return LLE_REFUSE(extack, -EOPNOTSUPP,
				  "Only at the root: a port has one qdisc, whatever its number of queues");

	c = kmalloc(sizeof(*c), GFP_KERNEL);
	if (!c)
		return -ENOMEM;
	lossless_config_defaults(c, qdisc_dev(sch));
	c->switch_id = lle_port_switch_id(qdisc_dev(sch));
	err = lossless_config_parse(c, qdisc_dev(sch), opt, extack);
	if (err)
		goto out;

	err = lossless_rcm_config_alloc(&c->port, rcm);
	if (err)
		goto out;

	port = lle_port_attach(qdisc_dev(sch), &lossless_port_ops,
			       c->switch_id, &c->port, &q->update, extack);
	if (IS_ERR(port)) {
		lossless_rcm_config_free(rcm);
		err = PTR_ERR(port);
		goto out;
	}
	q->port = port;
	q->clear_max = c->clear_max;
	lossless_commit(sch, c, rcm);
out:
	kfree(c);
	return err;
}

/* Cannot fail. The device is inactive. */
static void lossless_attach(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct net_device *dev = qdisc_dev(sch);
	unsigned int i;

	if (q->update) {
		lle_port_commit(q->port, q->update);
		q->update = NULL;
	}
	if (q->clear_max)
		lle_port_clear_max(q->port);

	/* as qdisc_graft() does without attach() */
	for (i = 0; i < dev->num_tx_queues; i++) {
		struct netdev_queue *queue = netdev_get_tx_queue(dev, i);
		struct Qdisc *old = dev_graft_qdisc(queue, sch);

		qdisc_refcount_inc(sch);
		qdisc_put(old);
	}
}

static struct lossless_config *lossless_config_now(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_config *c;
	unsigned int p;

	c = kzalloc(sizeof(*c), GFP_KERNEL);
	if (!c)
		return NULL;
	c->switch_id = q->port->sw->id;
	c->limit_bytes = q->limit_bytes;
	c->port = *rtnl_dereference(q->port->params);
	c->sched = q->sched_params;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		c->wred[p] = q->queue[p].wred;
	return c;
}

static int lossless_apply(struct Qdisc *sch, const struct lossless_config *c,
			  struct netlink_ext_ack *extack)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_rcm *rcm[LLE_NUM_PRIO];
	int err;

	err = lossless_rcm_config_alloc(&c->port, rcm);
	if (err)
		return err;
	err = lle_port_configure(q->port, &c->port, extack);
	if (err) {
		lossless_rcm_config_free(rcm);
		return err;
	}
	lossless_commit(sch, c, rcm);
	if (c->clear_max)
		lle_port_clear_max(q->port);
	return 0;
}

static int lossless_change(struct Qdisc *sch, struct nlattr *opt,
			   struct netlink_ext_ack *extack)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct lossless_config *c;
	int err;

	err = lossless_permitted(extack);
	if (err)
		return err;

	c = lossless_config_now(sch);
	if (!c)
		return -ENOMEM;
	err = lossless_config_parse(c, qdisc_dev(sch), opt, extack);
	if (err)
		goto out;

	if (c->switch_id != q->port->sw->id) {
		NL_SET_ERR_MSG(extack,
			       "switch: the port belongs to another one; delete its qdisc first");
		err = -EBUSY;
		goto out;
	}
	err = lossless_apply(sch, c, extack);
	if (!err)
		lle_dcb_changed(q->port);
out:
	kfree(c);
	return err;
}

static int lossless_configure(struct Qdisc *sch,
			      const struct lle_port_params *params)
{
	struct lossless_config *c;
	int err;

	c = lossless_config_now(sch);
	if (!c)
		return -ENOMEM;
	c->port = *params;
	err = lossless_config_check(c, qdisc_dev(sch), NULL);
	if (!err)
		err = lossless_apply(sch, c, NULL);
	kfree(c);
	return err;
}

static void lossless_get_sched(struct Qdisc *sch,
			       struct lle_sched_params *sched)
{
	const struct lossless_qdisc *q = qdisc_priv(sch);

	*sched = q->sched_params;
}

static void lossless_set_sched(struct Qdisc *sch,
			       const struct lle_sched_params *sched)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	sch_tree_lock(sch);
	q->sched_params = *sched;
	sch_tree_unlock(sch);
}

/* Also called after init() or a step before attach() has failed. */
static void lossless_destroy(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int p;

	if (!q->port)
		return;
	lle_port_cancel(q->update);
	qdisc_watchdog_cancel(&q->watchdog);
	lossless_dequeue_reset(sch);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		kvfree(q->queue[p].rcm);
	lle_port_detach(q->port);
}

/* Classes H:1..H:8 show the priorities; they hold no qdisc. */
static unsigned long lossless_find(struct Qdisc *sch, u32 classid)
{
	unsigned int minor = TC_H_MIN(classid);

	return minor <= LLE_NUM_PRIO ? minor : 0;
}

static struct Qdisc *lossless_leaf(struct Qdisc *sch, unsigned long cl)
{
	return NULL;
}

static void lossless_walk(struct Qdisc *sch, struct qdisc_walker *arg)
{
	unsigned int cl;

	if (arg->stop)
		return;
	for (cl = 1; cl <= LLE_NUM_PRIO; cl++) {
		if (arg->count >= arg->skip &&
		    arg->fn(sch, cl, arg) < 0) {
			arg->stop = 1;
			return;
		}
		arg->count++;
	}
}

static const struct Qdisc_class_ops lossless_class_ops = {
	.find = lossless_find,
	.leaf = lossless_leaf,
	.walk = lossless_walk,
	.dump = lossless_dump_class,
	.dump_stats = lossless_dump_class_stats,
};

/*
 * init() leaves sch->flags alone: TCQ_F_NOLOCK would remove the root lock, and
 * TCQ_F_CAN_BYPASS would pass packets uncounted.
 */
static struct Qdisc_ops lossless_qdisc_ops __read_mostly = {
	.cl_ops = &lossless_class_ops,
	.id = "lossless",
	.priv_size = sizeof(struct lossless_qdisc),
	.enqueue = lossless_enqueue,
	.dequeue = lossless_dequeue,
	.peek = qdisc_peek_dequeued,
	.init = lossless_init,
	.attach = lossless_attach,
	.reset = lossless_dequeue_reset,
	.destroy = lossless_destroy,
	.change = lossless_change,
	.change_real_num_tx = lossless_tx_queues_change,
	.dump = lossless_dump,
	.dump_stats = lossless_dump_stats,
	.owner = THIS_MODULE,
};

static const struct lle_port_ops lossless_port_ops = {
	.qdisc = &lossless_qdisc_ops,
	.configure = lossless_configure,
	.get_sched = lossless_get_sched,
	.set_sched = lossless_set_sched,
	.retune = lossless_rcm_config_retune,
	.recount = lossless_walk_recount,
	.relieve = lossless_walk_relieve,
	.receive = lossless_rcm_receive,
	.path = lossless_rcm_path,
	.congestion = lossless_rcm_show,
	.waiting = lossless_waiting,
	.next_own = lossless_dequeue_own,
	.requeue_own = lossless_own_requeue,
};

static int __init lossless_module_init(void)
{
	return register_qdisc(&lossless_qdisc_ops);
}

static void __exit lossless_module_exit(void)
{
	unregister_qdisc(&lossless_qdisc_ops);
}

module_init(lossless_module_init);
module_exit(lossless_module_exit);

MODULE_DESCRIPTION("Linux Lossless Ethernet: qdisc of a switch port");
MODULE_LICENSE("GPL");
MODULE_VERSION(LLE_VERSION);
MODULE_ALIAS_NET_SCH("lossless");
