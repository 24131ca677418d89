// SPDX-License-Identifier: GPL-2.0
/* Packets: headers, and shared zeros as data, without a copy. */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "rnic.h"

#define RNIC_HEADERS	(sizeof(struct iphdr) + sizeof(struct udphdr) + \
			 sizeof(struct roce_bth))

static struct page *rnic_zeros;

/* @psn includes ROCE_BTH_ACK_REQ; @marked: answers a marked packet */
struct rnic_shape {
	const struct rnic_host *from;
	const struct rnic_host *to;
	u8 prio;
	u8 opcode;
	bool ect;
	bool marked;
	u32 psn;
	const void *ext;
	unsigned int ext_len;
	unsigned int data_len;
};

/* Adds @data_len zeros, and four more as ICRC. */
static void rnic_add_data(struct sk_buff *skb, unsigned int data_len)
{
	unsigned int len = data_len + ROCE_ICRC_LEN;

	if (!data_len) {
		skb_put_zero(skb, len);
		return;
	}
	get_page(rnic_zeros);
	skb_add_rx_frag(skb, 0, rnic_zeros, 0, len, len);
}

static struct sk_buff *rnic_packet(const struct rnic_flow *flow,
				   const struct rnic_shape *s)
{
	struct net_device *dev = rcu_dereference(s->from->dev);
	unsigned int pad = -s->data_len & 3;
	unsigned int headroom, linear, len;
	struct roce_bth *bth;
	struct udphdr *udp;
	struct sk_buff *skb;
	struct iphdr *ip;

	if (!dev)
		return NULL;
	len = RNIC_HEADERS + s->ext_len + s->data_len + pad + ROCE_ICRC_LEN;
	/* read once: it may change */
	headroom = data_race(LL_RESERVED_SPACE(dev));
	linear = headroom + RNIC_HEADERS + s->ext_len + ROCE_ICRC_LEN;
	skb = alloc_skb(linear, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;

	skb_reserve(skb, headroom);
	skb_reset_network_header(skb);
	skb_set_transport_header(skb, sizeof(*ip));
	skb->dev = dev;
	skb->protocol = htons(ETH_P_IP);
	skb->priority = s->prio;

	ip = skb_put_zero(skb, sizeof(*ip));
	ip->version = 4;
	ip->ihl = 5;
	ip->tos = s->prio << 5 | (s->ect ? INET_ECN_ECT_0 : 0);
	ip->tot_len = htons(len);
	ip->frag_off = htons(IP_DF);
	ip->ttl = 64;
	ip->protocol = IPPROTO_UDP;
	ip->saddr = s->from->addr;
	ip->daddr = s->to->addr;
	ip_send_check(ip);

	/* the source port differs between queue pairs, as entropy for ECMP */
	udp = skb_put_zero(skb, sizeof(*udp));
	udp->source = htons(0xc000 | (flow->qp->id & 0x3fff));
	udp->dest = htons(ROCE_UDP_PORT);
	udp->len = htons(len - sizeof(*ip));

	bth = skb_put_zero(skb, sizeof(*bth));
	bth->opcode = s->opcode;
	bth->flags = pad << 4;
	bth->pkey = cpu_to_be16(ROCE_PKEY_DEFAULT);
	bth->qpn = cpu_to_be32(flow->id | (s->marked ? ROCE_BTH_BECN : 0));
	bth->psn = cpu_to_be32(s->psn);
	skb_put_data(skb, s->ext, s->ext_len);
	rnic_add_data(skb, s->data_len + pad);

	eth_header(skb, dev, ETH_P_IP, s->to->mac, NULL, len);
	skb_reset_mac_header(skb);
	return skb;
}

/* Return: data bytes of packet @packet of a flow. */
u32 rnic_packet_bytes(const struct rnic_flow *flow, u32 packet)
{
	return min_t(u64, rnic_config.mtu,
		     flow->size - (u64)packet * rnic_config.mtu);
}

struct rnic_opcodes {
	u8 first;
	u8 middle;
	u8 last;
	u8 only;
};

/* by enum rnic_verb */
static const struct rnic_opcodes rnic_opcodes[] = {
	[RNIC_WRITE] = { ROCE_OP_WRITE_FIRST, ROCE_OP_WRITE_MIDDLE,
			 ROCE_OP_WRITE_LAST, ROCE_OP_WRITE_ONLY },
	[RNIC_SEND] = { ROCE_OP_SEND_FIRST, ROCE_OP_SEND_MIDDLE,
			ROCE_OP_SEND_LAST, ROCE_OP_SEND_ONLY },
	[RNIC_READ] = { ROCE_OP_READ_FIRST, ROCE_OP_READ_MIDDLE,
			ROCE_OP_READ_LAST, ROCE_OP_READ_ONLY },
};

static u8 rnic_opcode(const struct rnic_flow *flow, bool first, bool last)
{
	const struct rnic_opcodes *o = &rnic_opcodes[flow->verb];

	if (first)
		return last ? o->only : o->first;
	return last ? o->last : o->middle;
}

/* Are packets with this opcode data of the flow? */
bool rnic_packet_is_of(const struct rnic_flow *flow, u8 opcode)
{
	const struct rnic_opcodes *o = &rnic_opcodes[flow->verb];

	return opcode == o->first || opcode == o->middle || opcode == o->last ||
	       opcode == o->only;
}

/* Address and length of a message, from a packet on */
static struct roce_reth rnic_reth(const struct rnic_flow *flow, u32 packet)
{
	u64 done = (u64)packet * rnic_config.mtu;

	return (struct roce_reth){
		.addr = cpu_to_be64(done),
		.len = cpu_to_be32(min_t(u64, flow->size - done, U32_MAX)),
	};
}

/* Return: packet @packet of a flow's message, ready for dev_queue_xmit(). */
struct sk_buff *rnic_packet_data(const struct rnic_flow *flow, u32 packet,
				 bool ect)
{
	const struct roce_aeth aeth = { .msn = cpu_to_be32(ROCE_AETH_ACK << 24) };
	bool first = !packet, last = packet + 1 == flow->packets;
	bool ask = last || (packet + 1) % rnic_config.ack_every == 0;
	const struct roce_reth reth = rnic_reth(flow, packet);
	struct rnic_shape shape = {
		.from = flow->src,
		.to = flow->dst,
		.prio = flow->prio,
		.opcode = rnic_opcode(flow, first, last),
		.ect = ect,
		.psn = (packet & ROCE_24_BITS) | (ask ? ROCE_BTH_ACK_REQ : 0),
		.data_len = rnic_packet_bytes(flow, packet),
	};

	/* IRN, section 5.3: each packet has the address of its data */
	if (flow->verb == RNIC_WRITE && (first || flow->irn)) {
		shape.ext = &reth;
		shape.ext_len = sizeof(reth);
	} else if (flow->verb == RNIC_READ && (first || last)) {
		shape.ext = &aeth;
		shape.ext_len = sizeof(aeth);
	}
	return rnic_packet(flow, &shape);
}

/* Return: a packet that reports arrivals to the sender */
static struct sk_buff *rnic_packet_answer(const struct rnic_flow *flow, u8 opcode,
					  u32 packet, bool marked,
					  const void *ext, unsigned int ext_len)
{
	return rnic_packet(flow, &(const struct rnic_shape) {
		.from = flow->dst,
		.to = flow->src,
		.prio = rnic_config.ack_prio,
		.opcode = opcode,
		.ect = rnic_config.ect,
		.marked = marked,
		.psn = packet & ROCE_24_BITS,
		.ext = ext,
		.ext_len = ext_len,
	});
}

/* Return: an ACK of @packet, or a NAK that requests it (ROCE_AETH_*). */
struct sk_buff *rnic_packet_ack(const struct rnic_flow *flow, u32 packet,
				u8 syndrome, bool marked)
{
	const struct roce_aeth aeth = {
		.msn = cpu_to_be32((u32)syndrome << 24),
	};

	return rnic_packet_answer(flow, ROCE_OP_ACK, packet, marked, &aeth,
				  sizeof(aeth));
}

/* Return: IRN's NAK: @expected is missing, @packet has arrived. */
struct sk_buff *rnic_packet_sack(const struct rnic_flow *flow, u32 expected,
				 u32 packet, bool marked)
{
	const struct roce_sack sack = {
		.aeth.msn = cpu_to_be32(ROCE_AETH_NAK_SEQ << 24),
		.psn = cpu_to_be32(packet & ROCE_24_BITS),
	};

	return rnic_packet_answer(flow, ROCE_OP_SACK, expected, marked, &sack,
				  sizeof(sack));
}

/* Return: a READ request, for packets from @packet on. */
struct sk_buff *rnic_packet_request(const struct rnic_flow *flow, u32 packet)
{
	const struct roce_reth reth = rnic_reth(flow, packet);

	return rnic_packet(flow, &(const struct rnic_shape) {
		.from = flow->dst,
		.to = flow->src,
		.prio = flow->prio,
		.opcode = ROCE_OP_READ_REQUEST,
		.ect = rnic_config.ect,
		.psn = packet & ROCE_24_BITS,
		.ext = &reth,
		.ext_len = sizeof(reth),
	});
}

struct sk_buff *rnic_packet_cnp(const struct rnic_flow *flow)
{
	static const u8 zeros[ROCE_CNP_PAD];

	return rnic_packet(flow, &(const struct rnic_shape) {
		.from = flow->dst,
		.to = flow->src,
		.prio = rnic_config.cnp_prio,
		.opcode = ROCE_OP_CNP,
		.ect = rnic_config.ect,
		.psn = 0,
		.ext = zeros,
		.ext_len = sizeof(zeros),
	});
}

/* Return: an RTT request, which travels with the data, or its answer. */
struct sk_buff *rnic_packet_rtt(const struct rnic_flow *flow, u8 opcode,
				u64 sent_ns)
{
	const struct roce_rtt rtt = { .sent_ns = cpu_to_be64(sent_ns) };
	bool request = opcode == ROCE_OP_RTT_REQUEST;

	return rnic_packet(flow, &(const struct rnic_shape) {
		.from = request ? flow->src : flow->dst,
		.to = request ? flow->dst : flow->src,
		.prio = request ? flow->prio : rnic_config.ack_prio,
		.opcode = opcode,
		.ect = rnic_config.ect,
		.ext = &rtt,
		.ext_len = sizeof(rtt),
	});
}

int rnic_packet_init(void)
{
	/* data of the largest packet, and the ICRC */
	rnic_zeros = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_COMP,
				 get_order(RNIC_MTU_MAX + ROCE_ICRC_LEN));
	return rnic_zeros ? 0 : -ENOMEM;
}

void rnic_packet_exit(void)
{
	put_page(rnic_zeros);
}
