// SPDX-License-Identifier: GPL-2.0
/*
 * LDCP for TCP sockets: draft-dai-tsvwg-pfc-free-congestion-control-01.
 *
 * Only this module sets the window (cong_control), which core/ldcp/ldcp.c
 * computes: TCP does not reduce it on loss or ECE. Below one packet, one packet
 * at a time is paced. The receiver needs the module, too: it reports each mark
 * (ecn.c). All callbacks run under the socket's lock.
 */
#include <linux/inet_diag.h>
#include <linux/jhash.h>
#include <linux/module.h>
#include <linux/random.h>

#include "ldcp.h"

static unsigned int seed;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "Random numbers follow from this, for tests (0: they are the kernel's)");

/* For sockets with a peer without ECN */
static struct tcp_congestion_ops ldcp_reno __read_mostly = {
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= tcp_reno_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.owner		= THIS_MODULE,
	.name		= "ldcp-reno",
};

static struct lle_ldcp_params ldcp_params(struct sock *sk)
{
	struct lle_ldcp_params p;

	rcu_read_lock();
	p = ldcp_net_settings(sock_net(sk))->params;
	rcu_read_unlock();
	return lle_ldcp_within(&p, (u64)ldcp_of(sk)->rtt_us * NSEC_PER_USEC,
			       (u64)tcp_rto_min_us(sk) * NSEC_PER_USEC);
}

/* A random number that does not depend on other sockets */
static u32 ldcp_random(const struct sock *sk)
{
	if (!seed)
		return get_random_u32();
	return jhash_3words((__force u32)sk->sk_daddr, (__force u32)sk->sk_rcv_saddr,
			    (u32)tcp_sk(sk)->bytes_acked, seed + (__force u16)sk->sk_dport);
}

/* Pacing rate in bytes per second; ~0: the window is at least one packet */
static unsigned long ldcp_rate(const struct sock *sk, const struct lle_ldcp_params *p)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	const struct ldcp *c = ldcp_of(sk);
	u64 gap_ns;

	gap_ns = lle_ldcp_gap_ns(&c->flow, p, (u64)c->rtt_us * NSEC_PER_USEC,
				 ldcp_random(sk));
	if (!gap_ns)
		return ~0UL;
	return max_t(u64, 1, div64_u64((u64)tp->mss_cache * NSEC_PER_SEC, gap_ns));
}

/* With cong_control TCP counts prr_out, but calls no tcp_cwnd_reduction(). */
static void ldcp_begin_recovery(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);

	tp->prior_cwnd = tp->packets_out;
	tp->prr_delivered = 0;
	tp->prr_out = 0;
}

static u32 ldcp_window(const struct sock *sk)
{
	const struct lle_ldcp *flow = &ldcp_of(sk)->flow;
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 window = lle_ldcp_window(flow);

	if (inet_csk(sk)->icsk_ca_state != TCP_CA_Recovery)
		return window;
	return max(window, tcp_packets_in_flight(tp) +
			   lle_ldcp_recovery(flow, tp->prior_cwnd, tp->prr_delivered,
					     tp->prr_out));
}

static void ldcp_apply(struct sock *sk, const struct lle_ldcp_params *p)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 window = ldcp_window(sk);

	tcp_snd_cwnd_set(tp, min(window, tp->snd_cwnd_clamp));
	WRITE_ONCE(sk->sk_pacing_rate,
		   min(ldcp_rate(sk, p), READ_ONCE(sk->sk_max_pacing_rate)));
}

/* Start a first RTT at snd_nxt. */
static void ldcp_begin(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct ldcp *c = ldcp_of(sk);

	c->first = tp->snd_nxt;
	c->fast_end = tp->snd_nxt;
	c->high = tp->snd_nxt;
	c->una = tp->snd_nxt;
	c->sent = 0;
}

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

/*
 * Announces a receive window of more than 64 KB on a new connection: the route's
 * initrwnd, or the namespace's initial window. As with TCP's tuning, the buffer
 * grows up to tcp_rmem, unless the application has set it. The window of a
 * SYN-ACK is not scaled (RFC 7323, section 2.2), and the first receive buffer is
 * small: the accepting side sends an ACK at once; the other side sends one
 * anyway. tcp_init_buffer_space() is called next.
 */
static void ldcp_window_open(struct sock *sk)
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

static void ldcp_init(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct ldcp *c = ldcp_of(sk);
	struct lle_ldcp_params p;

	/* a listener's children are initialised again */
	if (!lle_tcp_ecn(tp) && sk->sk_state != TCP_LISTEN && sk->sk_state != TCP_CLOSE) {
		inet_csk(sk)->icsk_ca_ops = &ldcp_reno;
		ldcp_count(sk, LDCP_STAT_NO_ECN, 1);
		INET_ECN_dontxmit(sk);
		return;
	}
	ldcp_count(sk, LDCP_STAT_FLOWS, 1);
	*c = (struct ldcp){ .delivered_ce = tp->delivered_ce, .rcv_nxt = tp->rcv_nxt };
	lle_ldcp_start(&c->flow, ldcp_net_initial_window(sk));
	ldcp_begin(sk);
	if (sk->sk_state != TCP_LISTEN && sk->sk_state != TCP_CLOSE)
		ldcp_window_open(sk);
	/* no slow start by TCP */
	tp->snd_ssthresh = 2;
	cmpxchg(&sk->sk_pacing_status, SK_PACING_NONE, SK_PACING_NEEDED);
	p = ldcp_params(sk);
	ldcp_apply(sk, &p);
}

static void ldcp_release(struct sock *sk)
{
	ldcp_restore_gso(sk);
	ldcp_net_learn(sk);
}

/* False before the connection is established, as for the ACK of the SYN */
static bool ldcp_is_there(const struct sock *sk)
{
	return ldcp_of(sk)->flow.iw;
}

/* Packets of the initial window newly acknowledged in order */
static u32 ldcp_acked(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	const struct ldcp *c = ldcp_of(sk);
	u32 acked = DIV_ROUND_UP(tp->snd_una - c->first, tp->mss_cache);

	return acked > c->flow.acked ? acked - c->flow.acked : 0;
}

/* Has the end of the initial window, or of its sent part, arrived? */
static bool ldcp_is_whole(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	const struct ldcp *c = ldcp_of(sk);
	u32 end = c->first + min(c->flow.iw * tp->mss_cache, c->high - c->first);

	return !before(tp->sacked_out ? tcp_highest_sack_seq((struct tcp_sock *)tp) :
					tp->snd_una, end);
}

/* When the socket may send: while it waits for its pace it is not idle. */
static u64 ldcp_free_us(const struct tcp_sock *tp)
{
	return max(tp->tcp_mstamp, div_u64(tp->tcp_wstamp_ns, NSEC_PER_USEC));
}

/*
 * Does an ACK report marks? The ACK of a packet that is not ECN capable, or of
 * a FIN without data, repeats an earlier mark. In the stable stage packets of a
 * first RTT are retransmissions, which are ECN capable.
 */
static bool ldcp_tells_marks(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	const struct ldcp *c = ldcp_of(sk);

	return (c->flow.phase == LLE_LDCP_STABLE || after(tp->snd_una, c->fast_end)) &&
	       before(c->una, c->high);
}

/*
 * RTT when the only packet under way arrives. For a retransmission TCP has only
 * that of timestamps, at least a millisecond. The last RTT before a recovery,
 * long with a window below one packet, would be that of an old queue.
 */
static u32 ldcp_age_us(const struct sock *sk)
{
	return ((u32)tcp_sk(sk)->tcp_clock_cache - ldcp_of(sk)->sent_ns) / NSEC_PER_USEC;
}

/*
 * Below one packet the gap to the next one follows from the ACK of the last one,
 * but TCP has set it when it sent that, from the window then.
 */
static void ldcp_repace(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	const struct ldcp *c = ldcp_of(sk);
	unsigned long rate;
	u64 sent_ns;

	if (c->flow.cw >= LLE_LDCP_ONE || c->flow.phase != LLE_LDCP_STABLE ||
	    tcp_packets_in_flight(tp))
		return;
	rate = READ_ONCE(sk->sk_pacing_rate);
	if (!rate)	/* SO_MAX_PACING_RATE 0, for TCP no limit */
		return;
	sent_ns = tp->tcp_clock_cache - (u32)((u32)tp->tcp_clock_cache - c->sent_ns);
	tp->tcp_wstamp_ns = sent_ns + div64_ul((u64)tp->mss_cache * NSEC_PER_SEC, rate);
	/* a queued timer holds the socket */
	if (hrtimer_try_to_cancel(&tp->pacing_timer) == 1)
		hrtimer_start(&tp->pacing_timer, ns_to_ktime(tp->tcp_wstamp_ns),
			      HRTIMER_MODE_ABS_PINNED_SOFT);
}

static void ldcp_control(struct sock *sk, const struct rate_sample *rs)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct ldcp *c = ldcp_of(sk);
	struct lle_ldcp_ack ack = {
		.arrived = rs->acked_sacked,
		.limited = tcp_is_cwnd_limited(sk),
	};
	struct lle_ldcp_params p;

	if (!ldcp_is_there(sk))
		return;
	if (ldcp_tells_marks(sk)) {
		ack.marked = tp->delivered_ce - c->delivered_ce;
		c->packets += ack.arrived;
		c->marks += ack.marked;
		ldcp_count(sk, LDCP_STAT_PACKETS, ack.arrived);
		ldcp_count(sk, LDCP_STAT_MARKED, ack.marked);
	}
	c->delivered_ce = tp->delivered_ce;
	c->una = tp->snd_una;
	tp->prr_delivered += ack.arrived;
	if (rs->rtt_us > 0 && !rs->is_retrans)
		c->rtt_us = rs->rtt_us;
	else if (ack.arrived && !tcp_packets_in_flight(tp))
		c->rtt_us = ldcp_age_us(sk);
	if (c->flow.phase != LLE_LDCP_STABLE) {
		ack.acked = ldcp_acked(sk);
		ack.whole = ldcp_is_whole(sk);
	}
	p = ldcp_params(sk);
	lle_ldcp_ack(&c->flow, &p, &ack);
	ldcp_apply(sk, &p);
	ldcp_repace(sk);
	c->idle_us = tp->packets_out ? 0 : ldcp_free_us(tp);
}

LLE_TCP_CONTROL(ldcp_cong_control, ldcp_control)

/* The socket sends, with no packets under way. */
static void ldcp_tx_start(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct ldcp *c = ldcp_of(sk);
	struct lle_ldcp_params p;
	u64 idle_us;

	if (!c->idle_us)
		return;
	/* idle_us may be ahead: sch_fq gets packets early */
	idle_us = tp->tcp_mstamp > c->idle_us ? tp->tcp_mstamp - c->idle_us : 0;
	c->idle_us = 0;
	if (lle_ldcp_idle(&c->flow, ldcp_net_initial_window(sk), idle_us * NSEC_PER_USEC,
			  (u64)(tp->srtt_us >> 3) * NSEC_PER_USEC)) {
		ldcp_begin(sk);
		ldcp_count(sk, LDCP_STAT_RESTARTS, 1);
		p = ldcp_params(sk);
		ldcp_apply(sk, &p);
	}
}

/* Largest burst, as part of the window; TCP's is a third */
#define LDCP_BURST_SHIFT	3

/*
 * Called before TCP sends. TCP reads sk_gso_max_segs next; the netfilter hook,
 * or ldcp_release(), restores it. In a first RTT each segment has its own ECN
 * field, so no GSO; nor until these are acknowledged: TCP would wait for a burst,
 * and the link be idle once a window. Later a burst is a small part of the window:
 * in a short queue, long bursts get fewer marks, and the flow grows at the cost of
 * others.
 */
static u32 ldcp_min_tso_segs(struct sock *sk)
{
	struct ldcp *c = ldcp_of(sk);
	u32 burst = 1;

	if (!c->segs)
		c->segs = sk->sk_gso_max_segs;
	if (c->flow.phase == LLE_LDCP_STABLE && !c->idle_us)
		burst = max(lle_ldcp_window(&c->flow) >> LDCP_BURST_SHIFT, 1U);
	sk->sk_gso_max_segs = min_t(u32, c->segs, burst);
	return READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_min_tso_segs);
}

static void ldcp_event(struct sock *sk, enum tcp_ca_event event)
{
	switch (event) {
	case CA_EVENT_ECN_IS_CE:
		ldcp_ecn_echo(sk, true);
		break;
	case CA_EVENT_ECN_NO_CE:
		ldcp_ecn_echo(sk, false);
		break;
	case CA_EVENT_TX_START:
		ldcp_tx_start(sk);
		break;
	default:
		break;
	}
}

static void ldcp_set_state(struct sock *sk, u8 state)
{
	struct ldcp *c = ldcp_of(sk);
	struct lle_ldcp_params p;

	if (!ldcp_is_there(sk) || (state != TCP_CA_Recovery && state != TCP_CA_Loss))
		return;
	p = ldcp_params(sk);
	c->prior_cw = c->flow.phase == LLE_LDCP_STABLE ? c->flow.cw : 0;
	if (state == TCP_CA_Loss) {
		lle_ldcp_timeout(&c->flow, &p);
		ldcp_count(sk, LDCP_STAT_TIMEOUTS, 1);
	} else {
		if (c->prior_cw)
			ldcp_count(sk, LDCP_STAT_LOSSES, 1);
		lle_ldcp_lost(&c->flow, &p, true);
		ldcp_begin_recovery(sk);
	}
}

static u32 ldcp_ssthresh(struct sock *sk)
{
	return max(lle_ldcp_window(&ldcp_of(sk)->flow), 2U);
}

static u32 ldcp_undo_cwnd(struct sock *sk)
{
	struct ldcp *c = ldcp_of(sk);

	if (c->prior_cw)
		c->flow.cw = max(c->flow.cw, c->prior_cw);
	return lle_ldcp_window(&c->flow);
}

/*
 * For ss(8), in DCTCP's info: alpha is the window in 1/1024 packets, enabled is
 * 1 + phase, and ce_state is @lost.
 */
static size_t ldcp_get_info(struct sock *sk, u32 ext, int *attr,
			    union tcp_cc_info *info)
{
	const struct ldcp *c = ldcp_of(sk);

	if (!(ext & (1 << (INET_DIAG_DCTCPINFO - 1))) &&
	    !(ext & (1 << (INET_DIAG_VEGASINFO - 1))))
		return 0;
	memset(&info->dctcp, 0, sizeof(info->dctcp));
	info->dctcp.dctcp_enabled = 1 + c->flow.phase;
	info->dctcp.dctcp_ce_state = c->lost;
	info->dctcp.dctcp_alpha = c->flow.cw >> 10;
	info->dctcp.dctcp_ab_ecn = c->marks;
	info->dctcp.dctcp_ab_tot = c->packets;
	*attr = INET_DIAG_DCTCPINFO;
	return sizeof(info->dctcp);
}

struct tcp_congestion_ops ldcp_ops __read_mostly = {
	.init		= ldcp_init,
	.release	= ldcp_release,
	.cong_control	= ldcp_cong_control,
	.cwnd_event	= ldcp_event,
	LLE_TCP_TX_START(ldcp_tx_start)
	.min_tso_segs	= ldcp_min_tso_segs,
	.set_state	= ldcp_set_state,
	.ssthresh	= ldcp_ssthresh,
	.undo_cwnd	= ldcp_undo_cwnd,
	.get_info	= ldcp_get_info,
	.flags		= TCP_CONG_NEEDS_ECN,
	.owner		= THIS_MODULE,
	.name		= "ldcp",
};

static int __init ldcp_module_init(void)
{
	int err = ldcp_net_register();

	if (err)
		return err;
	err = tcp_register_congestion_control(&ldcp_ops);
	if (err)
		ldcp_net_unregister();
	return err;
}

static void __exit ldcp_module_exit(void)
{
	tcp_unregister_congestion_control(&ldcp_ops);
	ldcp_net_unregister();
}

module_init(ldcp_module_init);
module_exit(ldcp_module_exit);

MODULE_DESCRIPTION("Linux Lossless Ethernet: LDCP for TCP sockets");
MODULE_LICENSE("GPL");
MODULE_VERSION(LLE_VERSION);
