/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_RX_H
#define LLE_RX_H

#include <linux/skbuff.h>

#include "../core/path/flow.h"
#include "types/port.h"

unsigned int lle_rx_hook(void *priv, struct sk_buff *skb,
			 const struct nf_hook_state *state);
int lle_rx_bypass(struct lle_port *port, struct sk_buff *skb);
void lle_rx_flow_pieces(const struct sk_buff *skb, unsigned int len,
			struct lle_flow *flow);

/* The EtherTypes of messages differ only in the last two bits. */
#define LLE_ETH_P_OURS		0x88b4

/* Is it a frame from the port at the other end of the link to this one? */
static inline bool lle_rx_is_control(const struct sk_buff *skb)
{
	return skb->protocol == htons(LLE_ETH_P_MAC_CONTROL) ||
	       (skb->protocol & ~htons(3)) == htons(LLE_ETH_P_OURS);
}

/* Flow of a packet that begins with its Ethernet header; untrusted. */
static inline void lle_rx_flow(const struct sk_buff *skb, struct lle_flow *flow)
{
	unsigned int len = min_t(unsigned int, skb->len, LLE_FLOW_BYTES);

	if (unlikely(len > skb_headlen(skb)))
		lle_rx_flow_pieces(skb, len, flow);
	else if (unlikely(!lle_flow_parse(skb->data, len, flow)))
		*flow = (struct lle_flow){};
}

#endif /* LLE_RX_H */
