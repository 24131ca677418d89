// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion region detection: is an egress port congested, and how much?
 *
 *	F_b = Q_off + w_q * Q_delta,  Q_off = Q - Q_eq,  Q_delta = Q - Q'
 *
 * Deviations from the paper:
 *  1. Q is a virtual queue, drained at the full rate, of the packets that no
 *     neighbour holds: a released backlog makes no new root.
 *  2. Each packet is a sample, and Q' is the queue T_ref ago. The paper samples
 *     by bytes, as 802.1Qau.
 */
#include "crd.h"

/* Samples without congestion that end it: one may be chance. */
#define LLE_CRD_QUIET		2

/* Cap of Q, in Q_eq: a long burst must not prolong the congestion. */
#define LLE_CRD_CAP		4

void lle_crd_params_init(struct lle_crd_params *p)
{
	u64 fb_bytes = (u64)p->qeq_bytes * (2 * LLE_CRD_WQ + 1);

	/* maximum: F_b of a queue of 2 * Q_eq that was empty T_ref ago */
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
	/* F_b * 63 / (Q_eq * (2 * w_q + 1)); any F_b > 0 is congestion */
	fb = div_u64((u64)fb_bytes * LLE_CRD_FB_MAX, p->fb_bytes);
	return min_t(u64, max_t(u64, fb, 1), LLE_CRD_FB_MAX);
}

/* F_b = (Q - Q_eq) + w_q * (Q - Q'), quantized */
static unsigned int lle_crd_measure(const struct lle_crd *c,
				    const struct lle_crd_params *p)
{
	s64 q = c->vq_q16 >> 16;
	s64 old = c->point_q16[(c->point + 1) % LLE_CRD_POINTS] >> 16;

	return lle_crd_quantize(p, q - p->qeq_bytes + LLE_CRD_WQ * (q - old));
}

unsigned int lle_crd_sample(struct lle_crd *c, const struct lle_crd_params *p)
{
	c->fb = lle_crd_measure(c, p);
	c->quiet = c->fb ? 0 : min(c->quiet + 1, LLE_CRD_QUIET);
	c->local = c->fb || (c->local && c->quiet < LLE_CRD_QUIET);
	return c->fb;
}

unsigned int lle_crd_blend(unsigned int fb, unsigned int fbr, bool remote)
{
	unsigned int w_q8 = remote ? LLE_CRD_W_Q8 : 0;

	return ((256 - w_q8) * fb + w_q8 * fbr) >> 8;
}

enum lossless_crd_role lle_crd_role(bool local, bool remote)
{
	if (local)
		return remote ? LOSSLESS_CRD_ROLE_INNER : LOSSLESS_CRD_ROLE_ROOT;
	return remote ? LOSSLESS_CRD_ROLE_EDGE : LOSSLESS_CRD_ROLE_NONE;
}
