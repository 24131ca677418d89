/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TX_H
#define LLE_TX_H

#include "types/port.h"

void lle_tx_init(struct lle_port *port);
void lle_tx_kick(struct lle_port *port);
void lle_tx_flush(struct lle_port *port);
void lle_tx_send(struct lle_port *port, struct sk_buff *skb);
struct sk_buff *lle_tx_next(struct lle_port *port);
void lle_tx_purge(struct lle_port *port);
struct sk_buff *lle_tx_alloc(struct net_device *dev, u16 protocol,
			     unsigned int len);
struct sk_buff *lle_tx_message(struct lle_port *port,
			       const struct lle_dl_msg *msg, unsigned int len,
			       void **rest);
struct sk_buff *lle_tx_pause_frame(struct lle_port *port, u64 now_ns);
void lle_tx_pause_end(struct lle_port *port);

#endif /* LLE_TX_H */
