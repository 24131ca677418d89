/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_STATS_H
#define LLE_NETLINK_STATS_H

#include <net/netlink.h>

struct lle_congestion;
struct lle_deadlock_stats;
struct lle_prio_stats;
struct lle_wd_stats;

unsigned int lle_prio_stats_bytes(void);
int lle_put_prio_stats(struct sk_buff *skb, const struct lle_prio_stats *s);
int lle_put_wd_stats(struct sk_buff *skb, const struct lle_wd_stats *s);
int lle_put_deadlock_stats(struct sk_buff *skb,
			   const struct lle_deadlock_stats *s);
int lle_put_congestion_state(struct sk_buff *skb,
			     const struct lle_congestion *c);

#endif /* LLE_NETLINK_STATS_H */
