// SPDX-License-Identifier: GPL-2.0
/* lossless.ko: initialisation, and notifications of the network stack. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/switchdev.h>

#include "headroom.h"
#include "host.h"
#include "netlink.h"
#include "port.h"
#include "stats.h"
#include "switch.h"
#include "tx.h"

static void lle_device_changed(struct lle_port *port)
{
	struct netlink_ext_ack extack = {};

	lle_headroom_recompute(port);
	if (lle_port_check(port, rtnl_dereference(port->params), &extack))
		netdev_warn(port->dev, "%s\n", extack._msg);
}

static int lle_netdev_event(struct notifier_block *nb, unsigned long event,
			    void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	const struct netdev_notifier_changeupper_info *upper = ptr;
	struct lle_port *port = lle_switch_net_find_port(dev_net(dev),
							 dev->ifindex);

	if (event == NETDEV_CHANGEUPPER && upper->linking)
		lle_port_check_members(dev, port ? port->pfc_en : 0,
				       netdev_notifier_info_to_extack(ptr));

	if (!port)
		return NOTIFY_DONE;

	switch (event) {
	case NETDEV_PRECHANGEUPPER:
		if (!upper->linking)
			break;
		return notifier_from_errno(lle_port_check_upper(port, upper->upper_dev,
				netdev_notifier_info_to_extack(ptr)));
	case NETDEV_DOWN:
		lle_host_down(port);
		fallthrough;
	case NETDEV_UP:
		lle_port_link_changed(port);
		break;
	case NETDEV_CHANGE:
		if (netif_carrier_ok(dev)) {
			lle_device_changed(port);
			lle_tx_kick(port);
		} else {
			lle_port_link_changed(port);
		}
		break;
	case NETDEV_CHANGEMTU:
		lle_device_changed(port);
		break;
	case NETDEV_CHANGEUPPER:
		lle_path_group_upper_changed(port);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block lle_netdev_notifier = {
	.notifier_call = lle_netdev_event,
};

static struct notifier_block lle_switchdev_notifier = {
	.notifier_call = lle_port_check_ends,
};

static int __init lle_init(void)
{
	int err;

	err = lle_switch_net_init();
	if (err)
		return err;
	err = lle_netlink_init();
	if (err)
		goto err_net;
	err = register_netdevice_notifier(&lle_netdev_notifier);
	if (err)
		goto err_genl;
	err = register_switchdev_notifier(&lle_switchdev_notifier);
	if (err)
		goto err_netdev;
	err = lle_burst_init();
	if (err)
		goto err_switchdev;
	return 0;

err_switchdev:
	unregister_switchdev_notifier(&lle_switchdev_notifier);
err_netdev:
	unregister_netdevice_notifier(&lle_netdev_notifier);
err_genl:
	lle_netlink_exit();
err_net:
	lle_switch_net_exit();
	return err;
}

static void __exit lle_exit(void)
{
	lle_burst_exit();
	unregister_switchdev_notifier(&lle_switchdev_notifier);
	unregister_netdevice_notifier(&lle_netdev_notifier);
	lle_netlink_exit();
	lle_switch_net_exit();
	/* ports are freed by call_rcu() */
	rcu_barrier();
}

module_init(lle_init);
module_exit(lle_exit);

MODULE_DESCRIPTION("Linux Lossless Ethernet: switch");
MODULE_LICENSE("GPL");
MODULE_VERSION(LLE_VERSION);
