// SPDX-License-Identifier: GPL-2.0
/*
 * Regional congestion mitigation (RCM), ingress side: limits the isolated bytes
 * of an ingress port, and selects destinations for the upstream neighbour to
 * hold.
 *
 * The qdisc, the egress side, calls it under the root lock of the egress port,
 * for the ingress port of its packets: it may take only the switch's lock, a
 * leaf. The holds are state, from which the qdisc of the ingress port writes a
 * notification when its link takes the frame.
 */
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "../core/congestion/rcm.h"
#include "congestion.h"
#include "event.h"
#include "headroom.h"
#include "stats.h"
#include "tx.h"

/* Time unit: the link sends 5/6 of the default Q_eq in it; 1 us at 100 Gb/s */
#define LLE_RCM_UNIT_NUM	5
#define LLE_RCM_UNIT_DEN	6

#define LLE_RCM_REFRESH		4
#define LLE_RCM_HOLD		10
#define LLE_RCM_LINGER		20
#define LLE_RCM_MARK		100
#define LLE_RCM_WAITED		12
#define LLE_RCM_LAS_IDLE	1000
/* Two notifications of a priority are at least 1/8 unit apart */
#define LLE_RCM_GAPS		8

/* Q_eq: the larger of 10 packets of the MTU, and the bytes of 1200 ns */
#define LLE_RCM_QEQ_PACKETS	10
#define LLE_RCM_QEQ_NS		1200

/*
 * Bytes per second of the slowest link. CRD drains its virtual queue in units
 * of 1/2^16 bytes per ns: 8 at 1 Mb/s, 0 below 123 kb/s.
 */
#define LLE_RCM_RATE_MIN	125000

static u32 lle_rcm_qeq(const struct lle_port *port,
		       const struct lle_port_params *params)
{
	u64 rate = lle_port_speed(port, params);
	u32 packets = LLE_RCM_QEQ_PACKETS * READ_ONCE(port->dev->mtu);

	return max_t(u64, packets, mul_u64_u64_div_u64(rate, LLE_RCM_QEQ_NS,
						       NSEC_PER_SEC));
}

/**
 * lle_congestion_unit_ns() - compute the unit of RCM's times
 * @port: the port
 * @params: its parameters
 * Return: nanoseconds, not 0; 1 us at 100 Gb/s with an MTU of up to 1500 bytes.
 */
u64 lle_congestion_unit_ns(const struct lle_port *port,
			   const struct lle_port_params *params)
{
	u64 bytes = (u64)lle_rcm_qeq(port, params) * LLE_RCM_UNIT_NUM /
		    LLE_RCM_UNIT_DEN;

	return max_t(u64, 1, mul_u64_u64_div_u64(bytes, NSEC_PER_SEC,
						 lle_port_speed(port, params)));
}

/**
 * lle_congestion_effective() - compute the parameters of the egress side
 * @port: the port
 * @params: its parameters
 * @p: result, without members that lle_rcm_params_init() computes
 * Context: RTNL.
 */
void lle_congestion_effective(const struct lle_port *port,
			      const struct lle_port_params *params,
			      struct lle_rcm_params *p)
{
	const struct lle_rcm_config *c = &params->rcm;
	u32 qeq = c->qeq_bytes ? c->qeq_bytes : lle_rcm_qeq(port, params);
	u64 unit_ns = lle_congestion_unit_ns(port, params);

	*p = (struct lle_rcm_params) {
		.crd = {
			.rate = lle_port_speed(port, params),
			.qeq_bytes = qeq,
			.onset_bytes = (u64)qeq * 4 / 15,
			.ref_ns = min_t(u64, unit_ns, U32_MAX / 2),
		},
		.rcc = {
			.min_bytes = qeq + qeq / 15,
			.mtu_bytes = lle_reaction_frame(port),
		},
		.las = {
			.limit_bytes = min_t(u64, (u64)c->las * qeq,
					     LLE_LAS_GROWN - 1),
			.mtu_bytes = lle_reaction_frame(port),
			.idle_ns = LLE_RCM_LAS_IDLE * unit_ns,
		},
		.hold_ns = LLE_RCM_HOLD * unit_ns,
		.linger_ns = LLE_RCM_LINGER * unit_ns,
		.mark_ns = LLE_RCM_MARK * unit_ns,
		.wait_ns = LLE_RCM_WAITED * unit_ns,
		.pass_bytes = qeq / 4,
		.by_dst = params->facing == LLE_FACING_FABRIC,
	};
}
EXPORT_SYMBOL_GPL(lle_congestion_effective);

/* Bytes that still arrive after a hold was decided */
static u32 lle_rcm_flight(const struct lle_port *port,
			  const struct lle_port_params *params)
{
	u64 ns = 2 * params->delay_ns + params->reaction_ns +
		 lle_congestion_unit_ns(port, params) / LLE_RCM_GAPS;

	return min_t(u64, U32_MAX / 4,
		     mul_u64_u64_div_u64(lle_port_speed(port, params), ns,
					 NSEC_PER_SEC));
}

static int lle_rcm_check(const struct lle_port *port,
			 const struct lle_port_params *params,
			 struct netlink_ext_ack *extack)
{
	struct lle_rcm_budget b;

	if (!params->sb.xoff_bytes)
		return LLE_REFUSE(extack, -EINVAL,
				  "rcm: requires a fixed xoff");
	if (lle_port_speed(port, params) < LLE_RCM_RATE_MIN)
		return LLE_REFUSE(extack, -EINVAL,
				  "rcm: requires a rate of at least 1 mbit");
	if (port->slot == LLE_MAX_PORTS)
		return LLE_REFUSE(extack, -EINVAL,
				  "rcm: the switch has more than 64 ports");
	if (!lle_hold_budget_init(&b, params->sb.xoff_bytes,
				  lle_rcm_flight(port, params),
				  lle_reaction_frame(port)))
		return LLE_REFUSE(extack, -EINVAL,
				  "rcm: xoff must exceed two round trips of the link (rate, delay, reaction) and two packets");
	return 0;
}

static int lle_rcm_add_upstream(struct lle_port *port, unsigned int prio)
{
	struct lle_rcm_upstream *up = kzalloc(sizeof(*up), GFP_KERNEL);

	if (!up)
		return -ENOMEM;
	up->due_ns = LLE_CN_NEVER;
	spin_lock_bh(&port->sw->lock);
	port->rcm->upstream[prio] = up;
	spin_unlock_bh(&port->sw->lock);
	return 0;
}

/**
 * lle_congestion_prepare() - check and allocate the RCM of a new configuration
 * @port: the port; keeps allocations after an error, which is harmless
 * @params: the new configuration
 * @extack: reason of an error
 * Context: RTNL. Return: 0; -EINVAL, -ENOMEM.
 */
int lle_congestion_prepare(struct lle_port *port,
			   const struct lle_port_params *params,
			   struct netlink_ext_ack *extack)
{
	struct lle_rcm_port *r;
	unsigned int p;
	int err;

	if (!params->rcm.on)
		return 0;
	err = lle_rcm_check(port, params, extack);
	if (err)
		return err;

	if (!port->rcm) {
		r = kzalloc(sizeof(*r), GFP_KERNEL);
		if (!r)
			return -ENOMEM;
		spin_lock_bh(&port->sw->lock);
		port->rcm = r;
		spin_unlock_bh(&port->sw->lock);
	}
	for (p = 0; p < LLE_NUM_PRIO && !err; p++)
		if (params->pfc_en & BIT(p) && !port->rcm->upstream[p])
			err = lle_rcm_add_upstream(port, p);
	return err;
}

/**
 * lle_congestion_due() - set when the next congestion notification is due
 * @port: the port
 * @due_ns: time, or LLE_CN_NEVER
 * Context: switch's lock.
 */
void lle_congestion_due(struct lle_port *port, u64 due_ns)
{
	WRITE_ONCE(port->cn_due_ns, due_ns);
	WRITE_ONCE(port->attention.cn, due_ns != LLE_CN_NEVER);
}

/* Stop notifications; the neighbour's holds expire. */
static void lle_rcm_forget(struct lle_port *port)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		struct lle_rcm_upstream *up = port->rcm->upstream[p];

		WRITE_ONCE(port->ingress[p].rcm.class_held, false);
		port->ingress[p].rcm.roots = 0;
		if (!up)
			continue;
		up->count = 0;
		up->due_ns = LLE_CN_NEVER;
	}
	lle_congestion_due(port, LLE_CN_NEVER);
}

/* NULL: the neighbour gets no notifications of this priority. */
static struct lle_rcm_upstream *lle_rcm_upstream(const struct lle_port *port,
						 unsigned int prio)
{
	return port->rcm && port->rcm->tells ? port->rcm->upstream[prio] : NULL;
}

static void lle_rcm_limit(struct lle_port *port, unsigned int prio)
{
	lle_hold_divide(&port->ingress[prio].rcm,
			lle_rcm_upstream(port, prio) ? &port->rcm->budget : NULL);
}

static void lle_rcm_tells(struct lle_port *port,
			  const struct lle_port_params *params)
{
	u64 unit_ns = lle_congestion_unit_ns(port, params);
	struct lle_rcm_port *r = port->rcm;
	bool room;

	r->budget = (struct lle_rcm_budget){};
	room = lle_hold_budget_init(&r->budget, params->sb.xoff_bytes,
				    lle_rcm_flight(port, params),
				    lle_reaction_frame(port));
	r->refresh_ns = LLE_RCM_REFRESH * unit_ns;
	r->gap_ns = unit_ns / LLE_RCM_GAPS;
	r->tells = room && params->rcm.on &&
		   (params->facing == LLE_FACING_FABRIC || params->rcm.host_cn);
	if (!r->tells)
		lle_rcm_forget(port);
}

/**
 * lle_congestion_commit() - apply a configuration, or a new speed or MTU
 * @port: the port
 * @params: parameters in force
 *
 * If a new speed or MTU leaves no room for isolated bytes below XOFF, the port
 * stops notifications, and pauses spread upstream as without RCM.
 * Context: RTNL and switch's lock.
 */
void lle_congestion_commit(struct lle_port *port,
			   const struct lle_port_params *params)
{
	unsigned int p;

	if (port->rcm)
		lle_rcm_tells(port, params);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_rcm_limit(port, p);
}

/**
 * lle_congestion_free() - free the RCM of a port
 * @port: the port, which ends
 */
void lle_congestion_free(struct lle_port *port)
{
	unsigned int p;

	if (!port->rcm)
		return;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		kfree(port->rcm->upstream[p]);
	kfree(port->rcm);
}

/* Schedule a notification, at least a gap after the last one. */
static void lle_rcm_tell(struct lle_port *port, struct lle_rcm_upstream *up)
{
	u64 now_ns = ktime_get_ns();

	up->due_ns = min(up->due_ns,
			 max(now_ns, up->sent_ns + port->rcm->gap_ns));
	lle_congestion_due(port, min(port->cn_due_ns, up->due_ns));
}

/* Return: false: the notification is full. */
static bool lle_rcm_hold(struct lle_rcm_upstream *up, u32 name, u8 egress)
{
	if (up->count == LLE_CN_NAMES)
		return false;
	up->hold[up->count++] = (struct lle_rcm_hold){ name, egress };
	return true;
}

/* Return: false: no such hold. */
static bool lle_rcm_let_go(struct lle_rcm_upstream *up, u32 name, u8 egress)
{
	unsigned int n;

	for (n = 0; n < up->count; n++)
		if (up->hold[n].name == name && up->hold[n].egress == egress) {
			up->hold[n] = up->hold[--up->count];
			return true;
		}
	return false;
}

static bool lle_rcm_wants(const struct lle_rcm_ingress *in,
			  const struct lle_rcm_change *c)
{
	switch (c->what) {
	case LLE_RCM_FLOW:
		break;
	case LLE_RCM_DST:
		return lle_hold_is_due(&in->id, c->bytes, c->held);
	case LLE_RCM_ROOT:
		return lle_hold_is_due(&in->root, c->bytes, c->held);
	}
	return false;
}

/* Update whether the neighbour must hold all recently listed destinations. */
static bool lle_rcm_class(struct lle_port *port, unsigned int prio)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	bool held = in->rcm.class_held;

	while (lle_hold_is_due(&in->rcm.class, atomic_read(&in->isolated_bytes),
			       held) != held) {
		held = !held;
		/*
		 * The qdisc changes the bytes without this lock and then reads
		 * class_held: publish that first, then compare again.
		 */
		smp_store_mb(in->rcm.class_held, held);
	}
	return held;
}

/* Update the neighbour's holds. Return: it must hold @c->name. */
static bool lle_rcm_update(struct lle_port *port, unsigned int prio,
			   struct lle_rcm_upstream *up, u8 egress,
			   const struct lle_rcm_change *c)
{
	struct lle_rcm_ingress *in = &port->ingress[prio].rcm;
	bool hold = lle_rcm_wants(in, c), changed = false;
	bool class = in->class_held;

	if (hold && !c->held) {
		hold = lle_rcm_hold(up, c->name, egress);
		changed = hold;
	} else if (!hold && c->held) {
		changed = lle_rcm_let_go(up, c->name, egress);
	}
	if (changed && c->what == LLE_RCM_ROOT) {
		in->roots += hold ? 1 : -1;
		lle_rcm_limit(port, prio);
	}
	up->fb = c->fb;
	if (lle_rcm_class(port, prio) != class || changed)
		lle_rcm_tell(port, up);
	return hold;
}

/**
 * lle_congestion_changed() - update the holds of the neighbour
 * @port: ingress port
 * @prio: priority
 * @egress: egress port
 * @c: the change
 *
 * Required only if lle_hold_changes() is true for a limit, or a queue began or
 * ended, which the caller tests without the switch's lock.
 * Context: BH off, RCU, root lock of @egress; takes the switch's lock.
 * Return: the neighbour must hold the ID of @c.
 */
bool lle_congestion_changed(struct lle_port *port, unsigned int prio,
			    const struct lle_port *egress,
			    const struct lle_rcm_change *c)
{
	struct lle_switch *sw = port->sw;
	struct lle_rcm_upstream *up;
	bool held = false, kick;
	u64 due_ns;

	spin_lock(&sw->lock);
	due_ns = port->cn_due_ns;
	if (c->queues) {
		port->ingress[prio].rcm.subs += c->queues;
		lle_rcm_limit(port, prio);
	}
	up = lle_rcm_upstream(port, prio);
	if (up)
		held = lle_rcm_update(port, prio, up, egress->slot, c);
	kick = port->cn_due_ns < due_ns;
	spin_unlock(&sw->lock);

	if (kick)
		lle_tx_kick(port);
	return held;
}
EXPORT_SYMBOL_GPL(lle_congestion_changed);

/**
 * lle_congestion_read() - add the ingress side to a report on RCM
 * @port: the port
 * @prio: the priority
 * @c: the report
 * Context: any that keeps the port attached.
 */
void lle_congestion_read(struct lle_port *port, unsigned int prio,
			 struct lle_congestion *c)
{
	const struct lle_rcm_port *r;

	spin_lock_bh(&port->sw->lock);
	r = port->rcm;
	if (!r)
		goto out;
	c->tells_class = port->ingress[prio].rcm.class_held;
	c->in_bytes = atomic_read(&port->ingress[prio].isolated_bytes);
	c->room_bytes = r->budget.class_on_bytes;
	if (r->upstream[prio])
		c->tells = r->upstream[prio]->count;
	c->cn_sent = r->sent;
	c->cn_received = r->accepted;
	c->cn_ignored = r->ignored;
out:
	spin_unlock_bh(&port->sw->lock);
}

/**
 * lle_congestion_report() - report on RCM of a priority
 * @port: the port
 * @prio: the priority
 * @c: result; of the egress side only counters while the device is down
 * Context: any that keeps the port attached.
 */
void lle_congestion_report(struct lle_port *port, unsigned int prio,
			   struct lle_congestion *c)
{
	const struct lle_rcm_stats *s = &port->rcm_stats[prio];
	struct Qdisc *q;
	int err = -ENODATA;

	*c = (struct lle_congestion){};
	rcu_read_lock();
	q = rcu_dereference(netdev_get_tx_queue(port->dev, 0)->qdisc);
	if (q->ops == port->ops->qdisc)
		err = port->ops->congestion(q, prio, c, NULL);
	rcu_read_unlock();
	if (err < 0) {
		c->identified = lle_stats_peek(s->identified);
		c->regions = lle_stats_peek(s->regions);
		c->root_ns = lle_stats_peek(s->root_ns);
	}
	lle_congestion_read(port, prio, c);
}
