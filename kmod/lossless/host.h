/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_HOST_H
#define LLE_HOST_H

#include <linux/hrtimer.h>
#include <linux/skbuff.h>

#include "../core/buffer/memory.h"
#include "../core/sched/link.h"

struct lle_gso;
struct lle_port;
struct lle_port_params;

/**
 * struct lle_host - receive side of a NIC
 * @port: the port, of role host; its rx-rate is or was limited
 * @queue: arrived packets, in order, charged to @port; its lock protects all
 *	members below
 * @memory: memory of its packets
 * @pipe: the pipeline that empties @queue; busy until @pipe.free_ns
 * @pipe_params: its rate
 * @stopped: it takes no packet at all
 * @armed: @timer is set, or its function is running
 * @timer: passes on packets through the pipeline
 * @idle_since_ns: while @queue is not empty: time when the pipeline last took a
 *	packet, or when the first was queued if later
 */
struct lle_host {
	struct lle_port *port;
	struct sk_buff_head queue;
	struct lle_sb_memory memory;
	struct lle_link pipe;
	struct lle_link_params pipe_params;
	bool stopped;
	bool armed;
	struct hrtimer timer;
	u64 idle_since_ns;
};

int lle_host_alloc(struct lle_port *port, const struct lle_port_params *params,
		   struct lle_host **host);
void lle_host_configure(struct lle_port *port,
			const struct lle_port_params *params,
			struct lle_host *host);
void lle_host_down(struct lle_port *port);
void lle_host_end(struct lle_port *port);
u64 lle_host_stuck_since(struct lle_port *port, unsigned int prio);
bool lle_host_take(struct lle_host *host, struct sk_buff *skb,
		   unsigned int prio, const struct lle_gso *size);

#endif /* LLE_HOST_H */
