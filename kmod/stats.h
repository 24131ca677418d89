/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_STATS_H
#define LLE_STATS_H

#include "port.h"

void lle_stats_read(struct lle_port *port, unsigned int prio,
		    struct lle_prio_stats *s);
int lle_stats_put_prio(struct sk_buff *skb, struct lle_port *port,
		       unsigned int prio);
int lle_stats_put_port(struct sk_buff *skb, struct lle_port *port,
		       u64 wire_bytes);

#endif /* LLE_STATS_H */
