// SPDX-License-Identifier: GPL-2.0
/*
 * The ECN mark, and the two rules that set it: WRED, when a packet arrives or
 * leaves, and RCM, when an isolated one leaves.
 */
#include <net/inet_ecn.h>

#include "../kmod/lossless/classify.h"
#include "queue.h"

/* ECN field; INET_ECN_NOT_ECT also without an IP header. */
static unsigned int lossless_ecn(const struct sk_buff *skb)
{
	unsigned int at;
	u8 ip[2];

	switch (lle_classify_ip(skb, ETH_HLEN, &at)) {
	case ETH_P_IP:
		return skb_copy_bits(skb, at, ip, 2) ? INET_ECN_NOT_ECT :
						       ip[1] & INET_ECN_MASK;
	case ETH_P_IPV6:
		return skb_copy_bits(skb, at, ip, 2) ? INET_ECN_NOT_ECT :
						       ip[1] >> 4 & INET_ECN_MASK;
	}
	return INET_ECN_NOT_ECT;
}

/*
 * Marks a packet CE, unless it is already. Makes the header writable first: data
 * may be shared with the sender's retransmission queue, or with copies flooded
 * to other ports. Under the root lock.
 */
void lossless_mark(struct lossless_queue *queue, struct sk_buff *skb)
{
	unsigned int at, len;
	bool marked;
	u16 type;

	if (lossless_ecn(skb) == INET_ECN_CE)
		return;
	type = lle_classify_ip(skb, ETH_HLEN, &at);
	len = at + (type == ETH_P_IP ? sizeof(struct iphdr) :
				       sizeof(struct ipv6hdr));
	if (!type || !pskb_may_pull(skb, len) || skb_try_make_writable(skb, len))
		return;
	if (type == ETH_P_IP)
		marked = IP_ECN_set_ce((struct iphdr *)(skb->data + at));
	else
		marked = IP6_ECN_set_ce(skb, (struct ipv6hdr *)(skb->data + at));
	if (marked)
		queue->stats->ecn_marked += lle_gso_packets(skb);
}

/*
 * Decides on a packet by @bytes, the length of its queue: LOSSLESS_ADMITTED,
 * LOSSLESS_MARK or enum lle_drop_reason. Under the root lock.
 */
int lossless_mark_decide(struct lossless_qdisc *q, struct lossless_queue *queue,
			 struct sk_buff *skb, u32 bytes)
{
	switch (lle_wred_decide(&queue->wred, bytes, lossless_ecn(skb),
				lle_random(&q->port->random))) {
	case LLE_WRED_PASS:
		break;
	case LLE_WRED_MARK:
		return LOSSLESS_MARK;
	case LLE_WRED_DROP:
		return LLE_DROP_WRED;
	case LLE_WRED_DROP_NONECT:
		return LLE_DROP_WRED_NONECT;
	case LLE_WRED_DROP_BUFMAX:
		return LLE_DROP_WRED_BUFMAX;
	}
	return LOSSLESS_ADMITTED;
}

/*
 * Marks a packet that leaves, as the queue behind it asks for. Under the root
 * lock.
 */
void lossless_mark_leaving(struct lossless_qdisc *q,
			   struct lossless_queue *queue, struct sk_buff *skb)
{
	if (queue->stats->backlog >= queue->wred.leave_bytes &&
	    lossless_ecn(skb) != INET_ECN_NOT_ECT &&
	    lle_wred_marks_leaving(&queue->wred, queue->stats->backlog,
				   lle_random(&q->port->random)))
		lossless_mark(queue, skb);
}

/*
 * Marks an isolated packet that leaves if it has waited for long. WRED of @queue
 * may mark; lossless_cb.came is set. Under the root lock.
 */
void lossless_mark_waited(const struct lossless_qdisc *q,
			  struct lossless_queue *queue, struct sk_buff *skb,
			  u64 now_ns)
{
	u32 now = now_ns / LOSSLESS_TICK_NS;
	u64 waited_ns = (u64)(now - lossless_cb(skb)->came) * LOSSLESS_TICK_NS;

	if (waited_ns > q->rcm_params.wait_ns)
		lossless_mark(queue, skb);
}
