/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_PUT_H
#define LLE_NETLINK_PUT_H

#include <net/genetlink.h>

#include "types/port.h"

unsigned int lle_netlink_put_port_bytes(void);
int lle_netlink_put_port(struct sk_buff *skb, struct lle_port *port,
			 bool stats);
int lle_netlink_put_switch(struct sk_buff *skb, struct lle_switch *sw);
int lle_netlink_put_history(struct sk_buff *skb, struct lle_port *port,
			    unsigned int prio,
			    enum lossless_direction direction);
int lle_netlink_put_watchdog(struct sk_buff *skb, struct lle_port *port,
			     unsigned int prio);
int lle_netlink_put_path(struct sk_buff *skb,
			 const struct lle_path_config *config,
			 const struct lle_path_stats *stats);
int lle_netlink_put_congestion(struct sk_buff *skb, struct lle_port *port,
			       unsigned int prio);
int lle_netlink_put_queue(struct sk_buff *skb, struct lle_port *port,
			  unsigned int prio);
void lle_netlink_put_port_event(struct lle_port *port, bool gone);

#endif /* LLE_NETLINK_PUT_H */
