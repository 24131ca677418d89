// SPDX-License-Identifier: GPL-2.0
/*
 * The selectors of dcb-app(8): priorities of DSCPs and of EtherTypes.
 *
 * They are parameters of the port, which are only copied to the table that dcb
 * shows: the stack keys that by ifindex without the namespace.
 */
#include <linux/dcbnl.h>
#include <linux/if_vlan.h>
#include <net/dcbnl.h>

#include "dcb_app.h"
#include "types/port.h"

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

/**
 * lle_dcb_app_set() - set the priority of a DSCP or an EtherType
 * @port: the port
 * @params: parameters, which are changed
 * @app: selector, value and priority; hostile
 * Context: RTNL.
 * Return: 0; -EINVAL; -ENOSPC; -EOPNOTSUPP: the port does not classify by it;
 * the kernel's log has the reason.
 */
int lle_dcb_app_set(const struct lle_port *port, struct lle_port_params *params,
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

/**
 * lle_dcb_app_unset() - reset a DSCP or an EtherType to its default priority
 * @params: parameters, which are changed
 * @app: selector, value and priority; hostile
 * Return: false: unchanged, as its priority is not that of @app.
 */
bool lle_dcb_app_unset(struct lle_port_params *params,
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

/**
 * lle_dcb_app_show() - update the table that dcb shows
 * @dev: the device
 * @old: previous parameters; NULL: it was no port
 * @params: new parameters; NULL: it is no port from now on
 *
 * Writes only differences: a device of another namespace may share ifindex and
 * table. Default priorities of DSCPs are shown only if dcb set them.
 * Context: RTNL.
 */
void lle_dcb_app_show(struct net_device *dev, const struct lle_port_params *old,
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
