/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_H
#define LLE_NETLINK_H

#include "netlink_gen.h"
#include "types/port.h"

/* netlink.c */
int lle_netlink_init(void);
void lle_netlink_exit(void);

/* netlink_put.c */
unsigned int lle_netlink_put_port_bytes(void);
int lle_netlink_put_port(struct sk_buff *skb, struct lle_port *port,
			 bool stats);
void lle_netlink_put_port_event(struct lle_port *port, bool gone);

/* netlink_set.c */
struct lle_port *lle_netlink_set_find_port(struct genl_info *info);
struct lle_switch *lle_netlink_set_find_switch(struct genl_info *info);

/* Add a u64; @set and @name: LOSSLESS_A_set_name */
#define LLE_PUT_U64(skb, set, name, value)				\
	nla_put_u64_64bit(skb, LOSSLESS_A_##set##_##name, value,	\
			  LOSSLESS_A_##set##_PAD)

/* netlink_attr.c */
int lle_netlink_attr_put_who(struct sk_buff *skb, const struct lle_port *port);
int lle_netlink_attr_put_unaccounted(struct sk_buff *skb,
				     const struct lle_port *port);
int lle_netlink_attr_put_peer_mac(struct sk_buff *skb, struct lle_port *port,
				  int attr);
unsigned int lle_netlink_attr_deadlock_bytes(unsigned int hops);
int lle_netlink_attr_put_deadlock(struct sk_buff *skb,
				  const struct lle_switch *sw,
				  const struct lle_deadlock_record *r);
unsigned int lle_netlink_attr_prio_bytes(void);
int lle_netlink_attr_put_prio(struct sk_buff *skb,
			      const struct lle_prio_stats *s);
int lle_netlink_attr_put_watchdog(struct sk_buff *skb,
				  const struct lle_watchdog_stats *s);
int lle_netlink_attr_put_deadlock_stats(struct sk_buff *skb,
					const struct lle_deadlock_stats *s);
int lle_netlink_attr_put_congestion(struct sk_buff *skb,
				    const struct lle_congestion *c);

#endif /* LLE_NETLINK_H */
