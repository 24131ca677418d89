/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_PORT_H
#define LLE_PORT_H

#include "headroom.h"

struct netlink_ext_ack;

/**
 * struct lle_port_update - a checked configuration, ready to be applied
 * @params: new parameters of the port
 * @plan: new headroom
 * @deadlock: from lle_deadlock_prepare()
 * @host: from lle_host_alloc()
 */
struct lle_port_update {
	struct lle_port_params *params;
	struct lle_headroom_plan plan;
	struct lle_deadlock *deadlock;
	struct lle_host *host;
};

u32 lle_port_switch_id(struct net_device *dev);
struct lle_port *lle_port_attach(struct net_device *dev,
				 const struct lle_port_ops *ops, u32 switch_id,
				 const struct lle_port_params *params,
				 struct lle_port_update **update,
				 struct netlink_ext_ack *extack);
void lle_port_detach(struct lle_port *port);
void lle_port_commit(struct lle_port *port, struct lle_port_update *update);
void lle_port_cancel(struct lle_port_update *update);
int lle_port_configure(struct lle_port *port,
		       const struct lle_port_params *params,
		       struct netlink_ext_ack *extack);
int lle_port_resize(struct lle_port *port, u32 buffer_bytes,
		    struct netlink_ext_ack *extack);
void lle_port_clear_max(struct lle_port *port);
void lle_port_link_changed(struct lle_port *port);

/* port_check.c */
int lle_port_check_device(const struct net_device *dev,
			  struct netlink_ext_ack *extack);
int lle_port_check_upper(const struct lle_port *port,
			 const struct net_device *upper,
			 struct netlink_ext_ack *extack);
int lle_port_check_ends(struct notifier_block *nb, unsigned long event,
			void *ptr);
int lle_port_check(const struct lle_port *port,
		   const struct lle_port_params *params,
		   struct netlink_ext_ack *extack);
void lle_port_check_warn(const struct lle_port *port,
			 const struct lle_port_update *update,
			 struct netlink_ext_ack *extack);
void lle_port_check_members(struct net_device *dev, u8 pfc_en,
			    struct netlink_ext_ack *extack);

#endif /* LLE_PORT_H */
