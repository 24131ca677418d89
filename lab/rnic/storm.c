// SPDX-License-Identifier: GPL-2.0
/*
 * Broken NICs pause their port, for ever or for some time, like a NIC with a
 * full receive buffer that its host does not read.
 */
#include <linux/etherdevice.h>
#include <linux/inet.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "rnic.h"

/* A broken NIC */
struct rnic_storm {
	struct list_head node;	/* in the list of storms, RTNL */
	struct rnic_host *host;
	u64 start_ns;	/* begin, after the start of the run */
	u64 end_ns;	/* end, after the start of the run; 0: never */
	u8 prio;	/* paused priority */
	struct hrtimer timer;	/* fires for each pause */
};

static LIST_HEAD(rnic_storms);

/* Bypasses the qdisc, so that a pause does not queue behind data. */
static void rnic_storm_send(struct net_device *dev, unsigned int prio,
			    u16 quanta)
{
	/* read once: it may change */
	unsigned int headroom = data_race(LL_RESERVED_SPACE(dev));
	struct lle_pfc_frame *frame;
	struct sk_buff *skb;

	skb = alloc_skb(headroom + sizeof(*frame), GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return;
	skb_reserve(skb, headroom);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->dev = dev;
	skb->protocol = htons(LLE_ETH_P_MAC_CONTROL);

	frame = skb_put_zero(skb, sizeof(*frame));
	*frame = (struct lle_pfc_frame) {
		.dst = LLE_MACC_ADDR,
		.ethertype = htons(LLE_ETH_P_MAC_CONTROL),
		.opcode = htons(LLE_MACC_OP_PFC),
		.class_enable = htons(BIT(prio)),
	};
	memcpy(frame->src, dev->dev_addr, ETH_ALEN);
	frame->quanta[prio] = htons(quanta);
	dev_direct_xmit(skb, 0);
}

static enum hrtimer_restart rnic_storm_timer(struct hrtimer *timer)
{
	struct rnic_storm *storm = container_of(timer, struct rnic_storm, timer);
	u64 now_ns = ktime_to_ns(hrtimer_get_expires(timer));
	u64 end_ns = storm->end_ns ? rnic_start_ns + storm->end_ns : U64_MAX;
	struct net_device *dev;

	rcu_read_lock();
	dev = rcu_dereference(storm->host->dev);
	if (dev && netif_running(dev))
		rnic_storm_send(dev, storm->prio,
				now_ns < end_ns ? LLE_QUANTA_MAX : 0);
	rcu_read_unlock();
	if (now_ns >= end_ns)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(min(now_ns + rnic_config.storm_ns,
						   end_ns)));
	return HRTIMER_RESTART;
}

/* @line: START_NS HOST PRIO [NS]. RTNL. Return: NULL, or an error message. */
const char *rnic_storm_add(const char *line)
{
	char addr[INET_ADDRSTRLEN], more;
	struct rnic_storm *storm;
	struct rnic_host *host;
	unsigned int prio;
	u64 start_ns, ns = 0;
	__be32 ip;
	int n;

	n = sscanf(line, "%llu %15s %u %llu %c", &start_ns, addr, &prio, &ns,
		   &more);
	if (n < 3 || n > 4)
		return "not storm START_NS HOST PRIO [NS]";
	if (n == 4 && !ns)
		return "NS is 0";
	if (prio >= LLE_NUM_PRIO)
		return "PRIO is over 7";
	if (!in4_pton(addr, -1, (u8 *)&ip, -1, NULL))
		return "HOST is not an IPv4 address";
	host = rnic_host_get(ip);
	if (IS_ERR(host))
		return "nobody is HOST";
	storm = kzalloc(sizeof(*storm), GFP_KERNEL);
	if (!storm)
		return "no memory";
	storm->host = host;
	storm->start_ns = start_ns;
	storm->end_ns = ns ? start_ns + ns : 0;
	storm->prio = prio;
	hrtimer_setup(&storm->timer, rnic_storm_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	list_add_tail(&storm->node, &rnic_storms);
	return NULL;
}

/* RTNL. */
void rnic_storms_start(u64 start_ns)
{
	struct rnic_storm *storm;

	list_for_each_entry(storm, &rnic_storms, node)
		if (storm->host->here)
			hrtimer_start(&storm->timer,
				      ns_to_ktime(start_ns + storm->start_ns),
				      HRTIMER_MODE_ABS_SOFT);
}

/* Must precede the removal of their hosts. RTNL. */
void rnic_storms_clear(void)
{
	struct rnic_storm *storm, *next;

	list_for_each_entry_safe(storm, next, &rnic_storms, node) {
		hrtimer_cancel(&storm->timer);
		list_del(&storm->node);
		kfree(storm);
	}
}
