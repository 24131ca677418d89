/* SPDX-License-Identifier: GPL-2.0 */
/* Ports with RCM, their packets, and messages of neighbours */
#ifndef LLE_RCM_MESSAGE_H
#define LLE_RCM_MESSAGE_H

#include "prng.h"
#include "tap.h"

#include "../../kmod/core/congestion/cfr.c"
#include "../../kmod/core/notification/cn.c"
#include "../../kmod/core/congestion/crd.c"
#include "../../kmod/core/congestion/las.c"
#include "../../kmod/core/congestion/rcc.c"
#include "../../kmod/core/congestion/rcm.c"
#include "../../kmod/core/congestion/isolated.c"

#define LEN	1024

static struct lle_rcm_params params(bool by_dst)
{
	struct lle_rcm_params p = {
		.crd = { .rate = 12500000000ULL, .qeq_bytes = 15000,
			 .onset_bytes = 4000, .ref_ns = 1000 },
		.rcc = { .min_bytes = 16000, .mtu_bytes = 1500 },
		.hold_ns = 10000, .linger_ns = 20000, .mark_ns = 100000,
		.by_dst = by_dst,
	};

	lle_rcm_params_init(&p);
	return p;
}

static struct lle_rcm_stats stats;

static const struct lle_rcm_others none;

static struct lle_rcm *new_rcm(const struct lle_rcm_params *p)
{
	struct lle_rcm *r = kzalloc(sizeof(*r), GFP_KERNEL);

	lle_rcm_init(r, &stats);
	return r;
}

static unsigned int arrive(struct lle_rcm *r, const struct lle_rcm_params *p,
			   const struct lle_flow *f, unsigned int id,
			   u32 others_bytes, u64 now_ns)
{
	return lle_rcm_packet_arrive(r, p, lle_rcm_packet_name(p, f), id, LEN,
				     others_bytes, now_ns);
}

static struct lle_cn cn(u32 seq, unsigned int count, u32 a, u32 b)
{
	return (struct lle_cn){
		.seq = seq, .fb = 20, .count = count, .name = { a, b },
	};
}

#endif /* LLE_RCM_MESSAGE_H */
