/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_SB_H
#define LLE_CORE_SB_H

#include <linux/pkt_sch_lossless.h>

#include "../core.h"

struct lle_sb_credit;

/**
 * struct lle_sb - shared buffer of a switch, in bytes
 * @size: packet memory
 * @carved: reserved bytes and headroom of all priority groups
 * @used: shared bytes in use, and loans; above @size - @carved only after one
 *	of these has changed, until enough has drained
 * @used_max: high-water mark of @used
 * @memory: kernel memory of its packets, see memory.c
 * @memory_max: limit of @memory for any @size; 0: none
 * @waste: bytes withheld because of @memory
 * @free: lle_sb_free(), for borrowers, which do not serialise; 0: no borrowers
 * @borrowers: credits that may have bytes, see credit.h
 */
struct lle_sb {
	u64 size;
	u64 carved;
	u64 used;
	u64 used_max;
	u64 memory;
	u64 memory_max;
	u64 waste;
	u64 free;
	struct lle_sb_credit *borrowers;
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
 * @quick_bytes: below it only the dynamic threshold has to be checked
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
 * @xoff: pause its upstream neighbour; implies that it has packets
 * @careful: no charging by credit, see lle_sb_check_careful()
 * @closed: force @careful
 * @shared: bytes in the shared buffer
 * @reserved: reserved bytes in use
 * @headroom: bytes in headroom
 * @xon: occupancy that ends @xoff; fixed when it begins
 * @occ_max: high-water mark of lle_sb_occ()
 * @headroom_max: high-water mark of @headroom
 */
struct lle_sb_pg {
	bool lossless;
	bool xoff;
	bool careful;
	bool closed;
	atomic_t shared;
	u32 reserved;
	u32 headroom;
	u32 xon;
	u32 occ_max;
	u32 headroom_max;
};

/* Verdict on an arriving packet */
enum lle_sb_verdict {
	LLE_SB_ADMIT,		/* queue it; it is charged */
	LLE_SB_DROP_THRESHOLD,	/* lossy group over its threshold */
	LLE_SB_DROP_BUFFER,	/* lossy group, shared buffer full */
	LLE_SB_DROP_HEADROOM,	/* headroom of its lossless group full */
	LLE_SB_XOFF = 0x10,	/* flag: pause the upstream neighbour */
};

/**
 * struct lle_sb_headroom - link for which headroom is computed
 * @rate: bytes per second
 * @delay_ns: propagation time, one way
 * @reaction_ns: time both ends need to send a pause and to obey it
 * @frame_bytes: largest frame without FCS
 * @piece_bytes: most bytes sent without a pause in between: a frame, or a whole
 *	GSO packet
 * @piece_frames: frames of that piece
 * @overhead_bytes: bytes on the link per frame, beyond its own
 * @burst_bytes: bytes that the peer may send at once after a late timer
 */
struct lle_sb_headroom {
	u64 rate;
	u64 delay_ns;
	u64 reaction_ns;
	u32 frame_bytes;
	u32 piece_bytes;
	u32 piece_frames;
	u32 overhead_bytes;
	u32 burst_bytes;
};

/**
 * lle_sb_params_init() - compute the derived parameters
 * @p: parameters
 */
void lle_sb_params_init(struct lle_sb_params *p);

static inline bool lle_sb_same_thresholds(const struct lle_sb_params *a,
					  const struct lle_sb_params *b)
{
	return a->reserved_bytes == b->reserved_bytes &&
	       a->xoff_bytes == b->xoff_bytes && a->to_alpha == b->to_alpha;
}

/* Free bytes of the shared buffer */
static inline u64 lle_sb_free(const struct lle_sb *sb)
{
	u64 taken = sb->carved + sb->used + sb->waste;

	return sb->size > taken ? sb->size - taken : 0;
}

/**
 * lle_sb_threshold() - compute the threshold of a group, in shared bytes
 * @p: parameters of its port
 * @free: lle_sb_free()
 */
u64 lle_sb_threshold(const struct lle_sb_params *p, u64 free);

/**
 * lle_sb_carve() - compute the bytes that a port carves out of the buffer
 * @p: parameters of the port
 * @lossless: number of its lossless priorities
 */
u64 lle_sb_carve(const struct lle_sb_params *p, unsigned int lossless);

/* B < alpha * free without rounding; true if static and @free is not 0 */
static inline bool lle_sb_below_alpha(const struct lle_sb_params *p, u64 used,
				      u64 free)
{
	return used * p->alpha_den < free * p->alpha_num;
}

/* @size, @carved or @used has changed: update @free for borrowers. */
static inline void lle_sb_publish(struct lle_sb *sb)
{
	if (sb->borrowers)
		WRITE_ONCE(sb->free, lle_sb_free(sb));
}

static inline u32 lle_sb_shared(const struct lle_sb_pg *pg)
{
	return atomic_read(&pg->shared);
}

/* Bytes charged to a group */
static inline u32 lle_sb_occ(const struct lle_sb_pg *pg)
{
	return lle_sb_shared(pg) + pg->reserved + pg->headroom;
}

static inline void lle_sb_raise_max(struct lle_sb_pg *pg, u32 occ)
{
	if (occ > READ_ONCE(pg->occ_max))
		WRITE_ONCE(pg->occ_max, occ);
}

static inline void lle_sb_use(struct lle_sb *sb, u32 bytes)
{
	sb->used += bytes;
	if (sb->used > sb->used_max)
		sb->used_max = sb->used;
	lle_sb_publish(sb);
}

/* lle_sb_admit() across a threshold, or with reserved bytes */
unsigned int lle_sb_admit_slow(struct lle_sb *sb, const struct lle_sb_params *p,
			       struct lle_sb_pg *pg, u32 len);

/*
 * Does a packet leave its group below the threshold? @shared and @free include
 * the packet. Only without reserved bytes.
 */
static inline bool lle_sb_is_plain(const struct lle_sb_params *p, u32 shared,
				   u64 free)
{
	return shared < p->quick_bytes && lle_sb_below_alpha(p, shared, free);
}

/**
 * lle_sb_admit() - charge an arriving packet, or drop it
 * @sb: the buffer
 * @p: parameters of the ingress port
 * @pg: its priority group
 * @len: bytes of the packet
 * Context: any; the caller serialises all calls on one @sb.
 * Return: enum lle_sb_verdict, with LLE_SB_XOFF if @pg->xoff became true.
 * Source: 802.1Qbb; dynamic threshold: "RDMA over Commodity Ethernet at
 * Scale", section 6.2.
 */
static inline unsigned int lle_sb_admit(struct lle_sb *sb,
					const struct lle_sb_params *p,
					struct lle_sb_pg *pg, u32 len)
{
	u64 free = lle_sb_free(sb);
	u32 shared;

	if (unlikely(len >= free))
		return lle_sb_admit_slow(sb, p, pg, len);
	/*
	 * Borrowers may charge the group in parallel. Each adds before it
	 * compares, so the last one sees that the threshold is crossed.
	 */
	shared = atomic_add_return(len, &pg->shared);
	if (unlikely(!lle_sb_is_plain(p, shared, free - len))) {
		atomic_sub(len, &pg->shared);
		return lle_sb_admit_slow(sb, p, pg, len);
	}
	lle_sb_use(sb, len);
	lle_sb_raise_max(pg, lle_sb_occ(pg));
	return LLE_SB_ADMIT;
}

/* May packets be charged by credit? Call after a change of @pg. */
static inline void lle_sb_check_careful(struct lle_sb_pg *pg)
{
	bool careful = pg->closed || pg->xoff || pg->headroom || pg->reserved;

	/*
	 * pairs with lle_credit_borrow(), which reads the parameters after it
	 */
	smp_store_release(&pg->careful, careful);
}

/* End XOFF if enough bytes have left. True: XON: resume the neighbour. */
static inline bool lle_sb_check_xon(struct lle_sb_pg *pg)
{
	if (likely(!pg->xoff) || lle_sb_occ(pg) > pg->xon)
		return false;
	pg->xoff = false;
	lle_sb_check_careful(pg);
	return true;
}

/* lle_sb_release() with bytes in headroom or reserved ones */
bool lle_sb_release_slow(struct lle_sb *sb, struct lle_sb_pg *pg, u32 len);

/*
 * Release the @len bytes that a packet was admitted with: bytes in headroom
 * first, reserved ones last.
 * Context: as lle_sb_admit(). Return: as lle_sb_check_xon().
 */
static inline bool lle_sb_release(struct lle_sb *sb, struct lle_sb_pg *pg,
				  u32 len)
{
	if (unlikely(pg->headroom | pg->reserved))
		return lle_sb_release_slow(sb, pg, len);
	/* borrowers charge and release in parallel */
	atomic_sub(len, &pg->shared);
	sb->used -= len;
	lle_sb_publish(sb);
	return lle_sb_check_xon(pg);
}

/**
 * lle_sb_recheck() - compute XON anew, with the bytes that are free now
 * @sb: the buffer
 * @p: parameters of the port
 * @pg: the group
 * Return: true: XON.
 */
bool lle_sb_recheck(const struct lle_sb *sb, const struct lle_sb_params *p,
		    struct lle_sb_pg *pg);

/**
 * lle_sb_set_lossless() - switch PFC of a priority group on or off
 * @sb: the buffer
 * @pg: the group; may have packets
 * @lossless: the new setting; off: bytes in headroom count as shared
 * Return: true: XON.
 */
bool lle_sb_set_lossless(struct lle_sb *sb, struct lle_sb_pg *pg,
			 bool lossless);

/**
 * lle_sb_set_headroom() - change the headroom of a priority group
 * @sb: the buffer; @carved is up to date
 * @pg: the group; may have packets
 * @bytes: the new size; bytes in headroom beyond it count as shared
 */
void lle_sb_set_headroom(struct lle_sb *sb, struct lle_sb_pg *pg, u32 bytes);

/**
 * lle_sb_headroom_need() - compute the headroom that avoids all loss
 * @h: the link
 * Return: bytes, for frames of any size at any time.
 */
u32 lle_sb_headroom_need(const struct lle_sb_headroom *h);

#endif /* LLE_CORE_SB_H */
