// SPDX-License-Identifier: GPL-2.0
/*
 * Runs of a network in several kernels, each with this program. All read the
 * state of all parts at the same virtual time, and so decide the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "random.h"

#define WIRE		"/sys/kernel/debug/lle_wire/"
#define WIRE_RUN	"/sys/module/lle_wire/parameters/run"

#define NSEC_PER_SEC	1000000000ULL
/* Runs begin at a multiple of this, when all parts are built */
#define SETTLE_NS	(10 * NSEC_PER_SEC)
/* Maximum size of a file */
#define FILE_MAX	(4 << 20)
/* Time in which a message reaches all parts: more than any link's delay */
#define HEAR_NS		1000000

static int fail(const char *what)
{
	fprintf(stderr, "lle_random: %s: %s\n", what, strerror(errno));
	return -1;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec t = { ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/* Appends a file and a zero to @all. Return: 0; -1 after an error message. */
int file_read(const char *path, char **all, size_t *len)
{
	size_t room = *len + FILE_MAX + 1;
	ssize_t n;
	int fd;

	*all = realloc(*all, room);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !*all)
		return fail(path);
	while ((n = read(fd, *all + *len, room - *len - 1)) > 0)
		*len += n;
	close(fd);
	(*all)[*len] = '\0';
	return n < 0 ? fail(path) : 0;
}

/* Sends to all parts. A byte follows @mine, which may be empty. */
static int tell(unsigned int part, const void *mine, size_t len)
{
	char path[64], *text = malloc(len + 1);
	int fd, ret = 0;

	snprintf(path, sizeof(path), WIRE "%u", part);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (!text || fd < 0)
		return fail(path);
	memcpy(text, mine, len);
	text[len] = '\n';
	if (write(fd, text, len + 1) != (ssize_t)len + 1)
		ret = fail(path);
	close(fd);
	free(text);
	return ret;
}

/*
 * Exchanges @mine with all parts, and gathers theirs, in order and with a final
 * zero, in @all, which the caller frees. Parts send some time after they have
 * received: no part receives the next message before this one. Return: 0; -1
 * after an error message.
 */
int parts_share(const struct setting *set, const void *mine, size_t len, char **all,
		size_t *all_len)
{
	uint64_t ns = set->parts ? now_ns() : 0;
	unsigned int p;
	size_t before;
	char path[64];

	*all_len = 0;
	*all = NULL;
	if (set->parts)
		sleep_until(ns + HEAR_NS);
	if (set->part && tell(set->part, mine, len))
		return -1;
	if (set->parts)
		sleep_until(ns + 2 * HEAR_NS);
	for (p = 1; set->part && p <= set->parts; p++) {
		snprintf(path, sizeof(path), WIRE "%u", p);
		before = *all_len;
		if (file_read(path, all, all_len))
			return -1;
		if (*all_len == before) {
			fprintf(stderr, "lle_random: %s: empty\n", path);
			return -1;
		}
		(*all)[--*all_len] = '\0';
	}
	if (set->part)
		return 0;
	*all = malloc(len + 1);
	if (!*all)
		return fail("memory");
	memcpy(*all, mine, len);
	(*all)[len] = '\0';
	*all_len = len;
	return 0;
}

/* Builds all parts, runs them for @ns. Return: 0; -1 after a message. */
int parts_begin(const struct setting *set, uint64_t ns, uint64_t *end_ns)
{
	uint64_t start_ns;
	FILE *f;

	*end_ns = 0;
	if (!set->parts)
		return 0;
	start_ns = (now_ns() / SETTLE_NS + 1) * SETTLE_NS;
	*end_ns = start_ns + ns;
	f = fopen(WIRE_RUN, "w");
	if (!f || fprintf(f, "%" PRIu64 " %" PRIu64, start_ns, *end_ns) < 0 || fclose(f))
		return fail(WIRE_RUN);
	sleep_until(start_ns);
	return 0;
}

/* Waits until no packet moves in any part. */
void parts_end(uint64_t end_ns)
{
	if (end_ns)
		sleep_until(end_ns + HEAR_NS);
}
