/* SPDX-License-Identifier: GPL-2.0 */
/* Counts packets as kmod/lossless/deadlock/packet.h does. */
#ifndef LLE_EXACT_PACKETS_H
#define LLE_EXACT_PACKETS_H

#include "../../kmod/core/deadlock/exact.h"

static inline void lle_exact_enq(struct lle_exact *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	u32 *row = d->map.row[egress];

	if (row)
		row[ingress] += len;
	else
		lle_exact_enq_held(d, egress, ingress, len);
}

static inline void lle_exact_deq(struct lle_exact *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	u32 *row = d->map.row[egress];

	if (row)
		row[ingress] -= len;
	else
		lle_exact_deq_held(d, egress, ingress, len);
}

#endif /* LLE_EXACT_PACKETS_H */
