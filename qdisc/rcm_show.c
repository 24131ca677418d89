// SPDX-License-Identifier: GPL-2.0
/* Reports the regional congestion mitigation of a qdisc. */
#include <linux/lossless.h>
#include <net/netlink.h>

#include "rcm.h"

static void lossless_show_id(const struct lle_rcm_ids *ids, unsigned int id,
			     u64 now_ns, struct lle_congested *c)
{
	const struct lle_rcm_id *e = &ids->id[id];
	unsigned int i;

	*c = (struct lle_congested){
		.name = e->name,
		.local = e->local_until_ns > now_ns,
		.remote = e->remote_until_ns > now_ns,
		.held = lle_rcm_lasts(e->held_until_ns, e->last, now_ns),
	};
	for (i = 0; i < LLE_RCM_INGRESSES; i++) {
		/* queue 0 is unused and has no bytes */
		const struct lle_rcm_sub *s = &ids->sub[ids->sub_of[id][i]];

		c->bytes += s->bytes;
		c->asked += s->asked;
	}
}

/* @ids: may be NULL. Returns their number. Under the root lock. */
static int lossless_show_rcm(struct lossless_rcm *rcm,
			     const struct lle_rcm_params *p,
			     struct lle_congestion *c, struct lle_congested *ids)
{
	struct lle_rcm *core = &rcm->core;
	u64 now_ns = ktime_get_ns();
	unsigned int id;
	int n = 0;

	c->role = lle_crd_role(now_ns < core->root_until_ns,
			       lle_rcm_is_remote(core, p, now_ns));
	c->fb = core->busy ? core->crd.fb : 0;
	c->fbr = lle_rcm_is_remote(core, p, now_ns) ? core->fbr : 0;
	c->window = core->rcc.active;
	c->class_held = lle_rcm_lasts(core->class_until_ns, core->ids.bytes,
				      now_ns);
	c->w_bytes = core->rcc.w_bytes;
	c->wc_bytes = core->rcc.wc_bytes;
	if (core->busy)
		c->virtual_bytes = lle_crd_queue(&core->crd, &p->crd, now_ns);
	c->qeq_bytes = p->crd.qeq_bytes;
	c->isolated_bytes = core->ids.bytes;
	c->ids = core->ids.count;
	c->identified = core->stats->identified;
	c->regions = core->stats->regions;
	c->root_ns = core->stats->root_ns;
	if (rcm->root_since_ns)
		c->root_ns += now_ns - rcm->root_since_ns;
	for (id = 0; (id = lle_isolated_each(&core->ids, id));) {
		const struct lle_rcm_id *e = &core->ids.id[id];

		c->held += lle_rcm_lasts(e->held_until_ns, e->last, now_ns);
		if (ids && n < LOSSLESS_NUM_CONGESTED)
			lossless_show_id(&core->ids, id, now_ns, &ids[n++]);
	}
	return n;
}

/*
 * Dumps TCA_LOSSLESS_STATS_RCM for each of @prios with RCM. Under the root lock.
 * Returns 0 or -EMSGSIZE.
 */
int lossless_rcm_show_put(struct sk_buff *skb, const struct lossless_qdisc *q,
			  unsigned long prios)
{
	unsigned int prio;

	for_each_set_bit(prio, &prios, LLE_NUM_PRIO) {
		struct lossless_rcm *rcm = q->queue[prio].rcm;
		struct lle_congestion c = {};
		struct lle_prio_rcm s;

		if (!rcm)
			continue;
		lossless_show_rcm(rcm, &q->rcm_params, &c, NULL);
		s = (struct lle_prio_rcm){
			.identified = c.identified,
			.isolated_bytes = c.isolated_bytes,
			.w_bytes = c.window ? c.w_bytes : 0,
			.wc_bytes = c.window ? c.wc_bytes : 0,
			.ids = c.ids,
			.prio = prio,
			.role = c.role,
		};
		if (nla_put(skb, TCA_LOSSLESS_STATS_RCM, sizeof(s), &s))
			return -EMSGSIZE;
	}
	return 0;
}

/* lle_port_ops.congestion */
int lossless_rcm_show(struct Qdisc *sch, unsigned int prio,
		      struct lle_congestion *c, struct lle_congested *ids)
{
	struct lossless_qdisc *q = qdisc_priv(sch);
	int n = -ENODATA;

	spin_lock_bh(qdisc_lock(sch));
	if (q->queue[prio].rcm)
		n = lossless_show_rcm(q->queue[prio].rcm, &q->rcm_params, c,
				      ids);
	spin_unlock_bh(qdisc_lock(sch));
	return n;
}
