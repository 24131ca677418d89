/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_SWITCH_H
#define LLE_TYPES_SWITCH_H

#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "../../core/buffer/headroom.h"
#include "../../core/buffer/sb.h"
#include "deadlock.h"

struct lle_port;

/* ports by ifindex; ifindexes are dense, so chains have one or two entries */
#define LLE_SWITCH_HASH_BITS	9

/**
 * struct lle_parking - packets in queues of a switch, but not in its buffer
 * @limit_bytes: limit
 * @used_bytes: bytes parked
 * @max_bytes: high-water mark of @used_bytes
 */
struct lle_parking {
	u64 limit_bytes;
	u64 used_bytes;
	u64 max_bytes;
};

/**
 * struct lle_switch - ports that share a packet buffer
 * @id: number of the switch in its network namespace
 * @net: that namespace
 * @list: in the namespace's list; RTNL
 * @attached: ports that have a qdisc; RTNL
 * @refs: one per port, until its last packet has left the switch
 * @discard: treat all priorities with PFC and a watchdog as stormed; RTNL
 * @deadlock_trigger: enum lle_deadlock_trigger; written under RTNL
 * @demand: buffer demand of all ports; RTNL
 * @headroom_work: redistributes headroom after new or halved reaction times;
 *	pending only while there are ports
 * @halved_at: time of the last halving, in jiffies; RTNL
 * @slots: bit s: slot s is in use; atomic
 * @slot: attached ports by slot; written under RTNL, read under RCU
 * @rcu: for freeing
 * @lock: protects @sb and the ingress side of all ports: priority groups,
 *	wanted pauses, and their counters. Nests inside a qdisc's root lock; a
 *	leaf among the locks of LLE
 * @sb: the shared buffer
 * @headroom_soon: @headroom_work is to run soon, not only to halve; @lock
 * @relearned_at: time when it last ran, in jiffies; @lock
 * @parking: packets taken out of @sb to break a deadlock
 * @deadlock: deadlock detection; NULL: off; also written under RTNL
 * @ports: attached ports by ifindex; written under RTNL, read under RCU
 */
struct lle_switch {
	u32 id;
	struct net *net;
	struct list_head list;
	unsigned int attached;
	refcount_t refs;
	bool discard;
	u8 deadlock_trigger;
	struct lle_headroom_demand demand;
	struct delayed_work headroom_work;
	unsigned long halved_at;
	DECLARE_BITMAP(slots, LLE_MAX_PORTS);
	struct lle_port __rcu *slot[LLE_MAX_PORTS];
	struct rcu_head rcu;

	spinlock_t lock ____cacheline_aligned_in_smp;
	struct lle_sb sb;
	bool headroom_soon;
	unsigned long relearned_at;
	struct lle_parking parking;
	struct lle_deadlock *deadlock;

	DECLARE_HASHTABLE(ports, LLE_SWITCH_HASH_BITS);
};

/* Half of it is reserved for breaking loops. Under the switch's lock. */
static inline bool lle_parking_is_short(const struct lle_parking *parking)
{
	return parking->used_bytes > parking->limit_bytes / 2;
}

#endif /* LLE_TYPES_SWITCH_H */
