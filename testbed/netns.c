// SPDX-License-Identifier: GPL-2.0
/* Named network namespaces, as of `ip netns`. @node: host or %TB_SWITCHES */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "netns.h"
#include "tb.h"

#define TB_NETNS_DIR	"/run/netns"

static void tb_netns_path(char *path, const char *testbed, const char *node)
{
	snprintf(path, TB_PATH_SIZE, TB_NETNS_DIR "/%s-%s", testbed, node);
}

static int tb_netns_share(void)
{
	return mount("", TB_NETNS_DIR, "none", MS_SHARED | MS_REC, NULL);
}

/*
 * Creates the folder of the names: a shared mount, as ip(8) makes it. A name
 * left in another mount namespace would keep its network namespace.
 */
int tb_netns_prepare(void)
{
	if ((!mkdir(TB_NETNS_DIR, 0755) || errno == EEXIST) &&
	    (!tb_netns_share() ||
	     (errno == EINVAL &&
	      !mount(TB_NETNS_DIR, TB_NETNS_DIR, "none", MS_BIND | MS_REC,
		     NULL) &&
	      !tb_netns_share())))
		return 0;
	return tb_error(TB_NETNS_DIR ": %s", strerror(errno));
}

static int tb_netns_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

/* Without IPv6 the kernel sends no packets of its own. */
static int tb_netns_no_ipv6(void)
{
	if (tb_netns_write("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1"))
		return -1;
	return tb_netns_write("/proc/sys/net/ipv6/conf/default/disable_ipv6",
			      "1");
}

/* Creates a network namespace, and enters it. Return: a descriptor; -1 */
int tb_netns_add(const char *testbed, const char *node)
{
	char path[TB_PATH_SIZE];
	int fd;

	tb_netns_path(path, testbed, node);
	fd = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
	if (fd < 0)
		return tb_error("%s: %s", path, strerror(errno));
	close(fd);
	fd = -1;
	if (!unshare(CLONE_NEWNET) &&
	    !mount("/proc/self/ns/net", path, "none", MS_BIND, NULL) &&
	    !tb_netns_no_ipv6())
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		tb_error("network namespace %s-%s: %s", testbed, node,
			 strerror(errno));
		tb_netns_del(testbed, node);
	}
	return fd;
}

/* Return: a descriptor of a network namespace; -1 after an error message. */
int tb_netns_open(const char *testbed, const char *node)
{
	char path[TB_PATH_SIZE];
	int fd;

	tb_netns_path(path, testbed, node);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? tb_error("%s: %s", path, strerror(errno)) : fd;
}

/* Enters a network namespace. @node: for the message */
int tb_netns_enter(int fd, const char *node)
{
	if (setns(fd, CLONE_NEWNET))
		return tb_error("network namespace of %s: %s", node,
				strerror(errno));
	return 0;
}

/* Removes a name, if it exists; the namespace ends with its last user. */
int tb_netns_del(const char *testbed, const char *node)
{
	char path[TB_PATH_SIZE];

	tb_netns_path(path, testbed, node);
	umount2(path, MNT_DETACH);
	if (unlink(path) && errno != ENOENT)
		return tb_error("%s: %s", path, strerror(errno));
	return 0;
}
