/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TX_H
#define LLE_TX_H

#include "types/port.h"

void lle_tx_init(struct lle_port *port);
void lle_tx_kick(struct lle_port *port);
void lle_tx_flush(struct lle_port *port);
void lle_tx_stop_direct(struct lle_port *port);
void lle_tx_send(struct sk_buff *skb);
bool lle_tx_take(const struct sk_buff *skb);
struct sk_buff *lle_tx_alloc(struct net_device *dev, u16 protocol,
			     unsigned int len);
struct sk_buff *lle_tx_message(struct lle_port *port,
			       const struct lle_dl_msg *msg, unsigned int len,
			       void **rest);

/**
 * struct lle_tx_own - a frame that the port made, on its way to the qdisc
 * @skb: the frame; NULL: there is none
 * @dev: the device that has to send it
 */
struct lle_tx_own {
	const struct sk_buff *skb;
	const struct net_device *dev;
};

DECLARE_PER_CPU(struct lle_tx_own, lle_tx_own);

/**
 * lle_tx_is_own() - test whether a packet is a frame of lle_tx_send()
 * @skb: a packet that the qdisc got
 *
 * Context: BH off.
 */
static inline bool lle_tx_is_own(const struct sk_buff *skb)
{
	return this_cpu_read(lle_tx_own.skb) == skb;
}

#endif /* LLE_TX_H */
