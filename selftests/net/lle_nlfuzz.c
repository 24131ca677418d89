// SPDX-License-Identifier: GPL-2.0
/*
 * Random netlink options for a lossless qdisc that exists.
 *
 *	lle_nlfuzz DEV RUNS SEED
 *
 * Each message is RTM_NEWQDISC with random TCA_OPTIONS: known and unknown
 * attributes, of right and wrong lengths, with values at and beyond the edges.
 * The kernel has to answer each with 0 or an error; after some of them it is
 * asked to dump. Exit status 0 if it always did.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/pkt_sch_lossless.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUF_SIZE	16384

static unsigned int seed;

static unsigned int rnd(unsigned int below)
{
	return rand_r(&seed) % below;
}

/* Small, large, at the edge of a power of two, or anything. */
static unsigned long long rnd_value(void)
{
	switch (rnd(5)) {
	case 0: return rnd(9);
	case 1: return rnd(100000);
	case 2: return (1ULL << rnd(64)) - rnd(2);
	case 3: return -1ULL;
	default: return (unsigned long long)rand_r(&seed) << 32 | rand_r(&seed);
	}
}

static void put_random(struct nlmsghdr *nlh, unsigned int types, int depth)
{
	unsigned int type = rnd(types + 2), i, n;
	unsigned char data[128];
	unsigned long long v;
	struct nlattr *nest;

	if (depth && (type == TCA_LOSSLESS_WRED || !rnd(20))) {
		nest = mnl_attr_nest_start(nlh, type);
		for (n = rnd(9); n; n--)
			put_random(nlh, TCA_LOSSLESS_WRED_MAX, depth - 1);
		mnl_attr_nest_end(nlh, nest);
		return;
	}

	if (rnd(4)) {
		/* the length that numbers have */
		n = 1 << rnd(4);
		v = rnd_value();
		memcpy(data, &v, n);
	} else {
		n = rnd(sizeof(data));
		for (i = 0; i < n; i++)
			data[i] = rnd(2) ? rnd(8) : rnd(256);
	}
	mnl_attr_put(nlh, type, n, data);
}

static struct nlmsghdr *message(char *buf, int ifindex, int type, int flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct tcmsg *tcm;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));
	tcm->tcm_family = AF_UNSPEC;
	tcm->tcm_ifindex = ifindex;
	tcm->tcm_parent = TC_H_ROOT;
	return nlh;
}

/* 0, or the error that the kernel has answered with; -1: it has not */
static int ask(struct mnl_socket *nl, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err;
	const struct nlmsghdr *reply;
	char buf[BUF_SIZE];
	ssize_t len;

	if (mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0)
		return -1;
	for (;;) {
		len = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (len < (ssize_t)sizeof(*reply))
			return -1;
		reply = (const void *)buf;
		if (reply->nlmsg_type == NLMSG_DONE)
			return 0;
		if (reply->nlmsg_type == NLMSG_ERROR) {
			err = mnl_nlmsg_get_payload(reply);
			return -err->error;
		}
	}
}

int main(int argc, char **argv)
{
	unsigned int runs, i, n, taken = 0, refused = 0;
	struct mnl_socket *nl;
	struct nlmsghdr *nlh;
	struct nlattr *nest;
	char buf[BUF_SIZE];
	int ifindex, err;

	if (argc != 4) {
		fprintf(stderr, "usage: lle_nlfuzz DEV RUNS SEED\n");
		return 1;
	}
	ifindex = if_nametoindex(argv[1]);
	runs = atoi(argv[2]);
	seed = atoi(argv[3]);
	nl = mnl_socket_open(NETLINK_ROUTE);
	if (!ifindex || !nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID)) {
		perror("lle_nlfuzz");
		return 1;
	}

	for (i = 0; i < runs; i++) {
		nlh = message(buf, ifindex, RTM_NEWQDISC, NLM_F_ACK);
		mnl_attr_put_strz(nlh, TCA_KIND, "lossless");
		nest = mnl_attr_nest_start(nlh, TCA_OPTIONS);
		for (n = rnd(6); n; n--)
			put_random(nlh, TCA_LOSSLESS_MAX, 1);
		mnl_attr_nest_end(nlh, nest);
		err = ask(nl, nlh);
		if (err < 0) {
			fprintf(stderr, "no answer to message %u\n", i);
			return 1;
		}
		if (err)
			refused++;
		else
			taken++;

		if (i % 16 == 0) {
			nlh = message(buf, ifindex, RTM_GETQDISC, NLM_F_DUMP);
			if (ask(nl, nlh)) {
				fprintf(stderr, "dump %u failed\n", i);
				return 1;
			}
		}
	}
	printf("# %u messages: %u taken, %u refused\n", runs, taken, refused);
	mnl_socket_close(nl);
	/* a fuzzer of which nothing, or all, is refused tests nothing */
	return !taken || !refused;
}
