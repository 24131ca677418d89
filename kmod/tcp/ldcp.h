/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TCP_LDCP_H
#define LLE_TCP_LDCP_H

#include <net/net_namespace.h>
#include <net/tcp.h>

#include "../core/ldcp/ldcp.h"

/**
 * struct ldcp_settings - parameters of a network namespace
 * @params: of each flow
 * @iw: packets of an initial window, if nothing is known of the path
 * @rcu: for freeing
 */
struct ldcp_settings {
	struct lle_ldcp_params params;
	u32 iw;
	struct rcu_head rcu;
};

/**
 * enum ldcp_stat - what is counted of a network namespace
 * @LDCP_STAT_FLOWS: sockets that have begun
 * @LDCP_STAT_RESTARTS: times that one has begun anew, after a rest
 * @LDCP_STAT_NO_ECN: sockets whose peer has no ECN
 * @LDCP_STAT_PACKETS: acknowledged by ACKs that tell of marks
 * @LDCP_STAT_MARKED: of those, marked
 * @LDCP_STAT_FIRST_LOST: packets of a first RTT that were sent again
 * @LDCP_STAT_LOSSES: times that a packet of the stable stage was lost
 * @LDCP_STAT_TIMEOUTS: times that nothing was known
 * @LDCP_STATS: their number
 */
enum ldcp_stat {
	LDCP_STAT_FLOWS,
	LDCP_STAT_RESTARTS,
	LDCP_STAT_NO_ECN,
	LDCP_STAT_PACKETS,
	LDCP_STAT_MARKED,
	LDCP_STAT_FIRST_LOST,
	LDCP_STAT_LOSSES,
	LDCP_STAT_TIMEOUTS,
	LDCP_STATS
};

/**
 * struct ldcp_stats - of a CPU
 * @n: by enum ldcp_stat
 */
struct ldcp_stats {
	u64 n[LDCP_STATS];
};

/**
 * struct ldcp - a socket; under its lock
 * @flow: its window
 * @first: sequence number that it has begun with
 * @fast_end: end of what is not ECN capable
 * @high: end of what was sent, without a FIN
 * @una: what the ACK before had acknowledged
 * @sent: packets since it has begun
 * @delivered_ce: tcp_sock.delivered_ce that has been taken into account
 * @prior_cw: window before the last loss of the stable stage
 * @rtt_us: the last RTT; a smoothed one is of a hundred windows ago if they are below one
 * @known_rate: bytes per second, once @at_once are sent of a first RTT; 0: what the device can
 * @idle_us: since when nothing is under way that could be, of tcp_sock.tcp_mstamp; 0: something is
 * @packets: acknowledged by ACKs that tell of marks
 * @marks: of those
 * @rcv_nxt: what had come before the last packet
 * @segs: sk_gso_max_segs, while segments are about to be sent one by one; else 0
 * @at_once: packets of an initial window that are not paced
 * @lost: packets of a first RTT that were sent again, no more than fit
 * @ce: the last packet that came was marked
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

/* The module's, which a socket's are if it has LDCP and ECN. */
extern struct tcp_congestion_ops ldcp_ops;

static inline struct ldcp *ldcp_of(const struct sock *sk)
{
	return inet_csk_ca(sk);
}

/* Packets may be as large as they were before segments had to go out one by one. */
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
void ldcp_echo(struct sock *sk, bool ce);

/* net.c */
const struct ldcp_settings *ldcp_settings(const struct net *net);
struct ldcp_stats __percpu *ldcp_stats(const struct net *net);
unsigned int ldcp_initial_window(struct sock *sk);
void ldcp_learn(const struct sock *sk);
int ldcp_net_register(void);
void ldcp_net_unregister(void);

/* stat.c */
int ldcp_stat_net_init(struct net *net);
void ldcp_stat_net_exit(struct net *net);

static inline void ldcp_count(const struct sock *sk, enum ldcp_stat what, u32 by)
{
	this_cpu_add(ldcp_stats(sock_net(sk))->n[what], by);
}

#endif /* LLE_TCP_LDCP_H */
