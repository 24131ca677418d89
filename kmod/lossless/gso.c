// SPDX-License-Identifier: GPL-2.0
/* Sizes of GSO packets: one packet in the stack, several on the link. */
#include <linux/ip.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#include "gso.h"

/* Longest headers before the payload; keeps products below in 32 bits */
#define LLE_GSO_HEADER	512

/* Segments of other kinds have headers or lengths of their own. */
#define LLE_GSO_KNOWN	(SKB_GSO_TCPV4 | SKB_GSO_TCPV6 | SKB_GSO_UDP_L4)
#define LLE_GSO_UNKNOWN	(SKB_GSO_FRAGLIST | SKB_GSO_ESP)

/* Bytes from skb->data to the divided payload; negative: unknown */
static int lle_gso_header(const struct sk_buff *skb)
{
	int at = skb->encapsulation ? skb_inner_transport_offset(skb) :
				      skb_transport_offset(skb);
	const struct tcphdr *th;
	struct tcphdr buf;

	if (at < 0)
		return -1;
	if (skb_shinfo(skb)->gso_type & SKB_GSO_UDP_L4)
		return at + (int)sizeof(struct udphdr);
	th = skb_header_pointer(skb, at, sizeof(buf), &buf);
	return th ? at + (int)__tcp_hdrlen(th) : -1;
}

/**
 * lle_gso_count() - count the segments of a GSO packet, and their bytes
 * @skb: the packet; untrusted
 * @pulled: pulled bytes of its Ethernet header
 * @gso: result
 * Context: any.
 * Return: false: segments of its kind are unknown; it counts as one packet.
 */
bool lle_gso_count(const struct sk_buff *skb, unsigned int pulled,
		   struct lle_gso *gso)
{
	const struct skb_shared_info *info = skb_shinfo(skb);
	int header;

	gso->packets = 1;
	gso->bytes = lle_port_skb_bytes(skb) + pulled;
	gso->segment_bytes = gso->bytes;
	if (!(info->gso_type & LLE_GSO_KNOWN) ||
	    info->gso_type & LLE_GSO_UNKNOWN || !info->gso_size)
		return false;
	header = lle_gso_header(skb);
	if (header < 0 || header > LLE_GSO_HEADER ||
	    (unsigned int)header >= skb->len)
		return false;
	header += gso->bytes - skb->len;
	gso->packets = DIV_ROUND_UP(gso->bytes - header, info->gso_size);
	gso->bytes += (gso->packets - 1) * header;
	gso->segment_bytes = header + info->gso_size;
	return true;
}
EXPORT_SYMBOL_GPL(lle_gso_count);
