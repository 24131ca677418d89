// SPDX-License-Identifier: GPL-2.0
/*
 * Marks: which packets can be marked, and how the sender learns of each that was.
 *
 * A socket of LDCP makes TCP set ECT on all that it sends. Those of a first RTT are not to
 * have it, but the last ones; no callback of a congestion control sees packets, so a hook
 * of netfilter in the namespace clears it, behind TCP. It runs under the lock of the socket
 * that sends.
 */
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ipv6.h>

#include "ldcp.h"

/* --- the receiving side */

static void ldcp_set_echo(struct tcp_sock *tp, bool ce)
{
	if (ce)
		tp->ecn_flags |= TCP_ECN_DEMAND_CWR;
	else
		tp->ecn_flags &= ~TCP_ECN_DEMAND_CWR;
}

/**
 * ldcp_echo() - an ECN capable packet has come
 * @sk: the socket
 * @ce: it is marked
 *
 * It is acknowledged at once, with what it says; what is still to be acknowledged of before
 * with what that said.
 *
 * Source: section 2.2 of the draft; RFC 8257 section 3.2.
 */
void ldcp_echo(struct sock *sk, bool ce)
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

/* --- the sending side */

/* Is it a segment of LDCP that has data? Set @end to its end. */
static struct sock *ldcp_segment(const struct sk_buff *skb, unsigned int transport,
				 struct tcphdr *th, u32 *end)
{
	struct sock *sk = skb->sk;
	const struct tcphdr *header;
	unsigned int len;

	/* resets come from raw sockets, which are less than a connection */
	if (!sk || !sk_fullsock(sk) || !sk_is_tcp(sk) ||
	    inet_csk(sk)->icsk_ca_ops != &ldcp_ops)
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

/* Segments that will follow one that ends at @end, as far as is known. */
static unsigned int ldcp_left(const struct sock *sk, u32 end)
{
	const struct sk_buff *tail = skb_peek_tail(&sk->sk_write_queue);
	const struct tcp_sock *tp = tcp_sk(sk);

	/* who writes has not written all of it yet */
	if (tail && !(TCP_SKB_CB(tail)->tcp_flags & TCPHDR_PSH))
		return UINT_MAX;
	return DIV_ROUND_UP(tp->write_seq - end, tp->mss_cache);
}

/* Packets that end at @end are sent again: if they were not ECN capable, switches drop such. */
static void ldcp_resent(struct sock *sk, u32 end, u16 packets)
{
	struct ldcp *c = ldcp_of(sk);

	if (after(end, c->fast_end) || !after(end, c->first))
		return;
	ldcp_count(sk, LDCP_STAT_FIRST_LOST, packets);
	c->lost = min_t(u32, c->lost + packets, U16_MAX);
}

/* Is it to be ECN capable? Counts it. */
static bool ldcp_wants_ect(struct sock *sk, const struct sk_buff *skb, u32 end)
{
	struct ldcp *c = ldcp_of(sk);
	unsigned int number = c->sent;
	bool ect;

	ldcp_restore_gso(sk);
	/* sent again */
	if (!after(end, c->high)) {
		ldcp_resent(sk, end, max_t(u16, skb_shinfo(skb)->gso_segs, 1));
		return true;
	}
	c->high = end;
	if (c->flow.phase != LLE_LDCP_FAST)
		return true;
	c->sent += max_t(u16, skb_shinfo(skb)->gso_segs, 1);
	rcu_read_lock();
	ect = lle_ldcp_is_ect(&c->flow, &ldcp_settings(sock_net(sk))->params, number,
			      ldcp_left(sk, end));
	rcu_read_unlock();
	if (!ect)
		c->fast_end = end;
	/* until an ACK comes */
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
	sk = ldcp_segment(skb, ip_hdrlen(skb), &th, &end);
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

	/* a tunnel sends the socket's packet once more, in another one */
	transport = ipv6_skip_exthdr(skb, skb_network_offset(skb) + sizeof(struct ipv6hdr),
				     &protocol, &fragment);
	if (transport < 0 || protocol != IPPROTO_TCP)
		return NF_ACCEPT;
	sk = ldcp_segment(skb, transport, &th, &end);
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

/**
 * ldcp_ecn_net_init() - a network namespace begins
 * @net: it
 *
 * Return: 0; -ENOMEM.
 */
int ldcp_ecn_net_init(struct net *net)
{
	return nf_register_net_hooks(net, ldcp_hooks, ARRAY_SIZE(ldcp_hooks));
}

/**
 * ldcp_ecn_net_exit() - a network namespace ends
 * @net: it
 */
void ldcp_ecn_net_exit(struct net *net)
{
	nf_unregister_net_hooks(net, ldcp_hooks, ARRAY_SIZE(ldcp_hooks));
}
