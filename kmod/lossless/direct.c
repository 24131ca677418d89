// SPDX-License-Identifier: GPL-2.0
/*
 * Suspends "direct" while a port of the switch has filters at ingress.
 *
 * Such filters run before the receive hook. If one redirects all packets to a
 * port, PFC frames and messages are among them. The queues take these out, see
 * lle_rx_bypass(); a packet that does not pass the queues is not looked at.
 *
 * The kernel notifies no module of a new filter. So while a switch has a port
 * with "direct", a work looks at all its ports once a second. Its timer is not
 * deferrable, as that of an idle CPU would never run while others forward.
 */
#include <linux/rtnetlink.h>

#include "direct.h"
#include "tx.h"

/* Time from one look to the next */
#define LLE_DIRECT_GAP	HZ

/**
 * struct lle_direct - what prevents "direct" at the ports of a switch
 * @wanted: a port has that option
 * @dev: a device with filters at ingress; NULL: there is none
 */
struct lle_direct {
	bool wanted;
	struct net_device *dev;
};

/* Add a port with these parameters. Under RCU or RTNL. */
static void lle_direct_see(struct lle_direct *d, const struct lle_port *port,
			   const struct lle_port_params *params)
{
	d->wanted |= params->direct;
	if (lle_dev_has_ingress_filters(port->dev))
		d->dev = port->dev;
}

/* Under RCU, BH off. */
static void lle_direct_stop(struct lle_switch *sw)
{
	struct lle_port *port;
	int bucket;

	hash_for_each_rcu(sw->ports, bucket, port, node)
		lle_tx_stop_direct(port);
}

/**
 * lle_direct_work() - look for filters, and look again later
 * @work: of the switch; runs only while a port has "direct"
 *
 * Without filters each port returns to "direct" when it is idle.
 *
 * Context: may sleep; takes root locks, but not RTNL: its holder may be waiting
 * for this work. A port that ends waits for RCU before its device goes.
 */
void lle_direct_work(struct work_struct *work)
{
	struct lle_switch *sw = container_of(to_delayed_work(work),
					     struct lle_switch, direct_work);
	struct lle_direct d = {};
	struct lle_port *port;
	bool filtered;
	int bucket;

	rcu_read_lock_bh();
	hash_for_each_rcu(sw->ports, bucket, port, node)
		lle_direct_see(&d, port, rcu_dereference_bh(port->params));
	filtered = d.wanted && d.dev;
	if (filtered && !sw->filtered)
		netdev_warn(d.dev,
			    "direct: suspended at all ports of switch %u: filters at ingress of this device may redirect PFC frames; remove them, and their qdisc\n",
			    sw->id);
	WRITE_ONCE(sw->filtered, filtered);
	if (filtered)
		lle_direct_stop(sw);
	rcu_read_unlock_bh();

	if (d.wanted)
		schedule_delayed_work(&sw->direct_work, LLE_DIRECT_GAP);
}

/**
 * lle_direct_look() - look for filters after a change of the ports of a switch
 * @sw: the switch
 *
 * Starts the work if a port has "direct"; else, or without ports, ends it.
 *
 * Context: RTNL, may sleep.
 */
void lle_direct_look(struct lle_switch *sw)
{
	ASSERT_RTNL();

	cancel_delayed_work_sync(&sw->direct_work);
	lle_direct_work(&sw->direct_work.work);
}

/**
 * lle_direct_warn() - warn of filters that suspend "direct"
 * @port: the port that is being configured; it need not be attached
 * @params: its configuration
 * @extack: for the warning, unless it has a message already; may be NULL
 *
 * Context: RTNL.
 */
void lle_direct_warn(const struct lle_port *port,
		     const struct lle_port_params *params,
		     struct netlink_ext_ack *extack)
{
	const struct lle_port *other;
	struct lle_direct d = {};
	int bucket;

	ASSERT_RTNL();

	lle_direct_see(&d, port, params);
	hash_for_each(port->sw->ports, bucket, other, node)
		if (other != port)
			lle_direct_see(&d, other,
				       rtnl_dereference(other->params));
	if (extack && !extack->_msg && d.wanted && d.dev)
		NL_SET_ERR_MSG_NAMES(extack,
				     "direct: suspended by filters at ingress of a port of the switch; remove them; the kernel's log names it",
				     "direct: suspended by filters at ingress of %s; remove them",
				     d.dev->name);
}
