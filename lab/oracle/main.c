// SPDX-License-Identifier: GPL-2.0
/*
 * Queues and pauses of all switches, from which an oracle in user space
 * computes the ports that wait for each other for ever; and loss and delay of
 * frames between switches. For tests.
 *
 * Files in debugfs, folder lle_oracle:
 *
 *	control	write: "watch SEED LOSS PFC_LOSS JITTER_NS", losses in 1/1000;
 *		or "clear", before the switches are removed
 *	state	see state.c
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "oracle.h"

static struct dentry *oracle_dir;

static ssize_t oracle_control_write(struct file *file, const char __user *data,
				    size_t len, loff_t *pos)
{
	struct oracle_faults f;
	loff_t start = 0;
	char line[64];
	int err = 0;
	ssize_t n;

	n = simple_write_to_buffer(line, sizeof(line) - 1, &start, data, len);
	if (n < 0)
		return n;
	line[n] = '\0';
	rtnl_lock();
	if (sysfs_streq(line, "clear"))
		oracle_clear();
	else if (sscanf(line, "watch %u %u %u %u", &f.seed, &f.loss,
			&f.pfc_loss, &f.jitter_ns) == 4)
		err = oracle_watch(&f);
	else
		err = -EINVAL;
	rtnl_unlock();
	return err ?: len;
}

static const struct file_operations oracle_control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = oracle_control_write,
};

static int oracle_state_show(struct seq_file *m, void *v)
{
	rtnl_lock();
	oracle_show(m);
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(oracle_state);

static int __init oracle_init(void)
{
	int err = oracle_taps_init();

	if (err)
		return err;
	oracle_dir = debugfs_create_dir("lle_oracle", NULL);
	debugfs_create_file("control", 0200, oracle_dir, NULL,
			    &oracle_control_fops);
	debugfs_create_file("state", 0400, oracle_dir, NULL,
			    &oracle_state_fops);
	return 0;
}

static void __exit oracle_exit(void)
{
	debugfs_remove(oracle_dir);
	oracle_taps_exit();
}

module_init(oracle_init);
module_exit(oracle_exit);

MODULE_DESCRIPTION("Queues and pauses for tests of Linux Lossless Ethernet");
MODULE_LICENSE("GPL");
