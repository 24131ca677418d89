// SPDX-License-Identifier: GPL-2.0
/*
 * The receiving half of flows: accepts packets in order, answers the first one
 * after a gap with a NAK, and CE with a CNP. With IRN it also accepts packets
 * out of order, and answers each with a NAK. Received packets are hostile.
 */
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "rnic.h"

/* Headers of a received packet */
struct rnic_headers {
	struct iphdr ip;
	struct udphdr udp;
	struct roce_bth bth;
	union {
		struct roce_reth reth;
		struct roce_aeth aeth;
		struct roce_sack sack;
		struct roce_rtt rtt;
	} __packed;
} __packed;

/* Is it for a NIC, not for the host's stack? */
static bool rnic_is_roce(const struct sk_buff *skb,
			 const struct rnic_headers *h)
{
	return skb->protocol == htons(ETH_P_IP) && h->ip.version == 4 &&
	       h->ip.ihl == 5 && h->ip.protocol == IPPROTO_UDP &&
	       !(h->ip.frag_off & htons(IP_MF | IP_OFFSET)) &&
	       h->udp.dest == htons(ROCE_UDP_PORT);
}

/* A packet is accepted. Queue pair's lock, as the functions that follow. */
static void rnic_receive_bytes(struct rnic_flow *flow, u32 packet, u64 now_ns)
{
	u64 bin;

	if (!flow->first_ns)
		flow->first_ns = now_ns;
	if (flow->bin) {
		bin = div64_u64(now_ns - rnic_start_ns, rnic_config.bin_ns);
		if (bin < rnic_config.bins)
			flow->bin[bin] += rnic_packet_bytes(flow, packet);
	}
}

static void rnic_receive_in_order(struct rnic_flow *flow, u32 packet, u64 now_ns)
{
	rnic_receive_bytes(flow, packet, now_ns);
	flow->expected = flow->irn ? irn_in_order(&flow->irn->receiver, packet) :
				     packet + 1;
	flow->nak_sent = false;
	flow->grown_ns = now_ns;
	if (flow->expected == flow->packets)
		flow->last_ns = now_ns;
}

/* Return: IRN's answer to a packet out of order */
static struct sk_buff *rnic_receive_early(struct rnic_flow *flow, u32 packet,
					  bool marked, u64 now_ns)
{
	if (irn_arrives(&flow->irn->receiver, packet)) {
		flow->ooo++;
		rnic_receive_bytes(flow, packet, now_ns);
	} else {
		flow->dup++;
	}
	flow->naks++;
	return rnic_packet_sack(flow, flow->expected, packet, marked);
}

/* Return: go-back-N's answer to a gap: a NAK, or a new READ request */
static struct sk_buff *rnic_receive_gap(struct rnic_flow *flow, bool marked,
					u64 now_ns)
{
	flow->ooo++;
	if (flow->nak_sent)
		return NULL;
	flow->nak_sent = true;
	flow->naks++;
	if (flow->verb != RNIC_READ)
		return rnic_packet_ack(flow, flow->expected, ROCE_AETH_NAK_SEQ,
				       marked);
	flow->grown_ns = now_ns;
	return rnic_packet_request(flow, flow->expected);
}

/* Return: the answer to a packet */
static struct sk_buff *rnic_receive_packet(struct rnic_flow *flow, u32 packet,
					   bool ask, bool marked, u64 now_ns)
{
	if (packet > flow->expected)
		return flow->irn ? rnic_receive_early(flow, packet, marked, now_ns) :
				   rnic_receive_gap(flow, marked, now_ns);
	if (packet < flow->expected)
		flow->dup++;
	else
		rnic_receive_in_order(flow, packet, now_ns);
	if (flow->verb == RNIC_READ && !flow->irn)
		return NULL;
	/* acknowledge a repeated packet again: the first ACK may be lost */
	return ask ? rnic_packet_ack(flow, flow->expected - 1, ROCE_AETH_ACK,
				     marked) : NULL;
}

/* All packets have arrived: other flows of the receiver may wait for that. */
static void rnic_receive_end(struct rnic_flow *flow, u64 now_ns)
{
	struct rnic_host *host = flow->dst;

	spin_lock(&host->lock);
	rnic_depend_ended(flow, host, now_ns);
	spin_unlock(&host->lock);
	tasklet_schedule(&host->send);
}

/* May the sender have sent this packet? */
static bool rnic_is_possible(const struct rnic_flow *flow, u32 packet)
{
	return packet < flow->packets &&
	       (!flow->irn || packet < flow->expected ||
		packet - flow->expected < rnic_config.window);
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
	if (!rnic_is_possible(flow, packet)) {
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

	/* without memory no answer is sent, and the sender times out */
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

static void rnic_receive_sack(struct rnic_flow *flow,
			      const struct rnic_headers *h)
{
	u32 acked = READ_ONCE(flow->acked);

	rnic_send_sack(flow, roce_psn_expand(be32_to_cpu(h->bth.psn), acked),
		       roce_psn_expand(be32_to_cpu(h->sack.psn), acked));
}

static bool rnic_receive_read(struct rnic_flow *flow, const struct rnic_headers *h)
{
	if (flow->verb != RNIC_READ)
		return false;
	rnic_send_requested(flow, roce_psn_expand(be32_to_cpu(h->bth.psn),
						  READ_ONCE(flow->next)));
	return true;
}

static void rnic_receive_rtt(struct rnic_flow *flow,
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

static bool rnic_is_to_sender(u8 opcode)
{
	return opcode == ROCE_OP_ACK || opcode == ROCE_OP_SACK ||
	       opcode == ROCE_OP_READ_REQUEST || opcode == ROCE_OP_CNP ||
	       opcode == ROCE_OP_RTT_RESPONSE;
}

static bool rnic_receive_roce(struct rnic_host *host,
			      const struct rnic_headers *h, unsigned int len)
{
	bool to_sender = rnic_is_to_sender(h->bth.opcode);
	struct rnic_flow *flow;

	flow = rnic_flow_find(be32_to_cpu(h->bth.qpn) & ROCE_24_BITS);
	if (!flow || !rnic_is_of(flow, host, to_sender, &h->ip))
		return false;

	switch (h->bth.opcode) {
	case ROCE_OP_ACK:
		if (len < offsetofend(struct rnic_headers, aeth))
			return false;
		rnic_receive_ack(flow, h);
		return true;
	case ROCE_OP_SACK:
		if (len < offsetofend(struct rnic_headers, sack))
			return false;
		rnic_receive_sack(flow, h);
		return true;
	case ROCE_OP_READ_REQUEST:
		return len >= offsetofend(struct rnic_headers, reth) &&
		       rnic_receive_read(flow, h);
	case ROCE_OP_CNP:
		rnic_send_cnp(flow);
		return true;
	case ROCE_OP_RTT_REQUEST:
	case ROCE_OP_RTT_RESPONSE:
		if (len < offsetofend(struct rnic_headers, rtt))
			return false;
		if (to_sender)
			rnic_send_rtt(flow, be64_to_cpu(h->rtt.sent_ns));
		else
			rnic_receive_rtt(flow, h);
		return true;
	}
	return rnic_packet_is_of(flow, h->bth.opcode) &&
	       rnic_receive_data(flow, h);
}

/* Softirq, RCU. Return: RX_HANDLER_PASS if the packet is not RoCEv2. */
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
	if (!rnic_has_ended(ktime_get_ns()) && !rnic_receive_roce(host, h, len))
		rnic_host_count(host, &host->stats.malformed);
	consume_skb(skb);
	return RX_HANDLER_CONSUMED;
}
