/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_PORT_H
#define LLE_TYPES_PORT_H

#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/netfilter_netdev.h>
#include <linux/pkt_sch_lossless.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>
#include <net/sch_generic.h>

#include "../../core/buffer/headroom.h"
#include "../../core/buffer/sb.h"
#include "../../core/congestion/rcm.h"
#include "../../core/pfc/budget.h"
#include "../../core/pfc/pause.h"
#include "congestion.h"
#include "path.h"
#include "switch.h"
#include "watchdog.h"

struct lle_congested;
struct lle_congestion;
struct lle_flow;
struct lle_host;
struct lle_sched_params;
struct lle_relief;
struct lle_waiting;

/* A port that says nothing of enum lle_deadlock_action, _mode, or _trigger */
#define LLE_DEADLOCK_UNSAID 0xff

/**
 * struct lle_port_params - configuration of a port
 * @sb: its use of the shared buffer, as set; 0 in xon_delta_bytes and
 *	headroom_bytes: computed
 * @buffer_bytes: size of the switch's buffer; 0: leave it
 * @rate: bytes per second of the emulated link; 0: not emulated
 * @delay_ns: its propagation time
 * @rx_rate: bytes per second that a host takes of what arrives, or
 *	LLE_RX_UNLIMITED
 * @overhead_bytes: what a frame occupies on it beyond its own bytes
 * @burst_bytes: what it may send at once to catch up
 * @reaction_ns: reaction time to assume for computed headroom
 * @pause_quanta: time advertised in pause frames
 * @pfc_en: bit p: priority p is lossless
 * @trust: enum lle_trust
 * @facing: enum lle_facing
 * @role: enum lle_role
 * @deadlock: enum lle_deadlock_action, of the switch; LLE_DEADLOCK_UNSAID: leave it
 * @deadlock_mode: enum lle_deadlock_mode, as @deadlock
 * @deadlock_trigger: enum lle_deadlock_trigger, as @deadlock
 * @rcm: regional congestion mitigation
 * @dscp_prio: priority of each DSCP
 * @rcu: for freeing
 *
 * What is of the switch is left by those of a port, always.
 */
struct lle_port_params {
	struct lle_sb_params sb;
	u32 buffer_bytes;
	u64 rate;
	u64 delay_ns;
	u64 rx_rate;
	u32 overhead_bytes;
	u32 burst_bytes;
	u32 reaction_ns;
	u16 pause_quanta;
	u8 pfc_en;
	u8 trust;
	u8 facing;
	u8 role;
	u8 deadlock;
	u8 deadlock_mode;
	u8 deadlock_trigger;
	struct lle_rcm_config rcm;
	u8 dscp_prio[64];
	struct rcu_head rcu;
};

/**
 * struct lle_port_rx_stats - packets that arrived at a port, per CPU
 * @packets: by priority
 * @bytes: by priority
 * @drop_packets: by priority; those of them that a storm has dropped
 * @drop_bytes: their bytes
 * @malformed: MAC control frames that were dropped as malformed
 * @link_pause: 802.3x PAUSE frames that were ignored
 * @bypass: packets that tc or BPF has redirected at ingress, past the hook; they are
 *	in @packets and @bytes, too
 * @syncp: for readers on 32 bit
 */
struct lle_port_rx_stats {
	u64_stats_t packets[LLE_NUM_PRIO];
	u64_stats_t bytes[LLE_NUM_PRIO];
	u64_stats_t drop_packets[LLE_NUM_PRIO];
	u64_stats_t drop_bytes[LLE_NUM_PRIO];
	u64_stats_t malformed;
	u64_stats_t link_pause;
	u64_stats_t bypass;
	struct u64_stats_sync syncp;
};

/**
 * struct lle_port_untold - PFC frames beyond the port's budget
 * @budget: what is left of it
 * @frames: how many there have been
 * @prios: bit p: a frame was about priority p; not 0: @timer is set
 * @changed: bit p: priority p was paused or resumed
 * @timer: tells of them
 *
 * Protected by the port's pause_lock.
 */
struct lle_port_untold {
	struct lle_budget budget;
	u64 frames;
	u8 prios;
	u8 changed;
	struct hrtimer timer;
};

/**
 * struct lle_port_ingress - ingress side of one priority of a port
 * @pg: its priority group
 * @xoff_since_ns: when @pg.xoff last became true
 * @last_rx_ns: when the last packet came in spite of that
 * @defied_bytes: bytes of all that did, this time
 * @paused_since_ns: when the peer was last paused for it
 * @news_ns: when what it says of deadlocks was last something new
 * @repeat_ns: when that pause is repeated, with what is known of them
 * @demotion: deadlocks of it in a row, and what followed
 * @isolated_bytes: of its packets, what waits and is isolated; atomic, no lock
 * @rcm: of those, what the neighbour is told, and when
 * @history: the pauses that have ended
 *
 * Protected by the switch's lock.
 */
struct lle_port_ingress {
	struct lle_sb_pg pg;
	u64 xoff_since_ns;
	u64 last_rx_ns;
	u32 defied_bytes;
	u64 paused_since_ns;
	u64 news_ns;
	u64 repeat_ns;
	struct lle_demotion demotion;
	atomic_t isolated_bytes;
	struct lle_rcm_ingress rcm;
	struct lle_history history;
} ____cacheline_aligned;

/**
 * struct lle_port_egress - what one egress queue has done
 * @packets: packets sent
 * @bytes: their bytes
 * @ecn_marked: packets marked CE
 * @backlog: bytes in the queue
 * @backlog_max: high-water mark of @backlog
 *
 * Written by the qdisc under its root lock.
 */
struct lle_port_egress {
	u64 packets;
	u64 bytes;
	u64 ecn_marked;
	u32 backlog;
	u32 backlog_max;
};

/**
 * struct lle_unaccounted - packets of lossless priorities that were charged to nobody
 * @packets: how many came to the queues of a port from a device that is no port
 * @ifindex: of the device that the last of them came by
 * @told: when the last event was, in jiffies
 *
 * Written by the qdisc under its root lock.
 */
struct lle_unaccounted {
	u64 packets;
	int ifindex;
	unsigned long told;
};

/**
 * enum lle_admission - what becomes of a packet that arrives
 * @LLE_DROPPED: it is to be dropped, and has been counted
 * @LLE_ADMITTED: it is charged to the port it came by
 * @LLE_PARKED: it is charged to nobody but the parking of the switch
 */
enum lle_admission {
	LLE_DROPPED,
	LLE_ADMITTED,
	LLE_PARKED,
};

/**
 * struct lle_relief - a pause that is to be ended, which otherwise would not
 * @prio: its priority
 * @since_ns: when it began
 * @drop: drop packets, and do not park them
 * @parked_bytes: set to how many were
 * @dropped_bytes: set to how many were
 */
struct lle_relief {
	u8 prio;
	bool drop;
	u64 since_ns;
	u32 parked_bytes;
	u32 dropped_bytes;
};

/**
 * struct lle_port_ops - the egress side of a port, which the qdisc is
 * @qdisc: tells whether a qdisc is one of these
 * @set_pfc: make these priorities lossless and no others: as
 *	lle_port_configure(), in its context, for all that the qdisc has to do
 *	with them, too
 * @get_sched: the scheduler
 * @set_sched: change it; the caller has checked it
 * @retune: the speed of the device or its MTU has changed
 * @recount: lle_port_recount() of each packet that is queued; under the root lock
 * @relieve: park or drop packets of @ingress, head first, until lle_port_relieved();
 *	in a softirq, RCU
 * @hear: a neighbour has sent a congestion notification; false: it is ignored; in a
 *	softirq, RCU
 * @congestion: RCM of a priority: @c of struct lle_congestion, what the qdisc knows, and
 *	@ids, at most LLE_NUM_CONGESTED, unless NULL; returns how many; -ENODATA: it has
 *	none; RCU is enough
 * @path: how a path looks that begins at the port, for packets of a priority and flow;
 *	in a softirq, RCU
 * @waiting: who waits in the queue of a priority, at most LLE_NUM_WAITING; returns
 *	how many
 *
 * Context: RTNL, but for @relieve, @hear, @congestion and @path.
 */
struct lle_port_ops {
	const struct Qdisc_ops *qdisc;
	int (*set_pfc)(struct Qdisc *sch, u8 pfc_en);
	void (*get_sched)(struct Qdisc *sch, struct lle_sched_params *sched);
	void (*set_sched)(struct Qdisc *sch,
			  const struct lle_sched_params *sched);
	void (*retune)(struct Qdisc *sch);
	void (*recount)(struct Qdisc *sch);
	void (*relieve)(struct Qdisc *sch, struct lle_port *ingress,
			struct lle_relief *relief);
	bool (*hear)(struct Qdisc *sch, const struct lle_cn *cn);
	int (*congestion)(struct Qdisc *sch, unsigned int prio,
			  struct lle_congestion *c, struct lle_congested *ids);
	void (*path)(struct Qdisc *sch, unsigned int prio,
		     const struct lle_flow *flow, struct lle_sar_path *path);
	unsigned int (*waiting)(struct Qdisc *sch, unsigned int prio,
				struct lle_waiting *waiting);
};

/**
 * struct lle_port - a netdev with a lossless qdisc at its root
 * @sw: its switch
 * @dev: the device; not to be used when @attached is false
 * @ops: the qdisc's
 * @release: frees a port without a qdisc; called when the last packet that arrived there has
 *	left the switch; any context
 * @node: in @sw's hash; its key is @ifindex
 * @ifindex: of @dev in this namespace
 * @slot: its number in the switch; LLE_MAX_PORTS: there was none left
 * @mark: its number in the marks of packets, see ingress.h; 0: none yet
 * @attached: false when the last qdisc is gone
 * @qdiscs: qdiscs attached; two while one replaces the other; RTNL
 * @params: configuration as set; replaced under RTNL, read under RCU
 * @pfc_en: that of @params
 * @link_speed: bytes per second of the device, if no rate is set
 * @hook: the netdev ingress hook
 * @path: its group of ports that lead to the same hosts
 * @rx_stats: per CPU
 * @host: receive side of a host, if it is limited; written under RTNL, read
 *	under RCU
 * @want: bit p: the peer's priority p should be paused. Written under @sw->lock
 * @discard: bit p: packets of priority p that come by the port or are to leave by
 *	it are dropped, and the peer is not paused. Written under @sw->lock
 * @cn: there is a congestion notification to send, now or later: @cn_due_ns is not
 *	LLE_CN_NEVER
 * @mute: bit p: the peer is not paused, whatever waits: of a NIC that does not take
 *	anything any more. Under @sw->lock
 * @disobey: bit p: pauses of priority p are counted, but not obeyed. Written under
 *	@pause_lock
 * @sb: effective parameters of the priority groups; written under RTNL and @sw->lock
 * @flushed: a kick skb is on its way for what is to be sent
 * @reaction_ns: longest time from an XOFF decision to the last packet that came
 *	in spite of it, without what link and wire take
 * @messages: budget of the messages that come by the port; @sw->lock
 * @ingress: by priority
 * @row: by priority: where the row of lle_dl_map is that counts what is queued here.
 *	Read under the root lock, so that what it counts is what is queued, and
 *	@sw->lock; written under both, or for no row under the latter
 * @rcm: regional congestion mitigation; NULL: it never had any. Written under RTNL
 *	and @sw->lock, as is what it points to
 * @cn_due_ns: when the next congestion notification is due, or LLE_CN_NEVER. Written
 *	under @sw->lock
 * @pause_lock: protects @rx, @untold, @tx and @watchdog; only the switch's lock is taken under
 *	it
 * @rx: pauses received
 * @untold: those of which others have still to be told
 * @peer_mac: who sent the last of them; zeros: nobody has
 * @tx: pauses sent
 * @watchdog: finds pause storms
 * @retry: kicks the qdisc again when it was not active
 * @egress: by priority
 * @drop_pkts: packets dropped, by priority and reason: the first three reasons
 *	under @sw->lock, the others under the qdisc's root lock; purged ones under RTNL
 * @drop_bytes: their bytes
 * @rcm_stats: by priority; written by the qdisc under its root lock
 * @unaccounted: packets that come from elsewhere
 * @ask: what the port asks of the buffer; as @sb
 * @headroom_short: headroom is less than needed, and that was told; RTNL
 * @learned_ns: as @reaction_ns, but halved when it was not seen again: what headroom is
 *	computed with; @sw->lock
 * @recent_ns: the longest since it was last halved; @sw->lock
 * @sysfs: the directory "lossless" of the device
 * @rcu: for freeing
 */
struct lle_port {
	struct lle_switch *sw;
	struct net_device *dev;
	const struct lle_port_ops *ops;
	void (*release)(struct lle_port *port);
	struct hlist_node node;
	int ifindex;
	u8 slot;
	bool attached;
	u16 mark;
	unsigned int qdiscs;
	struct lle_port_params __rcu *params;
	u8 pfc_en;
	u64 link_speed;
	struct nf_hook_ops hook;
	struct lle_path_member path;
	struct lle_port_rx_stats __percpu *rx_stats;
	struct lle_host __rcu *host;

	u8 want ____cacheline_aligned_in_smp;
	u8 discard;
	u8 disobey;
	u8 mute;
	bool cn;
	bool flushed;
	u64 reaction_ns;
	struct lle_budget messages;
	struct lle_sb_params sb;
	struct lle_port_ingress ingress[LLE_NUM_PRIO];
	u32 *const *row[LLE_NUM_PRIO];
	struct lle_rcm_port *rcm;
	u64 cn_due_ns;

	spinlock_t pause_lock ____cacheline_aligned_in_smp;
	struct lle_pause_rx rx;
	struct lle_port_untold untold;
	u8 peer_mac[ETH_ALEN];
	struct lle_pause_tx tx;
	struct delayed_work retry;
	struct lle_watchdog watchdog;

	struct lle_port_egress egress[LLE_NUM_PRIO] ____cacheline_aligned_in_smp;
	u64 drop_pkts[LLE_NUM_PRIO][LLE_NUM_DROP];
	u64 drop_bytes[LLE_NUM_PRIO][LLE_NUM_DROP];

	struct lle_rcm_stats rcm_stats[LLE_NUM_PRIO];
	struct lle_unaccounted unaccounted;

	struct lle_headroom_ask ask;
	bool headroom_short;
	u64 learned_ns;
	u64 recent_ns;

	struct lle_sysfs *sysfs;
	struct rcu_head rcu;
};

/**
 * lle_switch_find_port() - port of a switch
 * @sw: the switch
 * @ifindex: of the port's device, as in skb->skb_iif
 *
 * Context: RCU. Return: NULL if that is not a port of this switch.
 */
static inline struct lle_port *
lle_switch_find_port(const struct lle_switch *sw, int ifindex)
{
	struct lle_port *port;

	hash_for_each_possible_rcu(sw->ports, port, node, ifindex,
				   rcu_read_lock_bh_held())
		if (port->ifindex == ifindex)
			return port;
	return NULL;
}

/**
 * lle_skb_bytes() - bytes that a packet has on a link
 * @skb: the packet
 *
 * Return: from its Ethernet header on, if that is in it, and with its VLAN tag, which
 * the stack keeps beside the data.
 */
static inline unsigned int lle_skb_bytes(const struct sk_buff *skb)
{
	unsigned int bytes = skb->len;

	if (unlikely(skb_vlan_tag_present(skb)))
		bytes += VLAN_HLEN;
	return bytes;
}

/**
 * lle_port_speed() - speed that quanta are counted by: that of the emulated
 *	link, or of the device
 * @port: the port
 * @params: its parameters
 *
 * Return: bytes per second.
 */
static inline u64 lle_port_speed(const struct lle_port *port,
				 const struct lle_port_params *params)
{
	return params->rate ? params->rate : READ_ONCE(port->link_speed);
}

/**
 * lle_port_pausing() - is there, or may there be, a pause to send?
 * @port: the port
 *
 * Context: under the qdisc's root lock, or to be repeated under it.
 * Return: bit p: of priority p.
 */
static inline u8 lle_port_pausing(const struct lle_port *port)
{
	return READ_ONCE(port->want) | READ_ONCE(port->tx.sent);
}

/**
 * lle_port_talks() - is there, or may there be, a frame of the port's own to send?
 * @port: the port
 *
 * Context: as lle_port_pausing().
 */
static inline bool lle_port_talks(const struct lle_port *port)
{
	return lle_port_pausing(port) | READ_ONCE(port->cn);
}

#endif /* LLE_TYPES_PORT_H */
