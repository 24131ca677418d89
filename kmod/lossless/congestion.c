// SPDX-License-Identifier: GPL-2.0
/*
 * Regional congestion mitigation (RCM), ingress side: how many isolated bytes
 * of an ingress port may wait, and which destinations its upstream neighbour
 * must hold.
 *
 * The qdisc is the egress side. It calls this file under the root lock of the
 * egress port, for the ingress port of its packets; so only the switch's lock
 * is taken here, which is a leaf. The holds are state: the qdisc of the ingress
 * port writes a notification from them when its link takes the frame.
 */
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "../core/congestion/rcm.h"
#include "congestion.h"
#include "event.h"
#include "reaction.h"
#include "stats.h"
#include "trace.h"
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

/* Q_eq: so many packets of the MTU, or what the link sends in so many ns */
#define LLE_RCM_QEQ_PACKETS	10
#define LLE_RCM_QEQ_NS		1200

/*
 * Bytes per second of the slowest link. CRD drains its virtual queue at a rate
 * in 1/2^16 bytes per ns, which is 8 at 1 Mb/s and 0 below 123 kb/s.
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
 * lle_rcm_unit_ns() - compute the unit of RCM's times
 * @port: the port
 * @params: its parameters
 *
 * Return: nanoseconds, not 0; 1 us at 100 Gb/s with an MTU of up to 1500 bytes.
 */
u64 lle_rcm_unit_ns(const struct lle_port *port,
		    const struct lle_port_params *params)
{
	u64 bytes = (u64)lle_rcm_qeq(port, params) * LLE_RCM_UNIT_NUM /
		    LLE_RCM_UNIT_DEN;

	return max_t(u64, 1, mul_u64_u64_div_u64(bytes, NSEC_PER_SEC,
						 lle_port_speed(port, params)));
}

/**
 * lle_rcm_effective() - compute the parameters of the egress side
 * @port: the port
 * @params: its parameters
 * @p: result, without the members that lle_rcm_params_init() computes
 *
 * Context: RTNL.
 */
void lle_rcm_effective(const struct lle_port *port,
		       const struct lle_port_params *params,
		       struct lle_rcm_params *p)
{
	const struct lle_rcm_config *c = &params->rcm;
	u32 qeq = c->qeq_bytes ? c->qeq_bytes : lle_rcm_qeq(port, params);
	u64 unit_ns = lle_rcm_unit_ns(port, params);

	*p = (struct lle_rcm_params) {
		.crd = {
			.rate = lle_port_speed(port, params),
			.qeq_bytes = qeq,
			.onset_bytes = (u64)qeq * 4 / 15,
			.ref_ns = min_t(u64, unit_ns, U32_MAX / 2),
		},
		.rcc = {
			.min_bytes = qeq + qeq / 15,
			.mtu_bytes = lle_port_frame(port),
		},
		.las = {
			.limit_bytes = min_t(u64, (u64)c->las * qeq,
					     LLE_LAS_GROWN - 1),
			.mtu_bytes = lle_port_frame(port),
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
EXPORT_SYMBOL_GPL(lle_rcm_effective);

/* Bytes that still arrive after the port has decided on a hold. */
static u32 lle_rcm_flight(const struct lle_port *port,
			  const struct lle_port_params *params)
{
	u64 ns = 2 * params->delay_ns + params->reaction_ns +
		 lle_rcm_unit_ns(port, params) / LLE_RCM_GAPS;

	return min_t(u64, U32_MAX / 4,
		     mul_u64_u64_div_u64(lle_port_speed(port, params), ns,
					 NSEC_PER_SEC));
}

/* Isolated bytes must fit below XOFF, and the port must have a slot. */
static int lle_rcm_check(const struct lle_port *port,
			 const struct lle_port_params *params,
			 struct netlink_ext_ack *extack)
{
	struct lle_rcm_budget b;

	if (!params->sb.xoff_bytes) {
		NL_SET_ERR_MSG(extack, "rcm: requires a fixed xoff");
		return -EINVAL;
	}
	if (lle_port_speed(port, params) < LLE_RCM_RATE_MIN) {
		NL_SET_ERR_MSG(extack, "rcm: requires a rate of at least 1 mbit");
		return -EINVAL;
	}
	if (port->slot == LLE_MAX_PORTS) {
		NL_SET_ERR_MSG(extack, "rcm: the switch has more than 64 ports");
		return -EINVAL;
	}
	if (!lle_rcm_budget_init(&b, params->sb.xoff_bytes,
				 lle_rcm_flight(port, params),
				 lle_port_frame(port))) {
		NL_SET_ERR_MSG(extack,
			       "rcm: xoff must exceed two round trips of the link (rate, delay, reaction) and two packets");
		return -EINVAL;
	}
	return 0;
}

/* Prepare notifications of one more priority. */
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
 * lle_rcm_prepare() - check and allocate the RCM of a new configuration
 * @port: the port
 * @params: the new configuration
 * @extack: gets the reason of an error
 *
 * Context: RTNL. Return: 0; -EINVAL, -ENOMEM. The port keeps what was
 * allocated, which does no harm.
 */
int lle_rcm_prepare(struct lle_port *port, const struct lle_port_params *params,
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
 * lle_rcm_due() - set when the next congestion notification is due
 * @port: the port
 * @due_ns: time, or LLE_CN_NEVER
 *
 * Context: under the switch's lock.
 */
void lle_rcm_due(struct lle_port *port, u64 due_ns)
{
	WRITE_ONCE(port->cn_due_ns, due_ns);
	WRITE_ONCE(port->attention.cn, due_ns != LLE_CN_NEVER);
}

/* The port sends no notifications any more; holds of its neighbour expire. */
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
	lle_rcm_due(port, LLE_CN_NEVER);
}

/* Notifications of a priority; NULL: the neighbour gets none. */
static struct lle_rcm_upstream *lle_rcm_upstream(const struct lle_port *port,
						 unsigned int prio)
{
	return port->rcm && port->rcm->tells ? port->rcm->upstream[prio] : NULL;
}

static void lle_rcm_limit(struct lle_port *port, unsigned int prio)
{
	lle_rcm_divide(&port->ingress[prio].rcm,
		       lle_rcm_upstream(port, prio) ? &port->rcm->budget : NULL);
}

static void lle_rcm_tells(struct lle_port *port,
			  const struct lle_port_params *params)
{
	u64 unit_ns = lle_rcm_unit_ns(port, params);
	struct lle_rcm_port *r = port->rcm;
	bool room;

	r->budget = (struct lle_rcm_budget){};
	room = lle_rcm_budget_init(&r->budget, params->sb.xoff_bytes,
				   lle_rcm_flight(port, params),
				   lle_port_frame(port));
	r->refresh_ns = LLE_RCM_REFRESH * unit_ns;
	r->gap_ns = unit_ns / LLE_RCM_GAPS;
	r->tells = room && params->rcm.on &&
		   (params->facing == LLE_FACING_FABRIC || params->rcm.host_cn);
	if (!r->tells)
		lle_rcm_forget(port);
}

/**
 * lle_rcm_commit() - apply a configuration, or a new speed or MTU
 * @port: the port
 * @params: parameters in force
 *
 * lle_rcm_prepare() has checked that isolated bytes fit below XOFF. If a new
 * speed or MTU makes them not fit any more, the port sends no notifications,
 * and pauses spread upstream as without RCM.
 *
 * Context: RTNL, under the switch's lock.
 */
void lle_rcm_commit(struct lle_port *port, const struct lle_port_params *params)
{
	unsigned int p;

	if (port->rcm)
		lle_rcm_tells(port, params);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_rcm_limit(port, p);
}

/**
 * lle_rcm_free() - free the RCM of a port
 * @port: the port, which ends
 */
void lle_rcm_free(struct lle_port *port)
{
	unsigned int p;

	if (!port->rcm)
		return;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		kfree(port->rcm->upstream[p]);
	kfree(port->rcm);
}

/* Send a notification soon, but not within the gap after the last one. */
static void lle_rcm_tell(struct lle_port *port, struct lle_rcm_upstream *up)
{
	u64 now_ns = ktime_get_ns();

	up->due_ns = min(up->due_ns,
			 max(now_ns, up->sent_ns + port->rcm->gap_ns));
	lle_rcm_due(port, min(port->cn_due_ns, up->due_ns));
}

/* Add a hold. Returns false if the notification has no room for it. */
static bool lle_rcm_hold(struct lle_rcm_upstream *up, u32 name, u8 egress)
{
	if (up->count == LLE_CN_NAMES)
		return false;
	up->hold[up->count++] = (struct lle_rcm_hold){ name, egress };
	return true;
}

/* Remove a hold. Returns false if there was none. */
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
		return lle_rcm_holds(&in->id, c->bytes, c->held);
	case LLE_RCM_ROOT:
		return lle_rcm_holds(&in->root, c->bytes, c->held);
	}
	return false;
}

/* Update whether the neighbour holds all that it was lately asked to hold. */
static bool lle_rcm_class(struct lle_port *port, unsigned int prio)
{
	struct lle_port_ingress *in = &port->ingress[prio];
	bool held = in->rcm.class_held;

	while (lle_rcm_holds(&in->rcm.class, atomic_read(&in->isolated_bytes),
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

/* Update the holds of the neighbour. Returns whether it is to hold @c->name. */
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
 * lle_rcm_changed() - update the holds upstream after isolated bytes changed
 * @port: ingress port of the packets
 * @prio: their priority
 * @egress: their egress port
 * @c: the change, with the bytes that wait now
 *
 * Needed only if lle_rcm_changes() is true for one of the limits,
 * or a queue has begun or ended. The caller finds that out without the switch's
 * lock, which this takes.
 *
 * Context: BH off, RCU; under the root lock of @egress. Return: whether the
 * neighbour is to hold it.
 */
bool lle_rcm_changed(struct lle_port *port, unsigned int prio,
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
EXPORT_SYMBOL_GPL(lle_rcm_changed);

/**
 * lle_rcm_note() - trace that CFR identified a flow or destination
 * @port: the congested port
 * @prio: the priority
 * @fb: F_b, quantized
 * @ids: number of flows or destinations isolated there now
 * @identified: number of those identified there so far
 */
void lle_rcm_note(const struct lle_port *port, unsigned int prio,
		  unsigned int fb, unsigned int ids, u64 identified)
{
	trace_lle_congested(port, prio, fb, ids, identified);
}
EXPORT_SYMBOL_GPL(lle_rcm_note);

/**
 * lle_rcm_read() - add the ingress side to a report on RCM
 * @port: the port
 * @prio: the priority
 * @c: the report
 *
 * Context: any that keeps the port attached.
 */
void lle_rcm_read(struct lle_port *port, unsigned int prio,
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
	c->cn_heard = r->heard;
	c->cn_ignored = r->ignored;
out:
	spin_unlock_bh(&port->sw->lock);
}

/**
 * lle_rcm_see() - report on RCM of a priority
 * @port: the port
 * @prio: the priority
 * @c: result
 *
 * While the device is down, the egress side reports only counters.
 *
 * Context: any that keeps the port attached.
 */
void lle_rcm_see(struct lle_port *port, unsigned int prio,
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
	lle_rcm_read(port, prio, c);
}
