/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_NOTIFICATION_H
#define LLE_NOTIFICATION_H

#include "types/port.h"

unsigned int lle_notification_rx(struct lle_port *port, struct sk_buff *skb);
struct sk_buff *lle_notification_tx(struct lle_port *port, u64 now_ns);

#endif /* LLE_NOTIFICATION_H */
