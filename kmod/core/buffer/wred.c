// SPDX-License-Identifier: GPL-2.0
/*
 * WRED on the instantaneous queue q (LDCP section 2.1):
 *
 *	q < K_min           p = 0
 *	K_min <= q < K_max  p = (q - K_min) / (K_max - K_min) * P_max
 *	K_max <= q          p = 1
 *	buf_max < q         drop
 *
 * q is the queue that an arriving packet finds. With dequeue, ECN capable packets
 * pass on arrival, and are marked by the queue that they leave behind: the mark
 * does not wait in the queue that it reports.
 *
 * If K is set, packets that are not ECN capable skip the curve: they are
 * dropped iff q >= K (equation 3) or q > buf_max.
 */
#include "wred.h"

void lle_wred_params_init(struct lle_wred_params *p)
{
	p->idle_bytes = p->kmin_bytes;
	if (p->nonect_bytes)
		p->idle_bytes = min(p->idle_bytes, p->nonect_bytes);
	if (p->bufmax_bytes)
		p->idle_bytes = min(p->idle_bytes, p->bufmax_bytes);
	p->leave_bytes = p->dequeue ? p->kmin_bytes : U32_MAX;
}

static bool lle_wred_curve(const struct lle_wred_params *p, u32 q, u32 rnd)
{
	if (q < p->kmin_bytes)
		return false;
	if (q >= p->kmax_bytes)
		return true;
	/* both factors are below 2^32 */
	return rnd < div_u64((u64)(q - p->kmin_bytes) * p->pmax_q32,
			     p->kmax_bytes - p->kmin_bytes);
}

enum lle_wred_verdict lle_wred_decide(const struct lle_wred_params *p,
				      u32 qlen_bytes, bool ect, u32 rnd)
{
	if (!p->nodrop) {
		if (p->bufmax_bytes && qlen_bytes > p->bufmax_bytes)
			return LLE_WRED_DROP_BUFMAX;
		if (!ect && p->nonect_bytes)
			return qlen_bytes >= p->nonect_bytes ?
			       LLE_WRED_DROP_NONECT : LLE_WRED_PASS;
	}

	if (ect && p->dequeue)
		return LLE_WRED_PASS;
	if (!lle_wred_curve(p, qlen_bytes, rnd))
		return LLE_WRED_PASS;
	if (p->ecn && ect)
		return LLE_WRED_MARK;
	return p->nodrop ? LLE_WRED_PASS : LLE_WRED_DROP;
}

bool lle_wred_marks_leaving(const struct lle_wred_params *p, u32 qlen_bytes,
			    u32 rnd)
{
	return lle_wred_curve(p, qlen_bytes, rnd);
}
