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

#include "../../core/buffer/credit.h"
#include "../../core/buffer/headroom.h"
#include "../../core/buffer/memory.h"
#include "../../core/buffer/sb.h"
#include "../../core/congestion/rcm.h"
#include "../../core/pfc/budget.h"
#include "../../core/pfc/pause.h"
#include "../random.h"
#include "congestion.h"
#include "path.h"
#include "switch.h"
#include "watchdog.h"

struct lle_flow;
struct lle_host;
struct lle_sched_params;
struct lle_relief;

/* enum lle_deadlock_action, _mode or _trigger that a port leaves unchanged */
#define LLE_DEADLOCK_UNSAID 0xff

/**
 * struct lle_waiting - packets in a queue with the same ingress port
 * @ifindex: ifindex of the ingress port; 0: none: packets of this host, parked
 *	and unaccounted packets
 * @packets: number of packets
 * @bytes: their bytes
 */
struct lle_waiting {
	u32 ifindex;
	u32 packets;
	u64 bytes;
};

/* EtherTypes that a port can give a priority */
#define LLE_NUM_ETHERTYPE 8

/**
 * struct lle_ethertype - priority of frames that are not IP
 * @type: their EtherType
 * @prio: the priority
 */
struct lle_ethertype {
	__be16 type;
	u8 prio;
};

/**
 * struct lle_port_params - configuration of a port
 * @sb: its use of the shared buffer, as set; 0 in xon_delta_bytes and
 *	headroom_bytes: computed
 * @buffer_bytes: size of the switch's buffer; 0: unchanged
 * @rate: bytes per second of the emulated link; 0: not emulated
 * @delay_ns: its propagation time
 * @rx_rate: bytes per second that a host takes of what arrives, or
 *	LLE_RX_UNLIMITED
 * @overhead_bytes: bytes that a frame occupies on the link beyond its own
 * @burst_bytes: bytes that the link may send at once to catch up
 * @reaction_ns: reaction time assumed for computed headroom
 * @pause_quanta: quanta advertised in pause frames
 * @pfc_en: bit p: priority p is lossless
 * @trust: enum lle_trust
 * @facing: enum lle_facing
 * @role: enum lle_role
 * @gso: enum lle_gso_mode
 * @whole: GSO packets are queued and sent whole
 * @deadlock: enum lle_deadlock_action, of the switch; LLE_DEADLOCK_UNSAID:
 *	unchanged
 * @deadlock_trigger: enum lle_deadlock_trigger, as @deadlock
 * @rcm: regional congestion mitigation
 * @dscp_prio: priority of each DSCP
 * @num_ethertype: number of entries of @ethertype
 * @ethertype: priorities of EtherTypes
 * @rcu: for freeing
 *
 * In the parameters of a port, settings of the switch are always "unchanged".
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
	u8 gso;
	bool whole;
	u8 deadlock;
	u8 deadlock_trigger;
	struct lle_rcm_config rcm;
	u8 dscp_prio[64];
	u8 num_ethertype;
	struct lle_ethertype ethertype[LLE_NUM_ETHERTYPE];
	struct rcu_head rcu;
};

/**
 * struct lle_port_rx_prio - packets of one priority, counted without a lock
 * @packets: number of packets that arrived at the port
 * @bytes: their bytes
 * @drop_packets: those of @packets that a storm has dropped
 * @drop_bytes: their bytes
 * @burst: packets to the port that the kernel dropped in front of its qdisc
 */
struct lle_port_rx_prio {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t drop_packets;
	u64_stats_t drop_bytes;
	u64_stats_t burst;
};

/**
 * struct lle_port_rx_stats - packets that arrived at a port, per CPU
 * @prio: by priority
 * @malformed: MAC control frames that were dropped as malformed
 * @link_pause: 802.3x PAUSE frames that were ignored
 * @bypass: packets that tc or BPF has redirected at ingress, past the hook; all
 *	but MAC control frames and messages are in @prio, too
 * @syncp: for readers on 32 bit
 */
struct lle_port_rx_stats {
	struct lle_port_rx_prio prio[LLE_NUM_PRIO];
	u64_stats_t malformed;
	u64_stats_t link_pause;
	u64_stats_t bypass;
	struct u64_stats_sync syncp;
};

/**
 * struct lle_port_untold - PFC frames beyond the port's budget
 * @budget: the budget
 * @frames: number of these frames so far
 * @prios: bit p: one of them, not reported yet, was about priority p; not 0:
 *	@timer is set
 * @changed: bit p: they paused or resumed priority p
 * @shown: bit p: listeners know that priority p is paused
 * @expires: @expiry is set
 * @timer: reports them
 * @expiry: reports pauses that expire, while there is a listener
 *
 * Protected by the port's pause_lock.
 */
struct lle_port_untold {
	struct lle_budget budget;
	u64 frames;
	u8 prios;
	u8 changed;
	u8 shown;
	bool expires;
	struct hrtimer timer;
	struct hrtimer expiry;
};

/**
 * struct lle_port_ingress - ingress side of one priority of a port
 * @pg: its priority group
 * @xoff_since_ns: time when @pg.xoff last became true
 * @last_rx_ns: time of the last packet that came in spite of XOFF
 * @defied_bytes: bytes that came in spite of the last XOFF
 * @paused_since_ns: time when the peer was last paused
 * @news_ns: time of the last change to the deadlock state sent upstream
 * @repeat_ns: time when the pause is repeated, with that state
 * @demotion: its repeated deadlocks, and their consequences
 * @isolated_bytes: bytes of its queued packets that are isolated; atomic, no
 *	lock
 * @rcm: their limits, and what the neighbour is to hold
 * @history: sent pauses that have ended
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
 * struct lle_port_egress - an egress queue
 * @packets: packets sent
 * @bytes: their bytes
 * @ecn_marked: packets marked CE
 * @backlog: bytes in the queue
 * @backlog_max: high-water mark of @backlog
 * @memory: memory of those of its packets that are in the switch's buffer
 * @credit: bytes of the shared buffer that are lent to the queue
 *
 * Written by the qdisc under its root lock; @credit as it says.
 */
struct lle_port_egress {
	u64 packets;
	u64 bytes;
	u64 ecn_marked;
	u32 backlog;
	u32 backlog_max;
	struct lle_sb_memory memory;
	struct lle_sb_credit credit;
} ____cacheline_aligned_in_smp;

/**
 * struct lle_unaccounted - lossless packets of devices that are no port
 * @packets: number of them that came to the queues of the port
 * @ifindex: skb_iif of the last of them
 * @told: time of the last event, in jiffies
 *
 * Written by the qdisc under its root lock.
 */
struct lle_unaccounted {
	u64 packets;
	int ifindex;
	unsigned long told;
};

/**
 * enum lle_admission - result for a packet that arrives
 * @LLE_DROPPED: it is to be dropped, and has been counted
 * @LLE_ADMITTED: it is charged to its ingress port
 * @LLE_PARKED: it is charged to the parking of the switch only
 */
enum lle_admission {
	LLE_DROPPED,
	LLE_ADMITTED,
	LLE_PARKED,
};

/**
 * struct lle_relief - a pause that has to be ended, as it would not end by
 *	itself
 * @prio: its priority
 * @since_ns: time when it began
 * @drop: drop packets, and do not park them
 * @parked_bytes: result: bytes parked
 * @dropped_bytes: result: bytes dropped
 */
struct lle_relief {
	u8 prio;
	bool drop;
	u64 since_ns;
	u32 parked_bytes;
	u32 dropped_bytes;
};

/**
 * struct lle_port_ops - egress side of a port: the qdisc
 * @qdisc: identifies a lossless qdisc
 * @configure: as lle_port_configure(), in its context, and including the part of
 *	the qdisc
 * @get_sched: read the parameters of the scheduler
 * @set_sched: change them; the caller has checked them
 * @retune: act on a new speed or MTU of the device
 * @recount: lle_port_count() of a priority, and lle_port_recount() of each packet
 *	that is queued there
 * @relieve: park or drop packets of @ingress, head first, until
 *	lle_port_relieved(); in a softirq, RCU
 * @hear: act on a neighbour's congestion notification; false: it is ignored; in
 *	a softirq, RCU
 * @congestion: report RCM of a priority: the qdisc's part of @c, and at most
 *	LOSSLESS_NUM_CONGESTED @ids, unless NULL; returns their number; -ENODATA: it
 *	has no RCM; RCU is enough
 * @path: describe the path that begins at the port, for a priority and flow; in
 *	a softirq, RCU
 * @waiting: list the queued packets of a priority by ingress port, at most
 *	LOSSLESS_NUM_WAITING; returns the number of entries
 * @next_own: take the next frame that the port has made and the link may send
 *	now; NULL: no frame, or it is on the emulated wire; under the root lock,
 *	while the caller runs the qdisc
 * @requeue_own: take back a frame of @next_own that the device has refused;
 *	likewise
 *
 * Context: RTNL, but for @relieve, @hear, @congestion, @path, @next_own and
 * @requeue_own.
 */
struct lle_port_ops {
	const struct Qdisc_ops *qdisc;
	int (*configure)(struct Qdisc *sch,
			 const struct lle_port_params *params);
	void (*get_sched)(struct Qdisc *sch, struct lle_sched_params *sched);
	void (*set_sched)(struct Qdisc *sch,
			  const struct lle_sched_params *sched);
	void (*retune)(struct Qdisc *sch);
	void (*recount)(struct Qdisc *sch, unsigned int prio);
	void (*relieve)(struct Qdisc *sch, struct lle_port *ingress,
			struct lle_relief *relief);
	bool (*hear)(struct Qdisc *sch, const struct lle_cn *cn);
	int (*congestion)(struct Qdisc *sch, unsigned int prio,
			  struct lle_congestion *c, struct lle_congested *ids);
	void (*path)(struct Qdisc *sch, unsigned int prio,
		     const struct lle_flow *flow, struct lle_sar_path *path);
	unsigned int (*waiting)(struct Qdisc *sch, unsigned int prio,
				struct lle_waiting *waiting);
	struct sk_buff *(*next_own)(struct Qdisc *sch);
	void (*requeue_own)(struct Qdisc *sch, struct sk_buff *skb);
};

/**
 * union lle_attention - what packets of a port have to be checked for
 * @any: not 0: for one of these
 * @want: bit p: the peer's priority p should be paused. Written under the
 *	switch's lock
 * @sent: bit p: the peer was told so last; that of @tx of the port
 * @paused: bit p: the peer paused priority p; that of @rx of the port, so it may
 *	have expired
 * @discard: bit p: packets of priority p are dropped, on arrival at the port
 *	and before they leave it, and the peer is not paused. Written under the
 *	switch's lock
 * @cn: a congestion notification is due now or later: @cn_due_ns of the port is
 *	not LLE_CN_NEVER. Written under the switch's lock
 * @host: the port is that of a host with a limited receive side. Written under
 *	RTNL
 * @own: frames with messages wait in @own of the port. Written under the lock of
 *	that list
 * @filters: packets to be named, as filters at ingress have redirected or copied
 *	some, see lle_ingress_original()
 *
 * A port without any of these passes packets on the short paths of rx.c,
 * enqueue.c and dequeue.c.
 */
union lle_attention {
	u64 any;
	struct {
		u8 want;
		u8 sent;
		u8 paused;
		u8 discard;
		u8 cn;
		u8 host;
		u8 own;
		u8 filters;
	};
};

/**
 * struct lle_port - a netdev with a lossless qdisc at its root
 * @sw: its switch
 * @dev: the device; not to be used when @attached is false
 * @ops: operations of the qdisc
 * @release: frees a port without a qdisc; called when the last packet that
 *	arrived there has left the switch; any context
 * @node: in @sw's hash; its key is @ifindex
 * @ifindex: of @dev in this namespace
 * @slot: its number in the switch; LLE_MAX_PORTS: there was none left
 * @mark: its mark for packets, see ingress.h; 0: none yet
 * @attached: false when the last qdisc is gone
 * @ended: the port is being freed; under @sw->lock
 * @qdiscs: qdiscs attached; two while one replaces the other; RTNL
 * @params: configuration as set; replaced under RTNL, read under RCU
 * @pfc_en: that of @params
 * @link_speed: bytes per second of the device, used if no rate is set
 * @hook: the netdev ingress hook
 * @path: its path group
 * @rx_stats: per CPU
 * @host: receive side of a host, if it is limited; written under RTNL, read
 *	under RCU
 * @attention: what packets have to be checked for
 * @mute: bit p: the peer is not paused, whatever is queued: of a NIC that takes
 *	no packets any more. Under @sw->lock
 * @disobey: bit p: pauses of priority p are counted, but not obeyed. Written
 *	under @pause_lock
 * @sb: effective parameters of the priority groups; written under RTNL and
 *	@sw->lock
 * @flushed: the receive hook has run the qdisc, which will send @want as soon as
 *	the link is free
 * @copied: the last packet that filters at ingress have sent elsewhere was a copy
 * @own: frames with messages that the port has made, in order; its lock is a leaf
 * @reaction_ns: longest measured reaction time: from an XOFF decision to the
 *	last packet in spite of it, without the time of link and wire
 * @messages: budget of the deadlock messages that arrive; @sw->lock
 * @ingress: by priority
 * @row: by priority: points to the row of lle_dl_map that counts the packets
 *	queued here. Read under the root lock, so that exactly those are
 *	counted, and @sw->lock; written under both, or for no row under the
 *	latter
 * @rcm: regional congestion mitigation; NULL: it never had any. Written under
 *	RTNL and @sw->lock, as is what it points to
 * @cn_due_ns: time of the next congestion notification, or LLE_CN_NEVER.
 *	Written under @sw->lock
 * @pause_lock: protects @rx, @untold, @tx and @watchdog; only the locks of
 *	@host and of the switch are taken under it
 * @rx: pauses received
 * @untold: those that have still to be reported
 * @peer_mac: source address of the last PFC frame; zeros: there was none
 * @tx: pauses sent
 * @watchdog: detects pause storms
 * @retry: kicks the qdisc again when it was not active
 * @egress: by priority
 * @drop_pkts: packets dropped, by priority and reason: the first three reasons
 *	under @sw->lock, the others under the qdisc's root lock; purged ones
 *	under RTNL; those of @rx_stats are not here
 * @drop_bytes: their bytes
 * @rcm_stats: by priority; written by the qdisc under its root lock
 * @unaccounted: packets of devices that are no port
 * @ask: demand of the port for buffer; as @sb
 * @headroom_short: headroom is less than needed, and that was reported; RTNL
 * @dcbx_static: dcb cannot make a lossless priority lossy, as
 *	long as the port exists; RTNL
 * @learned_ns: as @reaction_ns, but halved when it is not measured again: the
 *	one that headroom is computed with; @sw->lock
 * @recent_ns: longest reaction time since the last halving; @sw->lock
 * @random: random numbers of its qdisc, under the root lock
 * @sysfs: the directory "lossless" of the device
 * @rcu: for freeing
 */
struct lle_port {
	/* what each packet reads, and hardly anything writes */
	struct lle_switch *sw;
	struct lle_port_params __rcu *params;
	struct lle_port_rx_stats __percpu *rx_stats;
	int ifindex;
	u16 mark;
	u8 slot;
	struct lle_sb_params sb;

	union lle_attention attention ____cacheline_aligned_in_smp;
	struct net_device *dev;
	const struct lle_port_ops *ops;
	void (*release)(struct lle_port *port);
	struct hlist_node node;
	bool attached;
	bool ended;
	unsigned int qdiscs;
	u8 pfc_en;
	u64 link_speed;
	struct nf_hook_ops hook;
	struct lle_path_member path;
	struct lle_host __rcu *host;
	u8 disobey;
	u8 mute;
	bool flushed;
	bool copied;
	struct sk_buff_head own;
	u64 reaction_ns;
	struct lle_budget messages;
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

	struct lle_port_egress egress[LLE_NUM_PRIO];
	u64 drop_pkts[LLE_NUM_PRIO][LLE_NUM_DROP];
	u64 drop_bytes[LLE_NUM_PRIO][LLE_NUM_DROP];

	struct lle_rcm_stats rcm_stats[LLE_NUM_PRIO];
	struct lle_unaccounted unaccounted;

	struct lle_headroom_ask ask;
	bool headroom_short;
	bool dcbx_static;
	u64 learned_ns;
	u64 recent_ns;

	struct lle_random random;
	struct lle_sysfs *sysfs;
	struct rcu_head rcu;
};

/**
 * lle_switch_find_port() - find a port of a switch
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
 * lle_skb_bytes() - compute the bytes of a packet on a link
 * @skb: the packet
 *
 * Return: bytes from its Ethernet header on, if that is in it, and with its
 * VLAN tag, which the stack keeps beside the data.
 */
static inline unsigned int lle_skb_bytes(const struct sk_buff *skb)
{
	unsigned int bytes = skb->len;

	if (unlikely(skb_vlan_tag_present(skb)))
		bytes += VLAN_HLEN;
	return bytes;
}

/**
 * lle_port_speed() - get the speed of the emulated link or, without one, of the
 *	device, by which quanta are counted
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
 * lle_port_pausing() - find pauses and resumes that may have to be sent
 * @port: the port
 *
 * Context: under the qdisc's root lock, or to be repeated under it.
 * Return: bit p: of priority p.
 */
static inline u8 lle_port_pausing(const struct lle_port *port)
{
	return READ_ONCE(port->attention.want) |
	       READ_ONCE(port->attention.sent);
}

/**
 * lle_port_attend() - note pauses that were received or sent
 * @port: the port
 *
 * Context: under @port->pause_lock, after each change of @rx or @tx.
 */
static inline void lle_port_attend(struct lle_port *port)
{
	WRITE_ONCE(port->attention.paused, port->rx.paused);
	WRITE_ONCE(port->attention.sent, port->tx.sent);
}

/**
 * lle_port_talks() - test whether a frame that the port makes may have to be
 *	sent
 * @port: the port
 *
 * Context: as lle_port_pausing().
 */
static inline bool lle_port_talks(const struct lle_port *port)
{
	return lle_port_pausing(port) | READ_ONCE(port->attention.cn);
}

#endif /* LLE_TYPES_PORT_H */
