/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TCP_LDCP_H
#define LLE_TCP_LDCP_H

#include <net/net_namespace.h>
#include <net/tcp.h>

#include "../core/ldcp/ldcp.h"

/**
 * struct ldcp_settings - parameters of a network namespace
 * @params: parameters of each flow
 * @iw: initial window in packets, if no larger one is known
 * @rcu: for freeing
 */
struct ldcp_settings {
	struct lle_ldcp_params params;
	u32 iw;
	struct rcu_head rcu;
};

/* Counters of a network namespace */
enum ldcp_stat {
	LDCP_STAT_FLOWS,	/* sockets that have started */
	LDCP_STAT_RESTARTS,	/* of idle sockets */
	LDCP_STAT_NO_ECN,	/* sockets with a peer without ECN */
	LDCP_STAT_PACKETS,	/* acknowledged by ACKs that report marks */
	LDCP_STAT_MARKED,	/* marked ones of these */
	LDCP_STAT_FIRST_LOST,	/* resent packets that were not ECN capable */
	LDCP_STAT_LOSSES,	/* recoveries in the stable stage */
	LDCP_STAT_TIMEOUTS,	/* of retransmission */
	LDCP_STATS
};

/**
 * struct ldcp_stats - counters of a CPU
 * @n: by enum ldcp_stat
 */
struct ldcp_stats {
	u64 n[LDCP_STATS];
};

/**
 * struct ldcp - state of a socket; under its lock
 * @flow: window
 * @first: sequence number at which the flow started
 * @fast_end: end of the packets that are not ECN capable
 * @high: end of the sent data, without a FIN
 * @una: tcp_sock.snd_una at the previous ACK
 * @sent: packets sent in the first RTT
 * @delivered_ce: tcp_sock.delivered_ce at the previous ACK
 * @prior_cw: window before the last loss, in the stable stage; else 0
 * @rtt_us: last RTT; below one packet a smoothed one is very old
 * @sent_ns: low bits of tcp_sock.tcp_wstamp_ns of the last packet sent
 * @known_rate: pacing rate after @at_once packets of a first RTT, in bytes per
 *	second; 0: not limited
 * @idle_us: tcp_sock.tcp_mstamp since which the socket may send and has no
 *	packets under way; 0: it has
 * @packets: packets acknowledged by ACKs that report marks
 * @marks: marked packets among these
 * @rcv_nxt: tcp_sock.rcv_nxt before the last packet received
 * @segs: saved sk_gso_max_segs, while it is lowered; else 0
 * @at_once: packets of an initial window that are not paced
 * @lost: as LDCP_STAT_FIRST_LOST, of this socket; saturates
 * @ce: the last packet received was marked
 */
struct ldcp {
	struct lle_ldcp flow;
	u32 first;
	u32 fast_end;
	u32 high;
	u32 una;
	u32 sent;
	u32 delivered_ce;
	u32 prior_cw;
	u32 rtt_us;
	u32 sent_ns;
	unsigned long known_rate;
	u64 idle_us;
	u32 packets;
	u32 marks;
	u32 rcv_nxt;
	u16 segs;
	u16 at_once;
	u16 lost;
	bool ce;
};

static_assert(sizeof(struct ldcp) <= ICSK_CA_PRIV_SIZE);

extern struct tcp_congestion_ops ldcp_ops;

static inline struct ldcp *ldcp_of(const struct sock *sk)
{
	return inet_csk_ca(sk);
}

/* Undo ldcp_min_tso_segs(). */
static inline void ldcp_restore_gso(struct sock *sk)
{
	struct ldcp *c = ldcp_of(sk);

	if (!c->segs)
		return;
	sk->sk_gso_max_segs = c->segs;
	c->segs = 0;
}

/* ecn.c */
int ldcp_ecn_net_init(struct net *net);
void ldcp_ecn_net_exit(struct net *net);
void ldcp_ecn_echo(struct sock *sk, bool ce);

/* net.c */
const struct ldcp_settings *ldcp_net_settings(const struct net *net);
struct ldcp_stats __percpu *ldcp_net_stats(const struct net *net);
unsigned int ldcp_net_initial_window(struct sock *sk);
void ldcp_net_learn(const struct sock *sk);
int ldcp_net_register(void);
void ldcp_net_unregister(void);

static inline void ldcp_count(const struct sock *sk, enum ldcp_stat what, u32 by)
{
	this_cpu_add(ldcp_net_stats(sock_net(sk))->n[what], by);
}

#endif /* LLE_TCP_LDCP_H */
