// SPDX-License-Identifier: GPL-2.0
/* A cable between two taps: lle_tap NETNS DEV NETNS DEV. Runs until killed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "lle_tap: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int open_tap(const char *netns, const char *dev)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(path);
	close(fd);
	fd = open("/dev/net/tun", O_RDWR);
	if (fd < 0)
		die("/dev/net/tun");
	strncpy(ifr.ifr_name, dev, IFNAMSIZ - 1);
	if (ioctl(fd, TUNSETIFF, &ifr))
		die(dev);
	return fd;
}

int main(int argc, char **argv)
{
	struct pollfd end[2];
	char frame[65536];
	ssize_t len;
	int i;

	if (argc != 5)
		return 1;
	for (i = 0; i < 2; i++) {
		end[i].fd = open_tap(argv[1 + 2 * i], argv[2 + 2 * i]);
		end[i].events = POLLIN;
	}
	while (poll(end, 2, -1) > 0) {
		for (i = 0; i < 2; i++) {
			if (!(end[i].revents & POLLIN))
				continue;
			len = read(end[i].fd, frame, sizeof(frame));
			/* as a cable, loses it if the device is down */
			if (len > 0 && write(end[!i].fd, frame, len) < 0 &&
			    errno != EIO)
				die("write");
		}
	}
	return 0;
}
