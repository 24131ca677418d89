/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NETLINK_ATTR_H
#define LLE_NETLINK_ATTR_H

#include <net/genetlink.h>

#include "types/port.h"

int lle_put_u64(struct sk_buff *skb, int attr, u64 value);
int lle_put_who(struct sk_buff *skb, const struct lle_port *port);
int lle_put_unaccounted(struct sk_buff *skb, const struct lle_port *port);
int lle_put_peer_mac(struct sk_buff *skb, struct lle_port *port);
int lle_put_deadlock(struct sk_buff *skb, const struct lle_switch *sw,
		     const struct lle_deadlock_record *r);

#endif /* LLE_NETLINK_ATTR_H */
