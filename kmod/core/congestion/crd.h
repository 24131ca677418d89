/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CRD_H
#define LLE_CORE_CRD_H

#include <linux/lossless.h>
#include <linux/pkt_sch_lossless.h>

#include "../core.h"

/* F_b as it is sent and as windows are cut by: 6 bits, as in 802.1Qau */
#define LLE_CRD_FB_MAX		63

/* Points that the virtual queue is remembered at during T_ref */
#define LLE_CRD_POINTS		8

/**
 * struct lle_crd_params - when a port is congested
 * @rate: C, bytes per second that it can send
 * @qeq_bytes: Q_eq, the queue that is aimed at
 * @onset_bytes: queue from which on it is looked at who it is
 * @ref_ns: T_ref, over which Q_delta is taken
 * @wq: w_q, weight of Q_delta
 * @sample: enum lle_crd_sample
 * @cap_bytes: bytes that the virtual queue has at most; by lle_crd_params_init()
 * @step_ns: T_ref / LLE_CRD_POINTS; as @cap_bytes
 * @fb_bytes: F_b that is quantized to LLE_CRD_FB_MAX; as @cap_bytes
 * @rate_q16: C in 2^-16 bytes a nanosecond; as @cap_bytes
 */
struct lle_crd_params {
	u64 rate;
	u32 qeq_bytes;
	u32 onset_bytes;
	u32 ref_ns;
	u8 wq;
	u8 sample;
	u32 cap_bytes;
	u32 step_ns;
	u32 fb_bytes;
	u64 rate_q16;
};

/**
 * struct lle_crd - congestion of one priority of an egress port
 * @vq_q16: virtual queue: what has arrived, drained at the full rate; 2^-16 bytes
 * @at_ns: when it was that
 * @point_q16: what it was at the last times that are multiples of T_ref / LLE_CRD_POINTS
 * @point: the latest of them
 * @point_ns: when that was
 * @sample_bytes: until the next sample of LLE_CRD_QCN
 * @sample_q16: what the queue was at the last one
 * @fb: F_b as quantized, of the last sample
 * @quiet: samples without congestion in a row
 * @local: the port is a point of congestion
 */
struct lle_crd {
	u64 vq_q16;
	u64 at_ns;
	u64 point_q16[LLE_CRD_POINTS];
	unsigned int point;
	u64 point_ns;
	s32 sample_bytes;
	u64 sample_q16;
	u8 fb;
	u8 quiet;
	bool local;
};

/**
 * lle_crd_params_init() - compute what is derived from the parameters
 * @p: parameters
 */
void lle_crd_params_init(struct lle_crd_params *p);

/**
 * lle_crd_reset() - begin with a queue that was not looked at before
 * @c: state
 * @queue_bytes: what waits; it has not been there for long
 * @now_ns: the time
 *
 * Whether the port is congested is forgotten.
 */
void lle_crd_reset(struct lle_crd *c, u32 queue_bytes, u64 now_ns);

/**
 * lle_crd_queue() - the virtual queue
 * @c: state
 * @p: parameters
 * @now_ns: the time, not before that of any earlier call
 *
 * Return: its bytes.
 */
u32 lle_crd_queue(struct lle_crd *c, const struct lle_crd_params *p,
		  u64 now_ns);

/**
 * lle_crd_arrive() - a packet arrives that no neighbour asked to hold
 * @c: state
 * @p: parameters
 * @len: its bytes
 * @now_ns: as lle_crd_queue()
 *
 * A neighbour looks after what it asked to hold, so it does not count
 * here (requirement R4).
 *
 * Context: the caller serialises the calls on @c.
 */
void lle_crd_arrive(struct lle_crd *c, const struct lle_crd_params *p, u32 len,
		    u64 now_ns);

/**
 * lle_crd_sample() - is there congestion, now that a packet has arrived?
 * @c: state
 * @p: parameters
 * @rnd: uniform random number, for LLE_CRD_QCN
 *
 * Return: F_b as quantized if there was a sample; 0: there was none, or it found no
 * congestion.
 * Source: RCM equation 1; 802.1Q clause 30.2 (quantization, table of intervals).
 */
unsigned int lle_crd_sample(struct lle_crd *c, const struct lle_crd_params *p,
			    u32 rnd);

/**
 * lle_crd_quantize() - F_b as it is sent
 * @p: parameters
 * @fb_bytes: F_b in bytes
 *
 * Return: 0 if it is not positive, else 1..LLE_CRD_FB_MAX. Source: 802.1Q clause 30.2.1.
 */
unsigned int lle_crd_quantize(const struct lle_crd_params *p, s64 fb_bytes);

/**
 * lle_crd_blend() - F_b', which is sent upstream
 * @fb: F_b as quantized
 * @fbr: F_br, the last that a neighbour has sent
 * @w_q8: weight of @fbr in 1/256; 0 if nothing valid has come
 *
 * Return: 0..LLE_CRD_FB_MAX. Source: RCM equation 2.
 */
unsigned int lle_crd_blend(unsigned int fb, unsigned int fbr, u32 w_q8);

/**
 * lle_crd_role() - where a port is in a region
 * @local: it is congested
 * @remote: a neighbour names what leaves by it
 *
 * Source: RCM section 3.2.
 */
enum lle_crd_role lle_crd_role(bool local, bool remote);

#endif /* LLE_CORE_CRD_H */
