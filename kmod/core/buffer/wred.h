/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_WRED_H
#define LLE_CORE_WRED_H

#include "../core.h"

/**
 * struct lle_wred_params - WRED of one priority of an egress port
 * @kmin_bytes: K_min, queue from which the probability rises from 0
 * @kmax_bytes: K_max >= K_min, queue from which it is 1
 * @pmax_q32: P_max, probability just below K_max, in 1/2^32
 * @nonect_bytes: K, queue from which all packets without ECN are dropped, and
 *	below which none are; 0: the curve applies to them, too
 * @bufmax_bytes: buf_max, queue above which all packets are dropped; 0: none
 * @ecn: mark ECN capable packets instead of dropping them
 * @nodrop: the priority is lossless: packets that the curve would drop pass
 * @idle_bytes: queue below which all packets pass; by lle_wred_params_init()
 */
struct lle_wred_params {
	u32 kmin_bytes;
	u32 kmax_bytes;
	u32 pmax_q32;
	u32 nonect_bytes;
	u32 bufmax_bytes;
	bool ecn;
	bool nodrop;
	u32 idle_bytes;
};

/* no WRED: the queue never reaches idle_bytes */
#define LLE_WRED_OFF ((struct lle_wred_params){ .idle_bytes = U32_MAX })

/**
 * enum lle_wred_verdict - what to do with an arriving packet
 * @LLE_WRED_PASS: queue it
 * @LLE_WRED_MARK: mark it CE and queue it
 * @LLE_WRED_DROP: drop it, by the curve
 * @LLE_WRED_DROP_NONECT: drop it, it is not ECN capable and the queue is >= K
 * @LLE_WRED_DROP_BUFMAX: drop it, the queue is > buf_max
 */
enum lle_wred_verdict {
	LLE_WRED_PASS,
	LLE_WRED_MARK,
	LLE_WRED_DROP,
	LLE_WRED_DROP_NONECT,
	LLE_WRED_DROP_BUFMAX,
};

/**
 * lle_wred_params_init() - compute the derived parameters
 * @p: parameters; idle_bytes is written
 */
void lle_wred_params_init(struct lle_wred_params *p);

/**
 * lle_wred_decide() - mark, drop or pass an arriving packet
 * @p: parameters
 * @qlen_bytes: bytes in the queue, without the packet
 * @ect: the packet is ECN capable (ECN field 01, 10 or 11)
 * @rnd: uniform random number, used only between K_min and K_max
 *
 * Context: any, no locking.
 * Source: LDCP section 2.1 (instantaneous queue), equation 3 (not-ECT).
 */
enum lle_wred_verdict lle_wred_decide(const struct lle_wred_params *p,
				      u32 qlen_bytes, bool ect, u32 rnd);

#endif /* LLE_CORE_WRED_H */
