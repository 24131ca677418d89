// SPDX-License-Identifier: GPL-2.0
/*
 * Files in debugfs, folder lle_rnic:
 *
 *	flows	write: lines of flows; "# ..." is a comment. Closing the file ends
 *		the last line. An error clears all flows
 *	control	write: "start NS [END]" of the monotonic clock, "start +NS" from now,
 *		or "clear". From END on NICs send and receive nothing: all files show
 *		the state at that time
 *	results	one line a flow
 *	hosts	one line a host
 *	ethers	write, before flows: "MAC ADDRESS" of hosts that may be in another
 *		part of the network. An error clears all flows, too
 *	queues	write: "DEV [PRIO]", a queue to sample; read: the samples
 *	timeline	samples of all ports since the start; a read ends the recording
 *	bins	start of each bin, ns; one line a flow: bytes in each bin
 */
#include <linux/debugfs.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "rnic.h"

#define RNIC_LINE_MAX	256

/* An open `flows` or `ethers`; the number is that of the line, from 1 */
struct rnic_lines {
	/* -EBUSY: nothing has changed; other errors clear the flows */
	int (*add)(const char *line, unsigned int number);
	unsigned int number;
	unsigned int len;
	char line[RNIC_LINE_MAX];
};

static struct dentry *rnic_dir;

static int rnic_lines_open(struct inode *inode, struct file *file)
{
	struct rnic_lines *l = kzalloc(sizeof(*l), GFP_KERNEL);

	if (!l)
		return -ENOMEM;
	l->add = inode->i_private;
	l->number = 1;
	file->private_data = l;
	return nonseekable_open(inode, file);
}

static int rnic_line_end(struct rnic_lines *l)
{
	int err;

	l->line[l->len] = '\0';
	*strchrnul(l->line, '#') = '\0';
	rtnl_lock();
	err = l->add(l->line, l->number);
	if (err && err != -EBUSY)
		rnic_flows_clear();
	rtnl_unlock();
	l->len = 0;
	l->number++;
	return err;
}

static ssize_t rnic_lines_write(struct file *file, const char __user *data,
				size_t len, loff_t *pos)
{
	struct rnic_lines *l = file->private_data;
	size_t i;
	char c;
	int err;

	for (i = 0; i < len; i++) {
		if (get_user(c, data + i))
			return -EFAULT;
		if (c != '\n') {
			if (l->len == RNIC_LINE_MAX - 1) {
				pr_err("lle_rnic: %pD, line %u: too long\n", file,
				       l->number);
				return -EINVAL;
			}
			l->line[l->len++] = c;
			continue;
		}
		err = rnic_line_end(l);
		if (err)
			return err;
	}
	return len;
}

static int rnic_lines_release(struct inode *inode, struct file *file)
{
	struct rnic_lines *l = file->private_data;

	if (l->len)
		rnic_line_end(l);
	kfree(l);
	return 0;
}

static const struct file_operations rnic_lines_fops = {
	.owner = THIS_MODULE,
	.open = rnic_lines_open,
	.write = rnic_lines_write,
	.release = rnic_lines_release,
};

/* Each write is a command. */
static int rnic_command(char *line, size_t size, const char __user *data,
			size_t len)
{
	loff_t start = 0;
	ssize_t n;

	n = simple_write_to_buffer(line, size - 1, &start, data, len);
	if (n < 0)
		return n;
	line[n] = '\0';
	return 0;
}

static ssize_t rnic_control_write(struct file *file, const char __user *data,
				  size_t len, loff_t *pos)
{
	u64 ns, end_ns = U64_MAX;
	char line[64];
	int err;

	err = rnic_command(line, sizeof(line), data, len);
	if (err)
		return err;

	rtnl_lock();
	if (sysfs_streq(line, "clear"))
		rnic_flows_clear();
	else if (sscanf(line, "start +%llu", &ns) == 1)
		err = rnic_flows_start(ktime_get_ns() + ns, end_ns);
	else if (sscanf(line, "start %llu %llu", &ns, &end_ns) >= 1)
		err = rnic_flows_start(ns, end_ns);
	else
		err = -EINVAL;
	rtnl_unlock();
	return err ?: len;
}

static const struct file_operations rnic_control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = rnic_control_write,
};

/* Return: time since the start of the run; -1: not yet */
static s64 rnic_run_ns(u64 ns)
{
	return ns ? ns - rnic_start_ns : -1;
}

/* Return: start of a flow, after those for which it waits; -1: not yet */
static s64 rnic_begin_ns(const struct rnic_flow *f)
{
	return f->waits || f->began_ns ? rnic_run_ns(f->began_ns) : f->start_ns;
}

static int rnic_results_show(struct seq_file *m, void *v)
{
	struct rnic_flow *f;
	unsigned long id = 0;

	seq_puts(m, "id,src,dst,prio,size,start_ns,first_ns,last_ns,acked_ns,");
	seq_puts(m, "received,retrans,ooo,dup,naks,marked,cnps,rate_bps,cnps_sent,verb\n");
	rtnl_lock();
	while ((f = rnic_flow_next(&id))) {
		spin_lock_bh(&f->src->lock);
		spin_lock(&f->qp->lock);
		seq_printf(m, "%u,%pI4,%pI4,%u,%llu,%lld,%lld,%lld,%lld,", f->id,
			   &f->src->addr, &f->dst->addr, f->prio, f->size,
			   rnic_begin_ns(f), rnic_run_ns(f->first_ns),
			   rnic_run_ns(f->last_ns),
			   rnic_run_ns(f->verb == RNIC_READ ? f->last_ns : f->done_ns));
		seq_printf(m, "%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%s\n",
			   min((u64)f->expected * rnic_config.mtu, f->size),
			   f->retrans, f->ooo, f->dup, f->naks, f->marked,
			   f->cnps, f->qp->dcqcn.rate * 8, f->cnps_sent,
			   rnic_verbs[f->verb]);
		spin_unlock(&f->qp->lock);
		spin_unlock_bh(&f->src->lock);
	}
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rnic_results);

static int rnic_hosts_show(struct seq_file *m, void *v)
{
	struct rnic_host *h;

	seq_puts(m, "addr,data,timeouts,malformed,nomem\n");
	rtnl_lock();
	list_for_each_entry(h, &rnic_hosts, node) {
		spin_lock_bh(&h->lock);
		seq_printf(m, "%pI4,%llu,%llu,%llu,%llu\n", &h->addr,
			   h->stats.data, h->stats.timeouts,
			   h->stats.malformed, h->stats.nomem);
		spin_unlock_bh(&h->lock);
	}
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rnic_hosts);

static ssize_t rnic_queues_write(struct file *file, const char __user *data,
				 size_t len, loff_t *pos)
{
	char line[32];
	int err;

	err = rnic_command(line, sizeof(line), data, len);
	if (err)
		return err;

	rtnl_lock();
	err = rnic_queues_add(line);
	rtnl_unlock();
	return err ?: len;
}

static int rnic_queues_seq(struct seq_file *m, void *v)
{
	rtnl_lock();
	rnic_queues_show(m);
	rtnl_unlock();
	return 0;
}

static int rnic_queues_open(struct inode *inode, struct file *file)
{
	return single_open(file, rnic_queues_seq, NULL);
}

static const struct file_operations rnic_queues_fops = {
	.owner = THIS_MODULE,
	.open = rnic_queues_open,
	.read = seq_read,
	.write = rnic_queues_write,
	.llseek = seq_lseek,
	.release = single_release,
};

DEFINE_SEQ_ATTRIBUTE(rnic_timeline);

static int rnic_bins_show(struct seq_file *m, void *v)
{
	const struct rnic_flow *f;
	unsigned long id = 0;
	unsigned int i;

	seq_puts(m, "id");
	for (i = 0; rnic_config.bin_ns && i < rnic_config.bins; i++)
		seq_printf(m, ",%llu", i * rnic_config.bin_ns);
	seq_putc(m, '\n');
	rtnl_lock();
	while ((f = rnic_flow_next(&id))) {
		seq_printf(m, "%u", f->id);
		for (i = 0; f->bin && i < rnic_config.bins; i++) {
			/* lockless: the last ones may still grow */
			seq_printf(m, ",%u", data_race(f->bin[i]));
		}
		seq_putc(m, '\n');
	}
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rnic_bins);

int rnic_control_init(void)
{
	rnic_dir = debugfs_create_dir("lle_rnic", NULL);
	if (IS_ERR(rnic_dir))
		return PTR_ERR(rnic_dir);
	debugfs_create_file("flows", 0200, rnic_dir, rnic_flows_add, &rnic_lines_fops);
	debugfs_create_file("ethers", 0200, rnic_dir, rnic_ethers_add, &rnic_lines_fops);
	debugfs_create_file("control", 0200, rnic_dir, NULL,
			    &rnic_control_fops);
	debugfs_create_file("results", 0400, rnic_dir, NULL,
			    &rnic_results_fops);
	debugfs_create_file("hosts", 0400, rnic_dir, NULL, &rnic_hosts_fops);
	debugfs_create_file("queues", 0600, rnic_dir, NULL, &rnic_queues_fops);
	debugfs_create_file("timeline", 0400, rnic_dir, NULL,
			    &rnic_timeline_fops);
	debugfs_create_file("bins", 0400, rnic_dir, NULL, &rnic_bins_fops);
	return 0;
}

void rnic_control_exit(void)
{
	debugfs_remove(rnic_dir);
}
