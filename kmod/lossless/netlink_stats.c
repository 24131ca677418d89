// SPDX-License-Identifier: GPL-2.0
/* Writes nested counters, except those that are 0. */
#include <linux/lossless.h>
#include <linux/pkt_sch_lossless.h>

#include "counters_gen.h"
#include "netlink_stats.h"
#include "types/congestion.h"
#include "types/deadlock.h"
#include "types/watchdog.h"

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

/**
 * lle_netlink_stats_prio_bytes() - compute the room that counters of a priority
 * need
 * Context: any. Return: bytes, at most.
 */
unsigned int lle_netlink_stats_prio_bytes(void)
{
	return nla_total_size(0) + nla_total_size(sizeof(u8)) +
	       ARRAY_SIZE(lle_prio_counters) * nla_total_size_64bit(sizeof(u64));
}

/**
 * lle_netlink_stats_put_prio() - add the counters of a priority, unless all are
 * 0
 * @skb: message about a port
 * @s: the counters
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_stats_put_prio(struct sk_buff *skb,
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

/**
 * lle_netlink_stats_put_watchdog() - add the counters of a watchdog
 * @skb: message about a watchdog
 * @s: the counters
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_stats_put_watchdog(struct sk_buff *skb,
				   const struct lle_watchdog_stats *s)
{
	return lle_put_counter_nest(skb, LOSSLESS_A_WATCHDOG_STATS,
				    lle_watchdog_sums, ARRAY_SIZE(lle_watchdog_sums),
				    s, LOSSLESS_A_WATCHDOG_STATS_PAD);
}

/**
 * lle_netlink_stats_put_deadlock() - add the counters of deadlock detection
 * @skb: message about a switch
 * @s: the counters
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_stats_put_deadlock(struct sk_buff *skb,
				   const struct lle_deadlock_stats *s)
{
	return lle_put_counter_nest(skb, LOSSLESS_A_SWITCH_DEADLOCK_STATS,
				    lle_deadlock_counters,
				    ARRAY_SIZE(lle_deadlock_counters), s,
				    LOSSLESS_A_DEADLOCK_STATS_PAD);
}

/**
 * lle_netlink_stats_put_congestion() - add state and counters of RCM
 * @skb: message about the RCM of a priority
 * @c: state and counters
 * Context: any. Return: 0 or -EMSGSIZE.
 */
int lle_netlink_stats_put_congestion(struct sk_buff *skb, const struct lle_congestion *c)
{
	return lle_put_counter_nest(skb, LOSSLESS_A_CONGESTION_STATE,
				    lle_congestion_counters,
				    ARRAY_SIZE(lle_congestion_counters), c,
				    LOSSLESS_A_CONGESTION_STATE_PAD);
}
