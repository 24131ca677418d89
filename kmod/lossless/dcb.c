// SPDX-License-Identifier: GPL-2.0
/*
 * dcb(8) and DCBX agents on a port, if its driver does not implement DCB.
 *
 * These dcbnl operations keep no state: they change and read the port or its
 * qdisc, as tc does, and refuse a setting that the qdisc cannot implement.
 *
 * All are called under RTNL, and none under the device's own lock.
 */
#include <linux/dcbnl.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>
#include <net/dcbnl.h>
#include <net/netdev_lock.h>

#include "../core/sched/ets.h"
#include "dcb.h"
#include "headroom.h"
#include "stats.h"
#include "switch.h"

/* A host agent runs IEEE DCBX; if it is static, it cannot switch off PFC. */
#define LLE_DCBX (DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)

/*
 * --- dcb-app(8): priorities of DSCPs and of EtherTypes ---
 *
 * They are parameters of the port, which are only copied to the table that dcb
 * shows: the stack keys that by ifindex without the namespace.
 */

/* EtherTypes of headers that the port parses, and of its own frames */
static bool lle_dcb_app_is_known(u16 type)
{
	return type == ETH_P_IP || type == ETH_P_IPV6 ||
	       eth_type_vlan(htons(type)) || type == LLE_ETH_P_MAC_CONTROL ||
	       type == LLE_ETH_P_DEADLOCK || type == LLE_ETH_P_CN;
}

static struct lle_ethertype *lle_app_find(struct lle_port_params *params,
					  u16 type)
{
	unsigned int i;

	for (i = 0; i < params->num_ethertype; i++)
		if (params->ethertype[i].type == htons(type))
			return &params->ethertype[i];
	return NULL;
}

static int lle_app_set_dscp(const struct lle_port *port,
			    struct lle_port_params *params,
			    const struct dcb_app *app)
{
	if (app->protocol >= ARRAY_SIZE(params->dscp_prio))
		return -EINVAL;
	if (params->trust != LLE_TRUST_DSCP) {
		netdev_warn(port->dev,
			    "dcb app: refused: the port does not look at DSCP: tc qdisc change dev %s root lossless trust dscp\n",
			    port->dev->name);
		return -EINVAL;
	}
	params->dscp_prio[app->protocol] = app->priority;
	return 0;
}

static int lle_app_set_ethertype(const struct lle_port *port,
				 struct lle_port_params *params,
				 const struct dcb_app *app)
{
	struct lle_ethertype *entry = lle_app_find(params, app->protocol);

	if (params->trust == LLE_TRUST_NONE) {
		netdev_warn(port->dev,
			    "dcb app: refused: the port has trust none: tc qdisc change dev %s root lossless trust dscp\n",
			    port->dev->name);
		return -EINVAL;
	}
	if (!entry && params->num_ethertype == LLE_NUM_ETHERTYPE) {
		netdev_warn(port->dev,
			    "dcb app: refused: the port has %u EtherTypes already\n",
			    LLE_NUM_ETHERTYPE);
		return -ENOSPC;
	}
	if (!entry)
		entry = &params->ethertype[params->num_ethertype++];
	entry->type = htons(app->protocol);
	entry->prio = app->priority;
	return 0;
}

/*
 * Sets the priority of a DSCP or an EtherType in @params. @app is hostile.
 * -EOPNOTSUPP: the port does not classify by it; the kernel's log has the
 * reason of an error.
 */
static int lle_dcb_app_set(const struct lle_port *port,
			   struct lle_port_params *params,
			   const struct dcb_app *app)
{
	if (app->priority >= LLE_NUM_PRIO)
		return -EINVAL;
	if (app->selector == IEEE_8021QAZ_APP_SEL_DSCP)
		return lle_app_set_dscp(port, params, app);
	if (app->selector == IEEE_8021QAZ_APP_SEL_ETHERTYPE &&
	    eth_proto_is_802_3(htons(app->protocol)) &&
	    !lle_dcb_app_is_known(app->protocol))
		return lle_app_set_ethertype(port, params, app);
	netdev_warn(port->dev,
		    "dcb app: refused: a port looks at the DSCP of IP packets, and at the EtherType of others: classify by DSCP (dscp-prio)\n");
	return -EOPNOTSUPP;
}

/*
 * Resets one to its default priority. False: unchanged, as its priority is not
 * that of @app, which is hostile.
 */
static bool lle_dcb_app_unset(struct lle_port_params *params,
			      const struct dcb_app *app)
{
	struct lle_ethertype *entry;
	u8 *prio;

	if (app->selector == IEEE_8021QAZ_APP_SEL_DSCP &&
	    app->protocol < ARRAY_SIZE(params->dscp_prio)) {
		prio = &params->dscp_prio[app->protocol];
		if (*prio != app->priority || *prio == app->protocol >> 3)
			return false;
		*prio = app->protocol >> 3;
		return true;
	}
	if (app->selector != IEEE_8021QAZ_APP_SEL_ETHERTYPE)
		return false;
	entry = lle_app_find(params, app->protocol);
	if (!entry || entry->prio != app->priority)
		return false;
	*entry = params->ethertype[--params->num_ethertype];
	return true;
}

/* Return: LLE_NUM_PRIO if the port does not classify by DSCP, or is NULL. */
static u8 lle_app_dscp(const struct lle_port_params *params, unsigned int dscp)
{
	return params && params->trust == LLE_TRUST_DSCP ?
	       params->dscp_prio[dscp] : LLE_NUM_PRIO;
}

static unsigned int lle_app_num(const struct lle_port_params *params)
{
	return params && params->trust != LLE_TRUST_NONE ?
	       params->num_ethertype : 0;
}

/* Does @b lack the EtherType @a, or give it another priority? */
static bool lle_app_differs(const struct lle_ethertype *a,
			    const struct lle_port_params *b)
{
	unsigned int i;

	for (i = 0; i < lle_app_num(b); i++)
		if (b->ethertype[i].type == a->type)
			return b->ethertype[i].prio != a->prio;
	return true;
}

static void lle_app_show_ethertypes(struct net_device *dev,
				    const struct lle_port_params *old,
				    const struct lle_port_params *params)
{
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_ETHERTYPE };
	const struct lle_ethertype *entry;
	unsigned int i;

	for (i = 0; i < lle_app_num(old); i++) {
		entry = &old->ethertype[i];
		app.protocol = ntohs(entry->type);
		app.priority = entry->prio;
		if (lle_app_differs(entry, params))
			dcb_ieee_delapp(dev, &app);
	}
	for (i = 0; i < lle_app_num(params); i++) {
		entry = &params->ethertype[i];
		app.protocol = ntohs(entry->type);
		app.priority = entry->prio;
		if (lle_app_differs(entry, old))
			dcb_ieee_setapp(dev, &app);
	}
}

/*
 * Updates the table that dcb shows. @old, @params: NULL: it was no port, or is
 * none from now on. Writes only differences: a device of another namespace may
 * share ifindex and table. Default priorities of DSCPs are shown only if dcb
 * set them.
 */
static void lle_dcb_app_show(struct net_device *dev,
			     const struct lle_port_params *old,
			     const struct lle_port_params *params)
{
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_DSCP };
	u8 was, is;

	for (app.protocol = 0; app.protocol < 64; app.protocol++) {
		was = lle_app_dscp(old, app.protocol);
		is = lle_app_dscp(params, app.protocol);
		if (was == is)
			continue;
		app.priority = was;
		if (was < LLE_NUM_PRIO)
			dcb_ieee_delapp(dev, &app);
		app.priority = is;
		if (is < LLE_NUM_PRIO && is != app.protocol >> 3)
			dcb_ieee_setapp(dev, &app);
	}
	lle_app_show_ethertypes(dev, old, params);
}

/* --- operations --- */

static struct lle_port *lle_dcb_port(struct net_device *dev)
{
	return lle_switch_net_find_port(dev_net(dev), dev->ifindex);
}

static int lle_dcb_getpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct lle_port *port = lle_dcb_port(dev);
	struct lle_prio_stats s;
	unsigned int p;

	if (!port)
		return -ENODEV;

	pfc->pfc_cap = LLE_NUM_PRIO;
	pfc->pfc_en = port->pfc_en;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		lle_stats_read(port, p, &s);
		pfc->requests[p] = s.tx_pause + s.tx_resume;
		pfc->indications[p] = s.rx_pause + s.rx_resume;
	}
	return 0;
}

static int lle_dcb_configure(struct lle_port *port,
			     const struct lle_port_params *params)
{
	int err;

	netdev_lock_ops(port->dev);
	err = port->ops->configure(rtnl_dereference(port->dev->qdisc), params);
	netdev_unlock_ops(port->dev);
	return err;
}

/*
 * Refuse a new lossless priority without headroom, or at the expense of other
 * ports. tc warns instead, which dcbnl cannot.
 */
static int lle_dcb_check_pfc(const struct lle_port *port,
			     const struct lle_port_params *params)
{
	struct lle_headroom_plan plan;

	if (!(params->pfc_en & ~port->pfc_en))
		return 0;
	lle_headroom_plan(port, params, &plan);
	if (lle_headroom_suffices(&plan))
		return 0;
	netdev_warn(port->dev,
		    "PFC refused: headroom of %u bytes, %u needed: raise buffer or headroom\n",
		    plan.sb.headroom_bytes, plan.ask.base_bytes);
	return -ENOBUFS;
}

static int lle_dcb_setpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct lle_port *port = lle_dcb_port(dev);
	struct lle_port_params params;
	int err;

	if (!port)
		return -ENODEV;
	/* no MACsec; the delay is that of the link, or set by tc */
	if (pfc->mbc || pfc->delay)
		return -EOPNOTSUPP;

	params = *rtnl_dereference(port->params);
	params.pfc_en = pfc->pfc_en;
	if (port->dcbx_static && port->pfc_en & ~params.pfc_en) {
		netdev_warn(dev, "PFC stays on, as DCBX is static: %s (%d) asked to switch it off\n",
			    current->comm, task_tgid_vnr(current));
		return -EBUSY;
	}
	err = lle_dcb_check_pfc(port, &params);
	return err ? err : lle_dcb_configure(port, &params);
}

static int lle_dcb_getets(struct net_device *dev, struct ieee_ets *ets)
{
	struct lle_port *port = lle_dcb_port(dev);
	struct lle_sched_params sched;
	struct lle_ets e;
	unsigned int tc;

	if (!port)
		return -ENODEV;

	port->ops->get_sched(rtnl_dereference(dev->qdisc), &sched);
	lle_ets_from_sched(&sched, &e);

	ets->ets_cap = IEEE_8021QAZ_MAX_TCS;
	memcpy(ets->prio_tc, e.prio_tc, sizeof(ets->prio_tc));
	memcpy(ets->tc_tx_bw, e.tc_bw, sizeof(ets->tc_tx_bw));
	for (tc = 0; tc < IEEE_8021QAZ_MAX_TCS; tc++)
		ets->tc_tsa[tc] = e.shared & BIT(tc) ? IEEE_8021QAZ_TSA_ETS :
						       IEEE_8021QAZ_TSA_STRICT;
	return 0;
}

/* Agents zero tables that the port does not have, or copy @sent to them. */
static bool lle_dcb_follows(const u8 *table, const u8 *sent)
{
	return !memchr_inv(table, 0, IEEE_8021QAZ_MAX_TCS) ||
	       !memcmp(table, sent, IEEE_8021QAZ_MAX_TCS);
}

static int lle_dcb_setets(struct net_device *dev, struct ieee_ets *ets)
{
	struct lle_port *port = lle_dcb_port(dev);
	struct lle_sched_params sched;
	struct lle_ets e = {};
	unsigned int tc;

	if (!port)
		return -ENODEV;
	/* willing and recommendations belong to the agent */
	if (ets->willing || ets->cbs ||
	    !lle_dcb_follows(ets->tc_rx_bw, ets->tc_tx_bw) ||
	    !lle_dcb_follows(ets->tc_reco_bw, ets->tc_tx_bw) ||
	    !lle_dcb_follows(ets->tc_reco_tsa, ets->tc_tsa) ||
	    !lle_dcb_follows(ets->reco_prio_tc, ets->prio_tc))
		return -EOPNOTSUPP;

	memcpy(e.prio_tc, ets->prio_tc, sizeof(e.prio_tc));
	memcpy(e.tc_bw, ets->tc_tx_bw, sizeof(e.tc_bw));
	for (tc = 0; tc < IEEE_8021QAZ_MAX_TCS; tc++) {
		if (ets->tc_tsa[tc] == IEEE_8021QAZ_TSA_ETS)
			e.shared |= BIT(tc);
		else if (ets->tc_tsa[tc] != IEEE_8021QAZ_TSA_STRICT)
			return -EOPNOTSUPP;
	}

	port->ops->get_sched(rtnl_dereference(dev->qdisc), &sched);
	if (!lle_ets_to_sched(&e, lle_reaction_frame(port), &sched))
		return -EINVAL;
	port->ops->set_sched(rtnl_dereference(dev->qdisc), &sched);
	return 0;
}

static u8 lle_dcb_getdcbx(struct net_device *dev)
{
	struct lle_port *port = lle_dcb_port(dev);

	return LLE_DCBX | (port && port->dcbx_static ? DCB_CAP_DCBX_STATIC : 0);
}

static u8 lle_dcb_setdcbx(struct net_device *dev, u8 mode)
{
	struct lle_port *port = lle_dcb_port(dev);

	if (!port || (mode & ~DCB_CAP_DCBX_STATIC) != LLE_DCBX)
		return 1;
	/* sticky: agents clear the flag when they start */
	if (port->dcbx_static && !(mode & DCB_CAP_DCBX_STATIC))
		return 1;
	port->dcbx_static = mode & DCB_CAP_DCBX_STATIC;
	return 0;
}

static int lle_dcb_getbuffer(struct net_device *dev,
			     struct dcbnl_buffer *buffer)
{
	struct lle_port *port = lle_dcb_port(dev);
	unsigned int p;

	if (!port)
		return -ENODEV;

	spin_lock_bh(&port->sw->lock);
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		buffer->prio2buffer[p] = p;
		buffer->buffer_size[p] = port->sb.reserved_bytes;
		if (port->pfc_en & BIT(p))
			buffer->buffer_size[p] += port->sb.headroom_bytes;
	}
	buffer->total_size = port->sw->sb.size;
	spin_unlock_bh(&port->sw->lock);
	return 0;
}

static int lle_dcb_setapp(struct net_device *dev, struct dcb_app *app)
{
	struct lle_port *port = lle_dcb_port(dev);
	struct lle_port_params params;
	int err;

	if (!port)
		return -ENODEV;
	params = *rtnl_dereference(port->params);
	err = lle_dcb_app_set(port, &params, app);
	if (!err)
		err = lle_dcb_configure(port, &params);
	if (!err)
		/* also a default priority, as it was requested */
		dcb_ieee_setapp(dev, app);
	return err;
}

static int lle_dcb_delapp(struct net_device *dev, struct dcb_app *app)
{
	struct lle_port *port = lle_dcb_port(dev);
	struct lle_port_params params;
	int err = 0;

	if (!port)
		return -ENODEV;
	params = *rtnl_dereference(port->params);
	if (lle_dcb_app_unset(&params, app))
		err = lle_dcb_configure(port, &params);
	if (!err)
		dcb_ieee_delapp(dev, app);
	return err;
}

/* Without operations that refuse, the stack would report success. */
#define LLE_DCB_REFUSE(name, type)					\
static int __maybe_unused lle_dcb_##name(struct net_device *dev,	\
					 struct type *arg)		\
{									\
	return -EOPNOTSUPP;						\
}

LLE_DCB_REFUSE(setbuffer, dcbnl_buffer)
LLE_DCB_REFUSE(setmaxrate, ieee_maxrate)
LLE_DCB_REFUSE(setqcn, ieee_qcn)
LLE_DCB_REFUSE(setrewr, dcb_app)

static int lle_dcb_setapp_cee(struct net_device *dev, u8 type, u16 id, u8 prios)
{
	return -EOPNOTSUPP;
}

static const struct dcbnl_rtnl_ops lle_dcb_ops = {
	.ieee_getpfc = lle_dcb_getpfc,
	.ieee_setpfc = lle_dcb_setpfc,
	.ieee_getets = lle_dcb_getets,
	.ieee_setets = lle_dcb_setets,
	.ieee_setmaxrate = lle_dcb_setmaxrate,
	.ieee_setqcn = lle_dcb_setqcn,
	.ieee_setapp = lle_dcb_setapp,
	.ieee_delapp = lle_dcb_delapp,
	.setapp = lle_dcb_setapp_cee,
	LLE_DCB_REWR(lle_dcb_setrewr)
	.getdcbx = lle_dcb_getdcbx,
	.setdcbx = lle_dcb_setdcbx,
	.dcbnl_getbuffer = lle_dcb_getbuffer,
	.dcbnl_setbuffer = lle_dcb_setbuffer,
};

/**
 * lle_dcb_add() - set dcbnl operations, unless the driver has its own
 * @port: a new port
 * Context: RTNL.
 */
void lle_dcb_add(struct lle_port *port)
{
	if (port->dev->dcbnl_ops)
		return;
	port->dev->dcbnl_ops = &lle_dcb_ops;
	lle_dcb_app_show(port->dev, NULL, rtnl_dereference(port->params));
}

/**
 * lle_dcb_replaced() - act on new parameters of a port
 * @port: the port
 * @old: previous parameters
 * @params: new parameters
 * Context: RTNL.
 */
void lle_dcb_replaced(struct lle_port *port, const struct lle_port_params *old,
		      const struct lle_port_params *params)
{
	if (port->dev->dcbnl_ops == &lle_dcb_ops)
		lle_dcb_app_show(port->dev, old, params);
}

/**
 * lle_dcb_del() - remove the dcbnl operations from a port
 * @port: the port
 * Context: RTNL.
 */
void lle_dcb_del(struct lle_port *port)
{
	if (port->dev->dcbnl_ops != &lle_dcb_ops)
		return;
	lle_dcb_app_show(port->dev, rtnl_dereference(port->params), NULL);
	port->dev->dcbnl_ops = NULL;
}

/**
 * lle_dcb_changed() - notify RTNLGRP_DCB of a change by tc
 * @port: the port; its qdisc is at the device's root
 *
 * The stack itself notifies of changes by dcb.
 * Context: RTNL, may sleep.
 */
void lle_dcb_changed(struct lle_port *port)
{
	if (port->dev->dcbnl_ops == &lle_dcb_ops)
		dcbnl_ieee_notify(port->dev, RTM_SETDCB, DCB_CMD_IEEE_SET, 0,
				  0);
}
EXPORT_SYMBOL_GPL(lle_dcb_changed);
