/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_GSO_H
#define LLE_GSO_H

#include "types/port.h"

/* Bytes of the largest GSO packet that is sent whole: 64 KB, and headers */
#define LLE_GSO_BYTES	(68U << 10)

/**
 * struct lle_gso - segments of a GSO packet on a link
 * @packets: their number
 * @bytes: their bytes, with the headers of each
 * @segment_bytes: bytes of each but the last
 */
struct lle_gso {
	u32 packets;
	u32 bytes;
	u32 segment_bytes;
};

bool lle_gso_count(const struct sk_buff *skb, unsigned int pulled,
		   struct lle_gso *gso);

/* Count the packets of an skb on the link; it begins at its Ethernet header. */
static inline u32 lle_gso_packets(const struct sk_buff *skb)
{
	struct lle_gso gso;

	if (likely(!skb_is_gso(skb)))
		return 1;
	lle_gso_count(skb, 0, &gso);
	return gso.packets;
}

/*
 * Compute the largest piece that a port or its peer sends: a frame, or, if it
 * sends GSO packets @whole, as many as fit into LLE_GSO_BYTES. These frames
 * have at most 1518 bytes, as packets of ports with a smaller MTU pass too.
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

/*
 * May a GSO packet be sent whole? It must not exceed @piece in bytes, nor with
 * @overhead_bytes per frame on the link.
 */
static inline bool lle_gso_fits(const struct lle_gso *gso,
				const struct lle_gso *piece, u32 overhead_bytes)
{
	return gso->bytes <= piece->bytes &&
	       gso->bytes + gso->packets * overhead_bytes <=
		       piece->bytes + piece->packets * overhead_bytes;
}

/* Segments of a GSO packet that fit into @piece, at least 1 */
static inline u32 lle_gso_divide(const struct lle_gso *gso,
				 const struct lle_gso *piece, u32 overhead_bytes)
{
	u32 link_bytes = piece->bytes + piece->packets * overhead_bytes;

	return max(1U, min(piece->bytes / gso->segment_bytes,
			    link_bytes / (gso->segment_bytes + overhead_bytes)));
}

#endif /* LLE_GSO_H */
