/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_PORT_H
#define LLE_TYPES_PORT_H

#include <linux/if_vlan.h>
#include <linux/lossless.h>
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
#include "../../core/path/sar.h"
#include "../../core/pfc/budget.h"
#include "../../core/pfc/pause.h"
#include "../random.h"
#include "congestion.h"
#include "switch.h"
#include "watchdog.h"

struct lle_flow;
struct lle_host;
struct lle_path_group;
struct lle_port;
struct lle_sched_params;
struct lle_relief;

/* enum lle_deadlock_action, _mode or _trigger: unchanged by the port */
#define LLE_DEADLOCK_UNSAID 0xff

/**
 * struct lle_waiting - packets in a queue with the same ingress port
 * @ifindex: the ingress port; 0: packets of this host, parked or unaccounted
 * @packets: number of packets
 * @bytes: their bytes
 */
struct lle_waiting {
	u32 ifindex;
	u32 packets;
	u64 bytes;
};

/* EtherTypes to which a port can assign a priority */
#define LLE_NUM_ETHERTYPE 8

/**
 * struct lle_ethertype - priority of non-IP frames
 * @type: EtherType
 * @prio: the priority
 */
struct lle_ethertype {
	__be16 type;
	u8 prio;
};

/**
 * struct lle_port_params - configuration of a port
 * @sb: shared buffer settings; 0 in xon_delta_bytes, headroom_bytes: computed
 * @buffer_bytes: size of the switch's buffer; 0: unchanged
 * @rate: bytes per second of the emulated link; 0: not emulated
 * @delay_ns: propagation time of the emulated link
 * @rx_rate: receive bytes per second of a host, or LLE_RX_UNLIMITED
 * @overhead_bytes: bytes per frame on the link beyond its own
 * @burst_bytes: bytes that the link may send at once to catch up
 * @reaction_ns: reaction time assumed for computed headroom
 * @pause_quanta: quanta advertised in pause frames
 * @pfc_en: bit p: priority p is lossless
 * @trust: enum lle_trust
 * @facing: enum lle_facing
 * @role: enum lle_role
 * @gso: enum lle_gso_mode
 * @whole: GSO packets are queued and sent whole
 * @deadlock: enum lle_deadlock_action, of the switch, or LLE_DEADLOCK_UNSAID
 * @deadlock_trigger: enum lle_deadlock_trigger, as @deadlock
 * @rcm: regional congestion mitigation
 * @dscp_prio: priority of each DSCP
 * @num_ethertype: number of entries of @ethertype
 * @ethertype: priorities of EtherTypes
 * @rcu: for freeing
 *
 * After lle_port_commit() settings of the switch are "unchanged".
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
 * @packets: packets received
 * @bytes: their bytes
 * @drop_packets: part of @packets dropped in a storm
 * @drop_bytes: their bytes
 * @burst: packets to the port that the kernel dropped before its qdisc
 */
struct lle_port_rx_prio {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t drop_packets;
	u64_stats_t drop_bytes;
	u64_stats_t burst;
};

/**
 * struct lle_port_rx_stats - packets received by a port, per CPU
 * @prio: by priority
 * @malformed: malformed MAC control frames, dropped
 * @link_pause: 802.3x PAUSE frames, ignored
 * @bypass: packets redirected by tc or BPF at ingress, past the hook; also in
 *	@prio, except MAC control frames and messages
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
 * struct lle_port_pending - PFC frames above the budget; under pause_lock
 * @budget: the budget
 * @frames: number of these frames
 * @prios: bit p: an unreported one concerned priority p; not 0: @timer is set
 * @changed: bit p: they paused or resumed priority p
 * @shown: bit p: last reported to listeners: priority p is paused
 * @expires: @expiry is set
 * @timer: reports them
 * @expiry: reports expiring pauses while there is a listener
 */
struct lle_port_pending {
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
 * struct lle_port_ingress - ingress of one priority; under the switch's lock
 * @pg: its priority group
 * @xoff_since_ns: time when @pg.xoff last became true
 * @last_rx_ns: time of the last packet received despite XOFF
 * @overshoot_bytes: bytes received despite the last XOFF
 * @paused_since_ns: time when the peer was last paused
 * @news_ns: time of the last change to the deadlock state sent upstream
 * @repeat_ns: time when the pause is repeated, with that state
 * @demotion: repeated deadlocks
 * @isolated_bytes: queued isolated bytes; atomic, no lock
 * @rcm: limits of @isolated_bytes, and holds of the neighbour
 * @history: sent pauses that have ended
 */
struct lle_port_ingress {
	struct lle_sb_pg pg;
	u64 xoff_since_ns;
	u64 last_rx_ns;
	u32 overshoot_bytes;
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
 * @memory: memory of its packets in the switch's buffer
 * @credit: bytes of the shared buffer lent to the queue
 *
 * Written by the qdisc under its root lock; @credit: see its type.
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
 * struct lle_unaccounted - lossless packets from devices that are not ports
 * @packets: those queued at the port
 * @ifindex: skb_iif of the last one
 * @reported: time of the last event, in jiffies
 *
 * Written by the qdisc under its root lock.
 */
struct lle_unaccounted {
	u64 packets;
	int ifindex;
	unsigned long reported;
};

/**
 * enum lle_admission - result for an arriving packet
 * @LLE_DROPPED: drop it; already counted
 * @LLE_ADMITTED: charged to its ingress port
 * @LLE_PARKED: charged to the switch's parking only
 */
enum lle_admission {
	LLE_DROPPED,
	LLE_ADMITTED,
	LLE_PARKED,
};

/**
 * struct lle_relief - a pause to be ended, as it would not end by itself
 * @prio: its priority
 * @since_ns: time when it began
 * @drop: drop packets instead of parking them
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
 * @configure: lle_port_configure() including the qdisc's part; same context
 * @get_sched: read the scheduler's parameters
 * @set_sched: change them; checked by the caller
 * @retune: act on a new speed or MTU of the device
 * @recount: lle_deadlock_count() of a priority, and
 *	lle_deadlock_packet_recount() of each packet queued there
 * @relieve: park or drop packets of @ingress, head first, until
 *	lle_break_lossless_relieved(); softirq, RCU
 * @receive: act on a neighbour's congestion notification; false: ignored;
 *	softirq, RCU
 * @congestion: report RCM of a priority: the qdisc's part of @c, and up to
 *	LOSSLESS_NUM_CONGESTED @ids, unless NULL; returns their number, or
 *	-ENODATA without RCM; RCU is enough
 * @path: describe the path of a priority and flow from this port; softirq, RCU
 * @waiting: list queued packets of a priority by ingress port; returns the
 *	number of entries, at most LOSSLESS_NUM_WAITING
 * @next_own: take the next frame made by the port that the link may send now;
 *	NULL: none, or on the emulated wire; root lock, qdisc run by the
 *	caller
 * @requeue_own: take back a frame of @next_own that the device refused; same
 *	context
 * Context: RTNL, unless another one is given.
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
	bool (*receive)(struct Qdisc *sch, const struct lle_cn *cn);
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
 * struct lle_path_config - configuration of a path group
 * @id: number in the network namespace
 * @adaptive: flows leave congested paths
 * @gap_us: idle microseconds before a flow may move; 0: computed
 * @ports: number of ports
 * @port: the ports
 */
struct lle_path_config {
	u32 id;
	bool adaptive;
	u32 gap_us;
	unsigned int ports;
	struct lle_port *port[LOSSLESS_PATHS_MAX];
};

/**
 * struct lle_path_stats - counters of a path group
 * @moved: times a flow left a congested path
 * @saved: times a flow left a dead port
 */
struct lle_path_stats {
	u64 moved;
	u64 saved;
};

/**
 * struct lle_path_member - membership of a port in a path group
 * @group: the group, or NULL. Written under RTNL, read under RCU
 * @hook: netdev egress hook while @group is set; RTNL
 */
struct lle_path_member {
	struct lle_path_group __rcu *group;
	struct nf_hook_ops hook;
};

/**
 * union lle_attention - checks that packets of a port need
 * @any: not 0: any of these
 * @want: bit p: pause the peer's priority p; switch's lock
 * @sent: bit p: last sent state, copied from @tx of the port
 * @paused: bit p: the peer paused priority p, copied from @rx of the port; may
 *	have expired
 * @discard: bit p: drop packets of priority p in both directions and do not
 *	pause the peer; switch's lock
 * @cn: a congestion notification is due, now or later: @cn_due_ns of the port
 *	is not LLE_CN_NEVER; switch's lock
 * @host: host with a limited receive side; RTNL
 * @own: messages wait in @own of the port; lock of that list
 * @filters: packets need a mark, as filters at ingress redirect or copy some:
 *	see lle_ingress_original()
 *
 * Locks are those of writers. Without any bit, packets take the short paths of
 * rx.c, enqueue.c and dequeue.c.
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
 * @dev: the device; invalid when @attached is false
 * @ops: operations of the qdisc
 * @release: frees a port without a qdisc after its last received packet has
 *	left the switch; any context
 * @node: in @sw's hash, by @ifindex
 * @ifindex: of @dev in this namespace
 * @slot: number in the switch; LLE_MAX_PORTS: no slot was free
 * @mark: its mark for packets, see ingress.h; 0: none yet
 * @attached: false when the last qdisc is gone
 * @ended: the port is being freed; @sw->lock
 * @qdiscs: qdiscs attached; two during a replacement; RTNL
 * @params: configuration as set; replaced under RTNL, read under RCU
 * @pfc_en: pfc_en of @params
 * @link_speed: bytes per second of the device, used without a set rate
 * @hook: the netdev ingress hook
 * @path: its path group
 * @rx_stats: per CPU
 * @host: limited receive side of a host; written under RTNL, read under RCU
 * @attention: checks that packets need
 * @mute: bit p: never pause the peer: the NIC has stalled; @sw->lock
 * @disobey: bit p: count pauses of priority p, but do not obey them; written
 *	under @pause_lock
 * @sb: effective priority group parameters; written under RTNL and @sw->lock
 * @flushed: the receive hook has run the qdisc, which will send @want as soon
 *	as the link is free
 * @copied: the last packet sent elsewhere by an ingress filter was a copy
 * @own: messages made by the port, in order; its lock is a leaf
 * @reaction_ns: longest measured time from an XOFF decision to the last packet
 *	despite it, without link and wire time
 * @messages: budget of received deadlock messages; @sw->lock
 * @ingress: by priority
 * @row: by priority: row of lle_dl_map that counts packets queued here. Read
 *	under the root lock, so that exactly those are counted, and @sw->lock;
 *	written under both, or under the latter if set to no row
 * @rcm: regional congestion mitigation; NULL: never enabled. Pointer and
 *	content written under RTNL and @sw->lock
 * @cn_due_ns: time of the next congestion notification, or LLE_CN_NEVER;
 *	written under @sw->lock
 * @pause_lock: protects @rx, @pending, @tx and @watchdog; only the locks of
 *	@host and of the switch nest inside
 * @rx: pauses received
 * @pending: received PFC frames not reported yet
 * @peer_mac: source address of the last PFC frame; zeros before the first
 * @tx: pauses sent
 * @watchdog: detects pause storms
 * @retry: kicks the qdisc again if it was not active
 * @egress: by priority
 * @drop_pkts: packets dropped, by priority and reason: the first three under
 *	@sw->lock, the others under the root lock, purged ones under RTNL;
 *	without those of @rx_stats
 * @drop_bytes: their bytes
 * @rcm_stats: by priority; written by the qdisc under its root lock
 * @unaccounted: packets from devices that are not ports
 * @ask: buffer demand of the port; locked as @sb
 * @headroom_short: reported that headroom is too small; RTNL
 * @dcbx_static: dcb can never make a lossless priority lossy; RTNL
 * @learned_ns: @reaction_ns for headroom, halved unless measured again;
 *	@sw->lock
 * @recent_ns: longest reaction time since the last halving; @sw->lock
 * @random: random numbers of its qdisc; root lock
 * @sysfs: the directory "lossless" of the device
 * @rcu: for freeing
 */
struct lle_port {
	/* read by each packet, rarely written */
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
	struct lle_port_pending pending;
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

/* Set the reason of an error, a literal, and the wrong attribute. Returns @err. */
#define LLE_REFUSE_ATTR(extack, attr, err, reason) ({	\
	NL_SET_ERR_MSG_ATTR(extack, attr, reason);	\
	(err);						\
})
#define LLE_REFUSE(extack, err, reason) ({		\
	NL_SET_ERR_MSG(extack, reason);			\
	(err);						\
})

/* Port of the device @ifindex, as in skb->skb_iif, or NULL. RCU. */
static inline struct lle_port *
lle_port_of_switch(const struct lle_switch *sw, int ifindex)
{
	struct lle_port *port;

	hash_for_each_possible_rcu(sw->ports, port, node, ifindex,
				   rcu_read_lock_bh_held())
		if (port->ifindex == ifindex)
			return port;
	return NULL;
}

/*
 * Bytes on a link: the data, with the Ethernet header unless pulled, and the
 * VLAN tag, which the stack keeps beside the data.
 */
static inline unsigned int lle_port_skb_bytes(const struct sk_buff *skb)
{
	unsigned int bytes = skb->len;

	if (unlikely(skb_vlan_tag_present(skb)))
		bytes += VLAN_HLEN;
	return bytes;
}

/* Bytes per second of the emulated link or the device: scales quanta. */
static inline u64 lle_port_speed(const struct lle_port *port,
				 const struct lle_port_params *params)
{
	return params->rate ? params->rate : READ_ONCE(port->link_speed);
}

/*
 * Bit p: a pause or resume of priority p may have to be sent. Under the root
 * lock, or to be repeated under it.
 */
static inline u8 lle_port_pausing(const struct lle_port *port)
{
	return READ_ONCE(port->attention.want) |
	       READ_ONCE(port->attention.sent);
}

/* Publishes changes of @rx and @tx. Under @port->pause_lock. */
static inline void lle_port_attend(struct lle_port *port)
{
	WRITE_ONCE(port->attention.paused, port->rx.paused);
	WRITE_ONCE(port->attention.sent, port->tx.sent);
}

/* May a frame of the port have to be sent? Context: as lle_port_pausing(). */
static inline bool lle_port_talks(const struct lle_port *port)
{
	return lle_port_pausing(port) | READ_ONCE(port->attention.cn);
}

#endif /* LLE_TYPES_PORT_H */
