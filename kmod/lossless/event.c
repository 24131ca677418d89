// SPDX-License-Identifier: GPL-2.0
/*
 * Events for listeners in the port's network namespace. If one is lost, for
 * lack of memory or a slow listener, the listener's socket reports ENOBUFS.
 */
#include "event.h"
#include "netlink.h"

/* Set once, before the first port exists. */
static struct genl_family *lle_event_family;

static void lle_event_lose(const struct lle_event *e)
{
	nlmsg_free(e->skb);
	genl_set_err(lle_event_family, e->net, 0, e->group, -ENOBUFS);
}

/* Sets the family that sends events, at module init. */
void lle_event_init(struct genl_family *family)
{
	lle_event_family = family;
}

static bool lle_event_begin_bytes(struct lle_event *e,
				  const struct lle_switch *sw, u8 cmd,
				  unsigned int group, size_t bytes, gfp_t gfp)
{
	e->net = sw->net;
	e->group = group;
	e->gfp = gfp;
	if (!genl_has_listeners(lle_event_family, e->net, group))
		return false;
	e->skb = genlmsg_new(bytes, gfp);
	e->head = e->skb ? genlmsg_put(e->skb, 0, 0, lle_event_family, 0, cmd) :
			   NULL;
	if (!e->head)
		lle_event_lose(e);
	return e->head;
}

/**
 * lle_event_begin() - begin to write an event
 * @e: the event
 * @sw: its switch
 * @cmd: its command
 * @group: its multicast group, LOSSLESS_NLGRP_*
 * @gfp: for its memory
 * Context: as @gfp.
 * Return: true: add attributes to @e->skb; false: no listener, or no memory.
 */
bool lle_event_begin(struct lle_event *e, const struct lle_switch *sw, u8 cmd,
		     unsigned int group, gfp_t gfp)
{
	return lle_event_begin_bytes(e, sw, cmd, group, NLMSG_GOODSIZE, gfp);
}

/**
 * lle_event_end() - send an event
 * @e: from lle_event_begin()
 * @failed: an attribute did not fit, so the event is lost
 * Context: as lle_event_begin().
 */
void lle_event_end(const struct lle_event *e, bool failed)
{
	if (failed) {
		lle_event_lose(e);
		return;
	}
	genlmsg_end(e->skb, e->head);
	genlmsg_multicast_netns(lle_event_family, e->net, e->skb, 0, e->group,
				e->gfp);
}

/**
 * lle_event_wants_pause() - test for a listener to pauses
 * @port: the port
 * Context: any.
 */
bool lle_event_wants_pause(const struct lle_port *port)
{
	return genl_has_listeners(lle_event_family, port->sw->net,
				  LOSSLESS_NLGRP_PAUSE);
}

/**
 * lle_event_pause() - report paused and resumed priorities
 * @port: the port
 * @direction: LOSSLESS_DIRECTION_RX: by the peer; _TX: by the port
 * @changed: bit p: priority p changed
 * @paused: bit p: priority p is paused now
 * @now_ns: the time
 * Context: any.
 */
void lle_event_pause(const struct lle_port *port, enum lossless_direction direction,
		     u8 changed, u8 paused, u64 now_ns)
{
	struct lle_event e;
	bool failed;

	if (!changed)
		return;
	if (!lle_event_begin(&e, port->sw, LOSSLESS_CMD_PAUSE_NTF,
			     LOSSLESS_NLGRP_PAUSE, GFP_ATOMIC))
		return;
	failed = lle_netlink_attr_put_who(e.skb, port) ||
		 nla_put_u8(e.skb, LOSSLESS_A_PAUSE_DIRECTION, direction) ||
		 nla_put_u8(e.skb, LOSSLESS_A_PAUSE_PRIOS, changed) ||
		 nla_put_u8(e.skb, LOSSLESS_A_PAUSE_PAUSED, paused) ||
		 LLE_PUT_U64(e.skb, PAUSE, TIME_NS, now_ns);
	lle_event_end(&e, failed);
}

/**
 * lle_event_storm() - report the begin or end of a storm
 * @port: the port
 * @prio: the priority
 * @begun: it began; false: it ended
 * @since_ns: time since which the queue is stuck, or free of pauses
 * @stats: counters of storms so far
 * @now_ns: the time
 * Context: any.
 */
void lle_event_storm(struct lle_port *port, unsigned int prio, bool begun,
		     u64 since_ns, const struct lle_watchdog_stats *stats,
		     u64 now_ns)
{
	struct lle_event e;
	bool failed;

	if (!lle_event_begin(&e, port->sw, LOSSLESS_CMD_STORM_NTF,
			     LOSSLESS_NLGRP_STORM, GFP_ATOMIC))
		return;
	failed = lle_netlink_attr_put_who(e.skb, port) ||
		 lle_netlink_attr_put_peer_mac(e.skb, port,
					       LOSSLESS_A_WATCHDOG_PEER_MAC) ||
		 nla_put_u8(e.skb, LOSSLESS_A_WATCHDOG_PRIO, prio) ||
		 nla_put_u8(e.skb, LOSSLESS_A_WATCHDOG_STORMED, begun) ||
		 LLE_PUT_U64(e.skb, WATCHDOG, SINCE_NS, since_ns) ||
		 LLE_PUT_U64(e.skb, WATCHDOG, TIME_NS, now_ns) ||
		 lle_netlink_attr_put_watchdog(e.skb, stats);
	lle_event_end(&e, failed);
}

/**
 * lle_event_headroom() - report headroom that became too small, or sufficient
 * @port: the port
 * Context: RTNL.
 */
void lle_event_headroom(const struct lle_port *port)
{
	struct lle_event e;
	bool failed;

	if (!lle_event_begin(&e, port->sw, LOSSLESS_CMD_HEADROOM_NTF,
			     LOSSLESS_NLGRP_CONFIG, GFP_KERNEL))
		return;
	failed = lle_netlink_attr_put_who(e.skb, port) ||
		 nla_put_u32(e.skb, LOSSLESS_A_PORT_HEADROOM,
			     port->sb.headroom_bytes) ||
		 nla_put_u32(e.skb, LOSSLESS_A_PORT_HEADROOM_NEED,
			     port->ask.need_bytes) ||
		 LLE_PUT_U64(e.skb, PORT, TIME_NS, ktime_get_ns());
	lle_event_end(&e, failed);
}

/**
 * lle_event_unaccounted() - report packets from a device that is not a port
 * @port: their egress port
 * @now_ns: the time
 * Context: root lock of @port.
 */
void lle_event_unaccounted(const struct lle_port *port, u64 now_ns)
{
	struct lle_event e;
	bool failed;

	if (!lle_event_begin(&e, port->sw, LOSSLESS_CMD_UNACCOUNTED_NTF,
			     LOSSLESS_NLGRP_CONFIG, GFP_ATOMIC))
		return;
	failed = lle_netlink_attr_put_who(e.skb, port) ||
		 lle_netlink_attr_put_unaccounted(e.skb, port) ||
		 LLE_PUT_U64(e.skb, PORT, TIME_NS, now_ns);
	lle_event_end(&e, failed);
}

/**
 * lle_event_deadlock() - report a deadlock
 * @sw: the switch that found it
 * @r: its record
 * Context: any.
 */
void lle_event_deadlock(const struct lle_switch *sw,
			const struct lle_deadlock_record *r)
{
	struct lle_event e;

	if (!lle_event_begin_bytes(&e, sw, LOSSLESS_CMD_DEADLOCK_NTF,
				   LOSSLESS_NLGRP_DEADLOCK,
				   lle_netlink_attr_deadlock_bytes(r->hops),
				   GFP_ATOMIC))
		return;
	lle_event_end(&e, lle_netlink_attr_put_deadlock(e.skb, sw, r));
}

/**
 * lle_event_root() - report that a port became the root of a region, or ceased
 * @port: the port
 * @prio: the priority
 * @root: it became one
 * @since_ns: time when it became one
 * @now_ns: the time
 * @identified: flows or destinations identified since then
 * Context: any.
 */
void lle_event_root(const struct lle_port *port, unsigned int prio, bool root,
		    u64 since_ns, u64 now_ns, u64 identified)
{
	struct lle_event e;
	bool failed;

	if (!lle_event_begin(&e, port->sw, LOSSLESS_CMD_CONGESTION_NTF,
			     LOSSLESS_NLGRP_CONGESTION, GFP_ATOMIC))
		return;
	failed = lle_netlink_attr_put_who(e.skb, port) ||
		 nla_put_u8(e.skb, LOSSLESS_A_CONGESTION_PRIO, prio) ||
		 nla_put_u8(e.skb, LOSSLESS_A_CONGESTION_ROOT, root) ||
		 LLE_PUT_U64(e.skb, CONGESTION, SINCE_NS, since_ns) ||
		 LLE_PUT_U64(e.skb, CONGESTION, TIME_NS, now_ns) ||
		 LLE_PUT_U64(e.skb, CONGESTION, IDENTIFIED, identified);
	lle_event_end(&e, failed);
}
EXPORT_SYMBOL_GPL(lle_event_root);
