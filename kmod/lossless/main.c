// SPDX-License-Identifier: GPL-2.0
/* lossless.ko: initialisation, and notifications of the network stack. */
#include <linux/module.h>
#include <linux/netdevice.h>

#include "burst.h"
#include "headroom.h"
#include "host.h"
#include "members.h"
#include "netlink.h"
#include "path_group.h"
#include "port.h"
#include "switch.h"
#include "tx.h"

static int lle_netdev_event(struct notifier_block *nb, unsigned long event,
			    void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	const struct netdev_notifier_changeupper_info *upper = ptr;
	struct lle_port *port = lle_net_find_port(dev_net(dev), dev->ifindex);

	if (event == NETDEV_CHANGEUPPER && upper->linking)
		lle_gap_warn(dev, port ? port->pfc_en : 0,
			     netdev_notifier_info_to_extack(ptr));

	if (!port)
		return NOTIFY_DONE;

	switch (event) {
	case NETDEV_DOWN:
		lle_host_down(port);
		fallthrough;
	case NETDEV_UP:
		lle_port_link_changed(port);
		break;
	case NETDEV_CHANGE:
		if (netif_carrier_ok(dev)) {
			lle_port_recompute(port);
			lle_tx_kick(port);
		} else {
			lle_port_link_changed(port);
		}
		break;
	case NETDEV_CHANGEMTU:
		lle_port_recompute(port);
		break;
	case NETDEV_CHANGEUPPER:
		lle_path_upper_changed(port);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block lle_netdev_notifier = {
	.notifier_call = lle_netdev_event,
};

static int __init lle_init(void)
{
	int err;

	err = lle_switch_net_init();
	if (err)
		return err;
	err = lle_genl_init();
	if (err)
		goto err_net;
	err = register_netdevice_notifier(&lle_netdev_notifier);
	if (err)
		goto err_genl;
	err = lle_burst_init();
	if (err)
		goto err_notifier;
	return 0;

err_notifier:
	unregister_netdevice_notifier(&lle_netdev_notifier);
err_genl:
	lle_genl_exit();
err_net:
	lle_switch_net_exit();
	return err;
}

static void __exit lle_exit(void)
{
	lle_burst_exit();
	unregister_netdevice_notifier(&lle_netdev_notifier);
	lle_genl_exit();
	lle_switch_net_exit();
	/* ports are freed by call_rcu() */
	rcu_barrier();
}

module_init(lle_init);
module_exit(lle_exit);

MODULE_DESCRIPTION("Linux Lossless Ethernet: switch");
MODULE_LICENSE("GPL");
MODULE_VERSION(LLE_VERSION);
