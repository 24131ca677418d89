// SPDX-License-Identifier: GPL-2.0
/*
 * Watched ports. A hook notes the time of each packet, and may drop or delay
 * frames between switches, before the port sees them.
 */
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "oracle.h"

LIST_HEAD(oracle_taps);

/* RTNL. Return: NULL: @dev is no port of a switch. */
struct lossless_qdisc *oracle_qdisc(struct net_device *dev)
{
	struct Qdisc *sch = rtnl_dereference(dev->qdisc);

	if (!netif_is_bridge_port(dev) || !sch ||
	    strcmp(sch->ops->id, "lossless"))
		return NULL;
	return qdisc_priv(sch);
}

static void oracle_note(struct oracle_tap *tap, bool pause, u64 now_ns)
{
	if (tap->events == ORACLE_EVENTS)
		return;
	tap->event[tap->events++] = (struct oracle_event){
		.ns = lower_32_bits(now_ns),
		.pause = pause,
	};
}

/* Notes messages, and pauses that begin. */
static void oracle_listen(struct oracle_tap *tap, const struct sk_buff *skb,
			  u64 now_ns)
{
	const struct lle_pfc_frame *frame;
	struct lle_pfc_frame buf;
	unsigned int p;
	u8 bit;

	if (skb->protocol == htons(LLE_ETH_P_DEADLOCK)) {
		oracle_note(tap, false, now_ns);
		return;
	}
	frame = skb_header_pointer(skb, -ETH_HLEN, LLE_PFC_FRAME_MIN, &buf);
	if (!frame || frame->opcode != htons(LLE_MACC_OP_PFC))
		return;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		bit = ntohs(frame->class_enable) & BIT(p);
		if (bit && frame->quanta[p] && !(tap->paused & bit))
			oracle_note(tap, true, now_ns);
		if (bit)
			tap->paused = frame->quanta[p] ? tap->paused | bit :
							 tap->paused & ~bit;
	}
}

/* Return: true in @per_mille of 1000 calls */
static bool oracle_hit(struct oracle_tap *tap, u32 per_mille)
{
	return prandom_u32_state(&tap->rnd) % 1000 < per_mille;
}

/* Removes the message from a pause. Return: nothing is left */
static bool oracle_lose_message(struct sk_buff *skb)
{
	unsigned int pad = offsetof(struct lle_pfc_frame, pad) - ETH_HLEN;

	if (skb->protocol == htons(LLE_ETH_P_DEADLOCK))
		return true;
	if (!skb_ensure_writable(skb, LLE_PFC_FRAME_LEN - ETH_HLEN))
		memset(skb->data + pad, 0,
		       sizeof_field(struct lle_pfc_frame, pad));
	return false;
}

static bool oracle_lose(struct oracle_tap *tap, struct sk_buff *skb)
{
	if (skb->protocol == htons(LLE_ETH_P_MAC_CONTROL) &&
	    oracle_hit(tap, tap->faults.pfc_loss))
		return true;
	return oracle_hit(tap, tap->faults.loss) && oracle_lose_message(skb);
}

/* Delays a frame, behind the frames already delayed. */
static void oracle_delay(struct oracle_tap *tap, struct sk_buff *skb, u64 now_ns)
{
	u64 ns = prandom_u32_state(&tap->rnd) % (tap->faults.jitter_ns + 1);

	tap->due_ns = max(tap->due_ns, now_ns + ns);
	skb->tstamp = ns_to_ktime(tap->due_ns);
	if (skb_queue_empty(&tap->late))
		hrtimer_start(&tap->timer, skb->tstamp, HRTIMER_MODE_ABS_SOFT);
	__skb_queue_tail(&tap->late, skb);
}

static unsigned int oracle_hook(void *priv, struct sk_buff *skb,
				const struct nf_hook_state *state)
{
	struct oracle_tap *tap = priv;
	unsigned int verdict = NF_ACCEPT;
	u64 now_ns = ktime_get_ns();

	if (skb->protocol != htons(LLE_ETH_P_MAC_CONTROL) &&
	    skb->protocol != htons(LLE_ETH_P_DEADLOCK)) {
		skb->mark = lower_32_bits(now_ns);
		return NF_ACCEPT;
	}
	/* the frame was delayed, and comes back */
	if (skb->mark)
		return NF_ACCEPT;
	spin_lock(&tap->late.lock);
	oracle_listen(tap, skb, now_ns);
	if (oracle_lose(tap, skb)) {
		verdict = NF_DROP;
	} else if (tap->faults.jitter_ns) {
		oracle_delay(tap, skb, now_ns);
		verdict = NF_STOLEN;
	}
	spin_unlock(&tap->late.lock);
	return verdict;
}

static struct sk_buff *oracle_next(struct oracle_tap *tap, u64 now_ns)
{
	struct sk_buff *skb;

	spin_lock(&tap->late.lock);
	skb = skb_peek(&tap->late);
	if (skb && ktime_to_ns(skb->tstamp) <= now_ns) {
		__skb_unlink(skb, &tap->late);
		skb->tstamp = 0;
		skb->mark = 1;
	} else if (skb) {
		hrtimer_start(&tap->timer, skb->tstamp, HRTIMER_MODE_ABS_SOFT);
		skb = NULL;
	}
	spin_unlock(&tap->late.lock);
	return skb;
}

static enum hrtimer_restart oracle_timer(struct hrtimer *timer)
{
	struct oracle_tap *tap = container_of(timer, struct oracle_tap, timer);
	struct sk_buff *skb;

	while ((skb = oracle_next(tap, ktime_get_ns())))
		netif_receive_skb(skb);
	return HRTIMER_NORESTART;
}

static int oracle_tap_add(struct net_device *dev,
			  const struct oracle_faults *faults)
{
	struct oracle_tap *tap = kzalloc(sizeof(*tap), GFP_KERNEL);
	int err;

	if (!tap)
		return -ENOMEM;
	tap->dev = dev;
	tap->faults = *faults;
	prandom_seed_state(&tap->rnd, ((u64)faults->seed << 32) + dev->ifindex);
	skb_queue_head_init(&tap->late);
	hrtimer_setup(&tap->timer, oracle_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	/* of hooks with one priority the newest runs first, before the port */
	tap->hook = (struct nf_hook_ops) {
		.hook = oracle_hook,
		.dev = dev,
		.priv = tap,
		.pf = NFPROTO_NETDEV,
		.hooknum = NF_NETDEV_INGRESS,
		.priority = INT_MIN,
	};
	err = nf_register_net_hook(dev_net(dev), &tap->hook);
	if (err) {
		kfree(tap);
		return err;
	}
	list_add_tail(&tap->node, &oracle_taps);
	return 0;
}

static void oracle_tap_del(struct oracle_tap *tap)
{
	nf_unregister_net_hook(dev_net(tap->dev), &tap->hook);
	/* wait for hooks that could start the timer again */
	synchronize_net();
	hrtimer_cancel(&tap->timer);
	skb_queue_purge(&tap->late);
	list_del(&tap->node);
	kfree(tap);
}

/* RTNL. Return: 0; -EBUSY if ports are watched already; an error. */
int oracle_watch(const struct oracle_faults *faults)
{
	struct net_device *dev;
	struct net *net;
	int err = 0;

	if (!list_empty(&oracle_taps))
		return -EBUSY;
	down_read(&net_rwsem);
	for_each_net(net) {
		for_each_netdev(net, dev)
			if (!err && oracle_qdisc(dev))
				err = oracle_tap_add(dev, faults);
	}
	up_read(&net_rwsem);
	if (err)
		oracle_clear();
	return err;
}

/* Stops watching. RTNL. */
void oracle_clear(void)
{
	struct oracle_tap *tap, *next;

	list_for_each_entry_safe(tap, next, &oracle_taps, node)
		oracle_tap_del(tap);
}

static int oracle_event(struct notifier_block *nb, unsigned long event,
			void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct oracle_tap *tap, *next;

	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	list_for_each_entry_safe(tap, next, &oracle_taps, node)
		if (tap->dev == dev)
			oracle_tap_del(tap);
	return NOTIFY_DONE;
}

static struct notifier_block oracle_nb = {
	.notifier_call = oracle_event,
};

int oracle_taps_init(void)
{
	return register_netdevice_notifier(&oracle_nb);
}

void oracle_taps_exit(void)
{
	unregister_netdevice_notifier(&oracle_nb);
	rtnl_lock();
	oracle_clear();
	rtnl_unlock();
}
