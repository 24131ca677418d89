// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded library: fails memory allocations of the kernel for a program.
 *
 *	LLE_FAIL=N LLE_FAIL_LOG=FILE LD_PRELOAD=lle_fail.so PROGRAM
 *
 * The Nth allocation fails in requests to add or change a qdisc, to set DCB, and
 * of generic netlink without dump; in unshare(); and in writes below /proc/sys.
 * FILE then has the allocations missing to N, 0: one failed; and "lost" if the
 * answer was lost (ENOBUFS, which also reports ENOMEM). With LLE_FAIL=task these
 * calls are marked for task-filter of debugfs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int control = -1;	/* in /proc, of this task */
static bool task;		/* control is make-it-fail */
static char left[16];		/* text to write to control */
static bool lost;		/* an answer was lost */

static void set(const char *text)
{
	if (pwrite(control, text, strlen(text), 0) < 0)
		err(99, "fault injection");
}

static void begin(void)
{
	const char *fail = getenv("LLE_FAIL");

	if (control < 0) {
		task = !strcmp(fail, "task");
		strncpy(left, task ? "1" : fail, sizeof(left) - 1);
		control = open(task ? "/proc/thread-self/make-it-fail" :
				      "/proc/thread-self/fail-nth",
			       O_RDWR | O_CLOEXEC);
		if (control < 0)
			err(99, "fault injection");
	}
	set(left);
}

static void report(void)
{
	int log = open(getenv("LLE_FAIL_LOG"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (log < 0 || dprintf(log, "%d %s\n", atoi(left), lost ? "lost" : "") < 0)
		err(99, "LLE_FAIL_LOG");
	close(log);
}

static void end(void)
{
	int saved = errno;
	ssize_t len = 0;

	if (!task) {
		len = pread(control, left, sizeof(left) - 1, 0);
		left[len > 0 ? len : 0] = '\0';
	}
	set("0");
	report();
	errno = saved;
}

static bool changes(int fd, const void *data, size_t len)
{
	const struct nlmsghdr *nlh = data;
	int domain = 0, protocol = 0;
	socklen_t size = sizeof(int);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) ||
	    domain != AF_NETLINK || len < sizeof(*nlh) ||
	    getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size))
		return false;
	if (protocol == NETLINK_GENERIC)
		return nlh->nlmsg_type != GENL_ID_CTRL &&
		       (nlh->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP;
	return protocol == NETLINK_ROUTE &&
	       (nlh->nlmsg_type == RTM_NEWQDISC ||
		nlh->nlmsg_type == RTM_SETDCB);
}

static bool is_sysctl(int fd)
{
	char link[32], path[16] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return readlink(link, path, sizeof(path) - 1) > 0 &&
	       !strncmp(path, "/proc/sys/", 10);
}

#define CALL(type, armed, function, ...) do {			\
	__typeof__(&(function)) real = dlsym(RTLD_NEXT, #function);	\
	bool is_armed = (armed);				\
	type result;						\
								\
	if (is_armed)						\
		begin();					\
	result = real(__VA_ARGS__);				\
	if (is_armed)						\
		end();						\
	return result;						\
} while (0)

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	CALL(ssize_t, msg->msg_iovlen && changes(fd, msg->msg_iov->iov_base,
						 msg->msg_iov->iov_len),
	     sendmsg, fd, msg, flags);
}

ssize_t sendto(int fd, const void *data, size_t len, int flags,
	       const struct sockaddr *to, socklen_t size)
{
	CALL(ssize_t, changes(fd, data, len), sendto, fd, data, len, flags, to,
	     size);
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	__typeof__(&recvmsg) real = dlsym(RTLD_NEXT, "recvmsg");
	ssize_t len = real(fd, msg, flags);

	if (len < 0 && errno == ENOBUFS) {
		lost = true;
		report();
		errno = ENOBUFS;
	}
	return len;
}

ssize_t write(int fd, const void *data, size_t len)
{
	CALL(ssize_t, is_sysctl(fd), write, fd, data, len);
}

int unshare(int flags)
{
	CALL(int, true, unshare, flags);
}
