// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/losslessd/losses.c: the losses of a port that it reports, and their
 * places. Checks a port, increases counters, then checks it twice.
 */
#include "../../daemon/losslessd/losses.c"
#include "reports.h"

/**
 * struct vector - increments of the counters of a port, and the report
 * @name: name of the case
 * @lossy: priority 3 is not lossless, either
 * @gone: the device has no counters from the second check on
 * @new: the port did not exist at the first check
 * @headroom: packets of priority 3 that found no headroom
 * @burst: packets of priority 3 that the kernel dropped in front of the queue
 * @copies: copies of packets of priority 3 that were dropped
 * @other: drops of priority 0, which is lossy
 * @stats: increments of the counters of the device
 * @reports: the report of the second check; the others report nothing
 */
static const struct vector {
	const char *name;
	bool lossy, gone, new;
	unsigned int headroom, burst, copies, other;
	struct rtnl_link_stats64 stats;
	const char *reports;
} vectors[] = {
	{ .name = "nothing is lost", .reports = "" },
	{ .name = "headroom", .headroom = 2,
	  .reports = "lossless_violation swp1 prio 3 packets 2 where headroom exhausted; " },
	{ .name = "a burst", .burst = 2,
	  .reports = "lossless_violation swp1 prio 3 packets 2 where burst in front of the queue: raise net.core.qdisc_max_burst; " },
	{ .name = "copies", .copies = 2, .reports = "" },
	{ .name = "of a priority that is not lossless", .other = 2, .reports = "" },
	{ .name = "the NIC's buffers", .stats = { .rx_missed_errors = 9 },
	  .reports = "lossless_violation swp1 packets 9 where the NIC had no room for them (rx_missed_errors); " },
	{ .name = "the NIC's buffers, in two counters",
	  .stats = { .rx_fifo_errors = 1, .rx_over_errors = 1 },
	  .reports = "lossless_violation swp1 packets 1 where the NIC had no room for them (rx_fifo_errors); lossless_violation swp1 packets 1 where the NIC had no room for them (rx_over_errors); " },
	{ .name = "the device that is to send", .stats = { .tx_dropped = 3 },
	  .reports = "lossless_violation swp1 packets 3 where the device has dropped them (tx_dropped); " },
	{ .name = "what the stack has no use for", .stats = { .rx_dropped = 3 }, .reports = "" },
	{ .name = "no lossless priority", .lossy = true,
	  .stats = { .rx_missed_errors = 9 }, .reports = "" },
	{ .name = "a device that is gone", .gone = true, .reports = "" },
	{ .name = "before it was looked at", .new = true, .headroom = 2,
	  .stats = { .rx_missed_errors = 9 },
	  .reports = "lossless_violation swp1 prio 3 packets 2 since attach where headroom exhausted; " },
	{ .name = "before it was looked at, of a lossy priority", .lossy = true,
	  .new = true, .headroom = 2, .reports = "" },
};

static const char *run(const struct vector *v)
{
	struct lle_nl_port port = {
		.who = { .ifindex = 9, .ifname = "swp1" },
		.pfc_en = v->lossy ? 0 : 1 << 3,
	};
	struct lle_nl_link link = {
		.ifindex = 9,
		.stats = { .rx_missed_errors = 7, .tx_dropped = 7 },
	};
	struct losses losses = {};

	*reports = '\0';
	losses_check(&port, &link, &losses, false);
	port.stats[3].drop_headroom += v->headroom;
	port.stats[3].drop_burst += v->burst;
	port.stats[3].drop_copy += v->copies;
	port.stats[0].drop_threshold += v->other;
	link.stats.rx_missed_errors += v->stats.rx_missed_errors;
	link.stats.rx_fifo_errors += v->stats.rx_fifo_errors;
	link.stats.rx_over_errors += v->stats.rx_over_errors;
	link.stats.rx_dropped += v->stats.rx_dropped;
	link.stats.tx_dropped += v->stats.tx_dropped;
	losses_check(&port, v->gone ? NULL : &link, &losses, !v->new);
	losses_check(&port, v->gone ? NULL : &link, &losses, true);
	return reports;
}

/*
 * Drops that a user asks for: by an action of the watchdog or about deadlocks, or
 * of copies
 */
static const unsigned int intended[] = {
	LLE_DROP_STORM, LLE_DROP_DEADLOCK, LLE_DROP_STORM_RX, LLE_DROP_COPY,
};

static bool is_intended(unsigned int reason)
{
	for (size_t i = 0; i < sizeof(intended) / sizeof(intended[0]); i++)
		if (intended[i] == reason)
			return true;
	return false;
}

/* Has the rule LosslessLoss this reason? "reason=~" is followed by "(a|b)_discard". */
static bool alerts(const char *rules, const char *name)
{
	const char *at = strstr(rules, "alert: LosslessLoss\n"), *end;
	size_t len = strlen(name) - strlen("_discard");

	at = at ? strstr(at, "reason=~\"(") : NULL;
	end = at ? strchr(at, ')') : NULL;
	for (at = at ? strchr(at, '(') : NULL; at && at < end; at = strpbrk(at + 1, "|)"))
		if (!strncmp(at + 1, name, len) && strchr("|)", at[1 + len]))
			return true;
	return false;
}

/* Each drop reason is intended, or is logged and raises the alert. */
static void check_reasons(const char *path)
{
	static char rules[1 << 16];
	FILE *f = fopen(path, "r");

	if (!f || !fread(rules, 1, sizeof(rules) - 1, f))
		printf("%s: cannot be read\n", path);
	if (f)
		fclose(f);
	for (unsigned int r = 0; r < LLE_NUM_DROP; r++) {
		if (!lle_nl_drop_name(r))
			printf("drop reason %u has no name\n", r);
		else if (!reasons[r] == !is_intended(r))
			printf("%s: losses.c does not say what happened\n", lle_nl_drop_name(r));
		else if (alerts(rules, lle_nl_drop_name(r)) != !!reasons[r])
			printf("%s: LosslessLoss and losses.c differ\n", lle_nl_drop_name(r));
	}
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc > 1)
		check_reasons(argv[1]);

	for (i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const char *is = run(&vectors[i]);

		if (strcmp(is, vectors[i].reports))
			printf("%s: reported '%s', should be '%s'\n",
			       vectors[i].name, is, vectors[i].reports);
	}
	return 0;
}
