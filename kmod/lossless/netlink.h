/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_H
#define LLE_NETLINK_H

#include <net/genetlink.h>

#include "port.h"

/* Multicast groups, in the order of lle_genl_groups. */
enum lle_genl_group {
	LLE_GENL_PAUSE,
	LLE_GENL_STORM,
	LLE_GENL_CONFIG,
	LLE_GENL_DEADLOCK,
	LLE_GENL_CONGESTION,
};

extern struct genl_family lle_genl_family;

int lle_genl_init(void);
void lle_genl_exit(void);

/* netlink_path.c */
int lle_genl_set_path(struct sk_buff *skb, struct genl_info *info);
int lle_genl_del_path(struct sk_buff *skb, struct genl_info *info);

/* netlink_put.c: what messages and events are made of */
int lle_put_u64(struct sk_buff *skb, int attr, u64 value);
int lle_put_port(struct sk_buff *skb, struct lle_port *port, bool stats);
int lle_put_who(struct sk_buff *skb, const struct lle_port *port);
int lle_put_unaccounted(struct sk_buff *skb, const struct lle_port *port);
int lle_put_peer_mac(struct sk_buff *skb, struct lle_port *port);
int lle_put_switch(struct sk_buff *skb, struct lle_switch *sw);
int lle_put_history(struct sk_buff *skb, struct lle_port *port,
		    unsigned int prio, enum lle_direction direction);
int lle_put_watchdog(struct sk_buff *skb, struct lle_port *port,
		     unsigned int prio);
int lle_put_deadlock(struct sk_buff *skb, const struct lle_switch *sw,
		     const struct lle_deadlock_record *r);
int lle_put_path(struct sk_buff *skb, const struct lle_sar_config *config,
		 const struct lle_path_stats *stats);
int lle_put_congestion(struct sk_buff *skb, struct lle_port *port,
		       unsigned int prio);
int lle_put_queue(struct sk_buff *skb, struct lle_port *port,
		  unsigned int prio);

#endif /* LLE_NETLINK_H */
