// SPDX-License-Identifier: GPL-2.0
/*
 * Headroom that the link of a port needs, and headroom that the port gets.
 *
 * core/buffer/headroom.h divides the computed headroom between the ports of a
 * switch. Demand changes only under RTNL, so the walk over all ports holds the
 * switch's lock for one port at a time. Shares shrink before others grow: the
 * carved bytes never exceed the larger of before and after.
 */
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>

#include "congestion.h"
#include "event.h"
#include "admit.h"
#include "headroom.h"

/* Speed assumed if neither `rate` nor the device gives one: 10 Gbit/s */
#define LLE_SPEED_UNKNOWN	1250000000ULL

/* A measured reaction time is halved if not measured again for that time */
#define LLE_REACTION_HALF	(10 * HZ)

/* Compute the demand of a port with @params. Under RTNL. */
static void lle_port_ask(const struct lle_port *port,
			 const struct lle_port_params *params,
			 struct lle_headroom_ask *ask)
{
	unsigned int lossless = hweight8(params->pfc_en);
	struct lle_sb_headroom h =
		lle_reaction_headroom(port, params, params->reaction_ns);

	*ask = (struct lle_headroom_ask) {
		.lossless = lossless,
		.computed = !params->sb.headroom_bytes,
		.fixed_bytes = lle_sb_carve(&params->sb, lossless),
		.base_bytes = lle_sb_headroom_need(&h),
	};
	h.reaction_ns = max(h.reaction_ns, READ_ONCE(port->learned_ns));
	ask->need_bytes = lle_sb_headroom_need(&h);
}

/* Bytes a port takes out of the shared buffer. RTNL or switch's lock. */
static u64 lle_headroom_carve(const struct lle_port *port)
{
	return lle_sb_carve(&port->sb, hweight8(port->pfc_en));
}

/**
 * lle_headroom_link_speed() - read the speed of a device
 * @dev: the device
 * Context: RTNL, and the device's own lock if any. Return: bytes per second.
 */
u64 lle_headroom_link_speed(struct net_device *dev)
{
	struct ethtool_link_ksettings ks;

	if (netif_get_link_ksettings(dev, &ks) || !ks.base.speed ||
	    ks.base.speed == SPEED_UNKNOWN)
		return LLE_SPEED_UNKNOWN;
	return ks.base.speed * 125000ULL;
}

/**
 * lle_headroom_plan() - plan the headroom of a new configuration
 * @port: the port; unchanged
 * @params: its new configuration
 * @plan: result
 * Context: RTNL.
 */
void lle_headroom_plan(const struct lle_port *port,
		       const struct lle_port_params *params,
		       struct lle_headroom_plan *plan)
{
	const struct lle_switch *sw = port->sw;
	struct lle_sb_params *sb = &plan->sb;

	lle_port_ask(port, params, &plan->ask);
	plan->size = params->buffer_bytes ? params->buffer_bytes : sw->sb.size;
	plan->demand = sw->demand;
	lle_headroom_sub(&plan->demand, &port->ask);
	lle_headroom_add(&plan->demand, &plan->ask);
	plan->others = !lle_headroom_same(&sw->demand, sw->sb.size,
					  &plan->demand, plan->size);

	/* configured 0: computed */
	*sb = params->sb;
	if (!sb->xon_delta_bytes)
		sb->xon_delta_bytes = 2 * lle_reaction_frame(port);
	if (!sb->headroom_bytes)
		sb->headroom_bytes = lle_headroom_share(&plan->demand,
							plan->size, &plan->ask);
	lle_sb_params_init(sb);
}

/**
 * lle_headroom_fits() - test whether a plan leaves a frame of shared buffer
 * @port: port of the plan
 * @plan: the plan
 */
bool lle_headroom_fits(const struct lle_port *port,
		       const struct lle_headroom_plan *plan)
{
	u64 room = lle_headroom_room(&plan->demand, plan->size);

	return plan->demand.fixed_bytes + min(plan->demand.base_bytes, room) +
		       lle_reaction_frame(port) <= plan->size;
}

/**
 * lle_headroom_suffices() - test whether a plan covers the configured needs
 * @plan: the plan
 */
bool lle_headroom_suffices(const struct lle_headroom_plan *plan)
{
	return plan->sb.headroom_bytes >= plan->ask.base_bytes &&
	       !lle_headroom_is_short(&plan->demand, plan->size);
}

/* Carve out the bytes of @sb for @pfc_en. Under the switch's lock. */
static void lle_port_recarve(struct lle_port *port,
			     const struct lle_sb_params *sb, u8 pfc_en)
{
	struct lle_sb *buffer = &port->sw->sb;
	unsigned int p;

	buffer->carved -= lle_headroom_carve(port);
	port->sb = *sb;
	WRITE_ONCE(port->pfc_en, pfc_en);
	buffer->carved += lle_headroom_carve(port);
	lle_admit_close(port, !sb->quick_bytes);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		lle_sb_set_headroom(buffer, &port->ingress[p].pg,
				    sb->headroom_bytes);
}

/* Grow (@more) or shrink shares of all ports except @but. Under RTNL. */
static void lle_headroom_walk(struct lle_switch *sw,
			      const struct lle_headroom_demand *demand,
			      u64 size, bool more, const struct lle_port *but)
{
	struct lle_port *port;
	int bucket;

	hash_for_each(sw->ports, bucket, port, node) {
		struct lle_sb_params sb = port->sb;

		if (port == but || !port->ask.computed)
			continue;
		sb.headroom_bytes =
			lle_headroom_share(demand, size, &port->ask);
		if (more ? sb.headroom_bytes <= port->sb.headroom_bytes :
			   sb.headroom_bytes >= port->sb.headroom_bytes)
			continue;
		spin_lock_bh(&sw->lock);
		lle_port_recarve(port, &sb, port->pfc_en);
		spin_unlock_bh(&sw->lock);
	}
}

/**
 * lle_headroom_report() - report headroom that became too small, or sufficient
 * @port: the port
 * Context: RTNL.
 */
void lle_headroom_report(struct lle_port *port)
{
	bool is_short = lle_headroom_missing(port);

	if (!port->attached || is_short == port->headroom_short)
		return;
	port->headroom_short = is_short;
	lle_event_headroom(port);
}

/* With the shares of all ports in force. Under RTNL. */
static void lle_headroom_report_all(struct lle_switch *sw)
{
	struct lle_port *port;
	int bucket;

	hash_for_each(sw->ports, bucket, port, node) lle_headroom_report(port);
}

/* Schedule the next halving of reaction times, if not sooner. Under RTNL. */
static void lle_headroom_arm(struct lle_switch *sw)
{
	long left = sw->halved_at + LLE_REACTION_HALF - jiffies;

	if (!sw->demand.measured)
		return;
	spin_lock_bh(&sw->lock);
	if (!sw->headroom_soon)
		schedule_delayed_work(&sw->headroom_work, max(left, 1L));
	spin_unlock_bh(&sw->lock);
}

/**
 * lle_headroom_begin() - carry out a plan: shrink the shares of other ports
 * @port: port of the plan
 * @plan: the plan
 *
 * Until lle_headroom_commit() changes the thresholds of the port, its packets
 * are charged under the switch's lock.
 * Context: RTNL, may sleep.
 */
void lle_headroom_begin(struct lle_port *port,
			const struct lle_headroom_plan *plan)
{
	if (plan->others)
		lle_headroom_walk(port->sw, &plan->demand, plan->size, false,
				  port);
	/* last, as a walk that carves out headroom opens ports */
	if (port->attached && !lle_sb_same_thresholds(&port->sb, &plan->sb)) {
		spin_lock_bh(&port->sw->lock);
		lle_admit_close(port, true);
		spin_unlock_bh(&port->sw->lock);
		synchronize_net();
	}
}

/**
 * lle_headroom_commit() - carry out a plan: give the port its share
 * @port: the port
 * @plan: the plan
 * @pfc_en: bit p: priority p is lossless
 * Context: RTNL and switch's lock.
 */
void lle_headroom_commit(struct lle_port *port,
			 const struct lle_headroom_plan *plan, u8 pfc_en)
{
	WRITE_ONCE(port->sw->sb.size, plan->size);
	port->ask = plan->ask;
	lle_port_recarve(port, &plan->sb, pfc_en);
}

/**
 * lle_headroom_end() - carry out a plan: grow the shares of other ports
 * @port: the port
 * @plan: the plan
 * Context: RTNL.
 */
void lle_headroom_end(struct lle_port *port,
		      const struct lle_headroom_plan *plan)
{
	struct lle_switch *sw = port->sw;

	sw->demand = plan->demand;
	if (plan->others) {
		lle_headroom_walk(sw, &plan->demand, plan->size, true, port);
		lle_headroom_report_all(sw);
	} else {
		lle_headroom_report(port);
	}
	lle_headroom_arm(sw);
}

/**
 * lle_headroom_leave() - return the headroom of a port that ends
 * @port: the port; not attached, and a grace period after it was
 * Context: RTNL, may sleep.
 */
void lle_headroom_leave(struct lle_port *port)
{
	struct lle_switch *sw = port->sw;
	struct lle_headroom_demand before = sw->demand;

	lle_headroom_sub(&sw->demand, &port->ask);
	spin_lock_bh(&sw->lock);
	sw->sb.carved -= lle_headroom_carve(port);
	lle_sb_publish(&sw->sb);
	spin_unlock_bh(&sw->lock);

	if (!sw->attached) {
		cancel_delayed_work_sync(&sw->headroom_work);
	} else if (!lle_headroom_same(&before, sw->sb.size, &sw->demand,
				      sw->sb.size)) {
		lle_headroom_walk(sw, &sw->demand, sw->sb.size, true, NULL);
		lle_headroom_report_all(sw);
	}
}

/* Update a peer's learned reaction time and the port's demand. Under RTNL. */
static void lle_port_relearn(struct lle_port *port, bool halve)
{
	const struct lle_port_params *params = rtnl_dereference(port->params);
	struct lle_switch *sw = port->sw;
	struct lle_headroom_ask ask;

	spin_lock_bh(&sw->lock);
	if (halve) {
		WRITE_ONCE(port->learned_ns,
			   max(port->recent_ns, port->learned_ns / 2));
		port->recent_ns = 0;
	}
	spin_unlock_bh(&sw->lock);

	lle_port_ask(port, params, &ask);
	lle_headroom_sub(&sw->demand, &port->ask);
	lle_headroom_add(&sw->demand, &ask);
	spin_lock_bh(&sw->lock);
	port->ask = ask;
	spin_unlock_bh(&sw->lock);
}

/* Divide headroom by new or halved reaction times. Under RTNL. */
static void lle_headroom_relearn(struct lle_switch *sw)
{
	bool halve = time_after_eq(jiffies, sw->halved_at + LLE_REACTION_HALF);
	struct lle_port *port;
	int bucket;

	if (halve)
		sw->halved_at = jiffies;
	spin_lock_bh(&sw->lock);
	sw->headroom_soon = false;
	sw->relearned_at = jiffies;
	spin_unlock_bh(&sw->lock);

	hash_for_each(sw->ports, bucket, port, node)
		lle_port_relearn(port, halve);
	lle_headroom_walk(sw, &sw->demand, sw->sb.size, false, NULL);
	lle_headroom_walk(sw, &sw->demand, sw->sb.size, true, NULL);
	lle_headroom_report_all(sw);
	lle_headroom_arm(sw);
}

/*
 * Divides headroom by measured reaction times. May sleep, but must not wait for
 * RTNL: its holder may wait for this work in lle_headroom_leave().
 */
void lle_headroom_work(struct work_struct *work)
{
	struct lle_switch *sw = container_of(to_delayed_work(work),
					     struct lle_switch, headroom_work);

	if (!rtnl_trylock()) {
		schedule_delayed_work(&sw->headroom_work, 1);
		return;
	}
	lle_headroom_relearn(sw);
	rtnl_unlock();
}

/**
 * lle_headroom_missing() - compute the headroom that a port needs and lacks
 * @port: the port
 * Context: RTNL or switch's lock. Return: bytes per lossless priority.
 */
u32 lle_headroom_missing(const struct lle_port *port)
{
	u32 need = port->ask.need_bytes;

	if (!port->pfc_en || port->sb.headroom_bytes >= need)
		return 0;
	return need - port->sb.headroom_bytes;
}

/**
 * lle_headroom_recompute() - act on a new MTU or speed of the device
 * @port: the port
 * Context: RTNL, and the device's own lock if any.
 */
void lle_headroom_recompute(struct lle_port *port)
{
	const struct lle_port_params *params = rtnl_dereference(port->params);
	struct lle_headroom_plan plan;

	WRITE_ONCE(port->link_speed, lle_headroom_link_speed(port->dev));
	lle_headroom_plan(port, params, &plan);
	lle_headroom_begin(port, &plan);
	spin_lock_bh(&port->sw->lock);
	lle_headroom_commit(port, &plan, params->pfc_en);
	lle_congestion_commit(port, params);
	spin_unlock_bh(&port->sw->lock);
	lle_headroom_end(port, &plan);
	port->ops->retune(rtnl_dereference(port->dev->qdisc));
}
