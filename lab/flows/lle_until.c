// SPDX-License-Identifier: GPL-2.0
/*
 * Sleeps until a time of CLOCK_MONOTONIC, to the nanosecond:
 *
 *	lle_until NS		until NS, or not at all if that has passed
 *	lle_until every NS	until the next multiple of NS, and prints it
 *
 * How long a shell takes to start this does not change the time at which it ends.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define NSEC_PER_SEC	1000000000ULL

static uint64_t next_multiple(uint64_t ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((now.tv_sec * NSEC_PER_SEC + now.tv_nsec) / ns + 1) * ns;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec at = { ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };

	/* slack could delay the end */
	prctl(PR_SET_TIMERSLACK, 1);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

int main(int argc, char **argv)
{
	int every = argc == 3 && !strcmp(argv[1], "every");
	uint64_t ns;
	char *end;

	ns = strtoull(argc > 1 ? argv[argc - 1] : "", &end, 10);
	if ((argc != 2 && !every) || *end || end == argv[argc - 1] || (every && !ns)) {
		fprintf(stderr, "usage: lle_until [every] NS\n");
		return 2;
	}
	if (every)
		ns = next_multiple(ns);
	sleep_until(ns);
	if (every)
		printf("%ju\n", ns);
	return 0;
}
