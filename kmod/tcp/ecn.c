// SPDX-License-Identifier: GPL-2.0
/*
 * ECN: which packets are ECN capable, and how the sender learns of each mark.
 *
 * In a first RTT only the last packets may have ECT. TCP sets it on all data.
 * Congestion control has no callback per packet, so a netfilter hook in the
 * namespace clears ECT, under the lock of the socket.
 */
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ipv6.h>

#include "ldcp.h"

static void ldcp_set_echo(struct tcp_sock *tp, bool ce)
{
	if (ce)
		tp->ecn_flags |= TCP_ECN_DEMAND_CWR;
	else
		tp->ecn_flags &= ~TCP_ECN_DEMAND_CWR;
}

/*
 * Acknowledges an ECN capable packet at once, with its mark. A due ACK of
 * earlier packets leaves first, with their mark.
 *
 * Source: section 2.2 of the draft; RFC 8257 section 3.2.
 */
void ldcp_ecn_echo(struct sock *sk, bool ce)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct ldcp *c = ldcp_of(sk);

	if (!lle_tcp_accecn(tp)) {
		if (c->ce != ce && inet_csk(sk)->icsk_ack.pending & ICSK_ACK_TIMER) {
			ldcp_set_echo(tp, c->ce);
			lle_tcp_send_ack(sk, c->rcv_nxt);
		}
		ldcp_set_echo(tp, ce);
	}
	inet_csk(sk)->icsk_ack.pending |= ICSK_ACK_NOW;
	c->rcv_nxt = tp->rcv_nxt;
	c->ce = ce;
}

/*
 * The socket of an LDCP data segment that ends at @end, else NULL.
 *
 * A VRF, or ipvlan in L3 mode, passes a packet here twice. TCP leaves skb->dev
 * empty; a VRF without a queue sets it before the first pass, too.
 */
static struct sock *ldcp_segment(const struct sk_buff *skb, const struct nf_hook_state *state,
				 unsigned int transport, struct tcphdr *th, u32 *end)
{
	struct sock *sk = skb->sk;
	const struct tcphdr *header;
	unsigned int len;

	/* resets have raw sockets, SYN-ACKs request sockets */
	if (!sk || !sk_fullsock(sk) || !sk_is_tcp(sk) ||
	    inet_csk(sk)->icsk_ca_ops != &ldcp_ops)
		return NULL;
	if (skb->dev && !(skb->dev == state->out && netif_is_l3_master(skb->dev)))
		return NULL;
	header = skb_header_pointer(skb, transport, sizeof(*th), th);
	if (!header)
		return NULL;
	len = skb->len - transport - header->doff * 4;
	if (header->syn || !len || len > skb->len)
		return NULL;
	*end = ntohl(header->seq) + len;
	return sk;
}

/* Segments known to follow one that ends at @end */
static unsigned int ldcp_left(const struct sock *sk, u32 end)
{
	const struct sk_buff *tail = skb_peek_tail(&sk->sk_write_queue);
	const struct tcp_sock *tp = tcp_sk(sk);
	u8 flags = tail ? TCP_SKB_CB(tail)->tcp_flags : TCPHDR_PSH;
	u32 bytes = tp->write_seq - end;

	/* without PSH: the application's write is not complete */
	if (!(flags & TCPHDR_PSH))
		return UINT_MAX;
	/* a FIN has a sequence number, but is not a segment */
	if (flags & TCPHDR_FIN)
		bytes--;
	return DIV_ROUND_UP(bytes, tp->mss_cache);
}

/* Count retransmissions up to @end of packets that were not ECN capable. */
static void ldcp_resent(struct sock *sk, u32 end, u16 packets)
{
	struct ldcp *c = ldcp_of(sk);

	if (after(end, c->fast_end) || !after(end, c->first))
		return;
	ldcp_count(sk, LDCP_STAT_FIRST_LOST, packets);
	c->lost = min_t(u32, c->lost + packets, U16_MAX);
}

/* Count a packet that leaves. Should it be ECN capable? */
static bool ldcp_wants_ect(struct sock *sk, const struct sk_buff *skb, u32 end)
{
	struct ldcp *c = ldcp_of(sk);
	unsigned int number = c->sent;
	bool ect;

	ldcp_restore_gso(sk);
	c->sent_ns = tcp_sk(sk)->tcp_wstamp_ns;
	/* a retransmission */
	if (!after(end, c->high)) {
		ldcp_resent(sk, end, max_t(u16, skb_shinfo(skb)->gso_segs, 1));
		return true;
	}
	c->high = end;
	if (c->flow.phase != LLE_LDCP_FAST)
		return true;
	c->sent += max_t(u16, skb_shinfo(skb)->gso_segs, 1);
	rcu_read_lock();
	ect = lle_ldcp_is_ect(&c->flow, &ldcp_net_settings(sock_net(sk))->params, number,
			      ldcp_left(sk, end));
	rcu_read_unlock();
	if (!ect)
		c->fast_end = end;
	/* pace the rest of the first RTT, until an ACK sets another rate */
	if (c->known_rate && c->sent >= c->at_once)
		WRITE_ONCE(sk->sk_pacing_rate,
			   min(c->known_rate, READ_ONCE(sk->sk_max_pacing_rate)));
	return ect;
}

static unsigned int ldcp_out4(void *priv, struct sk_buff *skb,
			      const struct nf_hook_state *state)
{
	struct sock *sk;
	struct tcphdr th;
	u32 end;

	if (ip_hdr(skb)->protocol != IPPROTO_TCP)
		return NF_ACCEPT;
	sk = ldcp_segment(skb, state, ip_hdrlen(skb), &th, &end);
	if (sk && !ldcp_wants_ect(sk, skb, end))
		ipv4_change_dsfield(ip_hdr(skb), (__u8)~INET_ECN_MASK, INET_ECN_NOT_ECT);
	return NF_ACCEPT;
}

static unsigned int ldcp_out6(void *priv, struct sk_buff *skb,
			      const struct nf_hook_state *state)
{
	u8 protocol = ipv6_hdr(skb)->nexthdr;
	struct tcphdr th;
	struct sock *sk;
	__be16 fragment;
	int transport;
	u32 end;

	/* a tunnel passes the packet here again, with an outer header */
	transport = ipv6_skip_exthdr(skb, skb_network_offset(skb) + sizeof(struct ipv6hdr),
				     &protocol, &fragment);
	if (transport < 0 || protocol != IPPROTO_TCP)
		return NF_ACCEPT;
	sk = ldcp_segment(skb, state, transport, &th, &end);
	if (sk && !ldcp_wants_ect(sk, skb, end))
		ipv6_change_dsfield(ipv6_hdr(skb), (__u8)~INET_ECN_MASK, INET_ECN_NOT_ECT);
	return NF_ACCEPT;
}

static const struct nf_hook_ops ldcp_hooks[] = {
	{
		.hook = ldcp_out4, .pf = NFPROTO_IPV4,
		.hooknum = NF_INET_LOCAL_OUT, .priority = NF_IP_PRI_FIRST,
	},
#if IS_ENABLED(CONFIG_IPV6)
	{
		.hook = ldcp_out6, .pf = NFPROTO_IPV6,
		.hooknum = NF_INET_LOCAL_OUT, .priority = NF_IP6_PRI_FIRST,
	},
#endif
};

int ldcp_ecn_net_init(struct net *net)
{
	return nf_register_net_hooks(net, ldcp_hooks, ARRAY_SIZE(ldcp_hooks));
}

void ldcp_ecn_net_exit(struct net *net)
{
	nf_unregister_net_hooks(net, ldcp_hooks, ARRAY_SIZE(ldcp_hooks));
}
