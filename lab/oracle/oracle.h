/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ORACLE_H
#define ORACLE_H

#include <linux/hrtimer.h>
#include <linux/netdevice.h>
#include <linux/netfilter_netdev.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>

#include "../../qdisc/rcm.h"

/* Faults of frames between switches */
struct oracle_faults {
	u32 seed;	/* random seed */
	u32 loss;	/* of deadlock messages without pauses, 1/1000 */
	u32 pfc_loss;	/* loss of PFC frames, 1/1000 */
	u32 jitter_ns;	/* maximum delay of frames, which stay in order */
};

#define ORACLE_EVENTS	1024

/* A frame between switches; @ns: arrival, lower 32 bits; false: a message */
struct oracle_event {
	u32 ns;
	bool pause;
};

/* A watched port */
struct oracle_tap {
	struct list_head node;	/* in the list of ports, RTNL */
	struct net_device *dev;
	struct nf_hook_ops hook;	/* sees packets before the port does */
	struct oracle_faults faults;	/* faults of received frames */
	struct rnd_state rnd;	/* random state; from here under @late's lock */
	u8 paused;	/* priorities that the last PFC frames paused */
	unsigned int events;	/* number of @event */
	struct oracle_event event[ORACLE_EVENTS];	/* the first ones */
	u64 due_ns;	/* when the last of @late is due */
	struct sk_buff_head late;	/* delayed frames */
	struct hrtimer timer;	/* fires when the first of @late is due */
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
