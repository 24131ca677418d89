/* SPDX-License-Identifier: GPL-2.0 */
#include_next <trace/events/skb.h>

#ifndef LLE_COMPAT_TRACE_EVENTS_SKB_H
#define LLE_COMPAT_TRACE_EVENTS_SKB_H

/* Older kernels drop nothing in front of a queue. */
#ifndef LLE_HAVE_QDISC_BURST
#define SKB_DROP_REASON_QDISC_BURST_DROP	SKB_DROP_REASON_MAX
#define register_trace_kfree_skb(probe, data)	((void)(probe), 0)
#define unregister_trace_kfree_skb(probe, data)	((void)(probe))
#endif

#endif /* LLE_COMPAT_TRACE_EVENTS_SKB_H */
