// SPDX-License-Identifier: GPL-2.0
/* The emulated link: derived parameters. The rest is in link.h. */
#include "link.h"

void lle_link_params_init(struct lle_link_params *p, u64 rate,
			  u32 overhead_bytes, u32 burst_bytes)
{
	p->rate = rate;
	p->overhead_bytes = overhead_bytes;
	p->credit_ns = rate ? div64_u64((u64)burst_bytes * NSEC_PER_SEC, rate) :
			      0;
}
