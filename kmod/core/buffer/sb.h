/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_SB_H
#define LLE_CORE_SB_H

#include <linux/pkt_sch_lossless.h>

#include "../core.h"

/**
 * struct lle_sb - shared buffer of a switch, in bytes
 * @size: all of its packet memory
 * @carved: part of it that is reserved and headroom of priority groups
 * @used: shared bytes in use; over size - carved only after one of the two was
 *	changed, until enough has drained
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
 * @reserved_bytes: what each has for itself
 * @xoff_bytes: static threshold on its shared bytes; 0: dynamic, by @to_alpha
 * @to_alpha: threshold = 2^(to_alpha - 10) * free shared bytes
 * @xon_delta_bytes: a paused group resumes that far below the XOFF point
 * @headroom_bytes: headroom of each lossless group
 * @alpha_num: alpha as a fraction; by lle_sb_params_init()
 * @alpha_den: its denominator; one of the two is 1
 * @quick_bytes: shared bytes below which only the dynamic threshold has to be
 *	looked at
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
 * struct lle_sb_pg - a priority group: an ingress port's packets of a priority
 * @lossless: it has PFC
 * @xoff: its upstream has to be paused; implies occ > 0
 * @occ: bytes charged: reserved, shared and headroom
 * @shared: those in the shared buffer
 * @headroom: those in headroom
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
 * enum lle_sb_verdict - what becomes of an arriving packet
 * @LLE_SB_ADMIT: it is charged
 * @LLE_SB_DROP_THRESHOLD: its group is over its threshold and not lossless
 * @LLE_SB_DROP_BUFFER: the shared buffer has no room for it
 * @LLE_SB_DROP_HEADROOM: its group is lossless and its headroom has no room
 * @LLE_SB_XOFF: added to any of these: pause the upstream from now
 */
enum lle_sb_verdict {
	LLE_SB_ADMIT,
	LLE_SB_DROP_THRESHOLD,
	LLE_SB_DROP_BUFFER,
	LLE_SB_DROP_HEADROOM,
	LLE_SB_XOFF = 0x10,
};

/**
 * struct lle_sb_headroom - what headroom has to cover
 * @rate: bytes per second of the link
 * @delay_ns: propagation time, one way
 * @reaction_ns: time both ends need to send a pause and to obey it
 * @frame_bytes: largest frame without FCS
 * @overhead_bytes: bytes a frame occupies on the link beyond its own
 * @burst_bytes: what the peer may send at once after its timer was late
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
 * lle_sb_params_init() - compute what is derived from the parameters
 * @p: parameters
 */
void lle_sb_params_init(struct lle_sb_params *p);

/**
 * lle_sb_free() - unallocated bytes of the shared buffer
 * @sb: the buffer
 */
static inline u64 lle_sb_free(const struct lle_sb *sb)
{
	u64 taken = sb->carved + sb->used;

	return sb->size > taken ? sb->size - taken : 0;
}

/**
 * lle_sb_threshold() - shared bytes from which a group is over its threshold
 * @p: parameters of its port
 * @free: lle_sb_free()
 */
u64 lle_sb_threshold(const struct lle_sb_params *p, u64 free);

/**
 * lle_sb_carve() - bytes that a port takes out of the shared buffer
 * @p: parameters of the port
 * @lossless: number of its lossless priorities
 */
u64 lle_sb_carve(const struct lle_sb_params *p, unsigned int lossless);

/**
 * lle_sb_below_alpha() - B < alpha * free, without rounding
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
 * lle_sb_charge() - a packet is admitted
 * @sb: the buffer
 * @pg: its priority group
 * @len: its bytes
 * @shared: those of them that are taken from the shared buffer
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
 * lle_sb_admit_slow() - the packet crosses a threshold, or there are reserved
 *	bytes to look at
 * @sb: as lle_sb_admit()
 * @p: as lle_sb_admit()
 * @pg: as lle_sb_admit()
 * @len: as lle_sb_admit()
 */
unsigned int lle_sb_admit_slow(struct lle_sb *sb, const struct lle_sb_params *p,
			       struct lle_sb_pg *pg, u32 len);

/**
 * lle_sb_admit() - a packet arrives
 * @sb: the buffer
 * @p: parameters of the ingress port
 * @pg: its priority group
 * @len: bytes of the packet
 *
 * Context: any; the caller serialises all calls on one @sb.
 * Return: enum lle_sb_verdict; LLE_SB_XOFF is in it when @pg->xoff has turned
 * true.
 * Source: 802.1Qbb; dynamic threshold: "RDMA over Commodity Ethernet at
 * Scale", section 6.2.
 */
static inline unsigned int lle_sb_admit(struct lle_sb *sb,
					const struct lle_sb_params *p,
					struct lle_sb_pg *pg, u32 len)
{
	u64 free = lle_sb_free(sb);
	u32 shared = pg->shared + len;

	/* a group that is below its threshold with the packet was so before */
	if (likely(shared < p->quick_bytes && len < free &&
		   lle_sb_below_alpha(p, shared, free - len))) {
		lle_sb_charge(sb, pg, len, len);
		return LLE_SB_ADMIT;
	}
	return lle_sb_admit_slow(sb, p, pg, len);
}

/**
 * lle_sb_release() - a packet that was admitted leaves or is dropped
 * @sb: the buffer
 * @pg: its priority group
 * @len: the bytes it was admitted with
 *
 * Return: true: XON, @pg->xoff has turned false and the upstream may send again.
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
 * lle_sb_recheck() - XOFF is looked at again, with the free bytes of now
 * @sb: the buffer
 * @p: parameters of the port
 * @pg: the group
 *
 * XON is fixed when XOFF begins; meanwhile others may have made room.
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
 * Off: what is in headroom counts as shared.
 *
 * Return: true: XON.
 */
bool lle_sb_set_lossless(struct lle_sb *sb, struct lle_sb_pg *pg,
			 bool lossless);

/**
 * lle_sb_set_headroom() - headroom of a priority group has another size
 * @sb: the buffer, whose @carved knows already
 * @pg: the group; may have packets
 * @bytes: the size
 *
 * What is in headroom and does not fit any more counts as shared: it is where bytes
 * are that are not carved out any more.
 */
void lle_sb_set_headroom(struct lle_sb *sb, struct lle_sb_pg *pg, u32 bytes);

/**
 * lle_sb_headroom_need() - headroom that makes a priority group lossless
 * @h: the link
 *
 * Return: bytes; no loss with it, whatever the sizes and times of the frames.
 */
u32 lle_sb_headroom_need(const struct lle_sb_headroom *h);

#endif /* LLE_CORE_SB_H */
