// SPDX-License-Identifier: GPL-2.0
/* Counters of a network namespace: /proc/net/ldcp, lines "NAME NUMBER". */
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "ldcp.h"

static const char *const ldcp_stat_names[LDCP_STATS] = {
	[LDCP_STAT_FLOWS] = "flows",
	[LDCP_STAT_RESTARTS] = "restarts",
	[LDCP_STAT_NO_ECN] = "no_ecn",
	[LDCP_STAT_PACKETS] = "packets",
	[LDCP_STAT_MARKED] = "marked",
	[LDCP_STAT_FIRST_LOST] = "first_rtt_lost",
	[LDCP_STAT_LOSSES] = "losses",
	[LDCP_STAT_TIMEOUTS] = "timeouts",
};

static int ldcp_stat_show(struct seq_file *m, void *v)
{
	const struct ldcp_stats __percpu *stats = ldcp_net_stats(seq_file_single_net(m));
	unsigned int i, cpu;
	u64 sum;

	for (i = 0; i < LDCP_STATS; i++) {
		sum = 0;
		for_each_possible_cpu(cpu)
			sum += READ_ONCE(per_cpu_ptr(stats, cpu)->n[i]);
		seq_printf(m, "%s %llu\n", ldcp_stat_names[i], sum);
	}
	return 0;
}

/**
 * ldcp_stat_net_init() - create /proc/net/ldcp of a network namespace
 * @net: the namespace
 * Return: 0; -ENOMEM.
 */
int ldcp_stat_net_init(struct net *net)
{
	return proc_create_net_single("ldcp", 0444, net->proc_net, ldcp_stat_show, NULL) ?
	       0 : -ENOMEM;
}

/**
 * ldcp_stat_net_exit() - remove /proc/net/ldcp of a network namespace
 * @net: the namespace
 */
void ldcp_stat_net_exit(struct net *net)
{
	remove_proc_entry("ldcp", net->proc_net);
}
