/* SPDX-License-Identifier: GPL-2.0 */
#include_next <net/sch_generic.h>

#ifndef LLE_COMPAT_NET_SCH_GENERIC_H
#define LLE_COMPAT_NET_SCH_GENERIC_H

/*
 * The code that segments a packet sets the length of each part; newer kernels
 * also want the number of packets on the wire.
 */
static inline void lle_skb_set_pkt_len(struct sk_buff *skb, unsigned int len)
{
	qdisc_skb_cb(skb)->pkt_len = len;
#ifdef LLE_HAVE_QDISC_PKT_SEGS
	qdisc_skb_cb(skb)->pkt_segs = 1;
#endif
}

/*
 * Sparse takes the locks of qdiscs with TCQ_F_NOLOCK for those of all. Newer kernels
 * return packets that dequeue has left to them to free; ours leaves no packet.
 */
#ifdef __CHECKER__
#define lle_qdisc_run_begin(sch)	((sch) != NULL)
#define lle_qdisc_run_end(sch)		((void)(sch))
#else
#define lle_qdisc_run_begin(sch)	qdisc_run_begin(sch)
#define lle_qdisc_run_end(sch)		((void)qdisc_run_end(sch))
#endif

#ifndef LLE_HAVE_QDISC_QLEN_INC
#define qdisc_qlen_inc(sch)	((sch)->q.qlen++)
#define qdisc_qlen_dec(sch)	((sch)->q.qlen--)
#endif

#endif /* LLE_COMPAT_NET_SCH_GENERIC_H */
