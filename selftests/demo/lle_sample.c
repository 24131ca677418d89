// SPDX-License-Identifier: GPL-2.0
/*
 * Samples counters until SIGTERM, prints CSV:
 *
 *	lle_sample MS DEV FILE...
 *
 * Columns are the time (CLOCK_MONOTONIC, ns), the number in each FILE, which
 * stays open, and, unless DEV is "-", backlog and drops of the root qdisc of
 * DEV, for a qdisc without files.
 */
#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#define SAMPLE_FILES	32
#define SAMPLE_NS	1000000000LL

static volatile sig_atomic_t sample_done;

static void sample_stop(int sig)
{
	(void)sig;
	sample_done = 1;
}

static struct rtattr *sample_find(struct rtattr *attr, int len, int type)
{
	for (; RTA_OK(attr, len); attr = RTA_NEXT(attr, len))
		if ((attr->rta_type & NLA_TYPE_MASK) == type)
			return attr;
	return NULL;
}

/* The kernel answers a get if the request has NLM_F_ECHO, or with an error. */
static int sample_qdisc(int fd, int ifindex, struct gnet_stats_queue *queue)
{
	struct { struct nlmsghdr n; struct tcmsg t; } req = {
		.n.nlmsg_len = sizeof(req),
		.n.nlmsg_type = RTM_GETQDISC,
		.n.nlmsg_flags = NLM_F_REQUEST | NLM_F_ECHO,
		.t.tcm_ifindex = ifindex,
		.t.tcm_parent = TC_H_ROOT,
	};
	union {
		struct nlmsghdr n;
		char bytes[8192];
	} ans;
	struct rtattr *attr;
	int len;

	if (send(fd, &req, sizeof(req), 0) < 0)
		return -1;
	len = recv(fd, &ans, sizeof(ans), 0);
	if (len < (int)sizeof(req) || ans.n.nlmsg_type != RTM_NEWQDISC)
		return -1;
	attr = sample_find(TCA_RTA(NLMSG_DATA(&ans.n)), len - sizeof(req),
			   TCA_STATS2);
	if (attr)
		attr = sample_find(RTA_DATA(attr), RTA_PAYLOAD(attr),
				   TCA_STATS_QUEUE);
	if (!attr)
		return -1;
	*queue = *(struct gnet_stats_queue *)RTA_DATA(attr);
	return 0;
}

int main(int argc, char **argv)
{
	int files[SAMPLE_FILES], n = argc - 3, dev, nl, i, len;
	struct gnet_stats_queue queue;
	struct timespec ts;
	long long period, at, now;
	char text[32];

	if (n < 0 || n > SAMPLE_FILES || atoi(argv[1]) < 1)
		return fprintf(stderr, "usage: lle_sample MS DEV FILE...\n"), 1;
	period = atoi(argv[1]) * 1000000LL;
	signal(SIGTERM, sample_stop);
	nl = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	dev = if_nametoindex(argv[2]);
	printf("ns");
	for (i = 0; i < n; i++) {
		files[i] = open(argv[i + 3], O_RDONLY);
		if (files[i] < 0)
			return perror(argv[i + 3]), 1;
		printf(",%s", argv[i + 3]);
	}
	printf(dev ? ",backlog,drops\n" : "\n");

	for (at = 0; !sample_done;) {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		now = ts.tv_sec * SAMPLE_NS + ts.tv_nsec;
		printf("%lld", now);
		for (i = 0; i < n; i++) {
			len = pread(files[i], text, sizeof(text) - 1, 0);
			text[len > 0 ? len : 0] = '\0';
			printf(",%lld", atoll(text));
		}
		if (dev && !sample_qdisc(nl, dev, &queue))
			printf(",%u,%u", queue.backlog, queue.drops);
		printf("\n");
		/* skip missed samples */
		at += period;
		if (at < now)
			at = now + period;
		ts.tv_sec = at / SAMPLE_NS;
		ts.tv_nsec = at % SAMPLE_NS;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	}
	return 0;
}
