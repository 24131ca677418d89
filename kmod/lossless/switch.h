/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_SWITCH_H
#define LLE_SWITCH_H

#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "../core/buffer/headroom.h"
#include "../core/buffer/sb.h"
#include "deadlock/deadlock.h"

struct lle_port;

/* ports by ifindex; ifindexes are dense, so a chain is one or two long */
#define LLE_SWITCH_HASH_BITS	9

/**
 * struct lle_parking - packets that are in the queues of a switch, but not in its buffer
 * @limit_bytes: how many it takes
 * @used_bytes: how many there are
 * @max_bytes: high-water mark of @used_bytes
 */
struct lle_parking {
	u64 limit_bytes;
	u64 used_bytes;
	u64 max_bytes;
};

/**
 * struct lle_switch - ports that share a packet buffer
 * @id: name of the switch within its network namespace
 * @net: that namespace
 * @list: in the namespace's list; RTNL
 * @attached: ports that have a qdisc; RTNL
 * @refs: one per port, until its last packet has left the switch
 * @discard: all priorities with PFC and a watchdog are treated as stormed; RTNL
 * @dcfit_mode: enum lle_dcfit_mode, of @deadlock or of the next one; RTNL
 * @dcfit_trigger: enum lle_dcfit_trigger; written under RTNL
 * @demand: what its ports ask of the buffer; RTNL
 * @hdroom_work: divides headroom anew when a reaction was measured or is forgotten;
 *	pending only while there are ports
 * @halved_at: jiffies, when reactions were last forgotten by half; RTNL
 * @slots: bit s: slot s is in use; atomic
 * @slot: attached ports by slot; written under RTNL, read under RCU
 * @rcu: for freeing
 * @lock: protects @sb and the ingress side of all ports: their priority groups,
 *	their wish to pause and what is counted beside those. A leaf: it is taken
 *	under a qdisc's root lock and no lock of ours is taken under it
 * @sb: the shared buffer
 * @hdroom_soon: @hdroom_work is to run soon, and not only to forget; @lock
 * @relearned_at: jiffies, when it last ran; @lock
 * @parking: what was taken out of it to break a deadlock
 * @deadlock: deadlock detection; NULL: it is off; written under RTNL, too
 * @ports: attached ports by ifindex; written under RTNL, read under RCU
 */
struct lle_switch {
	u32 id;
	struct net *net;
	struct list_head list;
	unsigned int attached;
	refcount_t refs;
	bool discard;
	u8 dcfit_mode;
	u8 dcfit_trigger;
	struct lle_hdroom_demand demand;
	struct delayed_work hdroom_work;
	unsigned long halved_at;
	DECLARE_BITMAP(slots, LLE_DCFIT_PORTS);
	struct lle_port __rcu *slot[LLE_DCFIT_PORTS];
	struct rcu_head rcu;

	spinlock_t lock ____cacheline_aligned_in_smp;
	struct lle_sb sb;
	bool hdroom_soon;
	unsigned long relearned_at;
	struct lle_parking parking;
	struct lle_deadlock *deadlock;

	DECLARE_HASHTABLE(ports, LLE_SWITCH_HASH_BITS);
};

int lle_switch_net_init(void);
void lle_switch_net_exit(void);

struct lle_switch *lle_switch_get(struct net *net, u32 id);
void lle_switch_put(struct lle_switch *sw);
void lle_switch_add_port(struct lle_switch *sw, struct lle_port *port);
void lle_switch_del_port(struct lle_switch *sw, struct lle_port *port);

struct lle_port *lle_switch_first_port(const struct lle_switch *sw);

struct lle_switch *lle_net_find_switch(struct net *net, u32 id);
unsigned int lle_net_generation(struct net *net);
int lle_net_walk_ports(struct net *net,
		       int (*fn)(struct lle_port *port, void *arg), void *arg);
struct lle_port *lle_net_find_port(struct net *net, int ifindex);

#endif /* LLE_SWITCH_H */
