// SPDX-License-Identifier: GPL-2.0
/* All network namespaces of processes of this machine, and of "ip netns". */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "netns.h"

#define NAMED	"/run/netns"

static bool known(const struct ctl_netnses *n, int fd)
{
	struct stat a, b;
	int i;

	if (fstat(fd, &a))
		return true;
	for (i = 0; i < n->num; i++)
		if (!fstat(n->all[i].fd, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
			return true;
	return false;
}

/* Return: false: after a message */
bool ctl_netns_enter(const struct ctl_netns *ns)
{
	if (!setns(ns->fd, CLONE_NEWNET))
		return true;
	if (errno == EPERM)
		ctl_fail("this command looks into all network namespaces: it takes CAP_NET_ADMIN and CAP_SYS_ADMIN, as root has");
	else
		ctl_fail("network namespace %s: %s", ns->name, strerror(errno));
	return false;
}

/* Return: " in network namespace NAME" until the next call; the caller's: "" */
const char *ctl_netns_where(const struct ctl_netns *ns)
{
	static char text[CTL_NETNS_NAME + 32];

	*text = '\0';
	if (strcmp(ns->name, "self"))
		snprintf(text, sizeof(text), " in network namespace %s", ns->name);
	return text;
}

/* A namespace may just have ended. */
static enum ctl_exit add(struct ctl_netnses *n, const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct ctl_netns *ns;

	if (fd < 0)
		return errno == ENOENT || errno == ESRCH ? CTL_OK :
		       ctl_fail("%s: %s", path, strerror(errno));
	if (known(n, fd)) {
		close(fd);
		return CTL_OK;
	}
	ns = reallocarray(n->all, n->num + 1, sizeof(*ns));
	if (!ns) {
		close(fd);
		return ctl_fail("out of memory");
	}
	n->all = ns;
	ns += n->num++;
	*ns = (struct ctl_netns){ .fd = fd };
	snprintf(ns->name, sizeof(ns->name), "%s", name);
	if (!ctl_netns_enter(ns))
		return CTL_FAIL;
	/* without the warning that versions differ */
	if (lle_nl_open(&ns->c.nl))
		return ctl_refused(&ns->c);
	ns->num_qdiscs = lle_nl_get_qdiscs(ns->c.nl, &ns->qdiscs);
	return ns->num_qdiscs < 0 ? ctl_refused(&ns->c) : CTL_OK;
}

static enum ctl_exit add_all(struct ctl_netnses *n, const char *dir, const char *format)
{
	enum ctl_exit ret = CTL_OK;
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *d = opendir(dir);

	if (!d)
		return CTL_OK;
	while (!ret && (entry = readdir(d))) {
		if (entry->d_name[0] == '.' || (*format && !isdigit(entry->d_name[0])))
			continue;
		snprintf(path, sizeof(path), "%s/%s%s", dir, entry->d_name, format);
		ret = add(n, path, entry->d_name);
	}
	closedir(d);
	return ret;
}

/* Also reads the qdiscs. The caller frees @n, also after a failure. */
enum ctl_exit ctl_netns_find(struct ctl_netnses *n)
{
	struct rlimit files;
	enum ctl_exit ret;

	*n = (struct ctl_netnses){};
	/* a testbed may have hundreds */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	ret = add(n, "/proc/self/ns/net", "self");
	if (!ret)
		ret = add_all(n, NAMED, "");
	if (!ret)
		ret = add_all(n, "/proc", "/ns/net");
	if (!ret && !ctl_netns_enter(&n->all[0]))
		ret = CTL_FAIL;
	return ret;
}

void ctl_netns_free(struct ctl_netnses *n)
{
	struct ctl_netns *ns;

	for (ns = n->all; ns < n->all + n->num; ns++) {
		lle_nl_free_qdiscs(ns->qdiscs, ns->num_qdiscs > 0 ? ns->num_qdiscs : 0);
		lle_nl_close(ns->c.nl);
		close(ns->fd);
	}
	free(n->all);
	*n = (struct ctl_netnses){};
}
