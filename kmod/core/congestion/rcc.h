/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_RCC_H
#define LLE_CORE_RCC_H

#include "../core.h"

/* F_b * G_d is 1/2 at most: G_d = 1/126 with an F_b of 6 bits */
#define LLE_RCC_GD		126

/**
 * struct lle_rcc_params - the window of a port
 * @rate_q16: C in 2^-16 bytes a nanosecond
 * @min_bytes: W is not less
 * @mtu_bytes: W_c is not less
 * @strict: a window that is used up is not passed when there is nothing else to send
 */
struct lle_rcc_params {
	u64 rate_q16;
	u32 min_bytes;
	u32 mtu_bytes;
	bool strict;
};

/**
 * struct lle_rcc - how congested flows and the others share a port
 * @active: by W = W_c + W_nc; else by turns
 * @since_ns: since when
 * @w_bytes: W
 * @wc_bytes: W_c, what of it congested flows may send
 * @sent_c_bytes: what they have, in this window
 * @sent_n_bytes: what the others have
 * @until_ns: when the window ends, whatever is sent
 * @turn_bytes: bytes that the others have sent more than congested flows; for turns
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

/**
 * lle_rcc_start() - congestion has been detected
 * @r: state
 * @p: parameters
 * @backlog_bytes: what waits
 * @share_q8: share of it that congested flows have, in 1/256
 * @now_ns: the time
 *
 * W is what is sent until the last packet that waits now has been sent.
 *
 * Source: RCM section 3.4 (measuring W and W_c), requirement A17.
 */
void lle_rcc_start(struct lle_rcc *r, const struct lle_rcc_params *p,
		   u32 backlog_bytes, u32 share_q8, u64 now_ns);

/**
 * lle_rcc_stop() - there is no congestion any more
 * @r: state
 *
 * Source: RCM section 3.4 (R16).
 */
void lle_rcc_stop(struct lle_rcc *r);

/**
 * lle_rcc_is_over() - has a window been sent, or its time passed?
 * @r: state; active
 * @now_ns: the time
 */
static inline bool lle_rcc_is_over(const struct lle_rcc *r, u64 now_ns)
{
	return r->sent_c_bytes + r->sent_n_bytes >= r->w_bytes ||
	       now_ns >= r->until_ns;
}

/**
 * lle_rcc_next() - the next window begins
 * @r: state; active
 * @p: parameters
 * @fb: F_b as quantized
 * @num_c: congested flows
 * @num_n: others that are there
 * @now_ns: the time
 *
 * Congestion cuts W_c, but not below the share that is fair.
 *
 * Source: RCM equations 4 to 6; requirements A16 and A18.
 */
void lle_rcc_next(struct lle_rcc *r, const struct lle_rcc_params *p,
		  unsigned int fb, unsigned int num_c, unsigned int num_n,
		  u64 now_ns);

/**
 * lle_rcc_may_send() - is it for congested flows to send?
 * @r: state
 * @p: parameters
 * @others: something else can be sent
 *
 * Return: false: it is not; if @others, then it is for those.
 */
bool lle_rcc_may_send(const struct lle_rcc *r, const struct lle_rcc_params *p,
		      bool others);

/**
 * lle_rcc_sent() - a packet was sent
 * @r: state
 * @p: parameters
 * @congested: of a congested flow
 * @len: its bytes
 */
void lle_rcc_sent(struct lle_rcc *r, const struct lle_rcc_params *p,
		  bool congested, u32 len);

#endif /* LLE_CORE_RCC_H */
