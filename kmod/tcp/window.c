// SPDX-License-Identifier: GPL-2.0
/*
 * Receive window of a new connection: the window of a SYN-ACK is not scaled
 * (RFC 7323, section 2.2), and the first receive buffer is small, so a sender
 * has 64 KB at most until an ACK announces more. Such an ACK is sent at once.
 */
#include "ldcp.h"

/* Packets that the peer may send in a first RTT: as this host does */
static u32 ldcp_receive_packets(struct sock *sk)
{
	const struct dst_entry *dst;
	u32 packets;

	rcu_read_lock();
	dst = __sk_dst_get(sk);
	packets = dst ? dst_metric(dst, RTAX_INITRWND) : 0;
	if (!packets)
		packets = ldcp_net_settings(sock_net(sk))->iw;
	rcu_read_unlock();
	return min(packets, LLE_LDCP_WINDOW_END - 1);
}

/**
 * ldcp_window_open() - announce a receive window of more than 64 KB
 * @sk: the socket of a new connection
 *
 * It is the route's initrwnd, or the namespace's initial window. As with TCP's
 * tuning, the buffer grows up to tcp_rmem, unless the application has set it.
 * The accepting side sends an ACK for it; the other side sends one anyway.
 * Context: the socket's lock; tcp_init_buffer_space() is called next.
 */
void ldcp_window_open(struct sock *sk)
{
	int limit = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_rmem[2]);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 window = ldcp_receive_packets(sk) * tp->advmss;
	int space = tcp_full_space(sk);
	u64 buffer;

	if (window <= U16_MAX || !tp->rx_opt.wscale_ok || space <= 0 ||
	    sk->sk_userlocks & SOCK_RCVBUF_LOCK)
		return;
	/* TCP reserves a segment */
	buffer = div_u64((window + 2ULL * tp->advmss) * sk->sk_rcvbuf, space);
	buffer = min_t(u64, buffer, limit);
	if (buffer > sk->sk_rcvbuf)
		WRITE_ONCE(sk->sk_rcvbuf, buffer);
	tp->rcv_ssthresh = max(tp->rcv_ssthresh, min_t(u32, window, tcp_full_space(sk)));
	if (sk->sk_state == TCP_SYN_RECV)
		inet_csk(sk)->icsk_ack.pending |= ICSK_ACK_SCHED | ICSK_ACK_NOW;
}
