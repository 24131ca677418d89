/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM lossless

#if !defined(LLE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LLE_TRACE_H

#include <linux/tracepoint.h>

#include "counters_gen.h"
#include "types/port.h"

#define LLE_TRACE_DROP(reason, member, name) TRACE_DEFINE_ENUM(LLE_DROP_##reason);
LLE_PRIO_DROPS(LLE_TRACE_DROP)
#define LLE_TRACE_REASON(reason, member, name) { LLE_DROP_##reason, #name },

/* First fields of each event of a port */
#define LLE_TRACE_PORT_FIELDS						\
	__field(u32, net)						\
	__field(int, ifindex)						\
	__field(u32, switch_id)
#define LLE_TRACE_PORT_ASSIGN						\
	__entry->net = port->sw->net->ns.inum;				\
	__entry->ifindex = port->ifindex;				\
	__entry->switch_id = port->sw->id;

TRACE_EVENT(lle_drop,
	TP_PROTO(const struct lle_port *port, unsigned int prio,
		 enum lle_drop_reason reason, u32 len),
	TP_ARGS(port, prio, reason, len),
	TP_STRUCT__entry(
		LLE_TRACE_PORT_FIELDS
		__field(u32, len)
		__field(u8, prio)
		__field(u8, reason)
	),
	TP_fast_assign(
		LLE_TRACE_PORT_ASSIGN
		__entry->len = len;
		__entry->prio = prio;
		__entry->reason = reason;
	),
	TP_printk("net=%u ifindex=%d switch=%u prio=%u reason=%s len=%u",
		  __entry->net, __entry->ifindex, __entry->switch_id, __entry->prio,
		  __print_symbolic(__entry->reason,
				   LLE_PRIO_DROPS(LLE_TRACE_REASON)
				   { 255, "" }),
		  __entry->len)
);

TRACE_EVENT(lle_congested,
	TP_PROTO(const struct lle_port *port, unsigned int prio, unsigned int fb,
		 unsigned int ids, u64 identified),
	TP_ARGS(port, prio, fb, ids, identified),
	TP_STRUCT__entry(
		LLE_TRACE_PORT_FIELDS
		__field(u32, ids)
		__field(u64, identified)
		__field(u64, found_ns)
		__field(u8, prio)
		__field(u8, fb)
	),
	TP_fast_assign(
		LLE_TRACE_PORT_ASSIGN
		__entry->ids = ids;
		__entry->identified = identified;
		__entry->found_ns = ktime_get_ns();
		__entry->prio = prio;
		__entry->fb = fb;
	),
	TP_printk("net=%u ifindex=%d switch=%u prio=%u fb=%u ids=%u identified=%llu found=%llu",
		  __entry->net, __entry->ifindex, __entry->switch_id, __entry->prio,
		  __entry->fb, __entry->ids, __entry->identified, __entry->found_ns)
);

/* A format keeps sizeof() as text, and programs that decode it know no u16. */
#define LLE_TRACE_QUANTA_BYTES	2
static_assert(sizeof_field(struct lle_pfc, quanta[0]) == LLE_TRACE_QUANTA_BYTES);

DECLARE_EVENT_CLASS(lle_pause,
	TP_PROTO(const struct lle_port *port, const struct lle_pfc *pfc),
	TP_ARGS(port, pfc),
	TP_STRUCT__entry(
		LLE_TRACE_PORT_FIELDS
		__field(u64, at_ns)
		__field(u8, enable)
		__array(u16, quanta, LLE_NUM_PRIO)
	),
	TP_fast_assign(
		LLE_TRACE_PORT_ASSIGN
		__entry->at_ns = ktime_get_ns();
		__entry->enable = pfc->enable;
		memcpy(__entry->quanta, pfc->quanta, sizeof(pfc->quanta));
	),
	TP_printk("net=%u ifindex=%d switch=%u enable=%#04x quanta=%s at=%llu",
		  __entry->net, __entry->ifindex, __entry->switch_id, __entry->enable,
		  __print_array(__entry->quanta, LLE_NUM_PRIO,
				LLE_TRACE_QUANTA_BYTES), __entry->at_ns)
);

DEFINE_EVENT(lle_pause, lle_pause_tx,
	TP_PROTO(const struct lle_port *port, const struct lle_pfc *pfc),
	TP_ARGS(port, pfc));

DEFINE_EVENT(lle_pause, lle_pause_rx,
	TP_PROTO(const struct lle_port *port, const struct lle_pfc *pfc),
	TP_ARGS(port, pfc));

TRACE_EVENT(lle_storm,
	TP_PROTO(const struct lle_port *port, unsigned int prio, bool begun),
	TP_ARGS(port, prio, begun),
	TP_STRUCT__entry(
		LLE_TRACE_PORT_FIELDS
		__field(u8, prio)
		__field(bool, begun)
	),
	TP_fast_assign(
		LLE_TRACE_PORT_ASSIGN
		__entry->prio = prio;
		__entry->begun = begun;
	),
	TP_printk("net=%u ifindex=%d switch=%u prio=%u %s",
		  __entry->net, __entry->ifindex, __entry->switch_id, __entry->prio,
		  __entry->begun ? "detected" : "restored")
);

TRACE_EVENT(lle_deadlock,
	TP_PROTO(const struct lle_switch *sw,
		 const struct lle_deadlock_info *info, unsigned int hops),
	TP_ARGS(sw, info, hops),
	TP_STRUCT__entry(
		__field(u32, net)
		__field(u32, switch_id)
		__field(u8, prio)
		__field(u8, slot)
		__field(u8, hops)
		__field(u8, trigger_host)
		__field(u16, trigger_sw)
		__field(u8, trigger_slot)
		__field(u64, since_ns)
		__field(u64, declared_ns)
	),
	TP_fast_assign(
		__entry->net = sw->net->ns.inum;
		__entry->switch_id = sw->id;
		__entry->prio = info->prio;
		__entry->slot = info->initiator.slot;
		__entry->hops = hops;
		__entry->trigger_host = info->trigger.host;
		__entry->trigger_sw = info->trigger.sw;
		__entry->trigger_slot = info->trigger.slot;
		__entry->since_ns = info->since_ns;
		__entry->declared_ns = info->declared_ns;
	),
	TP_printk("net=%u switch=%u prio=%u slot=%u hops=%u trigger=%s%u/%u since=%llu declared=%llu",
		  __entry->net, __entry->switch_id, __entry->prio, __entry->slot,
		  __entry->hops, __entry->trigger_host ? "host@" : "",
		  __entry->trigger_sw, __entry->trigger_slot,
		  __entry->since_ns, __entry->declared_ns)
);

#endif /* LLE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH lossless
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
