/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_STATS_H
#define LLE_NETLINK_STATS_H

#include <net/netlink.h>

struct lle_congestion;
struct lle_deadlock_stats;
struct lle_prio_stats;
struct lle_watchdog_stats;

unsigned int lle_netlink_stats_prio_bytes(void);
int lle_netlink_stats_put_prio(struct sk_buff *skb,
			       const struct lle_prio_stats *s);
int lle_netlink_stats_put_watchdog(struct sk_buff *skb,
				   const struct lle_watchdog_stats *s);
int lle_netlink_stats_put_deadlock(struct sk_buff *skb,
				   const struct lle_deadlock_stats *s);
int lle_netlink_stats_put_congestion(struct sk_buff *skb,
				     const struct lle_congestion *c);

#endif /* LLE_NETLINK_STATS_H */
