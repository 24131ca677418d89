/* SPDX-License-Identifier: GPL-2.0 */
/* Random netlink messages, and requests to the kernel. */
#ifndef NLFUZZ_H
#define NLFUZZ_H

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BUF_SIZE	32768
#define LONG		4096		/* bytes of an attribute */

static unsigned int seed;

static inline unsigned int rnd(unsigned int below)
{
	return rand_r(&seed) % below;
}

/* Small, large, near a power of two, or anything */
static inline unsigned long long rnd_value(void)
{
	switch (rnd(5)) {
	case 0: return rnd(9);
	case 1: return rnd(100000);
	case 2: return (1ULL << rnd(64)) - rnd(2);
	case 3: return -1ULL;
	default: return (unsigned long long)rand_r(&seed) << 32 | rand_r(&seed);
	}
}

/* A number, or up to @most random bytes */
static inline void put_random(struct nlmsghdr *nlh, unsigned int type,
			      unsigned int most)
{
	unsigned char data[LONG];
	unsigned long long v;
	unsigned int i, n;

	if (rnd(4)) {
		/* the length of a number */
		n = 1 << rnd(4);
		v = rnd_value();
		memcpy(data, &v, n);
	} else {
		n = rnd(most);
		for (i = 0; i < n; i++)
			data[i] = rnd(2) ? rnd(8) : rnd(256);
	}
	mnl_attr_put(nlh, type, n, data);
}

/* Opens a socket that fails after some time without an answer. */
static inline struct mnl_socket *connect_to(int protocol)
{
	const struct timeval patience = { .tv_sec = 5 };
	struct mnl_socket *nl = mnl_socket_open(protocol);

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) ||
	    setsockopt(mnl_socket_get_fd(nl), SOL_SOCKET, SO_RCVTIMEO,
		       &patience, sizeof(patience))) {
		perror("netlink");
		exit(1);
	}
	return nl;
}

/*
 * 0, or the error in the answer; -1: no answer. @seen, if not NULL, gets each
 * message.
 */
static inline int answer(struct mnl_socket *nl, unsigned int seq,
			 void (*seen)(const struct nlmsghdr *nlh))
{
	const struct nlmsgerr *err;
	const struct nlmsghdr *nlh;
	char buf[BUF_SIZE];
	ssize_t got;
	int len;

	for (;;) {
		got = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (got <= 0)
			return -1;
		len = got;
		for (nlh = (void *)buf; mnl_nlmsg_ok(nlh, len);
		     nlh = mnl_nlmsg_next(nlh, &len)) {
			if (nlh->nlmsg_seq != seq)
				continue;
			if (seen)
				seen(nlh);
			if (nlh->nlmsg_type == NLMSG_DONE)
				return 0;
			if (nlh->nlmsg_type == NLMSG_ERROR) {
				err = mnl_nlmsg_get_payload(nlh);
				return -err->error;
			}
		}
	}
}

/* Returns the sequence number. */
static inline unsigned int request(struct mnl_socket *nl, struct nlmsghdr *nlh)
{
	static unsigned int seq;

	nlh->nlmsg_seq = ++seq;
	if (mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0) {
		perror("netlink");
		exit(1);
	}
	return seq;
}

static inline int ask(struct mnl_socket *nl, struct nlmsghdr *nlh)
{
	return answer(nl, request(nl, nlh), NULL);
}

/* Ends the program if a random message has no answer. */
static unsigned int taken, refused;

static inline void count(int err)
{
	if (err < 0) {
		fprintf(stderr, "no answer to message %u\n", taken + refused);
		exit(1);
	}
	if (err)
		refused++;
	else
		taken++;
}

/* A fuzzer with no refusals, or only refusals, tests nothing. */
static inline int verdict(void)
{
	printf("# %u messages: %u taken, %u refused\n", taken + refused, taken,
	       refused);
	return !taken || !refused;
}

#endif /* NLFUZZ_H */
