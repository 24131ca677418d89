// SPDX-License-Identifier: GPL-2.0
/* Dumps for `tc qdisc show` and `tc class show`. */
#include <linux/rtnetlink.h>
#include <net/netlink.h>

#include "options_gen.h"
#include "rcm.h"
#include "../kmod/lossless/port.h"
#include "../kmod/lossless/stats.h"

static int lossless_dump_sched(const struct lle_sched_params *s,
			       struct sk_buff *skb)
{
	u8 band[LLE_NUM_PRIO] = {};
	unsigned int b, p;

	for (b = 0; b < s->bands; b++)
		for (p = 0; p < LLE_NUM_PRIO; p++)
			if (s->prios[b] & BIT(p))
				band[p] = b;

	if (nla_put_u8(skb, TCA_LOSSLESS_BANDS, s->bands) ||
	    nla_put_u8(skb, TCA_LOSSLESS_STRICT, s->strict) ||
	    nla_put(skb, TCA_LOSSLESS_PRIOMAP, sizeof(band), band))
		return -EMSGSIZE;
	if (s->strict == s->bands)
		return 0;
	return nla_put(skb, TCA_LOSSLESS_QUANTA,
		       (s->bands - s->strict) * sizeof(u32),
		       &s->quantum_bytes[s->strict]);
}

static int lossless_dump_wred(const struct lle_wred_params *w,
			      unsigned int prio, struct sk_buff *skb)
{
	struct nlattr *nest;

	if (w->idle_bytes == U32_MAX)
		return 0;

	nest = nla_nest_start(skb, TCA_LOSSLESS_WRED);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u8(skb, TCA_LOSSLESS_WRED_PRIO, prio) ||
	    lossless_wred_put(skb, w)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/* Values in use, and settings of the switch */
static int lossless_dump_now(struct lle_port *port, struct sk_buff *skb)
{
	struct lle_switch *sw = port->sw;
	u64 size, shared;
	u32 xon, headroom, need;
	u8 deadlock;

	spin_lock_bh(&sw->lock);
	size = sw->sb.size;
	shared = size > sw->sb.carved ? size - sw->sb.carved : 0;
	xon = port->sb.xon_delta_bytes;
	headroom = port->sb.headroom_bytes;
	need = port->ask.need_bytes;
	deadlock = sw->deadlock ? sw->deadlock->action : LLE_DEADLOCK_OFF;
	spin_unlock_bh(&sw->lock);

	if (nla_put_u32(skb, TCA_LOSSLESS_SWITCH, sw->id) ||
	    nla_put_u32(skb, TCA_LOSSLESS_BUFFER, size) ||
	    nla_put_u32(skb, TCA_LOSSLESS_SHARED, shared) ||
	    nla_put_u32(skb, TCA_LOSSLESS_XON_DELTA_NOW, xon) ||
	    nla_put_u32(skb, TCA_LOSSLESS_HEADROOM_NOW, headroom) ||
	    nla_put_u32(skb, TCA_LOSSLESS_HEADROOM_NEED, need) ||
	    nla_put_u8(skb, TCA_LOSSLESS_DEADLOCK, deadlock) ||
	    nla_put_u8(skb, TCA_LOSSLESS_DEADLOCK_TRIGGER,
		       sw->deadlock_trigger))
		return -EMSGSIZE;
	return 0;
}

/*
 * The stack sets a size table after change(), before Linux 6.3 also after
 * init(): neither can refuse it. It dumps the qdisc after both.
 */
static void lossless_tell_stab(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	bool stab = rcu_access_pointer(sch->stab);

	if (stab && !q->stab_warned)
		netdev_warn(qdisc_dev(sch),
			    "stab: has no effect on a port, use its option overhead: tc qdisc change dev %s root lossless\n",
			    qdisc_dev(sch)->name);
	q->stab_warned = stab;
}

/*
 * Qdisc_ops.dump. RTM_NEWQDISC precedes attach() of a replacing qdisc: it has
 * old settings of the switch.
 */
int lossless_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	const struct lle_port_params *p = q->update ? q->update->params :
		rtnl_dereference(q->port->params);
	u32 limit = q->limit_bytes == U32_MAX ? 0 : q->limit_bytes;
	struct nlattr *nest;
	unsigned int i;

	lossless_tell_stab(sch);
	nest = nla_nest_start(skb, TCA_OPTIONS);
	if (!nest)
		return -EMSGSIZE;

	if (lossless_options_put(skb, p) ||
	    lossless_dump_now(q->port, skb) ||
	    lossless_dump_sched(&q->sched_params, skb) ||
	    nla_put_u32(skb, TCA_LOSSLESS_LIMIT, limit) ||
	    nla_put_bitfield32(skb, TCA_LOSSLESS_PFC_EN, p->pfc_en,
			       GENMASK(LLE_NUM_PRIO - 1, 0)) ||
	    nla_put(skb, TCA_LOSSLESS_DSCP_PRIO, sizeof(p->dscp_prio),
		    p->dscp_prio) ||
	    nla_put_u8(skb, TCA_LOSSLESS_GSO_NOW,
		       p->whole ? LLE_GSO_WHOLE : LLE_GSO_SPLIT))
		goto err_nest;
	for (i = 0; i < LLE_NUM_PRIO; i++)
		if (lossless_dump_wred(&q->queue[i].wred, i, skb))
			goto err_nest;

	return nla_nest_end(skb, nest);

err_nest:
	nla_nest_cancel(skb, nest);
	return -EMSGSIZE;
}

/*
 * Copies the queued bytes to the qdisc's own counter, in a cache line that
 * packets need not write. A packet that the device refused and the stack keeps
 * is in that counter too. Under the root lock.
 */
static void lossless_tell_backlog(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	sch->qstats.backlog += q->backlog - q->counted;
	q->counted = q->backlog;
}

static int lossless_finish_app(struct Qdisc *sch, struct gnet_dump *d,
			       struct nlattr *nest, unsigned long prios, int err)
{
	if (!err) {
		sch_tree_lock(sch);
		err = lossless_rcm_show_put(d->skb, qdisc_priv(sch), prios);
		sch_tree_unlock(sch);
	}
	if (err) {
		nla_nest_cancel(d->skb, nest);
		return -1;
	}
	nla_nest_end(d->skb, nest);
	return 0;
}

/*
 * Qdisc_ops.dump_stats. Sums per-CPU counters and builds the message without the
 * root lock, which would stall the packets of all CPUs.
 */
int lossless_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	struct nlattr *nest;
	u32 wire_bytes;
	int err;

	nest = nla_nest_start(d->skb, TCA_STATS_APP);
	if (!nest)
		return -1;
	sch_tree_lock(sch);
	lossless_tell_backlog(sch);
	wire_bytes = q->wire_bytes;
	sch_tree_unlock(sch);
	err = lle_stats_put_port(d->skb, q->port, wire_bytes);
	return lossless_finish_app(sch, d, nest, q->port->pfc_en, err);
}

int lossless_dump_class(struct Qdisc *sch, unsigned long cl,
			struct sk_buff *skb, struct tcmsg *tcm)
{
	tcm->tcm_handle |= TC_H_MIN(cl);
	return 0;
}

int lossless_dump_class_stats(struct Qdisc *sch, unsigned long cl,
			      struct gnet_dump *d)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	unsigned int prio = cl - 1;
	const struct lle_port_egress *e = &q->port->egress[prio];
	struct gnet_stats_basic_sync bs;
	struct gnet_stats_queue qs = {};
	struct nlattr *nest;
	unsigned int r;
	int err;

	gnet_stats_basic_sync_init(&bs);
	sch_tree_lock(sch);
	_bstats_update(&bs, e->bytes, e->packets);
	qs.backlog = e->backlog;
	for (r = LLE_DROP_LIMIT; r < LLE_DROP_PURGE; r++)
		qs.drops += q->port->drop_pkts[prio][r];
	sch_tree_unlock(sch);
	if (gnet_stats_copy_basic(d, NULL, &bs, false) ||
	    gnet_stats_copy_queue(d, NULL, &qs, 0))
		return -1;
	nest = nla_nest_start(d->skb, TCA_STATS_APP);
	if (!nest)
		return -1;
	err = lle_stats_put_prio(d->skb, q->port, prio);
	return lossless_finish_app(sch, d, nest, BIT(prio), err);
}
