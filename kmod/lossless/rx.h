/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_RX_H
#define LLE_RX_H

#include "types/port.h"

struct lle_flow;

unsigned int lle_rx_hook(void *priv, struct sk_buff *skb,
			 const struct nf_hook_state *state);
unsigned int lle_rx_classify(const struct lle_port *port,
			     const struct sk_buff *skb, unsigned int unknown);
int lle_rx_bypass(struct lle_port *port, struct sk_buff *skb);
void lle_rx_flow(const struct sk_buff *skb, struct lle_flow *flow);

#endif /* LLE_RX_H */
