// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/lib/event.c: a full socket. The events are those of device lo, in a
 * network namespace of its own: one for each change of its MTU. After the
 * library reported a loss, it must deliver each later event or report a loss
 * again: losslessd reads all state on a report, and not again.
 */
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* RTM_NEWLINK has the number of this type */
#include <linux/genetlink.h>
#undef GENL_ID_CTRL
#define GENL_ID_CTRL	0

#include "../../daemon/lib/event.c"

#include <linux/rtnetlink.h>

#define FLOOD	500	/* events; more than the socket holds */

void lle_nl_about(struct lle_nl *nl, const char *fmt, ...)
{
	(void)nl, (void)fmt;
}

int lle_nl_fail(struct lle_nl *nl, int err, const char *why)
{
	(void)nl, (void)why;
	return err;
}

int lle_nl_decode_event(struct nlmsghdr *nlh, struct lle_nl_event *e)
{
	(void)nlh, (void)e;
	return 0;
}

static unsigned int came;

static void on_event(const struct lle_nl_event *e, void *arg)
{
	(void)e, (void)arg;
	came++;
}

static int listen_to_links(struct lle_nl *nl)
{
	nl->events = nl_socket_alloc();
	nl_socket_disable_seq_check(nl->events);
	return nl_connect(nl->events, NETLINK_ROUTE) ||
	       nl_socket_set_buffer_size(nl->events, 4096, 0) ||
	       nl_socket_add_membership(nl->events, RTNLGRP_LINK);
}

/* All functions here return 0 or a negative errno. */
static int make_event(void)
{
	struct ifreq ifr = { .ifr_name = "lo" };
	static int fd = -1, mtu = 1000;

	if (fd < 0)
		fd = socket(AF_INET, SOCK_DGRAM, 0);
	ifr.ifr_mtu = ++mtu;
	return ioctl(fd, SIOCSIFMTU, &ifr) ? -errno : 0;
}

/* Makes an event before it reads one: the reader never catches up. */
static int read_slowly(struct lle_nl *nl)
{
	int err = 0, i;

	for (i = 0; i < FLOOD && !err; i++) {
		err = make_event();
		if (!err)
			err = lle_nl_read_events(nl, on_event, NULL);
	}
	return err;
}

static int waits(const struct lle_nl *nl)
{
	struct pollfd fd = { .fd = lle_nl_events_fd(nl), .events = POLLIN };

	return poll(&fd, 1, 0);
}

static int read_all(struct lle_nl *nl)
{
	int err = 0;

	while (!err && waits(nl))
		err = lle_nl_read_events(nl, on_event, NULL);
	return err;
}

int main(void)
{
	struct lle_nl nl = {};
	unsigned int i;
	int err;

	unshare(CLONE_NEWUSER | CLONE_NEWNET);
	err = listen_to_links(&nl);
	for (i = 0; i < FLOOD && !err; i++)
		err = make_event();
	if (err) {
		printf("there are no events: %d\n", err);
		return 1;
	}
	err = read_slowly(&nl);
	if (err != -ENOBUFS)
		printf("loss is not said: %d\n", err);
	if (!came || came >= FLOOD)
		printf("until it is, %u came\n", came);

	came = 0;
	for (i = 0, err = 0; i < 3 && !err; i++) {
		err = make_event();
		if (!err)
			err = read_all(&nl);
	}
	if (err && err != -ENOBUFS)
		printf("afterwards: %d\n", err);
	if (!err && came != 3)
		printf("afterwards %u came, should be 3\n", came);
	nl_socket_free(nl.events);
	return 0;
}
