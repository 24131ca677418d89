// SPDX-License-Identifier: GPL-2.0
/*
 * losslessctl reload: exchanges the loaded modules for the installed ones. No
 * lossless packet is lost: it pauses the peers of all ports, waits until no
 * packet arrives or waits, saves the settings, deletes the qdiscs, exchanges the
 * modules, restores the settings, and ends the pauses. It refuses, and changes
 * nothing, if a peer ignores pauses or programs of this machine use a port.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tc/version.h"
#include "hold.h"
#include "save.h"

#define NS_PER_MS	1000000ULL

#define WAIT_MS		2000
#define LOOK_US		2000

/* The kernel removes a network namespace, with its qdiscs, in the background */
#define NETNS_WAIT_MS	5000
#define NETNS_LOOK_US	50000

/* Where the settings stay if the modules cannot be loaded again */
#define SAVED_DIR	"/run/lossless"

struct reload {
	struct ctl_netnses n;
	uint32_t wait_ms;	/* until nothing arrives or waits */
	bool force;	/* also with what cannot be paused */
	uint64_t held_ns;	/* start of the pauses */
};

static enum ctl_exit check_hosts(const struct reload *r)
{
	char name[IF_NAMESIZE];
	const struct ctl_netns *ns;
	int i;

	for (ns = r->n.all; ns < r->n.all + r->n.num; ns++) {
		for (i = 0; i < ns->num_qdiscs; i++) {
			if (ns->qdiscs[i].role != LLE_ROLE_HOST)
				continue;
			if (!ctl_netns_enter(ns) ||
			    !if_indextoname(ns->qdiscs[i].ifindex, name))
				snprintf(name, sizeof(name), "%u", ns->qdiscs[i].ifindex);
			return ctl_fail("refused: %s%s has the role host: programs of this machine send through it, and cannot be paused; stop them and use --force, or restart the machine",
					name, ctl_netns_where(ns));
		}
	}
	return CTL_OK;
}

/* The number of qdiscs, also in network namespaces that are not visible */
static enum ctl_exit read_users(int *users)
{
	FILE *f = fopen("/sys/module/sch_lossless/refcnt", "re");

	if (!f)
		return ctl_fail("the module sch_lossless is not loaded: modprobe sch_lossless");
	if (fscanf(f, "%d", users) != 1)
		*users = 0;
	fclose(f);
	return CTL_OK;
}

/* Finds all network namespaces, or fails if qdiscs are left in others. */
static enum ctl_exit find_netnses(struct reload *r)
{
	uint64_t end_ns = ctl_now_ns() + NETNS_WAIT_MS * NS_PER_MS;
	const struct ctl_netns *ns;
	int users = 0, found;
	enum ctl_exit ret;

	while (1) {
		ret = ctl_netns_find(&r->n);
		if (!ret)
			ret = read_users(&users);
		if (ret)
			return ret;
		found = 0;
		for (ns = r->n.all; ns < r->n.all + r->n.num; ns++)
			found += ns->num_qdiscs;
		if (users <= found)
			return CTL_OK;
		if (ctl_now_ns() > end_ns)
			return ctl_fail("refused: sch_lossless has %d users, and only %d are qdiscs in network namespaces of processes or in /run/netns; end what else uses it, or restart the machine",
					users, found);
		/* open files would keep a namespace that is being removed */
		ctl_netns_free(&r->n);
		usleep(NETNS_LOOK_US);
	}
}

static enum ctl_exit save_all(const struct reload *r)
{
	enum ctl_exit ret = CTL_OK;
	char path[PATH_MAX];
	struct ctl_netns *ns;
	FILE *to;

	if (mkdir(SAVED_DIR, 0755) && errno != EEXIST)
		return ctl_fail(SAVED_DIR ": %s", strerror(errno));
	for (ns = r->n.all; ns < r->n.all + r->n.num && !ret; ns++) {
		if (!ns->num_qdiscs)
			continue;
		if (!ctl_netns_enter(ns))
			return CTL_FAIL;
		snprintf(path, sizeof(path), SAVED_DIR "/saved-%s", ns->name);
		to = fopen(path, "we");
		if (!to)
			return ctl_fail("%s: %s", path, strerror(errno));
		ret = ctl_save_all(&ns->c, to);
		if (fclose(to) && !ret)
			ret = ctl_fail("%s: %s", path, strerror(errno));
	}
	return ret;
}

static void forget_saved(const struct reload *r)
{
	const struct ctl_netns *ns;
	char path[PATH_MAX];

	for (ns = r->n.all; ns < r->n.all + r->n.num; ns++) {
		snprintf(path, sizeof(path), SAVED_DIR "/saved-%s", ns->name);
		unlink(path);
	}
}

/* Runs @work in a process that is in the network namespace. */
static bool in_netns(const struct ctl_netns *ns, bool (*work)(const struct ctl_netns *ns))
{
	int status = 1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(!ctl_netns_enter(ns) || !work(ns));
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

static bool delete_qdiscs(const struct ctl_netns *ns)
{
	char *commands = NULL, name[IF_NAMESIZE];
	size_t bytes;
	FILE *to;
	bool ok;

	to = open_memstream(&commands, &bytes);
	for (int i = 0; to && i < ns->num_qdiscs; i++)
		if (if_indextoname(ns->qdiscs[i].ifindex, name))
			fprintf(to, "qdisc del dev %s root\n", name);
	ok = to && !fclose(to) && ctl_restore_batch("tc", commands);
	free(commands);
	return ok;
}

static bool restore(const struct ctl_netns *ns)
{
	char path[PATH_MAX];
	bool ok;
	FILE *f;

	snprintf(path, sizeof(path), SAVED_DIR "/saved-%s", ns->name);
	f = fopen(path, "re");
	ok = f && ctl_restore_all(f, path) == CTL_OK;
	if (f)
		fclose(f);
	return ok;
}

static bool each_netns(const struct reload *r, bool (*work)(const struct ctl_netns *ns))
{
	const struct ctl_netns *ns;
	bool ok = true;

	for (ns = r->n.all; ns < r->n.all + r->n.num; ns++)
		if (ns->num_qdiscs)
			ok &= in_netns(ns, work);
	return ok;
}

/* The kernel ends uses of a module a moment after a qdisc is gone. */
static enum ctl_exit unload(const char *module)
{
	unsigned int tries = 100;

	while (syscall(SYS_delete_module, module, O_NONBLOCK)) {
		if ((errno != EAGAIN && errno != EBUSY && errno != EWOULDBLOCK) || !tries--)
			return ctl_fail("%s cannot be unloaded: %s; lsmod names its users", module, strerror(errno));
		usleep(LOOK_US);
	}
	return CTL_OK;
}

static bool load(const struct ctl_netns *ns)
{
	(void)ns;
	execlp("modprobe", "modprobe", "sch_lossless", NULL);
	ctl_fail("modprobe: %s", strerror(errno));
	return false;
}

/* The old module may go only if another one is installed. */
static bool installed(const struct ctl_netns *ns)
{
	(void)ns;
	execlp("modprobe", "modprobe", "--dry-run", "--ignore-install", "sch_lossless", NULL);
	return false;
}

static enum ctl_exit exchange(struct reload *r)
{
	enum ctl_exit ret;

	ret = each_netns(r, delete_qdiscs) ? CTL_OK : ctl_fail("a qdisc cannot be deleted");
	if (!ret)
		ret = unload("sch_lossless");
	if (!ret)
		ret = unload("lossless");
	/* also if the old ones are still there */
	if (!in_netns(&r->n.all[0], load))
		return ctl_fail("the modules cannot be loaded: the ports have no lossless qdisc; their settings are in " SAVED_DIR "/saved-*, for losslessctl restore");
	if (!each_netns(r, restore))
		ret = ctl_fail("not all settings are restored; all are in " SAVED_DIR "/saved-*");
	else
		forget_saved(r);
	return ret;
}

static enum ctl_exit reload(struct reload *r)
{
	struct ctl_hold hold = { .pipe = -1 };
	enum ctl_exit ret;

	ret = find_netnses(r);
	if (!ret && !r->force)
		ret = check_hosts(r);
	if (!ret && !in_netns(&r->n.all[0], installed))
		ret = ctl_fail("refused: no module sch_lossless is installed for this kernel: dkms status says whether it was built");
	if (ret)
		return ret;
	r->held_ns = ctl_now_ns();
	ret = ctl_hold_begin(&hold, &r->n);
	if (!ret && !r->force)
		ret = ctl_wait_until_quiet(&r->n, r->wait_ms);
	/* only now, as settings may have changed */
	if (!ret)
		ret = save_all(r);
	if (!ret)
		ret = exchange(r);
	ctl_hold_end(&hold);
	return ret;
}

static void tell(const struct reload *r)
{
	char version[LLE_VERSION_LEN] = "";
	int ports = 0, i;

	lle_version_loaded(version);
	for (i = 0; i < r->n.num; i++)
		ports += r->n.all[i].num_qdiscs;
	printf("lossless %s is loaded; the peers of %d ports were paused for %llu ms\n", version,
	       ports, (unsigned long long)((ctl_now_ns() - r->held_ns) / NS_PER_MS));
}

enum ctl_exit ctl_reload(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "force", no_argument, NULL, 'f' },
		{ "wait", required_argument, NULL, 'w' }, {}
	};
	struct reload r = { .wait_ms = WAIT_MS };
	enum ctl_exit ret;
	int letter;

	while ((letter = ctl_option(c, argc, argv, "fw:", names))) {
		if (letter == 'f')
			r.force = true;
		else if (letter != 'w' ||
			 ctl_number(c, "wait", optarg, 1, 600000, &r.wait_ms))
			return CTL_USAGE;
	}
	if (argc > optind)
		return ctl_wrong(c, "reload: unknown argument \"%s\"", argv[optind]);
	/* a half-done exchange is worse than one that cannot be interrupted */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	ret = reload(&r);
	if (!ret)
		tell(&r);
	ctl_netns_free(&r.n);
	return ret;
}
