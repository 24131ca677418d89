// SPDX-License-Identifier: GPL-2.0
/*
 * A run: builds the network, waits until no packet moves, and finds the dead
 * ports. A deadlock that is only reported stays for ever, so the final state
 * has all deadlocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../daemon/lib/client.h"
#include "random.h"

#define TESTBED		"/tmp/testbed"
#define RNIC		"/sys/kernel/debug/lle_rnic/"
#define ORACLE		"/sys/kernel/debug/lle_oracle/"
#define SWITCHES	"/run/netns/lle-sw"

#define NSEC_PER_SEC	1000000000ULL
/* A softirq that is raised now runs with the next jiffy. */
#define AHEAD_NS	20000000ULL
/* Ticks between two checks, more than a host pauses; maximum of checks */
#define LOOK_TICKS	10000
#define LOOKS		20

static int fail(const char *what)
{
	fprintf(stderr, "lle_random: %s: %s\n", what, strerror(errno));
	return -1;
}

/* Runs a program, without its output. Return: 0 if its status is 0. */
static int run(char *const *argv)
{
	int status, null;
	pid_t pid;

	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return fail(argv[0]);
	if (status) {
		fprintf(stderr, "lle_random: %s %s: status %d\n", argv[0],
			argv[1], status);
		return -1;
	}
	return 0;
}

static int write_line(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY), ret = 0;

	if (fd < 0 || write(fd, line, strlen(line)) < 0)
		ret = fail(path);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Does this part of the network have the port? */
static bool has_port(const char *port)
{
	char command[80];

	snprintf(command, sizeof(command),
		 "ip -n lle-sw link show dev %s 2>/dev/null | grep -q master", port);
	return !system(command);
}

/* A reserved buffer larger than all traffic keeps the port from pausing. */
static int never_pauses(const struct network *n, const struct setting *set,
			const struct never *never)
{
	char buffer[16];
	char *tc[] = { "tc", "-n", "lle-sw", "qdisc", "change", "dev",
		       (char *)never->port, "root", "lossless", "buffer",
		       buffer, "reserved", "64mb", NULL };

	if (!never->port[0] || (set->part && !has_port(never->port)))
		return 0;
	snprintf(buffer, sizeof(buffer), "%u",
		 testbed_buffer(n, never->bridge) + (LLE_NUM_PRIO * 64 << 20));
	return run(tc);
}

/* Removes the last run, kept for inspection until now. */
static int clear(void)
{
	static char *const down[] = { "lle-testbed", "down", NULL };

	if (access(SWITCHES, F_OK))
		return 0;
	return write_line(RNIC "control", "clear") ||
	       write_line(ORACLE "control", "clear") || run(down);
}

static int build(const struct network *n, const struct setting *set,
		 const struct never *never)
{
	char part[32];
	char *up[] = { "lle-testbed", "up", "file", TESTBED,
		       set->parts ? "--part" : NULL, part, NULL };
	FILE *f;

	snprintf(part, sizeof(part), "%u/%u", set->part, set->parts);

	if (clear())
		return -1;
	f = fopen(TESTBED, "w");
	if (!f)
		return fail(TESTBED);
	testbed_print(n, f);
	fclose(f);
	if (run(up) || never_pauses(n, set, never) ||
	    (set->part && system("lle-testbed show --format ethers >" RNIC "ethers")))
		return -1;
	f = fopen(RNIC "flows", "w");
	if (!f)
		return fail(RNIC "flows");
	flows_print(n, never->host, f);
	return fclose(f) ? fail(RNIC "flows") : 0;
}

static uint64_t packets_sent(const struct state *s)
{
	uint64_t sent = 0;
	unsigned int i;

	for (i = 0; i < s->ports; i++)
		sent += s->port[i].sent;
	return sent;
}

/* The run has ended if all queued packets wait for dead ports. */
static bool settled(const struct outcome *o)
{
	const struct port *p;

	for (p = o->state.port; p < o->state.port + o->state.ports; p++)
		if (p->queued && (p->holder < 0 ||
				  !(o->dead.ports & PORT(p->holder))))
			return false;
	return true;
}

static void wait_ns(uint64_t ns)
{
	const struct timespec t = { ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };

	nanosleep(&t, NULL);
}

/* Reads the state of all parts. */
static int look_once(const struct setting *set, struct state *s)
{
	size_t len = 0, all_len;
	char *here = NULL, *all = NULL;
	int ret;

	ret = file_read(ORACLE "state", &here, &len) ||
	      parts_share(set, here, len, &all, &all_len) || state_read(s, all);
	free(here);
	free(all);
	return ret ? -1 : 0;
}

static int look(const struct network *n, const struct setting *set, struct outcome *o)
{
	uint64_t before = UINT64_MAX, sent;
	unsigned int i;

	wait_ns(AHEAD_NS);
	for (i = 0; i < LOOKS; i++) {
		wait_ns(LOOK_TICKS * n->tick_ns);
		if (look_once(set, &o->state))
			return -1;
		sent = packets_sent(&o->state);
		if (sent != before) {
			before = sent;
			continue;
		}
		dead_find(&o->state, &o->dead);
		if (settled(o))
			return 0;
	}
	fprintf(stderr, "lle_random: seed %" PRIu64 " does not come to rest\n",
		n->seed);
	return -1;
}

static int compare_found(const void *a, const void *b)
{
	const struct lle_nl_deadlock *x = a, *y = b;

	if (x->info.declared_ns != y->info.declared_ns)
		return x->info.declared_ns > y->info.declared_ns ? 1 : -1;
	if (x->sw != y->sw)
		return x->sw > y->sw ? 1 : -1;
	return (x->info.initiator.slot > y->info.initiator.slot) -
	       (x->info.initiator.slot < y->info.initiator.slot);
}

/* Reads the deadlocks that the switches of all parts declared. */
static int ask(const struct setting *set, struct outcome *o)
{
	struct lle_nl_deadlock *here;
	struct lle_nl *nl;
	size_t len;
	char *all;
	int num, ret;

	if (lle_nl_open(&nl))
		return fail("netlink");
	num = lle_nl_get_deadlocks(nl, &here);
	lle_nl_close(nl);
	if (num < 0)
		return fail("netlink");
	ret = parts_share(set, here, num * sizeof(*here), &all, &len);
	free(here);
	if (ret)
		return -1;
	o->deadlocks = (struct lle_nl_deadlock *)all;
	o->declared = len / sizeof(*o->deadlocks);
	qsort(o->deadlocks, o->declared, sizeof(*o->deadlocks), compare_found);
	return 0;
}

static int ask_switches(const struct setting *set, struct outcome *o)
{
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int there = open(SWITCHES, O_RDONLY | O_CLOEXEC), ret = -1;

	if (home < 0 || there < 0 || setns(there, CLONE_NEWNET))
		fail(SWITCHES);
	else
		ret = ask(set, o);
	if (home >= 0)
		setns(home, CLONE_NEWNET);
	close(there);
	close(home);
	return ret;
}

/* Return: 0; -1 after an error message. */
int run_once(const struct network *n, const struct setting *set,
	     const struct never *never, struct outcome *o)
{
	struct timespec now;
	uint64_t end_ns;
	char line[80];

	if (build(n, set, never))
		return -1;
	snprintf(line, sizeof(line), "watch %u %u %u %u", (unsigned int)n->seed,
		 set->loss, set->pfc_loss,
		 (unsigned int)(set->jitter * n->tick_ns));
	if (write_line(ORACLE "control", line) ||
	    parts_begin(set, (LOOKS + 1) * (LOOK_TICKS * n->tick_ns + AHEAD_NS), &end_ns))
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	o->start_ns = now.tv_sec * NSEC_PER_SEC + now.tv_nsec + AHEAD_NS;
	snprintf(line, sizeof(line), "start %" PRIu64, o->start_ns);
	if (write_line(RNIC "control", line) || look(n, set, o) || ask_switches(set, o))
		return -1;
	parts_end(end_ns);
	return 0;
}
