// SPDX-License-Identifier: GPL-2.0
/*
 * Stands in for the guest of a lab run, which lab/watch.sh looks at: it has the kernel's clock
 * where that is, says in which phase it is, and takes as much CPU time as it is told.
 *
 * Usage: guest WHAT...
 *
 * say TEXT:  a line on the console; 500 ms later it has been read
 * cpu MS:    so much CPU time
 * clock US:  the virtual time from now on
 * wait MS:   real time in which it does nothing
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* of the kernel: what lab/watch.sh looks for */
volatile uint64_t time_travel_time;
volatile uint32_t softnet_data[16];

static void use_cpu(clock_t ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		;
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
		} else {
			usleep(atol(value) * 1000);
		}
	}
	return 0;
}
