// SPDX-License-Identifier: GPL-2.0
/*
 * Enables and disables deadlock detection, for all priorities at once. Enabling
 * counts the queued packets queue by queue, each before it leaves.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rtnetlink.h>

#include "deadlock.h"
#include "packet.h"
#include "../admit.h"
#include "../random.h"
#include "../rx_pause.h"

/* Guard, in hops: ignore pauses that end sooner. */
#define LLE_DEADLOCK_GUARD_HOPS		16

/* Hops that a message may make before the pause is first repeated. */
#define LLE_DEADLOCK_REPEAT_HOPS	8

#define LLE_DEADLOCK_PORTS_MIN	4

/* Accept messages only from switches of the same management. */
static bool lle_deadlock_is_fabric(const struct lle_port_params *params)
{
	return params->facing == LLE_FACING_FABRIC &&
	       params->role == LLE_ROLE_SWITCH;
}

/**
 * lle_deadlock_trusts() - test whether messages of a neighbour are accepted
 * @port: port of the neighbour
 * Context: RCU. Return: false also if detection is off.
 */
bool lle_deadlock_trusts(const struct lle_port *port)
{
	return READ_ONCE(port->sw->deadlock) &&
	       lle_deadlock_is_fabric(rcu_dereference(port->params));
}

static u64 lle_deadlock_hop_ns(const struct lle_port *port,
			       const struct lle_port_params *params)
{
	u64 rate = lle_port_speed(port, params);
	u64 ns = params->delay_ns + port->reaction_ns;

	if (!rate)
		return ns;
	return ns + mul_u64_u64_div_u64(LLE_PFC_FRAME_LEN +
					params->overhead_bytes,
					NSEC_PER_SEC, rate);
}

/* Pause time; a pause is repeated after half of it. */
static u64 lle_deadlock_pause_ns(const struct lle_port *port,
				 const struct lle_port_params *params)
{
	u64 rate = lle_port_speed(port, params);

	if (!rate)
		return U64_MAX;
	return lle_pause_quanta_to_ns(params->pause_quanta, rate);
}

/* Applies the configuration of the switch's ports. Under RTNL. */
static void lle_deadlock_configure(struct lle_switch *sw)
{
	struct lle_deadlock *dl = sw->deadlock;
	u64 hop_ns = 1, guard_ns = NSEC_PER_SEC, fabric = 0;
	struct lle_port *port;
	unsigned int p;
	int bucket;

	if (!dl)
		return;
	spin_lock_bh(&sw->lock);
	hash_for_each(sw->ports, bucket, port, node) {
		const struct lle_port_params *params;

		params = rtnl_dereference(port->params);
		if (!lle_deadlock_is_fabric(params))
			continue;
		fabric |= BIT_ULL(port->slot);
		hop_ns = max(hop_ns, lle_deadlock_hop_ns(port, params));
		guard_ns = min(guard_ns,
			       lle_deadlock_pause_ns(port, params) / 4);
	}
	dl->hop_ns = hop_ns;
	dl->repeat_min_ns = LLE_DEADLOCK_REPEAT_HOPS * hop_ns;
	/* half of the shortest pause time: PFC repeats pauses then anyway */
	dl->repeat_max_ns = 2 * guard_ns;
	guard_ns = min(guard_ns, LLE_DEADLOCK_GUARD_HOPS * hop_ns);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_exact_configure(dl->exact[p], fabric, guard_ns, hop_ns,
				    dl->action == LLE_DEADLOCK_ALERT);
	spin_unlock_bh(&sw->lock);
}

static struct lle_deadlock *lle_deadlock_alloc(struct lle_switch *sw,
					       unsigned int slot)
{
	struct lle_dl_params params = {
		.sw = sw->id,
		.ports = max(roundup_pow_of_two(slot + 1),
			     (unsigned long)LLE_DEADLOCK_PORTS_MIN),
	};
	struct lle_random random;
	struct lle_deadlock *dl;
	unsigned int p;
	void *memory;
	size_t size;

	size = ALIGN(lle_exact_size(&params), sizeof(u64));
	dl = kvzalloc(ALIGN(sizeof(*dl), sizeof(u64)) + LLE_NUM_PRIO * size,
		      GFP_KERNEL_ACCOUNT);
	if (!dl)
		return NULL;
	memory = (void *)dl + ALIGN(sizeof(*dl), sizeof(u64));
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		params.prio = p;
		lle_random_init(&random, sw->id, p);
		params.first = lle_random(&random);
		dl->exact[p] = lle_exact_init(memory + p * size, &params);
	}
	dl->sw = sw;
	dl->ports = params.ports;
	lle_deadlock_work_init(dl);
	return dl;
}

static bool lle_deadlock_is_crowded(const struct lle_switch *sw)
{
	const struct lle_port *port;
	int bucket;

	hash_for_each(sw->ports, bucket, port, node)
		if (port->slot == LLE_MAX_PORTS)
			return true;
	return false;
}

/**
 * lle_deadlock_prepare() - allocate detection to enable it, or for a new port
 * @port: a port of the switch, perhaps not yet attached
 * @params: its new configuration
 * @extack: reason of an error
 * Context: RTNL.
 * Return: for lle_deadlock_commit(), or to be freed; NULL: no change; -EINVAL
 * or -ENOMEM.
 */
struct lle_deadlock *lle_deadlock_prepare(const struct lle_port *port,
					  const struct lle_port_params *params,
					  struct netlink_ext_ack *extack)
{
	struct lle_switch *sw = port->sw;
	struct lle_deadlock *dl = sw->deadlock;
	unsigned int slot = port->slot;

	if (params->deadlock == LLE_DEADLOCK_OFF ||
	    (params->deadlock == LLE_DEADLOCK_UNSAID && !dl))
		return NULL;
	if (!sw->id || sw->id > U16_MAX) {
		NL_SET_ERR_MSG(extack,
			       "deadlock: requires a switch number from 1 to 65535, unique in the fabric");
		return ERR_PTR(-EINVAL);
	}
	if (slot == LLE_MAX_PORTS || lle_deadlock_is_crowded(sw)) {
		NL_SET_ERR_MSG(extack,
			       "deadlock: the switch has more than 64 ports");
		return ERR_PTR(-EINVAL);
	}
	if (dl && slot < dl->ports)
		return NULL;
	slot = max_t(unsigned int, slot,
		     find_last_bit(sw->slots, LLE_MAX_PORTS));
	dl = lle_deadlock_alloc(sw, slot);
	return dl ? dl : ERR_PTR(-ENOMEM);
}

/**
 * lle_deadlock_uncount() - stop counting the packets queued at a port
 * @port: the port
 * Context: under the switch's lock, or with empty queues.
 */
void lle_deadlock_uncount(struct lle_port *port)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		port->row[p] = &lle_deadlock_no_row;
}

static void lle_deadlock_uncount_all(struct lle_switch *sw)
{
	struct lle_port *port;
	int bucket;

	hash_for_each(sw->ports, bucket, port, node)
		lle_deadlock_uncount(port);
}

/**
 * lle_deadlock_count() - begin to count the packets of a queue
 * @port: the port
 * @prio: the queue
 * Context: under the root lock, or with an empty queue.
 */
void lle_deadlock_count(struct lle_port *port, unsigned int prio)
{
	struct lle_deadlock *dl = port->sw->deadlock;

	spin_lock_bh(&port->sw->lock);
	/* from now on count each packet under this lock */
	lle_credit_reclaim(&port->sw->sb);
	port->row[prio] = &dl->exact[prio]->map.row[port->slot];
	spin_unlock_bh(&port->sw->lock);
}
EXPORT_SYMBOL_GPL(lle_deadlock_count);

/**
 * lle_deadlock_add_port() - add a port with empty queues
 * @port: the port, after lle_deadlock_prepare()
 * Context: RTNL.
 */
void lle_deadlock_add_port(struct lle_port *port)
{
	unsigned int p;

	if (!port->sw->deadlock)
		return;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_deadlock_count(port, p);
	lle_deadlock_configure(port->sw);
}

static void lle_deadlock_count_queued(struct lle_port *port)
{
	struct Qdisc *sch = rtnl_dereference(port->dev->qdisc);
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		port->ops->recount(sch, p);
}

static void lle_deadlock_catch_up(struct lle_port *port)
{
	u64 now_ns = ktime_get_ns();
	unsigned int p;

	/* for the slots in lle_deadlock_event_pfc() */
	rcu_read_lock();
	spin_lock_bh(&port->pause_lock);
	lle_rx_pause_update(port, now_ns);
	spin_lock(&port->sw->lock);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (port->attention.want & BIT(p))
			lle_deadlock_event_xoff(port, p, true);
	spin_unlock(&port->sw->lock);
	lle_deadlock_event_pfc(port, port->rx.paused, 0, NULL, now_ns);
	spin_unlock_bh(&port->pause_lock);
	rcu_read_unlock();
}

static void lle_deadlock_free(struct lle_deadlock *dl)
{
	lle_deadlock_work_exit(dl);
	kvfree(dl);
}

static void lle_deadlock_replace(struct lle_switch *sw, struct lle_deadlock *dl)
{
	struct lle_deadlock *old = sw->deadlock;

	spin_lock_bh(&sw->lock);
	if (old) {
		dl->action = old->action;
		dl->found = old->found;
		memcpy(dl->record, old->record, sizeof(dl->record));
		memcpy(dl->demoted, old->demoted, sizeof(dl->demoted));
		lle_deadlock_event_sum_stats(old, &dl->stats);
		lle_deadlock_uncount_all(sw);
	}
	WRITE_ONCE(sw->deadlock, dl);
	spin_unlock_bh(&sw->lock);
	if (old)
		lle_deadlock_free(old);
}

/**
 * lle_deadlock_commit() - enable, disable or change detection
 * @sw: the switch
 * @dl: result of lle_deadlock_prepare()
 * @params: new configuration of a port
 * Context: RTNL.
 */
void lle_deadlock_commit(struct lle_switch *sw, struct lle_deadlock *dl,
			 const struct lle_port_params *params)
{
	struct lle_port *port;
	int bucket;

	if (params->deadlock_trigger != LLE_DEADLOCK_UNSAID)
		WRITE_ONCE(sw->deadlock_trigger, params->deadlock_trigger);
	if (params->deadlock == LLE_DEADLOCK_OFF)
		lle_deadlock_off(sw);
	if (dl)
		lle_deadlock_replace(sw, dl);
	if (sw->deadlock && params->deadlock != LLE_DEADLOCK_UNSAID)
		WRITE_ONCE(sw->deadlock->action, params->deadlock);
	lle_deadlock_configure(sw);
	if (!dl)
		return;
	/* count all queues first: pause evaluation uses the waiting bytes */
	hash_for_each(sw->ports, bucket, port, node)
		lle_deadlock_count_queued(port);
	hash_for_each(sw->ports, bucket, port, node)
		lle_deadlock_catch_up(port);
}

/**
 * lle_deadlock_off() - disable detection
 * @sw: the switch
 * Context: RTNL, may sleep.
 */
void lle_deadlock_off(struct lle_switch *sw)
{
	struct lle_deadlock *dl = sw->deadlock;

	if (!dl)
		return;
	spin_lock_bh(&sw->lock);
	lle_deadlock_demote_end_all(dl);
	lle_deadlock_uncount_all(sw);
	WRITE_ONCE(sw->deadlock, NULL);
	spin_unlock_bh(&sw->lock);
	lle_deadlock_free(dl);
}

static u64 lle_deadlock_bytes(const struct lle_port *port,
			      size_t (*size)(const struct lle_dl_params *p))
{
	struct lle_dl_params params = {};
	struct lle_switch *sw = port->sw;

	spin_lock_bh(&sw->lock);
	if (sw->deadlock)
		params.ports = sw->deadlock->ports;
	spin_unlock_bh(&sw->lock);
	return params.ports ? size(&params) : 0;
}

/**
 * lle_deadlock_state_bytes() - get memory per priority, without counters
 * @port: a port of the switch
 * Context: any. Return: bytes; 0: detection is off.
 */
u64 lle_deadlock_state_bytes(const struct lle_port *port)
{
	return lle_deadlock_bytes(port, lle_exact_state_size);
}

/**
 * lle_deadlock_counter_bytes() - get memory of packet and event counters
 * @port: as lle_deadlock_state_bytes()
 * Context: any. Return: bytes; 0: detection is off.
 */
u64 lle_deadlock_counter_bytes(const struct lle_port *port)
{
	return lle_deadlock_bytes(port, lle_exact_size) -
	       lle_deadlock_state_bytes(port);
}
