/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_COMPAT_NET_TCP_H
#define LLE_COMPAT_NET_TCP_H

#include_next <net/tcp.h>

/* An ACK that has been delayed, of what had come by then; has a third argument since 7.0. */
static inline void lle_tcp_send_ack(struct sock *sk, u32 rcv_nxt)
{
#ifdef LLE_HAVE_TCP_SEND_ACK_FLAGS
	__tcp_send_ack(sk, rcv_nxt, 0);
#else
	__tcp_send_ack(sk, rcv_nxt);
#endif
}

/* Accurate ECN: the peer counts marks, and needs no echo of ours. */
#ifdef LLE_HAVE_TCP_ACCECN
#define lle_tcp_ecn		tcp_ecn_mode_any
#define lle_tcp_accecn		tcp_ecn_mode_accecn
#else
static inline bool lle_tcp_ecn(const struct tcp_sock *tp)
{
	return tp->ecn_flags & TCP_ECN_OK;
}

static inline bool lle_tcp_accecn(const struct tcp_sock *tp)
{
	return false;
}
#endif

/*
 * LLE_TCP_CONTROL() - define tcp_congestion_ops.cong_control; 6.10 changed its
 * arguments
 * @name: name of the function
 * @control: function that it calls
 */
#ifdef LLE_HAVE_TCP_CONTROL_ACK
#define LLE_TCP_CONTROL(name, control)					\
static void name(struct sock *sk, u32 ack, int flag,			\
		 const struct rate_sample *rs)				\
{									\
	control(sk, rs);						\
}
#else
#define LLE_TCP_CONTROL(name, control)					\
static void name(struct sock *sk, const struct rate_sample *rs)		\
{									\
	control(sk, rs);						\
}
#endif

/*
 * LLE_TCP_TX_START() - initializer of tcp_congestion_ops.cwnd_event_tx_start, which is an event
 * of cwnd_event before 7.0
 * @handler: it
 */
#ifdef LLE_HAVE_TCP_EVENT_TX_START
#define LLE_TCP_TX_START(handler)	.cwnd_event_tx_start = (handler),
#else
#define LLE_TCP_TX_START(handler)
#endif

#endif /* LLE_COMPAT_NET_TCP_H */
