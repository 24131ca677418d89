// SPDX-License-Identifier: GPL-2.0
/*
 * The whole network over time: the bytes that wait at each port with a lossless
 * qdisc, and the time that its neighbour has paused it, from the start of a run
 * to its end, or until the file is read.
 *
 * The length of a run, and the times of events, are not known in advance. So
 * samples begin at short intervals, and only a port that has changed gets a
 * row. When the memory is full, every other sample is dropped, and intervals
 * double. While nothing changes, samples become rare: a run that is mostly idle
 * keeps the detail of its busy part. Sampling takes no virtual time, and only
 * reads.
 */
#include <linux/inetdevice.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>
#include <net/net_namespace.h>

#include "../../kmod/lossless/stats.h"
#include "../../qdisc/rcm.h"
#include "rnic.h"

/* Rows of a port on average; minimum and maximum of all rows: at most 6 MiB */
#define RNIC_TIMELINE_ROWS	400
#define RNIC_TIMELINE_ROWS_MIN	(64 * 1024)
#define RNIC_TIMELINE_ROWS_MAX	(256 * 1024)
#define RNIC_TIMELINE_PORTS	(RNIC_TIMELINE_ROWS_MAX / 16)

/* While nothing changes, the interval is 1/64 of the time since the start. */
#define RNIC_TIMELINE_CALM	64

#define RNIC_NO_ROW		U32_MAX

/* A role is a set of two bits. */
static_assert((LOSSLESS_CRD_ROLE_ROOT | LOSSLESS_CRD_ROLE_EDGE) == LOSSLESS_CRD_ROLE_INNER);

/* Sample of a port */
struct rnic_seen {
	u64 paused_ns;	/* sum of its lossless priorities' paused time so far */
	u32 queue;	/* bytes that wait at this egress port */
	u32 buffer;	/* bytes in the switch from this ingress port */
	u8 role;	/* enum lossless_crd_role, of all priorities */
};

/* State of a port from a time on */
struct rnic_row {
	struct rnic_seen seen;	/* paused_ns grows evenly to the next row */
	u32 us;	/* time of the sample, after the start */
	u16 port;	/* number of the port */
};

/* A sampled port */
struct rnic_port {
	struct net_device __rcu *dev;	/* or NULL. RTNL, read: RCU */
	char name[IFNAMSIZ];	/* of a switch's port; address of a host */
	struct rnic_seen held;	/* the last sample */
	struct rnic_seen written;	/* the sample of the last row */
	u32 share;	/* paused part of the last interval, 1/1000 */
	u32 row;	/* index of the last row, while rows are thinned out */
};

/*
 * The timeline. Changed under RTNL while @timer does not run, else by @timer
 * alone.
 */
static struct rnic_timeline {
	struct rnic_port *port;
	u32 ports;
	struct rnic_row *row;	/* by time */
	u32 rows;
	u32 rows_max;	/* capacity of @row */
	u32 us;	/* time of the last sample, after the start */
	u32 step_us;	/* time to the next sample */
	u32 least_us;	/* minimum time between two samples */
	struct hrtimer timer;	/* takes the samples */
	bool runs;	/* recording */
} rnic_timeline;

/* As lossless_rcm_show(), which also updates state. */
static u8 rnic_role(struct Qdisc *sch, unsigned int prio, u64 now_ns)
{
	const struct lossless_qdisc *q = qdisc_priv(sch);
	const struct lossless_rcm *rcm;
	u8 role = LOSSLESS_CRD_ROLE_NONE;

	if (!lle_stats_peek(q->queue[prio].rcm))
		return role;
	spin_lock_bh(qdisc_lock(sch));
	rcm = q->queue[prio].rcm;
	if (rcm && now_ns < rcm->core.root_until_ns)
		role |= LOSSLESS_CRD_ROLE_ROOT;
	if (rcm && lle_rcm_is_remote(&rcm->core, &q->rcm_params, now_ns))
		role |= LOSSLESS_CRD_ROLE_EDGE;
	spin_unlock_bh(qdisc_lock(sch));
	return role;
}

static void rnic_port_look(const struct rnic_port *watched, u64 now_ns,
			   struct rnic_seen *seen)
{
	struct Qdisc *sch = rnic_lossless_qdisc(rcu_dereference(watched->dev));
	unsigned long lossless, prios;
	const struct lossless_qdisc *q;
	struct lle_port *port;
	unsigned int prio;

	*seen = (struct rnic_seen){};
	if (!sch)
		return;
	q = qdisc_priv(sch);
	port = q->port;
	lossless = READ_ONCE(port->pfc_en);
	prios = lossless | lle_stats_peek(q->ready);
	for_each_set_bit(prio, &prios, LLE_NUM_PRIO)
		seen->queue += lle_stats_peek(port->egress[prio].backlog);
	spin_lock_bh(&port->pause_lock);
	for_each_set_bit(prio, &lossless, LLE_NUM_PRIO)
		seen->paused_ns += lle_pause_rx_duration(&port->rx, prio, now_ns);
	spin_unlock_bh(&port->pause_lock);
	for_each_set_bit(prio, &lossless, LLE_NUM_PRIO) {
		seen->buffer += lle_sb_occ(&port->ingress[prio].pg);
		seen->role |= rnic_role(sch, prio, now_ns);
	}
}

static void rnic_row_add(unsigned int port)
{
	struct rnic_timeline *t = &rnic_timeline;

	t->port[port].written = t->port[port].held;
	t->row[t->rows++] = (struct rnic_row){
		.us = t->us,
		.port = port,
		.seen = t->port[port].held,
	};
}

/* Paused part of an interval, 1/1000 */
static u32 rnic_share(u64 paused_ns, u32 us)
{
	/* most ports are never paused, or always */
	if (!paused_ns)
		return 0;
	return paused_ns == us * 1000ULL ? 1000 : div_u64(paused_ns, us);
}

/*
 * Samples a port, @us after the last time. The last sample gets a row if it
 * differs from the last row, or if the paused part of the time has changed.
 */
static bool rnic_port_next(unsigned int number, u32 us, u64 now_ns)
{
	struct rnic_port *port = &rnic_timeline.port[number];
	struct rnic_seen seen;
	bool changed;
	u32 share;

	rnic_port_look(port, now_ns, &seen);
	/* less only if the device has gone, or its counters were reset */
	seen.paused_ns = max(seen.paused_ns, port->held.paused_ns);
	share = rnic_share(seen.paused_ns - port->held.paused_ns, us);
	changed = share != port->share || port->held.queue != port->written.queue ||
		  port->held.buffer != port->written.buffer ||
		  port->held.role != port->written.role;
	if (changed)
		rnic_row_add(number);
	port->share = share;
	port->held = seen;
	return changed;
}

/* Doubles the interval, and keeps the last row of each port in an interval. */
static void rnic_timeline_thin(void)
{
	struct rnic_timeline *t = &rnic_timeline;
	u32 i, n = 0;

	t->least_us *= 2;
	for (i = 0; i < t->ports; i++)
		t->port[i].row = RNIC_NO_ROW;
	for (i = 0; i < t->rows; i++) {
		struct rnic_row row = t->row[i];
		struct rnic_port *port = &t->port[row.port];

		row.us = min(roundup(row.us, t->least_us), t->us);
		if (port->row == RNIC_NO_ROW || t->row[port->row].us != row.us)
			port->row = n++;
		t->row[port->row] = row;
	}
	t->rows = n;
}

/* Makes room for a row of each port now, and one more at the end. */
static void rnic_timeline_room(void)
{
	struct rnic_timeline *t = &rnic_timeline;

	if (t->rows + 2 * t->ports <= t->rows_max)
		return;
	do {
		rnic_timeline_thin();
	} while (t->rows > t->rows_max / 2);
}

/* Samples all ports. Return: has any changed? */
static bool rnic_timeline_look(u32 us)
{
	struct rnic_timeline *t = &rnic_timeline;
	u64 now_ns = ktime_get_ns();
	bool changed = false;
	unsigned int i;

	rnic_timeline_room();
	rcu_read_lock();
	for (i = 0; i < t->ports; i++)
		changed |= rnic_port_next(i, us - t->us, now_ns);
	rcu_read_unlock();
	t->us = us;
	return changed;
}

/* The first sample: a row for each port. */
static void rnic_timeline_begin(u32 us)
{
	struct rnic_timeline *t = &rnic_timeline;
	u64 now_ns = ktime_get_ns();
	unsigned int i;

	t->us = us;
	rcu_read_lock();
	for (i = 0; i < t->ports; i++) {
		rnic_port_look(&t->port[i], now_ns, &t->port[i].held);
		rnic_row_add(i);
	}
	rcu_read_unlock();
}

static u32 rnic_timeline_us(void)
{
	return div_u64(min(ktime_get_ns(), rnic_end_ns) - rnic_start_ns, 1000);
}

static enum hrtimer_restart rnic_timeline_tick(struct hrtimer *timer)
{
	struct rnic_timeline *t = &rnic_timeline;
	u32 us = rnic_timeline_us();

	if (!t->rows)
		rnic_timeline_begin(us);
	else if (us > t->us && rnic_timeline_look(us))
		t->step_us = t->least_us;
	else
		t->step_us = min(2 * t->step_us,
				 max(t->least_us, us / RNIC_TIMELINE_CALM));
	if (rnic_has_ended(ktime_get_ns()))
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(min(rnic_end_ns, rnic_start_ns +
						   (us + t->step_us) * 1000ULL)));
	return HRTIMER_RESTART;
}

static void rnic_port_watch(struct net_device *dev, struct rnic_port *port)
{
	const struct in_device *in_dev = __in_dev_get_rtnl(dev);
	const struct in_ifaddr *ifa = in_dev ?
		rtnl_dereference(in_dev->ifa_list) : NULL;

	rcu_assign_pointer(port->dev, dev);
	if (ifa)
		snprintf(port->name, sizeof(port->name), "%pI4", &ifa->ifa_local);
	else
		strscpy(port->name, dev->name, sizeof(port->name));
}

/* Counts the ports of all testbeds, and records them if @port is given. */
static u32 rnic_ports_each(struct rnic_port *port)
{
	struct net_device *dev;
	struct net *net;
	u32 n = 0;

	down_read(&net_rwsem);
	rcu_read_lock();
	for_each_net(net) {
		if (!check_net(net))
			continue;
		for_each_netdev(net, dev) {
			if (!rnic_lossless_qdisc(dev))
				continue;
			if (port)
				rnic_port_watch(dev, &port[n]);
			n++;
		}
	}
	rcu_read_unlock();
	up_read(&net_rwsem);
	return n;
}

/* RTNL. Records nothing without memory, or with too many ports. */
void rnic_timeline_start(void)
{
	struct rnic_timeline *t = &rnic_timeline;
	u32 ports;

	rnic_timeline_clear();
	ports = rnic_config.timeline_us ? rnic_ports_each(NULL) : 0;
	if (!ports || ports > RNIC_TIMELINE_PORTS)
		return;
	t->rows_max = clamp(ports * RNIC_TIMELINE_ROWS, RNIC_TIMELINE_ROWS_MIN,
			    RNIC_TIMELINE_ROWS_MAX);
	t->port = vzalloc(array_size(ports, sizeof(*t->port)));
	t->row = vmalloc(array_size(t->rows_max, sizeof(*t->row)));
	if (!t->port || !t->row) {
		rnic_timeline_clear();
		return;
	}
	t->ports = rnic_ports_each(t->port);
	t->least_us = rnic_config.timeline_us;
	t->step_us = t->least_us;
	t->runs = true;
	hrtimer_start(&t->timer, ns_to_ktime(rnic_start_ns),
		      HRTIMER_MODE_ABS_SOFT);
}

/* Takes the last sample; the rows are kept. RTNL. */
void rnic_timeline_stop(void)
{
	struct rnic_timeline *t = &rnic_timeline;
	unsigned int i;
	u32 us;

	if (!t->runs)
		return;
	t->runs = false;
	hrtimer_cancel(&t->timer);
	if (!t->rows)
		return;
	us = rnic_timeline_us();
	if (us > t->us)
		rnic_timeline_look(us);
	for (i = 0; i < t->ports; i++)
		rnic_row_add(i);
}

/* RTNL. */
void rnic_timeline_clear(void)
{
	struct rnic_timeline *t = &rnic_timeline;

	rnic_timeline_stop();
	vfree(t->port);
	vfree(t->row);
	t->port = NULL;
	t->ports = 0;
	t->row = NULL;
	t->rows = 0;
	t->us = 0;
}

/* Drops an unregistered device; a grace period follows. RTNL. */
void rnic_timeline_forget(const struct net_device *dev)
{
	u32 i;

	for (i = 0; i < rnic_timeline.ports; i++)
		if (rtnl_dereference(rnic_timeline.port[i].dev) == dev)
			RCU_INIT_POINTER(rnic_timeline.port[i].dev, NULL);
}

/* A read ends the recording, and RTNL keeps a new one from starting. */
static void *rnic_timeline_seq_start(struct seq_file *m, loff_t *pos)
{
	rtnl_lock();
	rnic_timeline_stop();
	if (!*pos)
		return SEQ_START_TOKEN;
	return *pos <= rnic_timeline.rows ? &rnic_timeline.row[*pos - 1] : NULL;
}

static void *rnic_timeline_seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	return ++*pos <= rnic_timeline.rows ? &rnic_timeline.row[*pos - 1] : NULL;
}

static void rnic_timeline_seq_stop(struct seq_file *m, void *v)
{
	rtnl_unlock();
}

static int rnic_timeline_seq_show(struct seq_file *m, void *v)
{
	const struct rnic_row *row = v;

	if (v == SEQ_START_TOKEN)
		seq_puts(m, "time_ns,port,queue,buffer,paused_ns,role\n");
	else
		seq_printf(m, "%llu,%s,%u,%u,%llu,%u\n",
			   rnic_start_ns + row->us * 1000ULL,
			   rnic_timeline.port[row->port].name, row->seen.queue,
			   row->seen.buffer, row->seen.paused_ns, row->seen.role);
	return 0;
}

const struct seq_operations rnic_timeline_sops = {
	.start = rnic_timeline_seq_start,
	.next = rnic_timeline_seq_next,
	.stop = rnic_timeline_seq_stop,
	.show = rnic_timeline_seq_show,
};

void rnic_timeline_init(void)
{
	hrtimer_setup(&rnic_timeline.timer, rnic_timeline_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}
