/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CONGESTION_H
#define LLE_CONGESTION_H

#include "types/port.h"

struct lle_congestion;
struct lle_rcm_params;
struct netlink_ext_ack;

int lle_congestion_prepare(struct lle_port *port,
			   const struct lle_port_params *params,
			   struct netlink_ext_ack *extack);
void lle_congestion_commit(struct lle_port *port, const struct lle_port_params *params);
void lle_congestion_free(struct lle_port *port);
u64 lle_congestion_unit_ns(const struct lle_port *port,
			   const struct lle_port_params *params);
void lle_congestion_effective(const struct lle_port *port,
			      const struct lle_port_params *params,
			      struct lle_rcm_params *p);
bool lle_congestion_changed(struct lle_port *port, unsigned int prio,
			    const struct lle_port *egress,
			    const struct lle_rcm_change *c);

void lle_congestion_due(struct lle_port *port, u64 due_ns);
void lle_congestion_read(struct lle_port *port, unsigned int prio,
			 struct lle_congestion *c);
void lle_congestion_report(struct lle_port *port, unsigned int prio,
			   struct lle_congestion *c);

/* notification.c */
unsigned int lle_notification_rx(struct lle_port *port, struct sk_buff *skb);
struct sk_buff *lle_notification_tx(struct lle_port *port, u64 now_ns);

#endif /* LLE_CONGESTION_H */
