/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CRD_H
#define LLE_CORE_CRD_H

#include <linux/lossless.h>

#include "../core.h"

/* Maximum of quantized F_b: 6 bits, as in 802.1Qau */
#define LLE_CRD_FB_MAX		63

/* w_q of equation 1, weight of Q_delta */
#define LLE_CRD_WQ		2

/* w of equation 2, weight of the neighbour's degree, in 1/256 */
#define LLE_CRD_W_Q8		128

/* Records of the virtual queue during T_ref */
#define LLE_CRD_POINTS		8

/**
 * struct lle_crd_params - when a port is congested
 * @rate: C, speed of the port in bytes per second
 * @qeq_bytes: Q_eq, the target queue
 * @onset_bytes: queue from which RCM looks at each packet
 * @ref_ns: T_ref, time over which Q_delta is taken
 * @cap_bytes: maximum of the virtual queue; by lle_crd_params_init()
 * @step_ns: T_ref / LLE_CRD_POINTS; derived
 * @fb_bytes: F_b that is quantized to LLE_CRD_FB_MAX; derived
 * @rate_q16: C in 2^-16 bytes a nanosecond; derived
 */
struct lle_crd_params {
	u64 rate;
	u32 qeq_bytes;
	u32 onset_bytes;
	u32 ref_ns;
	u32 cap_bytes;
	u32 step_ns;
	u32 fb_bytes;
	u64 rate_q16;
};

/**
 * struct lle_crd - congestion of one priority of an egress port
 * @vq_q16: virtual queue, 2^-16 bytes
 * @at_ns: time of @vq_q16
 * @point_q16: the queue at the last LLE_CRD_POINTS steps, 2^-16 bytes
 * @point: index of the latest
 * @point_ns: time of the latest
 * @fb: quantized F_b of the last sample
 * @quiet: samples without congestion in a row
 * @local: the port is congested (the paper's local flag)
 */
struct lle_crd {
	u64 vq_q16;
	u64 at_ns;
	u64 point_q16[LLE_CRD_POINTS];
	unsigned int point;
	u64 point_ns;
	u8 fb;
	u8 quiet;
	bool local;
};

/* Compute the derived parameters. */
void lle_crd_params_init(struct lle_crd_params *p);

/*
 * Start to observe a queue, as not congested. @queue_bytes count as just
 * arrived: Q' is 0 at first.
 */
void lle_crd_reset(struct lle_crd *c, u32 queue_bytes, u64 now_ns);

/* Virtual queue at @now_ns */
static inline u64 lle_crd_left(const struct lle_crd *c,
			       const struct lle_crd_params *p, u64 now_ns)
{
	/* a second at most: the product fits into 64 bits */
	u64 ns = min_t(u64, now_ns - c->at_ns, NSEC_PER_SEC);
	u64 sent_q16 = ns * p->rate_q16;

	return c->vq_q16 > sent_q16 ? c->vq_q16 - sent_q16 : 0;
}

/* Record the queue at each T_ref / LLE_CRD_POINTS until @now_ns. */
void lle_crd_advance(struct lle_crd *c, const struct lle_crd_params *p,
		     u64 now_ns);

static inline void lle_crd_drain(struct lle_crd *c,
				 const struct lle_crd_params *p, u64 now_ns)
{
	if (now_ns - c->point_ns >= p->step_ns)
		lle_crd_advance(c, p, now_ns);
	c->vq_q16 = lle_crd_left(c, p, now_ns);
	c->at_ns = now_ns;
}

/* Bytes of the virtual queue. @now_ns never decreases. */
static inline u32 lle_crd_queue(struct lle_crd *c,
				const struct lle_crd_params *p, u64 now_ns)
{
	lle_crd_drain(c, p, now_ns);
	return c->vq_q16 >> 16;
}

/*
 * Add a packet that is not held: the neighbour that lists held packets
 * identifies them (RCM section 3.2: flow IDs come from the root).
 * Context: the caller serialises the calls on @c.
 */
static inline void lle_crd_arrive(struct lle_crd *c,
				  const struct lle_crd_params *p, u32 len,
				  u64 now_ns)
{
	lle_crd_drain(c, p, now_ns);
	c->vq_q16 = min_t(u64, c->vq_q16 + ((u64)len << 16),
			  (u64)p->cap_bytes << 16);
}

/*
 * Measure F_b after an arrival, quantized; 0: no congestion. Source: RCM
 * equation 1; 802.1Q clause 30.2 (quantization).
 */
unsigned int lle_crd_sample(struct lle_crd *c, const struct lle_crd_params *p);

/*
 * Quantize F_b to the six bits of a notification; 0: not positive. Source:
 * 802.1Q clause 30.2.1.
 */
unsigned int lle_crd_quantize(const struct lle_crd_params *p, s64 fb_bytes);

/*
 * F_b', the degree that is sent upstream, from F_b and, if there is a valid
 * notification (@remote), its F_br. Source: RCM equation 2.
 */
unsigned int lle_crd_blend(unsigned int fb, unsigned int fbr, bool remote);

/*
 * Role in a region of a port that is congested (@local), or has a valid
 * notification (@remote). Source: RCM section 3.2.
 */
enum lossless_crd_role lle_crd_role(bool local, bool remote);

#endif /* LLE_CORE_CRD_H */
