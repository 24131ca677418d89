// SPDX-License-Identifier: GPL-2.0
/*
 * Queues over time: samples the bytes that wait at switch ports, at regular
 * times. Sampling from user space would disturb the run.
 */
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "../../qdisc/queue.h"
#include "rnic.h"

/* A queue to sample */
struct rnic_queue {
	struct list_head node;	/* RTNL; constant during a run */
	struct net_device __rcu *dev;	/* or NULL. RTNL, read: RCU */
	char name[IFNAMSIZ];	/* name of the port */
	u8 prio;	/* its priority */
	u32 bytes[];	/* the samples */
};

static LIST_HEAD(rnic_queues);
static struct hrtimer rnic_queues_timer;
static u32 rnic_queues_taken;

static struct net_device *rnic_port_find(const char *name)
{
	struct net_device *dev, *found = NULL;
	struct net *net;

	down_read(&net_rwsem);
	for_each_net(net) {
		for_each_netdev(net, dev)
			if (!found && !strcmp(dev->name, name))
				found = dev;
	}
	up_read(&net_rwsem);
	return found;
}

/* @line: DEV [PRIO]. RTNL. Return: 0; -EBUSY, -EINVAL, -ENODEV, -ENOMEM. */
int rnic_queues_add(const char *line)
{
	struct net_device *dev;
	struct rnic_queue *q;
	char name[IFNAMSIZ];
	unsigned int prio = 3;

	if (rnic_running)
		return -EBUSY;
	if (!rnic_config.sample_ns || sscanf(line, "%15s %u", name, &prio) < 1 ||
	    prio >= LLE_NUM_PRIO)
		return -EINVAL;
	dev = rnic_port_find(name);
	if (!dev && !rnic_elsewhere())
		return -ENODEV;
	q = kvzalloc(struct_size(q, bytes, rnic_config.samples), GFP_KERNEL);
	if (!q)
		return -ENOMEM;
	rcu_assign_pointer(q->dev, dev);
	strscpy(q->name, name, sizeof(q->name));
	q->prio = prio;
	list_add_tail(&q->node, &rnic_queues);
	return 0;
}

/* RCU. Return: NULL: @dev is NULL, or its root qdisc is another. */
struct Qdisc *rnic_lossless_qdisc(struct net_device *dev)
{
	struct Qdisc *sch;

	if (!dev)
		return NULL;
	sch = rcu_dereference(netdev_get_tx_queue(dev, 0)->qdisc);
	return strcmp(sch->ops->id, "lossless") ? NULL : sch;
}

/* Bytes that wait, not those on the wire; 0 without a lossless qdisc */
static u32 rnic_queue_bytes(const struct rnic_queue *q)
{
	struct Qdisc *sch = rnic_lossless_qdisc(rcu_dereference(q->dev));
	struct lossless_qdisc *lossless;

	if (!sch)
		return 0;
	lossless = qdisc_priv(sch);
	return READ_ONCE(lossless->port->egress[q->prio].backlog);
}

static enum hrtimer_restart rnic_queues_sample(struct hrtimer *timer)
{
	struct rnic_queue *q;

	if (rnic_has_ended(ktime_get_ns()))
		return HRTIMER_NORESTART;
	rcu_read_lock();
	list_for_each_entry(q, &rnic_queues, node)
		q->bytes[rnic_queues_taken] = rnic_queue_bytes(q);
	rcu_read_unlock();
	WRITE_ONCE(rnic_queues_taken, rnic_queues_taken + 1);
	if (rnic_queues_taken == rnic_config.samples)
		return HRTIMER_NORESTART;
	hrtimer_add_expires_ns(timer, rnic_config.sample_ns);
	return HRTIMER_RESTART;
}

/* @start_ns: time of the first sample. RTNL. */
void rnic_queues_start(u64 start_ns)
{
	rnic_queues_taken = 0;
	if (!list_empty(&rnic_queues))
		hrtimer_start(&rnic_queues_timer, ns_to_ktime(start_ns),
			      HRTIMER_MODE_ABS_SOFT);
}

/* RTNL. */
void rnic_queues_clear(void)
{
	struct rnic_queue *q, *next;

	hrtimer_cancel(&rnic_queues_timer);
	list_for_each_entry_safe(q, next, &rnic_queues, node) {
		list_del(&q->node);
		kvfree(q);
	}
}

/* Drops an unregistered device; a grace period follows. RTNL. */
void rnic_queues_forget(const struct net_device *dev)
{
	struct rnic_queue *q;

	list_for_each_entry(q, &rnic_queues, node)
		if (rtnl_dereference(q->dev) == dev)
			RCU_INIT_POINTER(q->dev, NULL);
}

/* Prints the samples: lines "time_ns,port,prio,bytes". RTNL. */
void rnic_queues_show(struct seq_file *m)
{
	u32 i, taken = READ_ONCE(rnic_queues_taken);
	const struct rnic_queue *q;

	seq_puts(m, "time_ns,port,prio,bytes\n");
	for (i = 0; i < taken; i++)
		list_for_each_entry(q, &rnic_queues, node)
			seq_printf(m, "%llu,%s,%u,%u\n",
				   i * rnic_config.sample_ns, q->name, q->prio,
				   q->bytes[i]);
}

void rnic_queues_init(void)
{
	hrtimer_setup(&rnic_queues_timer, rnic_queues_sample, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}
