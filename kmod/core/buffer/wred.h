/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_WRED_H
#define LLE_CORE_WRED_H

#include "../core.h"

/**
 * struct lle_wred_params - WRED of one priority of an egress port
 * @kmin_bytes: K_min, queue above which the probability rises from 0
 * @kmax_bytes: K_max >= K_min, queue from which it is 1
 * @pmax_q32: P_max, probability just below K_max, in 1/2^32
 * @nonect_bytes: K, queue from which all packets without ECN are dropped, and
 *	none below it; 0: the curve applies to them, too
 * @bufmax_bytes: buf_max, queue above which all packets are dropped; 0: off
 * @ecn: mark ECN capable packets instead of dropping them
 * @dequeue: mark them when they leave, by the queue that they leave behind
 * @nodrop: lossless priority: the curve does not drop
 * @idle_bytes: queue below which all packets pass; by lle_wred_params_init()
 * @leave_bytes: queue below which no packet is marked when it leaves; the same
 */
struct lle_wred_params {
	u32 kmin_bytes;
	u32 kmax_bytes;
	u32 pmax_q32;
	u32 nonect_bytes;
	u32 bufmax_bytes;
	bool ecn;
	bool dequeue;
	bool nodrop;
	u32 idle_bytes;
	u32 leave_bytes;
};

/* WRED off: no queue reaches idle_bytes and leave_bytes */
#define LLE_WRED_OFF ((struct lle_wred_params){ .idle_bytes = U32_MAX, \
						.leave_bytes = U32_MAX })

/* Verdict on an arriving packet */
enum lle_wred_verdict {
	LLE_WRED_PASS,		/* queue it */
	LLE_WRED_MARK,		/* mark it CE and queue it */
	LLE_WRED_DROP,		/* by the curve */
	LLE_WRED_DROP_NONECT,	/* not ECN capable, queue >= K */
	LLE_WRED_DROP_BUFMAX,	/* queue > buf_max */
};

/**
 * lle_wred_params_init() - compute idle_bytes and leave_bytes
 * @p: parameters
 */
void lle_wred_params_init(struct lle_wred_params *p);

/**
 * lle_wred_decide() - mark, drop or pass an arriving packet
 * @p: parameters
 * @qlen_bytes: bytes in the queue, without the packet
 * @ect: the packet is ECN capable (ECN field 01, 10 or 11)
 * @rnd: uniform random number; only used between K_min and K_max
 * Context: any, no locking.
 * Source: LDCP section 2.1 (instantaneous queue), equation 3 (not-ECT).
 */
enum lle_wred_verdict lle_wred_decide(const struct lle_wred_params *p,
				      u32 qlen_bytes, bool ect, u32 rnd);

/**
 * lle_wred_marks_leaving() - mark an ECN capable packet that leaves?
 * @p: parameters, with @p->dequeue
 * @qlen_bytes: bytes in the queue, without the packet
 * @rnd: uniform random number; only used between K_min and K_max
 * Context: any, no locking.
 * Source: LDCP section 2.1 (the curve); "ECN or Delay: Lessons Learnt from
 *	Analysis of DCQCN and TIMELY" (CoNEXT 2016): switches with a shared buffer
 *	mark on egress.
 */
bool lle_wred_marks_leaving(const struct lle_wred_params *p, u32 qlen_bytes,
			    u32 rnd);

#endif /* LLE_CORE_WRED_H */
