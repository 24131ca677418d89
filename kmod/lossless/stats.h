/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_STATS_H
#define LLE_STATS_H

#include "types/port.h"

/*
 * Reads a counter without its writers' lock. They add plainly: they are in the
 * packet path. The next read corrects a value torn on 32 bit.
 */
#define lle_stats_peek(counter)	data_race(READ_ONCE(counter))

void lle_stats_rx(const struct lle_port *port, unsigned int prio, u64 *packets,
		  u64 *dropped);
void lle_stats_read(struct lle_port *port, unsigned int prio,
		    struct lle_prio_stats *s);
int lle_stats_put_prio(struct sk_buff *skb, struct lle_port *port,
		       unsigned int prio);
int lle_stats_put_port(struct sk_buff *skb, struct lle_port *port,
		       u64 wire_bytes);
int lle_stats_unaccounted_at(const struct lle_port *egress);

/* sysfs.c */
int lle_sysfs_add(struct lle_port *port);
void lle_sysfs_del(struct lle_port *port);

/* burst.c */
int lle_burst_init(void);
void lle_burst_exit(void);

#endif /* LLE_STATS_H */
