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

/* Points during T_ref at which the virtual queue is recorded */
#define LLE_CRD_POINTS		8

/**
 * struct lle_crd_params - when a port is congested
 * @rate: C, speed of the port in bytes per second
 * @qeq_bytes: Q_eq, the queue that is aimed at
 * @onset_bytes: queue from which on RCM looks at each packet
 * @ref_ns: T_ref, time over which Q_delta is taken
 * @cap_bytes: maximum of the virtual queue; by lle_crd_params_init()
 * @step_ns: T_ref / LLE_CRD_POINTS; as @cap_bytes
 * @fb_bytes: F_b that is quantized to LLE_CRD_FB_MAX; as @cap_bytes
 * @rate_q16: C in 2^-16 bytes a nanosecond; as @cap_bytes
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
 * @vq_q16: virtual queue: arrivals drained at the full rate; 2^-16 bytes
 * @at_ns: time of @vq_q16
 * @point_q16: the queue at the last LLE_CRD_POINTS steps; 2^-16 bytes
 * @point: index of the latest of them
 * @point_ns: time of the latest of them
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

/**
 * lle_crd_params_init() - compute the derived parameters
 * @p: parameters
 */
void lle_crd_params_init(struct lle_crd_params *p);

/**
 * lle_crd_reset() - start to observe a queue
 * @c: state; the port is not congested afterwards
 * @queue_bytes: bytes that are queued
 * @now_ns: the time
 *
 * The bytes count as arrived just now: Q' is 0 at first.
 */
void lle_crd_reset(struct lle_crd *c, u32 queue_bytes, u64 now_ns);

/* The virtual queue at @now_ns. */
static inline u64 lle_crd_left(const struct lle_crd *c,
			       const struct lle_crd_params *p, u64 now_ns)
{
	/* at most a second at once, so that the product fits into 64 bits */
	u64 ns = min_t(u64, now_ns - c->at_ns, NSEC_PER_SEC);
	u64 sent_q16 = ns * p->rate_q16;

	return c->vq_q16 > sent_q16 ? c->vq_q16 - sent_q16 : 0;
}

/**
 * lle_crd_advance() - record the queue at each T_ref / LLE_CRD_POINTS
 * @c: state
 * @p: parameters
 * @now_ns: as lle_crd_queue()
 */
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

/**
 * lle_crd_queue() - drain the virtual queue and read it
 * @c: state
 * @p: parameters
 * @now_ns: the time, not before that of any earlier call
 *
 * Return: its bytes.
 */
static inline u32 lle_crd_queue(struct lle_crd *c,
				const struct lle_crd_params *p, u64 now_ns)
{
	lle_crd_drain(c, p, now_ns);
	return c->vq_q16 >> 16;
}

/**
 * lle_crd_arrive() - add a packet that no neighbour asked to hold
 * @c: state
 * @p: parameters
 * @len: its bytes
 * @now_ns: as lle_crd_queue()
 *
 * Held packets do not count here, as the neighbour that lists them is the one
 * that identifies (RCM section 3.2: flow IDs come from the root).
 *
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

/**
 * lle_crd_sample() - measure F_b after a packet has arrived
 * @c: state
 * @p: parameters
 *
 * Return: quantized F_b; 0: no congestion.
 * Source: RCM equation 1; 802.1Q clause 30.2 (quantization).
 */
unsigned int lle_crd_sample(struct lle_crd *c, const struct lle_crd_params *p);

/**
 * lle_crd_quantize() - quantize F_b to the six bits of a notification
 * @p: parameters
 * @fb_bytes: F_b in bytes
 *
 * Return: 0 if it is not positive, else 1..LLE_CRD_FB_MAX.
 * Source: 802.1Q clause 30.2.1.
 */
unsigned int lle_crd_quantize(const struct lle_crd_params *p, s64 fb_bytes);

/**
 * lle_crd_blend() - compute F_b', the degree that is sent upstream
 * @fb: quantized F_b
 * @fbr: F_br of the last notification received
 * @remote: that notification is valid; else @fbr has no weight
 *
 * Return: 0..LLE_CRD_FB_MAX. Source: RCM equation 2.
 */
unsigned int lle_crd_blend(unsigned int fb, unsigned int fbr, bool remote);

/**
 * lle_crd_role() - find the role of a port in a region
 * @local: it is congested
 * @remote: the downstream neighbour has sent it a notification lately
 *
 * Source: RCM section 3.2.
 */
enum lossless_crd_role lle_crd_role(bool local, bool remote);

#endif /* LLE_CORE_CRD_H */
