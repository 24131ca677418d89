// SPDX-License-Identifier: GPL-2.0
/*
 * Queues and pauses at one moment, of all watched ports and their priorities
 * with PFC. Lines:
 *
 *	port IFINDEX NAME SWITCH SLOT PEER PRIO PAUSING SINCE_NS PAUSED SINCE_NS
 *		XON BYTES QUEUED SENT PAUSES DROPS
 *	packet IFINDEX PRIO INGRESS BYTES ARRIVAL_NS
 *	said NS PAUSE
 *
 * port: PEER: ifindex at the other end, 0: a host. PAUSING: it pauses its
 * neighbour. PAUSED: its neighbour pauses it, and it obeys. BYTES of this
 * ingress are in the switch, QUEUED bytes wait at this egress. SENT: packets.
 * PAUSES: pauses begun.
 *
 * packet: waits at the paused egress IFINDEX, from INGRESS.
 *
 * said: a frame between switches, in any order. PAUSE is 1 if it begins a
 * pause, 0 if it is only a message. Each port reports its first ORACLE_EVENTS.
 */
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <net/net_namespace.h>

#include "oracle.h"

static u64 oracle_drops(const struct lle_port *port, unsigned int prio)
{
	unsigned int reason;
	u64 drops = 0;

	for (reason = 0; reason < LLE_NUM_DROP; reason++)
		drops += port->drop_pkts[prio][reason];
	return drops;
}

static void oracle_show_port(struct seq_file *m, const struct lle_port *port,
			     unsigned int prio, bool paused)
{
	const struct lle_port_params *params = rtnl_dereference(port->params);
	const struct lle_port_ingress *in = &port->ingress[prio];
	bool fabric = params->facing == LLE_FACING_FABRIC;
	bool pausing = port->attention.want & BIT(prio);

	seq_printf(m, "port %u %s %u %u %u %u", port->dev->ifindex,
		   port->dev->name, port->sw->id, port->slot,
		   fabric ? dev_get_iflink(port->dev) : 0, prio);
	seq_printf(m, " %u %llu %u %llu", pausing,
		   pausing ? in->paused_since_ns : 0, paused,
		   paused ? port->rx.since_ns[prio] : 0);
	seq_printf(m, " %u %u %u %llu %llu %llu\n", in->pg.xon, lle_sb_occ(&in->pg),
		   port->egress[prio].backlog, port->egress[prio].packets,
		   in->history.count + pausing, oracle_drops(port, prio));
}

/* Restores a time of the last four seconds from its lower 32 bits. */
static u64 oracle_time(u32 ns, u64 now_ns)
{
	return now_ns - (u32)(lower_32_bits(now_ns) - ns);
}

static void oracle_show_packet(struct seq_file *m, const struct lle_port *port,
			       unsigned int prio, const struct sk_buff *skb,
			       u64 now_ns)
{
	const struct lle_port *iport = lossless_cb(skb)->iport;

	if (iport && iport->dev)
		seq_printf(m, "packet %u %u %u %u %llu\n", port->dev->ifindex,
			   prio, iport->dev->ifindex, qdisc_pkt_len(skb),
			   oracle_time(skb->mark, now_ns));
}

static void oracle_show_packets(struct seq_file *m, const struct lle_port *port,
				unsigned int prio, const struct lossless_fifo *fifo,
				u64 now_ns)
{
	const struct sk_buff *skb;

	for (skb = fifo->head; skb; skb = skb->next)
		oracle_show_packet(m, port, prio, skb, now_ns);
}

/* Includes isolated packets. */
static void oracle_show_queue(struct seq_file *m, const struct lle_port *port,
			      unsigned int prio, const struct lossless_queue *queue,
			      u64 now_ns)
{
	unsigned int sub;

	oracle_show_packets(m, port, prio, &queue->fifo, now_ns);
	for (sub = 0; queue->rcm && sub <= LLE_RCM_SUBS; sub++) {
		oracle_show_packets(m, port, prio, &queue->rcm->young[sub], now_ns);
		oracle_show_packets(m, port, prio, &queue->rcm->fifo[sub], now_ns);
	}
}

static void oracle_show_events(struct seq_file *m, struct oracle_tap *tap,
			       u64 now_ns)
{
	unsigned int i;

	spin_lock_bh(&tap->late.lock);
	for (i = 0; i < tap->events; i++)
		seq_printf(m, "said %llu %u\n",
			   oracle_time(tap->event[i].ns, now_ns),
			   tap->event[i].pause);
	spin_unlock_bh(&tap->late.lock);
}

static void oracle_show_tap(struct seq_file *m, struct oracle_tap *tap)
{
	struct lossless_qdisc *q = oracle_qdisc(tap->dev);
	struct Qdisc *sch = rtnl_dereference(tap->dev->qdisc);
	u64 now_ns = ktime_get_ns();
	const struct lle_port *port;
	unsigned int p;
	bool paused;

	if (!q)
		return;
	port = q->port;
	sch_tree_lock(sch);
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!(port->pfc_en & BIT(p)))
			continue;
		paused = port->rx.paused & ~port->disobey & BIT(p) &&
			 port->rx.until_ns[p] > now_ns;
		oracle_show_port(m, port, p, paused);
		if (!paused)
			continue;
		oracle_show_queue(m, port, p, &q->queue[p], now_ns);
	}
	sch_tree_unlock(sch);
	if (rtnl_dereference(port->params)->facing == LLE_FACING_FABRIC)
		oracle_show_events(m, tap, now_ns);
}

/* RTNL. */
void oracle_show(struct seq_file *m)
{
	struct oracle_tap *tap;

	list_for_each_entry(tap, &oracle_taps, node)
		oracle_show_tap(m, tap);
}
