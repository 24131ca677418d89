// SPDX-License-Identifier: GPL-2.0
/*
 * The shared buffer of a switch.
 *
 * Each packet is charged to its priority group (ingress port, priority): first
 * to the group's reserved bytes, then to the shared buffer, then, if the group
 * is lossless, to its headroom. It may take shared bytes iff
 *
 *	B < alpha * free	(dynamic)
 *	B < xoff		(static)
 *
 * where B is the group's shared bytes before the packet. When a lossless group
 * exceeds that, the port pauses its upstream neighbour (XOFF), until (XON)
 *
 *	occupancy <= reserved + min(threshold, B) - xon_delta
 *
 * with the values at XOFF, so other groups do not move XON. Headroom takes the
 * bytes that arrive until the pause takes effect.
 */
#include "credit.h"
#include "sb.h"

void lle_sb_params_init(struct lle_sb_params *p)
{
	p->alpha_num = 1;
	p->alpha_den = 1;
	if (p->to_alpha > LLE_TO_ALPHA_ONE)
		p->alpha_num = 1U << (p->to_alpha - LLE_TO_ALPHA_ONE);
	else
		p->alpha_den = 1U << (LLE_TO_ALPHA_ONE - p->to_alpha);

	p->quick_bytes = U32_MAX;
	if (p->xoff_bytes) {
		p->alpha_den = 0;
		p->quick_bytes = p->xoff_bytes;
	}
	if (p->reserved_bytes)
		p->quick_bytes = 0;
}

u64 lle_sb_threshold(const struct lle_sb_params *p, u64 free)
{
	if (p->xoff_bytes)
		return p->xoff_bytes;
	return div_u64(free * p->alpha_num, p->alpha_den);
}

static bool lle_sb_below(const struct lle_sb_params *p, u32 used, u64 free)
{
	if (p->xoff_bytes)
		return used < p->xoff_bytes;
	return lle_sb_below_alpha(p, used, free);
}

u64 lle_sb_carve(const struct lle_sb_params *p, unsigned int lossless)
{
	return (u64)p->reserved_bytes * LLE_NUM_PRIO +
	       (u64)p->headroom_bytes * lossless;
}

/* Bytes of a packet beyond the free reserved ones */
static u32 lle_sb_need(const struct lle_sb_params *p,
		       const struct lle_sb_pg *pg, u32 len)
{
	u32 room = p->reserved_bytes > pg->reserved ?
			   p->reserved_bytes - pg->reserved : 0;

	return len > room ? len - room : 0;
}

/* Occupancy of XON, for XOFF at @xoff shared bytes */
static u64 lle_sb_xon(const struct lle_sb_params *p, u64 xoff)
{
	u64 top = p->reserved_bytes + xoff;

	return top > p->xon_delta_bytes ? top - p->xon_delta_bytes : 0;
}

/* Must the next packet of the group take no shared bytes? */
static bool lle_sb_over(const struct lle_sb *sb, const struct lle_sb_params *p,
			const struct lle_sb_pg *pg)
{
	return pg->headroom ||
	       (pg->reserved >= p->reserved_bytes &&
		!lle_sb_below(p, lle_sb_shared(pg), lle_sb_free(sb)));
}

/* Set XOFF if the group is over its threshold. */
static bool lle_sb_xoff(struct lle_sb *sb, const struct lle_sb_params *p,
			struct lle_sb_pg *pg)
{
	if (pg->xoff || !lle_sb_occ(pg) || !lle_sb_over(sb, p, pg))
		return false;
	/* no packet that leaves may miss XON: see credit.c */
	lle_credit_reclaim(sb);
	if (!lle_sb_over(sb, p, pg))
		return false;

	pg->xon = lle_sb_xon(p, min_t(u64, lle_sb_threshold(p, lle_sb_free(sb)),
				      lle_sb_shared(pg)));
	pg->xoff = true;
	return true;
}

bool lle_sb_recheck(const struct lle_sb *sb, const struct lle_sb_params *p,
		    struct lle_sb_pg *pg)
{
	if (!pg->xoff ||
	    lle_sb_occ(pg) > lle_sb_xon(p, lle_sb_threshold(p, lle_sb_free(sb))))
		return false;
	pg->xoff = false;
	lle_sb_check_careful(pg);
	return true;
}

unsigned int lle_sb_admit_slow(struct lle_sb *sb, const struct lle_sb_params *p,
			       struct lle_sb_pg *pg, u32 len)
{
	u32 need = lle_sb_need(p, pg, len), shared = lle_sb_shared(pg);
	unsigned int verdict = LLE_SB_ADMIT;
	u64 free = lle_sb_free(sb);

	/* and the next packet has reserved bytes */
	if (!need && !pg->headroom && pg->reserved + len < p->reserved_bytes) {
		pg->reserved += len;
		WRITE_ONCE(pg->careful, true);
		lle_sb_raise_max(pg, lle_sb_occ(pg));
		return LLE_SB_ADMIT;
	}
	/* it may be below with the lent bytes */
	if (need && (need >= free || !lle_sb_below(p, shared + need, free - need))) {
		lle_credit_reclaim(sb);
		free = lle_sb_free(sb);
	}
	if (!need || (need <= free && lle_sb_below(p, shared, free))) {
		pg->reserved += len - need;
		atomic_add(need, &pg->shared);
		lle_sb_use(sb, need);
		lle_sb_raise_max(pg, lle_sb_occ(pg));
	} else if (!pg->lossless) {
		verdict = need > free ? LLE_SB_DROP_BUFFER :
					LLE_SB_DROP_THRESHOLD;
	} else if (need <= p->headroom_bytes &&
		   pg->headroom <= p->headroom_bytes - need) {
		pg->reserved += len - need;
		pg->headroom += need;
		pg->headroom_max = max(pg->headroom_max, pg->headroom);
		lle_sb_raise_max(pg, lle_sb_occ(pg));
	} else {
		verdict = LLE_SB_DROP_HEADROOM;
	}

	if (pg->lossless && lle_sb_xoff(sb, p, pg))
		verdict |= LLE_SB_XOFF;
	lle_sb_check_careful(pg);
	return verdict;
}

bool lle_sb_release_slow(struct lle_sb *sb, struct lle_sb_pg *pg, u32 len)
{
	u32 headroom = min(len, pg->headroom), shared, reserved;

	pg->headroom -= headroom;
	len -= headroom;
	shared = pg->reserved ? min(len, lle_sb_shared(pg)) : len;
	reserved = len - shared;
	pg->reserved -= reserved;
	atomic_sub(shared, &pg->shared);
	sb->used -= shared;
	lle_sb_publish(sb);
	lle_sb_check_careful(pg);
	return lle_sb_check_xon(pg);
}

void lle_sb_set_headroom(struct lle_sb *sb, struct lle_sb_pg *pg, u32 bytes)
{
	u32 over = pg->headroom > bytes ? pg->headroom - bytes : 0;

	pg->headroom -= over;
	atomic_add(over, &pg->shared);
	lle_sb_use(sb, over);
	lle_sb_check_careful(pg);
}

bool lle_sb_set_lossless(struct lle_sb *sb, struct lle_sb_pg *pg, bool lossless)
{
	bool xon = pg->xoff && !lossless;

	pg->lossless = lossless;
	if (!lossless) {
		pg->xoff = false;
		lle_sb_set_headroom(sb, pg, 0);
	}
	return xon;
}

/*
 * From XOFF until the peer begins no new frame, its link carries
 *
 *	w = rate * (2 * delay + reaction)	both ways and both ends
 *	  + piece + n * overhead		link busy: the pause waits
 *	  + pause frame + overhead
 *	  + burst				the peer catches up
 *
 * bytes: m frames of the largest size and a rest r, a last frame. A piece is n
 * frames without a pause in between. One more piece begins at the very end, and
 * another caused XOFF: it is in headroom if other groups took the shared bytes.
 *
 *	need = m * frame + max(0, r - overhead) + piece + piece
 */
u32 lle_sb_headroom_need(const struct lle_sb_headroom *h)
{
	u64 frame = (u64)h->frame_bytes + h->overhead_bytes;
	u64 ns = 2 * h->delay_ns + h->reaction_ns;
	u64 w, frames, rest, need;

	w = mul_u64_u64_div_u64(h->rate, ns, NSEC_PER_SEC) + 1;
	w += h->piece_bytes + (u64)h->piece_frames * h->overhead_bytes;
	w += LLE_PFC_FRAME_LEN + h->overhead_bytes + h->burst_bytes;

	frames = div64_u64_rem(w, frame, &rest);
	need = frames * h->frame_bytes + 2ULL * h->piece_bytes;
	if (rest > h->overhead_bytes)
		need += rest - h->overhead_bytes;

	return min_t(u64, need, U32_MAX);
}
