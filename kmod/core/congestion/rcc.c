// SPDX-License-Identifier: GPL-2.0
/*
 * Regional congestion control: divides a port between isolated packets and
 * other packets.
 *
 *	W = W_c + W_nc,  W_c <- W_c * (1 - F_b * G_d),  F_bmax * G_d = 1/2
 *
 * Deviations from the paper:
 *  1. W_c is not cut below the fair share of its flows, nor below a packet: as
 *     cuts do not reduce the arrivals, nothing would end them. W_c also leaves
 *     a share to other packets, if there are any.
 *  2. If W_c is used up and no other packet waits, isolated packets are sent.
 *     By the paper's rule a port with congested flows only would idle.
 *  3. Bytes of W_c are spread over the window, not sent at its beginning.
 *  4. A window also ends after 1.25 W / C: congested flows alone may never send
 *     W bytes.
 */
#include "rcc.h"

static void lle_rcc_begin(struct lle_rcc *r, const struct lle_rcc_params *p,
			  u64 now_ns)
{
	u64 w_q16 = (u64)r->w_bytes << 16;

	r->sent_c_bytes = 0;
	r->sent_n_bytes = 0;
	r->until_ns = now_ns + div64_u64(w_q16 + w_q16 / 4,
					 max_t(u64, p->rate_q16, 1));
}

void lle_rcc_start(struct lle_rcc *r, const struct lle_rcc_params *p,
		   u32 backlog_bytes, u32 share_q8, u64 now_ns)
{
	r->active = true;
	r->since_ns = now_ns;
	r->w_bytes = max(backlog_bytes, p->min_bytes);
	r->wc_bytes = (u64)r->w_bytes * share_q8 >> 8;
	lle_rcc_begin(r, p, now_ns);
}

void lle_rcc_stop(struct lle_rcc *r)
{
	memset(r, 0, sizeof(*r));
}

void lle_rcc_next(struct lle_rcc *r, const struct lle_rcc_params *p,
		  unsigned int fb, unsigned int num_c, unsigned int num_n,
		  u64 now_ns)
{
	/* W_c * (1 - F_b * G_d) */
	u32 cut = r->wc_bytes - div_u64((u64)r->wc_bytes * fb, LLE_RCC_GD);
	u32 fair = div_u64((u64)r->w_bytes * num_c, max(num_c + num_n, 1U));
	u32 most;

	fair = min(fair, r->wc_bytes);
	/* other packets are at least one flow, or they might starve */
	most = num_n ? div_u64((u64)r->w_bytes * num_c, num_c + 1) : r->w_bytes;
	cut = min(max(cut, fair), most);
	r->wc_bytes = min(max(cut, p->mtu_bytes), r->w_bytes);
	lle_rcc_begin(r, p, now_ns);
}

bool lle_rcc_may_send(const struct lle_rcc *r, bool others)
{
	if (!others)
		return true;
	if (!r->active)
		return r->turn_bytes >= 0;
	/* sent_c / W_c <= sent_n / W_nc */
	return r->sent_c_bytes < r->wc_bytes &&
	       (u64)r->sent_c_bytes * (r->w_bytes - r->wc_bytes) <=
	       (u64)r->sent_n_bytes * r->wc_bytes;
}

void lle_rcc_sent(struct lle_rcc *r, const struct lle_rcc_params *p,
		  bool congested, u32 len)
{
	s32 most = p->mtu_bytes;

	if (r->active) {
		if (congested)
			r->sent_c_bytes += len;
		else
			r->sent_n_bytes += len;
		return;
	}
	/* at most a packet: an idle side saves up no turns */
	r->turn_bytes += congested ? -(s32)len : (s32)len;
	r->turn_bytes = min(max(r->turn_bytes, -most), most);
}
