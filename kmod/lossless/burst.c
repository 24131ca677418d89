// SPDX-License-Identifier: GPL-2.0
/*
 * Counts packets that the stack drops in front of a queue: while a CPU holds
 * the root lock of a qdisc, newer kernels list the packets of other CPUs, and
 * drop those beyond net.core.qdisc_max_burst. No enqueue sees such a packet;
 * only the tracepoint kfree_skb reports it.
 */
#include <trace/events/skb.h>

#include "classify.h"
#include "gso.h"
#include "ingress.h"
#include "stats.h"

/* Under RCU, BH off. Senders on this host get NET_XMIT_DROP instead. */
static void lle_burst_count(const struct sk_buff *skb)
{
	const struct lle_port *iport = lle_ingress_marked(skb);
	struct lle_port_rx_stats *stats;
	struct lle_port *egress;
	unsigned int prio;

	egress = iport ? lle_port_of_switch(iport->sw, skb->dev->ifindex) : NULL;
	if (!egress)
		return;
	prio = lle_classify(rcu_dereference_bh(egress->params), skb, ETH_HLEN,
			    lle_ingress_prio(skb));
	stats = this_cpu_ptr(egress->rx_stats);
	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(&stats->prio[prio].burst, lle_gso_packets(skb));
	u64_stats_update_end(&stats->syncp);
}

static void lle_burst_probe(void *unused, struct sk_buff *skb, void *location,
			    enum skb_drop_reason reason, const struct sock *rx_sk)
{
	if (likely(reason != SKB_DROP_REASON_QDISC_BURST_DROP))
		return;
	rcu_read_lock_bh();
	lle_burst_count(skb);
	rcu_read_unlock_bh();
}

int __init lle_burst_init(void)
{
	return register_trace_kfree_skb(lle_burst_probe, NULL);
}

void lle_burst_exit(void)
{
	unregister_trace_kfree_skb(lle_burst_probe, NULL);
	tracepoint_synchronize_unregister();
}
