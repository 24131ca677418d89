/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ORACLE_H
#define ORACLE_H

#include <linux/hrtimer.h>
#include <linux/netdevice.h>
#include <linux/netfilter_netdev.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>

#include "../../qdisc/queue.h"

/**
 * struct oracle_faults - faults of frames between switches
 * @seed: random seed
 * @loss: loss of messages of deadlock detection, 1/1000; a pause that carries
 *	one arrives without it
 * @pfc_loss: loss of PFC frames, 1/1000
 * @jitter_ns: maximum delay of frames of both kinds, which stay in order
 */
struct oracle_faults {
	u32 seed;
	u32 loss;
	u32 pfc_loss;
	u32 jitter_ns;
};

#define ORACLE_EVENTS	1024

/*
 * A frame from the switch at the other end: a pause that begins, or only a
 * message. @ns: arrival, lower 32 bits
 */
struct oracle_event {
	u32 ns;
	bool pause;
};

/**
 * struct oracle_tap - a watched port
 * @node: in the list of ports, RTNL
 * @dev: its device
 * @hook: sees packets before the port does
 * @faults: faults of received frames
 * @rnd: random state; from here under @late's lock
 * @paused: bit p: the last PFC frame that names priority p paused it
 * @events: number of @event
 * @event: the first ORACLE_EVENTS events
 * @due_ns: when the last of @late is due
 * @late: delayed frames
 * @timer: fires when the first of @late is due
 */
struct oracle_tap {
	struct list_head node;
	struct net_device *dev;
	struct nf_hook_ops hook;
	struct oracle_faults faults;
	struct rnd_state rnd;
	u8 paused;
	unsigned int events;
	struct oracle_event event[ORACLE_EVENTS];
	u64 due_ns;
	struct sk_buff_head late;
	struct hrtimer timer;
};

/* tap.c: ports, RTNL */
extern struct list_head oracle_taps;
int oracle_watch(const struct oracle_faults *faults);
void oracle_clear(void);
struct lossless_qdisc *oracle_qdisc(struct net_device *dev);
int oracle_taps_init(void);
void oracle_taps_exit(void);

/* state.c: queues and pauses, RTNL */
void oracle_show(struct seq_file *m);

#endif /* ORACLE_H */
