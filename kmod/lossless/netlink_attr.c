// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of messages and events: identities, deadlocks, counters. Functions
 * that add some run in any context, and return 0 or -EMSGSIZE.
 */
#include <linux/etherdevice.h>

#include "counters_gen.h"
#include "netlink.h"
#include "stats.h"

/*
 * Same first attributes: lle_netlink_attr_put_who() and
 * lle_netlink_set_find_port() serve all sets.
 */
#define LLE_SAME(set, attr)						\
	((int)LOSSLESS_A_##set##_##attr == LOSSLESS_A_PORT_##attr)
#define LLE_SAME_WHO(set)						\
	static_assert(LLE_SAME(set, IFINDEX) && LLE_SAME(set, IFNAME) && \
		      LLE_SAME(set, SWITCH))
LLE_SAME_WHO(PAUSE);
LLE_SAME_WHO(HISTORY);
LLE_SAME_WHO(WATCHDOG);
LLE_SAME_WHO(QUEUE);
LLE_SAME_WHO(CONGESTION);

/* Identity of a port, which stays attached */
int lle_netlink_attr_put_who(struct sk_buff *skb, const struct lle_port *port)
{
	return nla_put_u32(skb, LOSSLESS_A_PORT_IFINDEX, port->ifindex) ||
	       nla_put_string(skb, LOSSLESS_A_PORT_IFNAME, port->dev->name) ||
	       nla_put_u32(skb, LOSSLESS_A_PORT_SWITCH, port->sw->id) ?
		       -EMSGSIZE : 0;
}

/* Source of the last PFC frame; nothing before the first */
int lle_netlink_attr_put_peer_mac(struct sk_buff *skb, struct lle_port *port,
				  int attr)
{
	u8 mac[ETH_ALEN];

	spin_lock_bh(&port->pause_lock);
	ether_addr_copy(mac, port->peer_mac);
	spin_unlock_bh(&port->pause_lock);
	if (is_zero_ether_addr(mac))
		return 0;
	return nla_put(skb, attr, ETH_ALEN, mac);
}

/* Packets that leave @port, from devices that are not ports */
int lle_netlink_attr_put_unaccounted(struct sk_buff *skb,
				     const struct lle_port *port)
{
	int ifindex = lle_stats_unaccounted_at(port);

	if (LLE_PUT_U64(skb, PORT, UNACCOUNTED,
			lle_stats_peek(port->unaccounted.packets)) ||
	    (ifindex && nla_put_u32(skb, LOSSLESS_A_PORT_UNACCOUNTED_IFINDEX,
				    ifindex)))
		return -EMSGSIZE;
	return 0;
}

/* Omit an unknown pause. */
static int lle_put_deadlock_pause(struct sk_buff *skb, int attr,
				  const struct lle_deadlock_who *who)
{
	struct nlattr *nest;

	if (!memchr_inv(who, 0, sizeof(*who)))
		return 0;
	nest = nla_nest_start(skb, attr);
	if (!nest ||
	    nla_put_u16(skb, LOSSLESS_A_DEADLOCK_PAUSE_SWITCH, who->sw) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_PAUSE_SLOT, who->slot) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_PAUSE_HOST, who->host) ||
	    nla_put_u32(skb, LOSSLESS_A_DEADLOCK_PAUSE_SEQ, who->seq))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_put_deadlock_hop(struct sk_buff *skb,
				const struct lle_deadlock_hop *hop)
{
	struct nlattr *nest = nla_nest_start(skb, LOSSLESS_A_DEADLOCK_HOP);

	if (!nest ||
	    nla_put_u16(skb, LOSSLESS_A_DEADLOCK_HOP_SWITCH, hop->sw) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_HOP_INGRESS, hop->ingress) ||
	    nla_put_u8(skb, LOSSLESS_A_DEADLOCK_HOP_EGRESS, hop->egress) ||
	    nla_put_u32(skb, LOSSLESS_A_DEADLOCK_HOP_BYTES, hop->bytes) ||
	    lle_put_deadlock_pause(skb, LOSSLESS_A_DEADLOCK_HOP_TRIGGER,
				   &hop->trigger) ||
	    LLE_PUT_U64(skb, DEADLOCK_HOP, AGE_NS, hop->age_ns))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int lle_put_deadlock_info(struct sk_buff *skb,
				 const struct lle_deadlock_info *d)
{
	return LLE_PUT_U64(skb, DEADLOCK, NUMBER, d->number) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_PRIO, d->prio) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_COMPLETE, d->loop) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_CURE, d->cure) ||
	       nla_put_u8(skb, LOSSLESS_A_DEADLOCK_RESOLVED, d->resolved) ||
	       nla_put_u32(skb, LOSSLESS_A_DEADLOCK_BYTES, d->bytes) ||
	       nla_put_u32(skb, LOSSLESS_A_DEADLOCK_PARKED_BYTES,
			   d->parked_bytes) ||
	       nla_put_u32(skb, LOSSLESS_A_DEADLOCK_DROPPED_BYTES,
			   d->dropped_bytes) ||
	       lle_put_deadlock_pause(skb, LOSSLESS_A_DEADLOCK_INITIATOR,
				      &d->initiator) ||
	       lle_put_deadlock_pause(skb, LOSSLESS_A_DEADLOCK_TRIGGER,
				      &d->trigger) ||
	       LLE_PUT_U64(skb, DEADLOCK, SINCE_NS, d->since_ns) ||
	       LLE_PUT_U64(skb, DEADLOCK, DECLARED_NS, d->declared_ns) ||
	       LLE_PUT_U64(skb, DEADLOCK, REPORTED_NS, d->reported_ns);
}

/* Room for a deadlock of @hops hops, without headers, at most */
unsigned int lle_netlink_attr_deadlock_bytes(unsigned int hops)
{
	unsigned int pause = nla_total_size(0) + nla_total_size(sizeof(u16)) +
			     2 * nla_total_size(sizeof(u8)) +
			     nla_total_size(sizeof(u32));
	unsigned int hop = nla_total_size(0) + nla_total_size(sizeof(u16)) +
			   2 * nla_total_size(sizeof(u8)) +
			   nla_total_size(sizeof(u32)) + pause +
			   nla_total_size_64bit(sizeof(u64));

	return 4 * nla_total_size(sizeof(u32)) + 4 * nla_total_size(sizeof(u8)) +
	       4 * nla_total_size_64bit(sizeof(u64)) + 2 * pause + hops * hop;
}

/* A deadlock that @sw found */
int lle_netlink_attr_put_deadlock(struct sk_buff *skb,
				  const struct lle_switch *sw,
				  const struct lle_deadlock_record *r)
{
	unsigned int n;

	if (nla_put_u32(skb, LOSSLESS_A_DEADLOCK_SWITCH, sw->id) ||
	    lle_put_deadlock_info(skb, &r->info))
		return -EMSGSIZE;
	for (n = 0; n < r->hops; n++)
		if (lle_put_deadlock_hop(skb, &r->hop[n]))
			return -EMSGSIZE;
	return 0;
}

/* --- counters, except those that are 0 --- */

/**
 * struct lle_counter - maps a member of a struct to an attribute
 * @attr: number of the attribute, as long as the member
 * @at: offset of the member
 * @size: its size
 */
struct lle_counter {
	u16 attr;
	u16 at;
	u8 size;
};

#define LLE_COUNTER(set, a, s, m) {			\
	.attr = LOSSLESS_A_##set##_##a,			\
	.at = offsetof(struct s, m),			\
	.size = sizeof_field(struct s, m),		\
}

#define PRIO(file, m, a)	LLE_COUNTER(PRIO_STATS, a, lle_prio_stats, m),
static const struct lle_counter lle_prio_counters[] = {
	LLE_PRIO_COUNTERS(PRIO)
};

#define WATCHDOG(a, m)	LLE_COUNTER(WATCHDOG_STATS, a, lle_watchdog_stats, m)
static const struct lle_counter lle_watchdog_sums[] = {
	WATCHDOG(DETECTED, detected),
	WATCHDOG(RESTORED, restored),
	WATCHDOG(QUARANTINED, quarantined),
	WATCHDOG(SINCE_NS, since_ns),
	WATCHDOG(UNTIL_NS, until_ns),
	WATCHDOG(TX_PACKETS, tx_packets),
	WATCHDOG(TX_DROPPED, tx_dropped),
	WATCHDOG(RX_PACKETS, rx_packets),
	WATCHDOG(RX_DROPPED, rx_dropped),
	WATCHDOG(LAST_TX_PACKETS, last_tx_packets),
	WATCHDOG(LAST_TX_DROPPED, last_tx_dropped),
	WATCHDOG(LAST_RX_PACKETS, last_rx_packets),
	WATCHDOG(LAST_RX_DROPPED, last_rx_dropped),
};

#define DEADLOCK(a, m)	LLE_COUNTER(DEADLOCK_STATS, a, lle_deadlock_stats, m)
static const struct lle_counter lle_deadlock_counters[] = {
	DEADLOCK(DECLARED, declared),
	DEADLOCK(PROBES, probes),
	DEADLOCK(CANCELS, cancels),
	DEADLOCK(SENT, sent),
	DEADLOCK(RECEIVED, received),
	DEADLOCK(IGNORED, ignored),
	DEADLOCK(TIMERS, timers),
	DEADLOCK(BROKEN, broken),
	DEADLOCK(DEMOTED, demoted),
	DEADLOCK(LOSSY, lossy),
	DEADLOCK(PARKED_BYTES, parked_bytes),
	DEADLOCK(PARKING_BYTES, parking_bytes),
	DEADLOCK(PARKING_MAX_BYTES, parking_max_bytes),
	DEADLOCK(PARKING_LIMIT_BYTES, parking_limit_bytes),
};

#define STATE(a, m)	LLE_COUNTER(CONGESTION_STATE, a, lle_congestion, m)
static const struct lle_counter lle_congestion_counters[] = {
	STATE(ROLE, role),
	STATE(FB, fb),
	STATE(FBR, fbr),
	STATE(WINDOW, window),
	STATE(CLASS_HELD, class_held),
	STATE(TELLS_CLASS, tells_class),
	STATE(W_BYTES, w_bytes),
	STATE(WC_BYTES, wc_bytes),
	STATE(VIRTUAL_BYTES, virtual_bytes),
	STATE(ISOLATED_BYTES, isolated_bytes),
	STATE(IDS, ids),
	STATE(HELD, held),
	STATE(TELLS, tells),
	STATE(IN_BYTES, in_bytes),
	STATE(ROOM_BYTES, room_bytes),
	STATE(QEQ_BYTES, qeq_bytes),
	STATE(IDENTIFIED, identified),
	STATE(CN_SENT, cn_sent),
	STATE(CN_RECEIVED, cn_received),
	STATE(CN_IGNORED, cn_ignored),
	STATE(REGIONS, regions),
	STATE(ROOT_NS, root_ns),
};

static int lle_put_counter(struct sk_buff *skb, const struct lle_counter *c,
			   const void *member, int pad)
{
	u64 value;

	switch (c->size) {
	case sizeof(u8):
		value = *(const u8 *)member;
		return value ? nla_put_u8(skb, c->attr, value) : 0;
	case sizeof(u32):
		value = *(const u32 *)member;
		return value ? nla_put_u32(skb, c->attr, value) : 0;
	default:
		value = *(const u64 *)member;
		return value ? nla_put_u64_64bit(skb, c->attr, value, pad) : 0;
	}
}

static int lle_put_counters(struct sk_buff *skb, const struct lle_counter *c,
			    unsigned int num, const void *from, int pad)
{
	for (; num; num--, c++)
		if (lle_put_counter(skb, c, from + c->at, pad))
			return -EMSGSIZE;
	return 0;
}

static int lle_put_counter_nest(struct sk_buff *skb, int attr,
				const struct lle_counter *c, unsigned int num,
				const void *from, int pad)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || lle_put_counters(skb, c, num, from, pad))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Room for the counters of a priority, at most */
unsigned int lle_netlink_attr_prio_bytes(void)
{
	return nla_total_size(0) + nla_total_size(sizeof(u8)) +
	       ARRAY_SIZE(lle_prio_counters) * nla_total_size_64bit(sizeof(u64));
}

/* Counters of a priority, unless all are 0, in a message about a port */
int lle_netlink_attr_put_prio(struct sk_buff *skb,
			      const struct lle_prio_stats *s)
{
	struct nlattr *nest;

	/* @prio is the first member */
	if (!memchr_inv(&s->rx_paused, 0,
			sizeof(*s) - offsetof(struct lle_prio_stats, rx_paused)))
		return 0;
	nest = nla_nest_start(skb, LOSSLESS_A_PORT_PRIO_STATS);
	if (!nest || nla_put_u8(skb, LOSSLESS_A_PRIO_STATS_PRIO, s->prio) ||
	    lle_put_counters(skb, lle_prio_counters,
			     ARRAY_SIZE(lle_prio_counters), s,
			     LOSSLESS_A_PRIO_STATS_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Counters of a watchdog */
int lle_netlink_attr_put_watchdog(struct sk_buff *skb,
				  const struct lle_watchdog_stats *s)
{
	return lle_put_counter_nest(skb, LOSSLESS_A_WATCHDOG_STATS,
				    lle_watchdog_sums, ARRAY_SIZE(lle_watchdog_sums),
				    s, LOSSLESS_A_WATCHDOG_STATS_PAD);
}

/* Counters of deadlock detection, in a message about a switch */
int lle_netlink_attr_put_deadlock_stats(struct sk_buff *skb,
					const struct lle_deadlock_stats *s)
{
	return lle_put_counter_nest(skb, LOSSLESS_A_SWITCH_DEADLOCK_STATS,
				    lle_deadlock_counters,
				    ARRAY_SIZE(lle_deadlock_counters), s,
				    LOSSLESS_A_DEADLOCK_STATS_PAD);
}

/* State and counters of the RCM of a priority */
int lle_netlink_attr_put_congestion(struct sk_buff *skb,
				    const struct lle_congestion *c)
{
	return lle_put_counter_nest(skb, LOSSLESS_A_CONGESTION_STATE,
				    lle_congestion_counters,
				    ARRAY_SIZE(lle_congestion_counters), c,
				    LOSSLESS_A_CONGESTION_STATE_PAD);
}
