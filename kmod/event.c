// SPDX-License-Identifier: GPL-2.0
/*
 * Events, to whoever listens in the port's network namespace. A listener that is too
 * slow is told by its socket (ENOBUFS), and asks what is true now.
 */
#include "event.h"
#include "netlink.h"

static struct sk_buff *lle_event_new(u8 cmd, gfp_t gfp, void **head)
{
	struct sk_buff *skb;

	skb = genlmsg_new(NLMSG_GOODSIZE, gfp);
	if (!skb)
		return NULL;
	*head = genlmsg_put(skb, 0, 0, &lle_genl_family, 0, cmd);
	if (*head)
		return skb;
	nlmsg_free(skb);
	return NULL;
}

static void lle_event_send(const struct lle_switch *sw, struct sk_buff *skb,
			   void *head, enum lle_genl_group group, gfp_t gfp)
{
	genlmsg_end(skb, head);
	genlmsg_multicast_netns(&lle_genl_family, sw->net, skb, 0, group, gfp);
}

static bool lle_event_wanted(const struct lle_switch *sw,
			     enum lle_genl_group group)
{
	return genl_has_listeners(&lle_genl_family, sw->net, group);
}

/**
 * lle_event_pause() - priorities were paused or resumed
 * @port: the port
 * @direction: by the peer, or the peer's by the port
 * @changed: bit p: priority p was
 * @paused: bit p: priority p is paused now
 * @now_ns: the time
 *
 * Context: any.
 */
void lle_event_pause(const struct lle_port *port, enum lle_direction direction,
		     u8 changed, u8 paused, u64 now_ns)
{
	struct sk_buff *skb;
	void *head;

	if (likely(!changed || !lle_event_wanted(port->sw, LLE_GENL_PAUSE)))
		return;
	skb = lle_event_new(LLE_CMD_PAUSE_NTF, GFP_ATOMIC, &head);
	if (!skb)
		return;
	if (lle_put_who(skb, port) ||
	    nla_put_u8(skb, LLE_A_DIRECTION, direction) ||
	    nla_put_u8(skb, LLE_A_PRIOS, changed) ||
	    nla_put_u8(skb, LLE_A_PAUSED, paused) ||
	    lle_put_u64(skb, LLE_A_TIME_NS, now_ns)) {
		nlmsg_free(skb);
		return;
	}
	lle_event_send(port->sw, skb, head, LLE_GENL_PAUSE, GFP_ATOMIC);
}

/**
 * lle_event_storm() - a storm was detected, or has ended
 * @port: the port
 * @prio: the priority
 * @begun: it was detected
 * @since_ns: since when the queue is stuck, or pauses are gone
 * @now_ns: the time
 *
 * Context: any.
 */
void lle_event_storm(struct lle_port *port, unsigned int prio, bool begun,
		     u64 since_ns, u64 now_ns)
{
	struct lle_wd_stats stats;
	struct sk_buff *skb;
	void *head;

	if (!lle_event_wanted(port->sw, LLE_GENL_STORM))
		return;
	skb = lle_event_new(LLE_CMD_STORM_NTF, GFP_ATOMIC, &head);
	if (!skb)
		return;
	lle_storm_read(port, prio, &stats);
	if (lle_put_who(skb, port) || lle_put_peer_mac(skb, port) ||
	    nla_put_u8(skb, LLE_A_PRIO, prio) ||
	    nla_put_u8(skb, LLE_A_STORMED, begun) ||
	    lle_put_u64(skb, LLE_A_SINCE_NS, since_ns) ||
	    lle_put_u64(skb, LLE_A_TIME_NS, now_ns) ||
	    nla_put(skb, LLE_A_WATCHDOG, sizeof(stats), &stats)) {
		nlmsg_free(skb);
		return;
	}
	lle_event_send(port->sw, skb, head, LLE_GENL_STORM, GFP_ATOMIC);
}

/**
 * lle_event_port() - a port was made, was changed, or is gone
 * @port: the port
 * @gone: it is gone
 *
 * Context: RTNL.
 */
void lle_event_port(struct lle_port *port, bool gone)
{
	struct sk_buff *skb;
	void *head;
	int err;

	if (!lle_event_wanted(port->sw, LLE_GENL_CONFIG))
		return;
	skb = lle_event_new(gone ? LLE_CMD_PORT_DEL_NTF : LLE_CMD_PORT_NTF,
			    GFP_KERNEL, &head);
	if (!skb)
		return;
	err = gone ? lle_put_who(skb, port) : lle_put_port(skb, port, false);
	if (err) {
		nlmsg_free(skb);
		return;
	}
	lle_event_send(port->sw, skb, head, LLE_GENL_CONFIG, GFP_KERNEL);
}

/**
 * lle_event_hdroom() - a port has come to have less headroom than it needs, or has
 *	enough again
 * @port: the port
 *
 * Context: RTNL.
 */
void lle_event_hdroom(const struct lle_port *port)
{
	struct sk_buff *skb;
	void *head;

	if (!lle_event_wanted(port->sw, LLE_GENL_CONFIG))
		return;
	skb = lle_event_new(LLE_CMD_HDROOM_NTF, GFP_KERNEL, &head);
	if (!skb)
		return;
	if (lle_put_who(skb, port) ||
	    nla_put_u32(skb, LLE_A_HDROOM, port->sb.hdroom_bytes) ||
	    nla_put_u32(skb, LLE_A_HDROOM_NEED, port->ask.need_bytes) ||
	    lle_put_u64(skb, LLE_A_TIME_NS, ktime_get_ns())) {
		nlmsg_free(skb);
		return;
	}
	lle_event_send(port->sw, skb, head, LLE_GENL_CONFIG, GFP_KERNEL);
}

/**
 * lle_event_unaccounted() - packets leave by a port that came by a device which is none
 * @port: the port that they leave by
 * @now_ns: the time
 *
 * Context: under the port's root lock.
 */
void lle_event_unaccounted(const struct lle_port *port, u64 now_ns)
{
	struct sk_buff *skb;
	void *head;

	if (!lle_event_wanted(port->sw, LLE_GENL_CONFIG))
		return;
	skb = lle_event_new(LLE_CMD_UNACCOUNTED_NTF, GFP_ATOMIC, &head);
	if (!skb)
		return;
	if (lle_put_who(skb, port) || lle_put_unaccounted(skb, port) ||
	    lle_put_u64(skb, LLE_A_TIME_NS, now_ns)) {
		nlmsg_free(skb);
		return;
	}
	lle_event_send(port->sw, skb, head, LLE_GENL_CONFIG, GFP_ATOMIC);
}

/**
 * lle_event_deadlock() - a deadlock was found
 * @sw: the switch
 * @r: what is known of it
 *
 * Context: any.
 */
void lle_event_deadlock(const struct lle_switch *sw,
			const struct lle_deadlock_record *r)
{
	struct sk_buff *skb;
	void *head;

	if (!lle_event_wanted(sw, LLE_GENL_DEADLOCK))
		return;
	skb = lle_event_new(LLE_CMD_DEADLOCK_NTF, GFP_ATOMIC, &head);
	if (!skb)
		return;
	if (lle_put_deadlock(skb, sw, r)) {
		nlmsg_free(skb);
		return;
	}
	lle_event_send(sw, skb, head, LLE_GENL_DEADLOCK, GFP_ATOMIC);
}

/**
 * lle_event_root() - a port has become the root of a region of congestion, or is none any more
 * @port: the port
 * @prio: the priority
 * @root: it is one
 * @since_ns: since when it is, or was
 * @now_ns: the time
 * @named: flows or destinations that were found since then
 *
 * Context: any.
 */
void lle_event_root(const struct lle_port *port, unsigned int prio, bool root,
		    u64 since_ns, u64 now_ns, u64 named)
{
	struct sk_buff *skb;
	void *head;

	if (!lle_event_wanted(port->sw, LLE_GENL_CONGESTION))
		return;
	skb = lle_event_new(LLE_CMD_CONGESTION_NTF, GFP_ATOMIC, &head);
	if (!skb)
		return;
	if (lle_put_who(skb, port) || nla_put_u8(skb, LLE_A_PRIO, prio) ||
	    nla_put_u8(skb, LLE_A_ROOT, root) ||
	    lle_put_u64(skb, LLE_A_SINCE_NS, since_ns) ||
	    lle_put_u64(skb, LLE_A_TIME_NS, now_ns) ||
	    lle_put_u64(skb, LLE_A_NAMED, named)) {
		nlmsg_free(skb);
		return;
	}
	lle_event_send(port->sw, skb, head, LLE_GENL_CONGESTION, GFP_ATOMIC);
}
EXPORT_SYMBOL_GPL(lle_event_root);
