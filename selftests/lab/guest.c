// SPDX-License-Identifier: GPL-2.0
/*
 * Fake guest of a lab run for lab/lle_lab/watch.py: has symbols of the kernel,
 * reports its phase, and uses as much CPU time as requested.
 *
 * Usage: guest WHAT...
 *
 * say TEXT:  prints a line on the console, and waits 500 ms for the reader
 * cpu MS:    uses that much CPU time
 * clock US:  sets the virtual time
 * task NAME: sets the process that runs
 * wait MS:   sleeps in real time
 * fork MS:   starts processes for that time, each of which ends at once
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* symbols of the kernel that watch.py looks for */
volatile uint64_t time_travel_time;
volatile uint32_t softnet_data[16];
struct task {
	char state[100];
	char comm[16];
} init_task = { .comm = "swapper" };
struct {
	int pid;
	struct task *volatile task;
} cpu_tasks[1] = { { .task = &init_task } };

static void use_cpu(clock_t ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		;
}

static void fork_for(time_t ms)
{
	struct timespec begin, now;
	int i;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		for (i = 0; i < 100; i++)
			if (!fork())
				_exit(0);
		while (wait(NULL) > 0)
			;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void run_task(const char *name)
{
	static struct task tasks[4];
	static unsigned int next;
	struct task *task = &tasks[next++ % 4];

	snprintf(task->comm, sizeof(task->comm), "%s", name);
	cpu_tasks[0].task = task;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i += 2) {
		const char *what = argv[i], *value = argv[i + 1];

		if (!strcmp(what, "say")) {
			puts(value);
			fflush(stdout);
			usleep(500000);
		} else if (!strcmp(what, "cpu")) {
			use_cpu(atol(value));
		} else if (!strcmp(what, "clock")) {
			time_travel_time = strtoull(value, NULL, 10) * 1000;
		} else if (!strcmp(what, "task")) {
			run_task(value);
		} else if (!strcmp(what, "fork")) {
			fork_for(atol(value));
		} else {
			usleep(atol(value) * 1000);
		}
	}
	return 0;
}
