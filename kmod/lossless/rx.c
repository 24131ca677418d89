// SPDX-License-Identifier: GPL-2.0
/*
 * Receive path: a hook at the ingress of the device, before the bridge.
 *
 * Consumes MAC control frames (the bridge would drop those to the reserved
 * address and flood others), and marks packets with port and priority. Keeps a
 * socket of bpf_sk_assign() and a priority of skbedit.
 */
#include <linux/if_vlan.h>

#include "../core/path/flow.h"
#include "classify.h"
#include "congestion.h"
#include "deadlock/deadlock.h"
#include "gso.h"
#include "headroom.h"
#include "host.h"
#include "ingress.h"
#include "rx.h"
#include "rx_pause.h"
#include "trace.h"
#include "tx.h"

static void lle_rx_count(u64_stats_t *counter, struct u64_stats_sync *syncp)
{
	u64_stats_update_begin(syncp);
	u64_stats_inc(counter);
	u64_stats_update_end(syncp);
}

static noinline void lle_rx_control(struct lle_port *port, struct sk_buff *skb)
{
	struct lle_port_rx_stats *stats = this_cpu_ptr(port->rx_stats);
	u8 buf[LLE_PFC_FRAME_LEN];
	struct lle_pfc pfc;
	const u8 *data;
	int len;

	len = min_t(int, skb->len + ETH_HLEN, sizeof(buf));
	data = skb_header_pointer(skb, -ETH_HLEN, len, buf);
	if (!data || skb_vlan_tag_present(skb))
		len = 0;

	switch (lle_frame_parse(data, len, &pfc)) {
	case LLE_FRAME_PFC:
		lle_rx_pause(port, &pfc, data, len);
		break;
	case LLE_FRAME_LINK_PAUSE:
		lle_rx_count(&stats->link_pause, &stats->syncp);
		break;
	case LLE_FRAME_MALFORMED:
		lle_rx_count(&stats->malformed, &stats->syncp);
		break;
	}
	consume_skb(skb);
}

/* The bridge drops other frames if sent to the address of PFC frames. */
static unsigned int lle_rx_message(struct lle_port *port, struct sk_buff *skb)
{
	const struct lle_dl_frame *frame;
	struct lle_dl_frame buf;
	struct lle_dl_msg msg;

	frame = skb_header_pointer(skb, -ETH_HLEN, sizeof(buf), &buf);
	if (!frame || skb_vlan_tag_present(skb) ||
	    memcmp(frame->dst, lle_macc_addr, sizeof(frame->dst)) ||
	    !lle_deadlock_trusts(port) ||
	    !lle_dl_wire_parse((const u8 *)&frame->msg, &msg))
		return NF_ACCEPT;
	if (msg.type == LLE_DL_WALK)
		lle_deadlock_record_walk(port, &msg, skb, ktime_get_ns());
	else if (msg.type == LLE_DL_RESOLVE)
		lle_trigger_resolve_asked(port, &msg, ktime_get_ns());
	else
		lle_deadlock_event_message(port, &msg, ktime_get_ns());
	consume_skb(skb);
	return NF_STOLEN;
}

static unsigned int lle_rx_own(struct lle_port *port, struct sk_buff *skb)
{
	static_assert((LLE_ETH_P_DEADLOCK & ~3) == LLE_ETH_P_OURS);
	static_assert((LLE_ETH_P_CN & ~3) == LLE_ETH_P_OURS);

	switch (ntohs(skb->protocol)) {
	case LLE_ETH_P_DEADLOCK:
		return lle_rx_message(port, skb);
	case LLE_ETH_P_CN:
		return lle_notification_rx(port, skb);
	}
	return NF_ACCEPT;
}

static noinline unsigned int lle_rx_frame(struct lle_port *port,
					  struct sk_buff *skb)
{
	if (skb->protocol == htons(LLE_ETH_P_MAC_CONTROL)) {
		lle_rx_control(port, skb);
		return NF_STOLEN;
	}
	if ((skb->protocol & ~htons(3)) == htons(LLE_ETH_P_OURS))
		return lle_rx_own(port, skb);
	return NF_ACCEPT;
}

/* lle_rx_flow() if the @len bytes of headers are not contiguous. */
void lle_rx_flow_pieces(const struct sk_buff *skb, unsigned int len,
			struct lle_flow *flow)
{
	u8 buf[LLE_FLOW_BYTES];

	if (skb_copy_bits(skb, 0, buf, len) || !lle_flow_parse(buf, len, flow))
		*flow = (struct lle_flow){};
}
EXPORT_SYMBOL_GPL(lle_rx_flow_pieces);

static inline void lle_rx_count_packets(struct lle_port *port,
					unsigned int prio, unsigned int packets,
					unsigned int bytes)
{
	struct lle_port_rx_stats *stats = this_cpu_ptr(port->rx_stats);

	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(&stats->prio[prio].packets, packets);
	u64_stats_add(&stats->prio[prio].bytes, bytes);
	u64_stats_update_end(&stats->syncp);
}

static inline unsigned int lle_rx_bytes(const struct sk_buff *skb)
{
	return lle_port_skb_bytes(skb) + ETH_HLEN;
}

static void lle_rx_size(const struct sk_buff *skb, struct lle_gso *gso)
{
	if (unlikely(skb_is_gso(skb)))
		lle_gso_count(skb, ETH_HLEN, gso);
	else
		*gso = (struct lle_gso){ 1, lle_rx_bytes(skb) };
}

static noinline void lle_rx_count_gso(struct lle_port *port,
				      const struct sk_buff *skb,
				      unsigned int prio)
{
	struct lle_gso gso;

	lle_gso_count(skb, ETH_HLEN, &gso);
	lle_rx_count_packets(port, prio, gso.packets, gso.bytes);
}

/* Receives at a host with a limited receive side. */
static noinline unsigned int lle_rx_host(struct lle_port *port,
					 struct sk_buff *skb, unsigned int prio)
{
	struct lle_host *host = rcu_dereference(port->host);
	struct lle_gso gso;

	lle_rx_size(skb, &gso);
	return host && lle_host_take(host, skb, prio, &gso) ? NF_STOLEN :
							      NF_ACCEPT;
}

/* Drops a packet of a storming peer; it counts as received. */
static unsigned int lle_rx_discard(struct lle_port *port,
				   const struct sk_buff *skb, unsigned int prio)
{
	struct lle_port_rx_stats *stats = this_cpu_ptr(port->rx_stats);
	struct lle_gso gso;

	lle_rx_size(skb, &gso);
	lle_rx_count_packets(port, prio, gso.packets, gso.bytes);
	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(&stats->prio[prio].drop_packets, gso.packets);
	u64_stats_add(&stats->prio[prio].drop_bytes, gso.bytes);
	u64_stats_update_end(&stats->syncp);
	trace_lle_drop(port, prio, LLE_DROP_STORM_RX, gso.bytes);
	return NF_DROP;
}

static void lle_rx_overshoot(struct lle_port *port, const struct sk_buff *skb,
			     unsigned int prio)
{
	struct lle_gso gso;

	lle_rx_size(skb, &gso);
	lle_reaction_overshoot(port, prio, gso.bytes);
}

static void lle_rx_pausing(struct lle_port *port, const struct sk_buff *skb,
			   unsigned int prio)
{
	u8 want = READ_ONCE(port->attention.want);

	if (want != READ_ONCE(port->attention.sent) && !READ_ONCE(port->flushed))
		lle_tx_flush(port);
	if (want & BIT(prio))
		lle_rx_overshoot(port, skb, prio);
}

static inline unsigned int lle_rx_accept(struct lle_port *port,
					 const struct sk_buff *skb,
					 unsigned int prio)
{
	if (unlikely(skb_is_gso(skb)))
		lle_rx_count_gso(port, skb, prio);
	else
		lle_rx_count_packets(port, prio, 1, lle_rx_bytes(skb));
	return NF_ACCEPT;
}

static noinline unsigned int lle_rx_attend(struct lle_port *port,
					   struct sk_buff *skb,
					   unsigned int prio)
{
	if (lle_port_pausing(port))
		lle_rx_pausing(port, skb, prio);
	if (READ_ONCE(port->attention.discard) & BIT(prio))
		return lle_rx_discard(port, skb, prio);
	lle_rx_accept(port, skb, prio);
	if (READ_ONCE(port->attention.host))
		return lle_rx_host(port, skb, prio);
	return NF_ACCEPT;
}

/* VLAN devices and other qdiscs use skb->priority. */
static inline void lle_rx_mark(const struct lle_port *port, struct sk_buff *skb,
			       unsigned int prio)
{
	if (likely(!skb->priority))
		skb->priority = prio;
	lle_ingress_mark(port, skb, prio);
}

/*
 * IPsec passes a decrypted packet to its device again; it is already counted,
 * and stays charged to the priority of its arrival.
 */
static bool lle_rx_is_decrypted(const struct lle_port *port,
				const struct sk_buff *skb)
{
	return skb_sec_path(skb) && lle_ingress_marked(skb) == port;
}

static noinline unsigned int lle_rx_any(struct lle_port *port,
					struct sk_buff *skb)
{
	unsigned int prio;

	if (unlikely(READ_ONCE(port->attention.filters)))
		lle_ingress_original(port, skb);
	if (lle_rx_is_decrypted(port, skb))
		return NF_ACCEPT;
	if (unlikely(skb->protocol != htons(ETH_P_IP)) &&
	    lle_rx_frame(port, skb) == NF_STOLEN)
		return NF_STOLEN;

	prio = lle_classify(rcu_dereference(port->params), skb, 0, 0);
	lle_rx_mark(port, skb, prio);
	if (unlikely(READ_ONCE(port->attention.any)))
		return lle_rx_attend(port, skb, prio);
	return lle_rx_accept(port, skb, prio);
}

/*
 * The hook of netfilter. Runs after the ingress filters of tc, BPF and nftables:
 * their copies have no mark, see lle_ingress_find(). Softirq, RCU, no qdisc lock
 * held. @skb is untrusted.
 */
unsigned int lle_rx_hook(void *priv, struct sk_buff *skb,
			 const struct nf_hook_state *state)
{
	struct lle_port *port = priv;
	const struct lle_port_params *params = rcu_dereference(port->params);
	int prio;

	/* keeps calls and saved registers out of the short path */
	if (unlikely(READ_ONCE(port->attention.any) || skb_is_gso(skb) ||
		     skb_has_extensions(skb)))
		return lle_rx_any(port, skb);
	prio = lle_classify_short(params, skb, 0);
	if (unlikely(prio < 0))
		return lle_rx_any(port, skb);

	lle_rx_mark(port, skb, prio);
	lle_rx_count_packets(port, prio, 1, lle_rx_bytes(skb));
	return NF_ACCEPT;
}

/**
 * lle_rx_bypass() - receive a packet that reaches a queue past the hook
 * @port: ingress port, from which tc or BPF redirected the packet
 * @skb: the packet, with its Ethernet header; untrusted
 *
 * Marks and counts it as the hook does. Pauses are obeyed. Deadlock and
 * congestion messages are dropped: they may cause frames on other ports, and
 * root locks must not nest.
 * Context: BH off, RCU; under the root lock of another port.
 * Return: 0; -ENOBUFS: the caller drops it, already counted; -EINPROGRESS:
 * consumed.
 */
int lle_rx_bypass(struct lle_port *port, struct sk_buff *skb)
{
	struct lle_port_rx_stats *stats = this_cpu_ptr(port->rx_stats);
	unsigned int prio;
	int err = 0;

	lle_rx_count(&stats->bypass, &stats->syncp);
	__skb_pull(skb, ETH_HLEN);
	if (skb->protocol == htons(LLE_ETH_P_MAC_CONTROL)) {
		lle_rx_control(port, skb);
		return -EINPROGRESS;
	}
	if ((skb->protocol & ~htons(3)) == htons(LLE_ETH_P_OURS)) {
		consume_skb(skb);
		return -EINPROGRESS;
	}
	prio = lle_classify(rcu_dereference_bh(port->params), skb, 0, 0);
	lle_ingress_mark(port, skb, prio);
	if (READ_ONCE(port->attention.discard) & BIT(prio)) {
		lle_rx_discard(port, skb, prio);
		err = -ENOBUFS;
	} else {
		if (READ_ONCE(port->attention.want) & BIT(prio))
			lle_rx_overshoot(port, skb, prio);
		lle_rx_accept(port, skb, prio);
	}
	__skb_push(skb, ETH_HLEN);
	return err;
}
