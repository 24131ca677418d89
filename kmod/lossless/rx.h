/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_RX_H
#define LLE_RX_H

#include <linux/skbuff.h>

#include "../core/path/flow.h"
#include "types/port.h"

unsigned int lle_rx_hook(void *priv, struct sk_buff *skb,
			 const struct nf_hook_state *state);
unsigned int lle_rx_classify(const struct lle_port *port,
			     const struct sk_buff *skb, unsigned int unknown);
int lle_rx_bypass(struct lle_port *port, struct sk_buff *skb);
void lle_rx_flow_pieces(const struct sk_buff *skb, unsigned int len,
			struct lle_flow *flow);

/**
 * lle_rx_flow() - identify the flow of a packet
 * @skb: a packet that begins with its Ethernet header; untrusted
 * @flow: result
 */
static inline void lle_rx_flow(const struct sk_buff *skb, struct lle_flow *flow)
{
	unsigned int len = min_t(unsigned int, skb->len, LLE_FLOW_BYTES);

	if (unlikely(len > skb_headlen(skb)))
		lle_rx_flow_pieces(skb, len, flow);
	else if (unlikely(!lle_flow_parse(skb->data, len, flow)))
		*flow = (struct lle_flow){};
}

#endif /* LLE_RX_H */
