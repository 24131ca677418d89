/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_GSO_H
#define LLE_GSO_H

#include "types/port.h"

/* Bytes of the largest GSO packet that is sent whole: 64 KB, and headers */
#define LLE_GSO_BYTES	(68U << 10)

/**
 * struct lle_gso - what the segments of a GSO packet are on a link
 * @packets: their number
 * @bytes: their bytes, each with its own headers
 * @segment_bytes: bytes of each but the last
 */
struct lle_gso {
	u32 packets;
	u32 bytes;
	u32 segment_bytes;
};

bool lle_gso_count(const struct sk_buff *skb, unsigned int pulled,
		   struct lle_gso *gso);

/**
 * lle_gso_packets() - count the packets that a packet is on a link
 * @skb: the packet, with its Ethernet header
 */
static inline u32 lle_gso_packets(const struct sk_buff *skb)
{
	struct lle_gso gso;

	if (likely(!skb_is_gso(skb)))
		return 1;
	lle_gso_count(skb, 0, &gso);
	return gso.packets;
}

/**
 * lle_gso_piece() - compute the most that a port sends in one piece, or its peer
 * @frame_bytes: largest frame of the port
 * @whole: it sends GSO packets whole
 * @piece: result: a frame, or as many as fit into LLE_GSO_BYTES; of 1518 bytes if
 *	the largest are longer, as a port sends packets of others, too
 */
static inline void lle_gso_piece(u32 frame_bytes, bool whole,
				 struct lle_gso *piece)
{
	u32 segment = min_t(u32, frame_bytes, VLAN_ETH_FRAME_LEN);

	*piece = (struct lle_gso){ 1, frame_bytes, segment };
	if (!whole || frame_bytes > LLE_GSO_BYTES)
		return;
	piece->packets = LLE_GSO_BYTES / segment;
	piece->bytes = max(piece->packets * segment, frame_bytes);
}

/**
 * lle_gso_fits() - test whether a GSO packet may be sent in one piece
 * @gso: the packet
 * @piece: the largest piece
 * @overhead_bytes: bytes that a frame occupies on the link beyond its own
 *
 * Return: true: it needs no more of a buffer, and no more of the link.
 */
static inline bool lle_gso_fits(const struct lle_gso *gso,
				const struct lle_gso *piece, u32 overhead_bytes)
{
	return gso->bytes <= piece->bytes &&
	       gso->bytes + gso->packets * overhead_bytes <=
		       piece->bytes + piece->packets * overhead_bytes;
}

/**
 * lle_gso_divide() - compute how many segments of a GSO packet fit into a piece
 * @gso: the packet
 * @piece: the largest piece
 * @overhead_bytes: bytes that a frame occupies on the link beyond its own
 *
 * Return: number of segments, 1 or more
 */
static inline u32 lle_gso_divide(const struct lle_gso *gso,
				 const struct lle_gso *piece, u32 overhead_bytes)
{
	u32 link_bytes = piece->bytes + piece->packets * overhead_bytes;

	return max(1U, min(piece->bytes / gso->segment_bytes,
			    link_bytes / (gso->segment_bytes + overhead_bytes)));
}

#endif /* LLE_GSO_H */
