// SPDX-License-Identifier: GPL-2.0
/*
 * The receiving half of flows: accepts packets in order, answers the first one
 * after a gap with a NAK, and CE with a CNP. Received packets are not trusted.
 */
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "rnic.h"

/**
 * struct rnic_headers - headers of a received packet
 * @ip: IP header
 * @udp: UDP header
 * @bth: transport header
 * @aeth: of an ACK
 * @rtt: of a request for an RTT, or its answer
 */
struct rnic_headers {
	struct iphdr ip;
	struct udphdr udp;
	struct roce_bth bth;
	union {
		struct roce_aeth aeth;
		struct roce_rtt rtt;
	} __packed;
} __packed;

/* Is it for a NIC, rather than for the host's stack? */
static bool rnic_is_roce(const struct sk_buff *skb,
			 const struct rnic_headers *h)
{
	return skb->protocol == htons(ETH_P_IP) && h->ip.version == 4 &&
	       h->ip.ihl == 5 && h->ip.protocol == IPPROTO_UDP &&
	       !(h->ip.frag_off & htons(IP_MF | IP_OFFSET)) &&
	       h->udp.dest == htons(ROCE_UDP_PORT);
}

static void rnic_count(struct rnic_host *host, u64 *counter)
{
	spin_lock(&host->lock);
	(*counter)++;
	spin_unlock(&host->lock);
}

static void rnic_receive_in_order(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	u64 bin;

	if (!flow->expected)
		flow->first_ns = now_ns;
	flow->expected++;
	flow->nak_sent = false;
	if (flow->expected == flow->packets)
		flow->last_ns = now_ns;
	if (flow->bin) {
		bin = div64_u64(now_ns - rnic_start_ns, rnic_config.bin_ns);
		if (bin < rnic_config.bins)
			flow->bin[bin] += bytes;
	}
}

/* Return: the answer to a packet. Under the queue pair's lock. */
static struct sk_buff *rnic_receive_packet(struct rnic_flow *flow, u32 packet,
					   bool ask, bool marked, u64 now_ns)
{
	if (packet > flow->expected) {
		flow->ooo++;
		if (flow->nak_sent)
			return NULL;
		flow->nak_sent = true;
		flow->naks++;
		return rnic_packet_ack(flow, flow->expected, ROCE_AETH_NAK_SEQ,
				       marked);
	}
	if (packet < flow->expected)
		flow->dup++;
	else
		rnic_receive_in_order(flow, rnic_packet_bytes(flow, packet),
				      now_ns);
	/* a repeated packet is acknowledged again: the first ACK may be lost */
	return ask ? rnic_packet_ack(flow, flow->expected - 1, ROCE_AETH_ACK,
				     marked) : NULL;
}

/* All packets are there: other flows of the receiver may wait for that. */
static void rnic_receive_end(struct rnic_flow *flow, u64 now_ns)
{
	struct rnic_host *host = flow->dst;

	spin_lock(&host->lock);
	rnic_depend_ended(flow, host, now_ns);
	spin_unlock(&host->lock);
	tasklet_schedule(&host->send);
}

static bool rnic_receive_data(struct rnic_flow *flow,
			      const struct rnic_headers *h)
{
	struct sk_buff *answer, *cnp = NULL;
	u32 psn = be32_to_cpu(h->bth.psn), packet;
	bool marked = (h->ip.tos & INET_ECN_MASK) == INET_ECN_CE;
	u64 now_ns = ktime_get_ns();
	u32 before;
	bool ended;

	spin_lock(&flow->qp->lock);
	packet = roce_psn_expand(psn & ROCE_24_BITS, flow->expected);
	if (packet >= flow->packets) {
		spin_unlock(&flow->qp->lock);
		return false;
	}
	flow->marked += marked;
	if (marked && rnic_cnp_due(flow, now_ns))
		cnp = rnic_packet_cnp(flow);
	before = flow->expected;
	answer = rnic_receive_packet(flow, packet, psn & ROCE_BTH_ACK_REQ,
				     marked, now_ns);
	ended = flow->expected != before && flow->expected == flow->packets;
	spin_unlock(&flow->qp->lock);

	/* without memory there is no answer, and the sender times out */
	if (cnp)
		rnic_cnp_send(flow->dst, cnp, now_ns);
	if (answer)
		dev_queue_xmit(answer);
	if (ended && flow->waiters)
		rnic_receive_end(flow, now_ns);
	return true;
}

static void rnic_receive_ack(struct rnic_flow *flow,
			     const struct rnic_headers *h)
{
	u8 syndrome = be32_to_cpu(h->aeth.msn) >> 24;
	bool nak = syndrome == ROCE_AETH_NAK_SEQ;
	u32 packet;

	packet = roce_psn_expand(be32_to_cpu(h->bth.psn),
				 READ_ONCE(flow->acked));
	rnic_send_acked(flow, nak ? packet : packet + 1, nak,
			be32_to_cpu(h->bth.qpn) & ROCE_BTH_BECN);
}

static void rnic_receive_request(struct rnic_flow *flow,
				 const struct rnic_headers *h)
{
	struct sk_buff *answer;

	answer = rnic_packet_rtt(flow, ROCE_OP_RTT_RESPONSE,
				 be64_to_cpu(h->rtt.sent_ns));
	if (answer)
		dev_queue_xmit(answer);
}

/* Is this packet between the two ends of the flow, and at the right end? */
static bool rnic_is_of(const struct rnic_flow *flow,
		       const struct rnic_host *host, bool to_sender,
		       const struct iphdr *ip)
{
	const struct rnic_host *to = to_sender ? flow->src : flow->dst;
	const struct rnic_host *from = to_sender ? flow->dst : flow->src;

	return to == host && ip->daddr == to->addr && ip->saddr == from->addr;
}

static bool rnic_receive_roce(struct rnic_host *host,
			      const struct rnic_headers *h, unsigned int len)
{
	bool to_sender = h->bth.opcode == ROCE_OP_ACK ||
			 h->bth.opcode == ROCE_OP_CNP ||
			 h->bth.opcode == ROCE_OP_RTT_RESPONSE;
	struct rnic_flow *flow;

	flow = rnic_flow_find(be32_to_cpu(h->bth.qpn) & ROCE_24_BITS);
	if (!flow || !rnic_is_of(flow, host, to_sender, &h->ip))
		return false;

	switch (h->bth.opcode) {
	case ROCE_OP_WRITE_FIRST:
	case ROCE_OP_WRITE_MIDDLE:
	case ROCE_OP_WRITE_LAST:
	case ROCE_OP_WRITE_ONLY:
		return rnic_receive_data(flow, h);
	case ROCE_OP_ACK:
		if (len < offsetofend(struct rnic_headers, aeth))
			return false;
		rnic_receive_ack(flow, h);
		return true;
	case ROCE_OP_CNP:
		rnic_send_cnp(flow);
		return true;
	case ROCE_OP_RTT_REQUEST:
	case ROCE_OP_RTT_RESPONSE:
		if (len < sizeof(*h))
			return false;
		if (to_sender)
			rnic_send_rtt(flow, be64_to_cpu(h->rtt.sent_ns));
		else
			rnic_receive_request(flow, h);
		return true;
	}
	return false;
}

/**
 * rnic_receive() - rx handler of a host's device
 * @pskb: the packet
 *
 * Context: softirq, RCU.
 * Return: RX_HANDLER_PASS if the packet is not RoCEv2.
 */
rx_handler_result_t rnic_receive(struct sk_buff **pskb)
{
	struct rnic_host *host = rcu_dereference((*pskb)->dev->rx_handler_data);
	struct sk_buff *skb = *pskb;
	const struct rnic_headers *h;
	struct rnic_headers buf;
	unsigned int len;

	len = min_t(unsigned int, skb->len, sizeof(buf));
	if (len < offsetof(struct rnic_headers, aeth))
		return RX_HANDLER_PASS;
	h = skb_header_pointer(skb, 0, len, &buf);
	if (!h || !rnic_is_roce(skb, h))
		return RX_HANDLER_PASS;
	if (!rnic_receive_roce(host, h, len))
		rnic_count(host, &host->stats.malformed);
	consume_skb(skb);
	return RX_HANDLER_CONSUMED;
}
