/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_RCC_H
#define LLE_CORE_RCC_H

#include "../core.h"

/* G_d = 1/126: the maximum of F_b, 63, halves W_c */
#define LLE_RCC_GD		126

/**
 * struct lle_rcc_params - parameters of the window of a port
 * @rate_q16: C in 2^-16 bytes a nanosecond
 * @min_bytes: minimum of W
 * @mtu_bytes: largest packet, minimum of W_c
 */
struct lle_rcc_params {
	u64 rate_q16;
	u32 min_bytes;
	u32 mtu_bytes;
};

/**
 * struct lle_rcc - how isolated and other packets share a port
 * @active: there is a window W = W_c + W_nc; else the two take turns
 * @since_ns: time at which @active began
 * @w_bytes: W
 * @wc_bytes: W_c, the part of isolated packets
 * @sent_c_bytes: isolated bytes sent in this window
 * @sent_n_bytes: other bytes sent in this window
 * @until_ns: latest end of the window
 * @turn_bytes: other minus isolated bytes sent, clamped; for turns
 */
struct lle_rcc {
	bool active;
	u64 since_ns;
	u32 w_bytes;
	u32 wc_bytes;
	u32 sent_c_bytes;
	u32 sent_n_bytes;
	u64 until_ns;
	s32 turn_bytes;
};

/*
 * Start the first window of a congestion. @backlog_bytes: queued bytes that are
 * not isolated: about the W that the paper measures, and known at once;
 * @share_q8: W_c / W, in 1/256. Source: RCM section 3.4.
 */
void lle_rcc_start(struct lle_rcc *r, const struct lle_rcc_params *p,
		   u32 backlog_bytes, u32 share_q8, u64 now_ns);

/* End the windows with the congestion. Source: RCM section 3.4. */
void lle_rcc_stop(struct lle_rcc *r);

/* Is an active window over? */
static inline bool lle_rcc_is_over(const struct lle_rcc *r, u64 now_ns)
{
	return r->sent_c_bytes + r->sent_n_bytes >= r->w_bytes ||
	       now_ns >= r->until_ns;
}

/*
 * Cut W_c, to its fair share at most, and start a window. @num_c, @num_n:
 * isolated and other IDs. Source: RCM equations 4 to 6.
 */
void lle_rcc_next(struct lle_rcc *r, const struct lle_rcc_params *p,
		  unsigned int fb, unsigned int num_c, unsigned int num_n,
		  u64 now_ns);

/* May an isolated packet be sent, or must one of @others, which wait? */
bool lle_rcc_may_send(const struct lle_rcc *r, bool others);

/* Account a packet. @congested: it was isolated. */
void lle_rcc_sent(struct lle_rcc *r, const struct lle_rcc_params *p,
		  bool congested, u32 len);

#endif /* LLE_CORE_RCC_H */
