/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_ATTR_H
#define LLE_NETLINK_ATTR_H

#include <linux/lossless.h>
#include <net/genetlink.h>

#include "types/port.h"

int lle_netlink_attr_put_who(struct sk_buff *skb, const struct lle_port *port);
int lle_netlink_attr_put_unaccounted(struct sk_buff *skb,
				     const struct lle_port *port);
int lle_netlink_attr_put_peer_mac(struct sk_buff *skb, struct lle_port *port,
				  int attr);
unsigned int lle_netlink_attr_deadlock_bytes(unsigned int hops);
int lle_netlink_attr_put_deadlock(struct sk_buff *skb,
				  const struct lle_switch *sw,
				  const struct lle_deadlock_record *r);

#endif /* LLE_NETLINK_ATTR_H */
