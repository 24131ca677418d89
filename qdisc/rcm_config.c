// SPDX-License-Identifier: GPL-2.0
/* Switches regional congestion mitigation of a qdisc on and off. */
#include <linux/mm.h>
#include <linux/rtnetlink.h>

#include "../kmod/lossless/congestion.h"
#include "rcm.h"

/* Frees unused queues. */
void lossless_rcm_config_free(struct lossless_rcm **rcm)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		kvfree(rcm[p]);
}

/*
 * Allocates @rcm by priority, for lossless_rcm_config_commit(); NULL: without
 * RCM. Returns 0 or -ENOMEM.
 */
int lossless_rcm_config_alloc(const struct lle_port_params *params,
			      struct lossless_rcm **rcm)
{
	unsigned int p;

	memset(rcm, 0, LLE_NUM_PRIO * sizeof(*rcm));
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!params->rcm.on || !(params->pfc_en & BIT(p)))
			continue;
		rcm[p] = kvzalloc(sizeof(*rcm[p]), GFP_KERNEL);
		if (!rcm[p]) {
			lossless_rcm_config_free(rcm);
			return -ENOMEM;
		}
	}
	return 0;
}

static void lossless_rcm_count_all(struct lossless_queue *queue)
{
	const struct sk_buff *skb;

	for (skb = queue->fifo.head; skb; skb = skb->next) {
		const struct lle_port *iport = lossless_cb(skb)->iport;

		queue->rcm->from_bytes[lossless_queue_slot(iport)] +=
			qdisc_pkt_len(skb);
		lossless_cb(skb)->seq = queue->rcm->seq++;
	}
}

/* Sets parameters. Isolation ends; lasting congestion is detected again. */
static void lossless_rcm_tune(struct lossless_qdisc *q,
			      const struct lle_port_params *params)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		lossless_rcm_flush(q, p);
		lossless_rcm_let_go(q, p);
	}
	q->isolating = 0;
	lle_congestion_effective(q->port, params, &q->rcm_params);
	lle_rcm_params_init(&q->rcm_params);
	q->special &= ~LOSSLESS_SPECIAL_RCM;
	if (params->rcm.on && q->rcm_params.crd.onset_bytes <= q->rcm_params.rcc.mtu_bytes)
		q->special |= LOSSLESS_SPECIAL_RCM;
}

/* lle_port_ops.retune */
void lossless_rcm_config_retune(struct Qdisc *sch)
{
	struct lossless_qdisc *q = qdisc_priv(sch);

	sch_tree_lock(sch);
	lossless_rcm_tune(q, rtnl_dereference(q->port->params));
	sch_tree_unlock(sch);
}

/*
 * Replaces the queues by @rcm, which has those to be freed afterwards. @params
 * are in force. RTNL, under the root lock.
 */
void lossless_rcm_config_commit(struct lossless_qdisc *q,
				const struct lle_port_params *params,
				struct lossless_rcm **rcm)
{
	unsigned int p;

	lossless_rcm_tune(q, params);
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		swap(q->queue[p].rcm, rcm[p]);
		if (!q->queue[p].rcm)
			continue;
		lle_rcm_init(&q->queue[p].rcm->core, &q->port->rcm_stats[p]);
		q->queue[p].rcm->noted = q->port->rcm_stats[p].identified;
		lossless_rcm_count_all(&q->queue[p]);
	}
}
