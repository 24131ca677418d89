// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion region detection: is an egress port congested, and how much.
 *
 *	F_b = Q_off + w_q * Q_delta,  Q_off = Q - Q_eq,  Q_delta = Q - Q'
 *
 * Deviations from the paper:
 *  1. Q is a virtual queue of the packets that no neighbour asked to hold,
 *     drained at the full rate: a backlog that a neighbour held and then
 *     released makes no new root.
 *  2. Each packet is a sample, and Q' is the queue T_ref ago. From one packet
 *     to the next a queue grows by one packet, so F_b would stay small for
 *     microseconds. LLE_CRD_QCN is the paper's rule.
 */
#include "crd.h"

/* Samples without congestion in a row that end it: one may be chance. */
#define LLE_CRD_QUIET		2

/* Cap of Q, in Q_eq: without it a long burst would prolong the congestion. */
#define LLE_CRD_CAP		4

/* 802.1Q table 30-2: bytes to the next sample by the upper bits of F_b. */
static const u32 lle_crd_interval[8] = {
	150000, 75000, 50000, 37500, 30000, 25000, 21500, 18500,
};

void lle_crd_params_init(struct lle_crd_params *p)
{
	u64 fb_bytes = (u64)p->qeq_bytes * (2 * p->wq + 1);

	/* F_b of a queue of 2 * Q_eq that was empty T_ref ago is the maximum */
	p->fb_bytes = min_t(u64, max_t(u64, fb_bytes, 1), U32_MAX);
	p->cap_bytes = min_t(u64, (u64)p->qeq_bytes * LLE_CRD_CAP, U32_MAX);
	p->step_ns = max_t(u32, 1, p->ref_ns / LLE_CRD_POINTS);
	p->rate_q16 = mul_u64_u64_div_u64(p->rate, 1 << 16, NSEC_PER_SEC);
}

void lle_crd_reset(struct lle_crd *c, u32 queue_bytes, u64 now_ns)
{
	memset(c, 0, sizeof(*c));
	c->vq_q16 = (u64)queue_bytes << 16;
	c->at_ns = now_ns;
	c->point_ns = now_ns;
}

void lle_crd_advance(struct lle_crd *c, const struct lle_crd_params *p,
		     u64 now_ns)
{
	if (now_ns - c->point_ns > 2 * p->ref_ns)
		c->point_ns = now_ns - (u64)p->step_ns * LLE_CRD_POINTS;
	while (now_ns - c->point_ns >= p->step_ns) {
		c->point_ns += p->step_ns;
		c->point = (c->point + 1) % LLE_CRD_POINTS;
		c->point_q16[c->point] =
			c->point_ns > c->at_ns ?
				lle_crd_left(c, p, c->point_ns) : c->vq_q16;
	}
}

unsigned int lle_crd_quantize(const struct lle_crd_params *p, s64 fb_bytes)
{
	u64 fb;

	if (fb_bytes <= 0)
		return 0;
	/* F_b * 63 / (Q_eq * (2 * w_q + 1)), but any F_b > 0 is congestion */
	fb = div_u64((u64)fb_bytes * LLE_CRD_FB_MAX, p->fb_bytes);
	return min_t(u64, max_t(u64, fb, 1), LLE_CRD_FB_MAX);
}

/* F_b = (Q - Q_eq) + w_q * (Q - Q'), quantized */
static unsigned int lle_crd_measure(const struct lle_crd *c,
				    const struct lle_crd_params *p, u64 old_q16)
{
	s64 q = c->vq_q16 >> 16;

	return lle_crd_quantize(p, q - p->qeq_bytes +
				   p->wq * (q - (s64)(old_q16 >> 16)));
}

/* Bytes to the next sample, 0.85 to 1.15 times those of the table. */
static s32 lle_crd_next(unsigned int fb, u32 rnd)
{
	u32 bytes = lle_crd_interval[fb / 8];

	return bytes - bytes * 3 / 20 + ((u64)(bytes * 3 / 10) * rnd >> 32);
}

unsigned int lle_crd_sample(struct lle_crd *c, const struct lle_crd_params *p,
			    u32 rnd)
{
	u64 old_q16;

	if (p->sample == LLE_CRD_PACKET)
		old_q16 = c->point_q16[(c->point + 1) % LLE_CRD_POINTS];
	else if (c->sample_bytes <= 0)
		old_q16 = c->sample_q16;
	else
		return 0;

	c->fb = lle_crd_measure(c, p, old_q16);
	if (p->sample == LLE_CRD_QCN) {
		c->sample_bytes = lle_crd_next(c->fb, rnd);
		c->sample_q16 = c->vq_q16;
	}
	c->quiet = c->fb ? 0 : min(c->quiet + 1, LLE_CRD_QUIET);
	c->local = c->fb || (c->local && c->quiet < LLE_CRD_QUIET);
	return c->fb;
}

unsigned int lle_crd_blend(unsigned int fb, unsigned int fbr, u32 w_q8)
{
	return ((256 - w_q8) * fb + w_q8 * fbr) >> 8;
}

enum lossless_crd_role lle_crd_role(bool local, bool remote)
{
	if (local)
		return remote ? LOSSLESS_CRD_ROLE_INNER : LOSSLESS_CRD_ROLE_ROOT;
	return remote ? LOSSLESS_CRD_ROLE_EDGE : LOSSLESS_CRD_ROLE_NONE;
}
