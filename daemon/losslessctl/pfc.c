// SPDX-License-Identifier: GPL-2.0
/*
 * losslessctl pfc: PFC frames of all priorities, as pfcstat of SONiC: since the
 * last "-c", or per second. "-c" saves counters to a file; the kernel's go on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ctl.h"

#define DIRECTIONS	2
#define NS_PER_S	1000000000.0
#define PATH_BYTES	512

/* PFC frames of a port */
struct frames {
	struct lle_nl_who who;
	uint64_t time_ns;	/* of the count, CLOCK_MONOTONIC */
	uint64_t duration_ns;	/* 0: of all time */
	uint64_t count[DIRECTIONS][LLE_NUM_PRIO];	/* received, sent */
};

static const char *const directions[DIRECTIONS] = { "RX", "TX" };

/* One file per user and network namespace. Return: false: no place for it */
static bool snapshot_path(char *path, bool make_dir)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	char own[PATH_BYTES / 2];
	struct stat st;

	if (!dir || *dir != '/') {
		snprintf(own, sizeof(own), "/run/user/%u", getuid());
		dir = access(own, W_OK) ? "/tmp" : own;
	}
	snprintf(path, PATH_BYTES, "%s/losslessctl-%u", dir, getuid());
	if (make_dir)
		mkdir(path, 0700);
	/* in /tmp another user may have created it */
	if (lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != getuid())
		return false;
	if (stat("/proc/self/ns/net", &st))
		return false;
	snprintf(path, PATH_BYTES, "%s/losslessctl-%u/pfc-%llu", dir, getuid(),
		 (unsigned long long)st.st_ino);
	return true;
}

static struct frames frames_of(const struct lle_nl_port *port)
{
	struct frames f = { .who = port->who, .time_ns = port->time_ns };
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		const struct lle_prio_stats *s = &port->stats[p];

		f.count[0][p] = s->rx_pause + s->rx_resume;
		f.count[1][p] = s->tx_pause + s->tx_resume;
	}
	return f;
}

static enum ctl_exit snapshot_write(const struct frames *now, int num)
{
	char path[PATH_BYTES];
	FILE *f = NULL;
	bool ok;

	if (snapshot_path(path, true))
		f = fopen(path, "we");
	if (!f)
		return ctl_fail("pfc: the counters cannot be kept: %s", strerror(errno));
	ok = fwrite(now, sizeof(*now), num, f) == (size_t)num;
	ok &= !fclose(f);
	return ok ? CTL_OK : ctl_fail("%s: %s", path, strerror(errno));
}

/* @result: NULL before. Return: number of entries; -1: there is no snapshot. */
static int snapshot_read(struct frames **result)
{
	char path[PATH_BYTES];
	struct stat st;
	int num = 0;
	FILE *f;

	f = snapshot_path(path, false) ? fopen(path, "re") : NULL;
	if (!f)
		return -1;
	if (!fstat(fileno(f), &st))
		*result = malloc(st.st_size + 1);
	if (*result)
		num = fread(*result, sizeof(**result), st.st_size / sizeof(**result), f);
	fclose(f);
	return num;
}

/* A counter that is lower than before belongs to a new port. */
static void subtract(struct frames *now, const struct frames *before, int num)
{
	unsigned int d, p;
	int i;

	for (i = 0; i < num && before[i].who.ifindex != now->who.ifindex; i++)
		;
	if (i >= num)
		return;
	for (d = 0; d < DIRECTIONS; d++)
		for (p = 0; p < LLE_NUM_PRIO; p++)
			if (now->count[d][p] < before[i].count[d][p])
				return;
	for (d = 0; d < DIRECTIONS; d++)
		for (p = 0; p < LLE_NUM_PRIO; p++)
			now->count[d][p] -= before[i].count[d][p];
	now->duration_ns = now->time_ns - before[i].time_ns;
}

static void print_text(const struct frames *f, int num, bool per_second)
{
	char name[CTL_TEXT];
	unsigned int d, p;
	int i;

	for (d = 0; d < DIRECTIONS; d++) {
		printf("%s%-13s %s", d ? "\n" : "", "PORT", directions[d]);
		for (p = 0; p < LLE_NUM_PRIO; p++)
			printf("%8s%u", "PFC", p);
		printf("\n");
		for (i = 0; i < num; i++) {
			printf("%-16s", lle_nl_dev_text(name, f[i].who.ifname));
			for (p = 0; p < LLE_NUM_PRIO; p++)
				if (per_second)
					printf("%7.1f/s", f[i].count[d][p] * NS_PER_S /
					       (f[i].duration_ns ?: 1));
				else
					printf("%9" PRIu64, f[i].count[d][p]);
			printf("\n");
		}
	}
}

static void print_json(const struct ctl *c, const struct frames *f, int num)
{
	static const char *const keys[DIRECTIONS] = { "rx_frames", "tx_frames" };
	struct json_object *array = ctl_array(), *o, *counts;
	unsigned int d, p;
	int i;

	for (i = 0; i < num; i++) {
		o = ctl_object();
		ctl_put_who(o, &f[i].who);
		ctl_put_u64(o, "time_ns", f[i].time_ns);
		if (f[i].duration_ns)
			ctl_put_u64(o, "duration_ns", f[i].duration_ns);
		for (d = 0; d < DIRECTIONS; d++) {
			counts = ctl_array();
			for (p = 0; p < LLE_NUM_PRIO; p++)
				ctl_put_u64(counts, NULL, f[i].count[d][p]);
			ctl_put(o, keys[d], counts);
		}
		ctl_put(array, NULL, o);
	}
	ctl_print_json(c, array);
}

static enum ctl_exit read_frames(struct ctl *c, const char *dev, struct frames **result,
				 int *num)
{
	struct lle_nl_port *ports;
	enum ctl_exit ret;
	int i;

	lle_nl_close(c->nl);
	c->nl = NULL;
	ret = ctl_get_ports(c, dev, &ports, num);
	if (ret)
		return ret;
	*result = calloc(*num + 1, sizeof(**result));
	for (i = 0; *result && i < *num; i++)
		(*result)[i] = frames_of(&ports[i]);
	free(ports);
	return *result ? CTL_OK : ctl_fail("out of memory");
}

/* @seconds: 0: since the snapshot, or all */
static enum ctl_exit show(struct ctl *c, const char *dev, bool all, uint32_t seconds)
{
	struct frames *before = NULL, *now = NULL;
	int num = 0, num_before = -1, i;
	enum ctl_exit ret = CTL_OK;

	if (seconds) {
		ret = read_frames(c, dev, &before, &num_before);
		if (!ret)
			sleep(seconds);
	} else if (!all) {
		num_before = snapshot_read(&before);
	}
	if (!ret)
		ret = read_frames(c, dev, &now, &num);
	for (i = 0; i < num && !ret; i++)
		subtract(&now[i], before, num_before);
	if (!ret && c->json) {
		print_json(c, now, num);
	} else if (!ret) {
		if (!seconds && num_before >= 0)
			printf("since the last \"pfc -c\"; \"pfc -a\" has all\n");
		print_text(now, num, seconds);
		ctl_empty(c, num, CTL_NO_PORTS);
	}
	free(before);
	free(now);
	return ret;
}

enum ctl_exit ctl_pfc(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "clear", no_argument, NULL, 'c' },
		{ "rate", required_argument, NULL, 'r' }, {}
	};
	bool all = false, clear = false;
	uint32_t seconds = 0;
	struct frames *now;
	enum ctl_exit ret;
	int letter, num;

	while ((letter = ctl_option(c, argc, argv, "acr:", names))) {
		if (letter == 'a')
			all = true;
		else if (letter == 'c')
			clear = true;
		else if (letter != 'r' || ctl_number(c, "rate", optarg, 1, 3600, &seconds))
			return CTL_USAGE;
	}
	if (argc - optind > 1)
		return ctl_wrong(c, "pfc: unknown argument \"%s\"", argv[optind + 1]);
	if (all + clear + !!seconds > 1 || (clear && argc > optind))
		return ctl_wrong(c, "pfc: -a, -c (of all ports) and -r exclude each other");
	if (!clear)
		return show(c, argv[optind], all, seconds);
	ret = read_frames(c, NULL, &now, &num);
	if (ret)
		return ret;
	ret = snapshot_write(now, num);
	free(now);
	return ret;
}
