/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_SB_H
#define LLE_CORE_SB_H

#include <linux/pkt_sch_lossless.h>

#include "../core.h"

/**
 * struct lle_sb - shared buffer of a switch, in bytes
 * @size: all of its packet memory
 * @carved: part of it that is reserved or headroom of priority groups
 * @used: shared bytes in use; more than @size - @carved only after one of these
 *	has changed, until enough has drained
 * @used_max: high-water mark of @used
 */
struct lle_sb {
	u64 size;
	u64 carved;
	u64 used;
	u64 used_max;
};

/**
 * struct lle_sb_params - how the priority groups of one port use the buffer
 * @reserved_bytes: reserved bytes of each group
 * @xoff_bytes: static threshold of its shared bytes; 0: dynamic, by @to_alpha
 * @to_alpha: threshold = 2^(to_alpha - 10) * free shared bytes
 * @xon_delta_bytes: distance of XON below XOFF
 * @headroom_bytes: headroom of each lossless group
 * @alpha_num: numerator of alpha; by lle_sb_params_init()
 * @alpha_den: denominator of alpha; one of the two is 1
 * @quick_bytes: shared bytes below which only the dynamic threshold has to be
 *	checked
 */
struct lle_sb_params {
	u32 reserved_bytes;
	u32 xoff_bytes;
	u32 to_alpha;
	u32 xon_delta_bytes;
	u32 headroom_bytes;
	u32 alpha_num;
	u32 alpha_den;
	u32 quick_bytes;
};

/**
 * struct lle_sb_pg - priority group: packets of one ingress port and priority
 * @lossless: it has PFC
 * @xoff: its upstream neighbour has to be paused; implies occ > 0
 * @occ: bytes charged: reserved, shared and headroom
 * @shared: bytes in the shared buffer
 * @headroom: bytes in headroom
 * @xon: occupancy at which @xoff ends; fixed when it begins
 * @occ_max: high-water mark of @occ
 * @headroom_max: high-water mark of @headroom
 */
struct lle_sb_pg {
	bool lossless;
	bool xoff;
	u32 occ;
	u32 shared;
	u32 headroom;
	u32 xon;
	u32 occ_max;
	u32 headroom_max;
};

/**
 * enum lle_sb_verdict - what to do with an arriving packet
 * @LLE_SB_ADMIT: queue it, it is charged
 * @LLE_SB_DROP_THRESHOLD: drop it, its lossy group is over its threshold
 * @LLE_SB_DROP_BUFFER: drop it, its group is lossy and the shared buffer full
 * @LLE_SB_DROP_HEADROOM: drop it, the headroom of its lossless group is full
 * @LLE_SB_XOFF: added to any of these: pause the upstream neighbour
 */
enum lle_sb_verdict {
	LLE_SB_ADMIT,
	LLE_SB_DROP_THRESHOLD,
	LLE_SB_DROP_BUFFER,
	LLE_SB_DROP_HEADROOM,
	LLE_SB_XOFF = 0x10,
};

/**
 * struct lle_sb_headroom - link for which headroom is computed
 * @rate: bytes per second of the link
 * @delay_ns: propagation time, one way
 * @reaction_ns: time both ends need to send a pause and to obey it
 * @frame_bytes: largest frame without FCS
 * @overhead_bytes: bytes a frame occupies on the link beyond its own
 * @burst_bytes: bytes that the peer may send at once after its timer was late
 */
struct lle_sb_headroom {
	u64 rate;
	u64 delay_ns;
	u64 reaction_ns;
	u32 frame_bytes;
	u32 overhead_bytes;
	u32 burst_bytes;
};

/**
 * lle_sb_params_init() - compute the derived parameters
 * @p: parameters
 */
void lle_sb_params_init(struct lle_sb_params *p);

/**
 * lle_sb_free() - compute the free bytes of the shared buffer
 * @sb: the buffer
 */
static inline u64 lle_sb_free(const struct lle_sb *sb)
{
	u64 taken = sb->carved + sb->used;

	return sb->size > taken ? sb->size - taken : 0;
}

/**
 * lle_sb_threshold() - compute the threshold of a group, in shared bytes
 * @p: parameters of its port
 * @free: lle_sb_free()
 */
u64 lle_sb_threshold(const struct lle_sb_params *p, u64 free);

/**
 * lle_sb_carve() - compute the bytes that a port takes out of the shared buffer
 * @p: parameters of the port
 * @lossless: number of its lossless priorities
 */
u64 lle_sb_carve(const struct lle_sb_params *p, unsigned int lossless);

/**
 * lle_sb_below_alpha() - check B < alpha * free, without rounding
 * @p: parameters of the port
 * @used: B, the group's shared bytes
 * @free: lle_sb_free()
 *
 * Always true if the threshold is static and @free is not 0.
 */
static inline bool lle_sb_below_alpha(const struct lle_sb_params *p, u64 used,
				      u64 free)
{
	return used * p->alpha_den < free * p->alpha_num;
}

/**
 * lle_sb_charge() - charge an admitted packet
 * @sb: the buffer
 * @pg: its priority group
 * @len: its bytes
 * @shared: bytes of it that are taken from the shared buffer
 */
static inline void lle_sb_charge(struct lle_sb *sb, struct lle_sb_pg *pg,
				 u32 len, u32 shared)
{
	pg->occ += len;
	if (pg->occ > pg->occ_max)
		pg->occ_max = pg->occ;
	pg->shared += shared;
	sb->used += shared;
	if (sb->used > sb->used_max)
		sb->used_max = sb->used;
}

/**
 * lle_sb_admit_slow() - lle_sb_admit() of a packet that crosses a threshold, or
 *	if there are reserved bytes
 * @sb: as lle_sb_admit()
 * @p: as lle_sb_admit()
 * @pg: as lle_sb_admit()
 * @len: as lle_sb_admit()
 */
unsigned int lle_sb_admit_slow(struct lle_sb *sb, const struct lle_sb_params *p,
			       struct lle_sb_pg *pg, u32 len);

/**
 * lle_sb_admit() - admit and charge an arriving packet, or drop it
 * @sb: the buffer
 * @p: parameters of the ingress port
 * @pg: its priority group
 * @len: bytes of the packet
 *
 * Context: any; the caller serialises all calls on one @sb.
 * Return: enum lle_sb_verdict, with LLE_SB_XOFF if @pg->xoff has turned true.
 * Source: 802.1Qbb; dynamic threshold: "RDMA over Commodity Ethernet at
 * Scale", section 6.2.
 */
static inline unsigned int lle_sb_admit(struct lle_sb *sb,
					const struct lle_sb_params *p,
					struct lle_sb_pg *pg, u32 len)
{
	u64 free = lle_sb_free(sb);
	u32 shared = pg->shared + len;

	/* below the threshold with the packet implies below it without */
	if (likely(shared < p->quick_bytes && len < free &&
		   lle_sb_below_alpha(p, shared, free - len))) {
		lle_sb_charge(sb, pg, len, len);
		return LLE_SB_ADMIT;
	}
	return lle_sb_admit_slow(sb, p, pg, len);
}

/**
 * lle_sb_release() - release the bytes of a packet that leaves or is dropped
 * @sb: the buffer
 * @pg: its priority group
 * @len: bytes it was admitted with
 *
 * Return: true: XON, @pg->xoff has turned false: resume the upstream neighbour.
 */
static inline bool lle_sb_release(struct lle_sb *sb, struct lle_sb_pg *pg,
				  u32 len)
{
	u32 shared, headroom;

	pg->occ -= len;
	if (unlikely(pg->headroom)) {
		headroom = min(len, pg->headroom);
		pg->headroom -= headroom;
		len -= headroom;
	}
	shared = min(len, pg->shared);
	pg->shared -= shared;
	sb->used -= shared;

	if (likely(!pg->xoff) || pg->occ > pg->xon)
		return false;
	pg->xoff = false;
	return true;
}

/**
 * lle_sb_recheck() - check XOFF again, with the bytes that are free now
 * @sb: the buffer
 * @p: parameters of the port
 * @pg: the group
 *
 * XON is fixed when XOFF begins; other groups may have released bytes since.
 *
 * Return: true: XON.
 */
bool lle_sb_recheck(const struct lle_sb *sb, const struct lle_sb_params *p,
		    struct lle_sb_pg *pg);

/**
 * lle_sb_set_lossless() - switch PFC of a priority group on or off
 * @sb: the buffer
 * @pg: the group; may have packets
 * @lossless: the new setting
 *
 * When switched off, bytes in headroom count as shared.
 *
 * Return: true: XON.
 */
bool lle_sb_set_lossless(struct lle_sb *sb, struct lle_sb_pg *pg,
			 bool lossless);

/**
 * lle_sb_set_headroom() - change the size of the headroom of a priority group
 * @sb: the buffer; its @carved has been updated
 * @pg: the group; may have packets
 * @bytes: the new size
 *
 * Bytes in headroom beyond the new size count as shared, as the memory that
 * they occupy is not carved out any more.
 */
void lle_sb_set_headroom(struct lle_sb *sb, struct lle_sb_pg *pg, u32 bytes);

/**
 * lle_sb_headroom_need() - compute the headroom that avoids all loss
 * @h: the link
 *
 * Return: bytes, enough for any sizes and times of the frames.
 */
u32 lle_sb_headroom_need(const struct lle_sb_headroom *h);

#endif /* LLE_CORE_SB_H */
