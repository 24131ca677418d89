// SPDX-License-Identifier: GPL-2.0
/*
 * A random run of the network of exact_events.h for each seed: prints the steps of one
 * switch, for exact_replay.c.
 *
 * Usage: exact_trace FIRST LAST
 */
#include <sys/wait.h>
#include <unistd.h>

#define TRACE

#include "exact_events.h"
#include "../unit/prng.h"

#define EVENTS	400

#define MAY(event, l)							\
	if (net.may.event[l] && !(prng(&seed) % ++num))			\
		one = do_##event, two = NULL, at = l
#define MAY2(event, l, e)						\
	if (net.may.event[l][e] && !(prng(&seed) % ++num))		\
		two = do_##event, at = l, to = e

/* What exact.pml does in all orders */
static void run_at_random(u64 seed)
{
	void (*two)(int, int) = NULL;
	void (*one)(int) = NULL;
	int at = 0, to = 0, num;

	net_init();
	for (int n = 0; n < EVENTS && !net.may.ended; n++) {
		num = 0;
		for (int l = 0; l < LINKS; l++) {
			MAY(drain, l);
			MAY(inject, l);
			MAY(emit, l);
			MAY(hear, l);
			MAY(lose, l);
			MAY(refresh, l);
			MAY(timer, l);
			MAY(expire, l);
			MAY(relieve, l);
			MAY(storm, l);
			for (int e = 0; e <= LINKS; e++) {
				MAY2(arrive, l, e);
				MAY2(send, l, e);
			}
		}
		MAY(tick, 0);
		if (two)
			two(at, to);
		else
			one(at);
	}
}

int main(int argc, char **argv)
{
	for (int seed = atoi(argv[1]); seed <= atoi(argv[2]); seed++) {
		fflush(stdout);
		if (!fork()) {
			traced = seed;
			run_at_random(seed);
			return 0;
		}
		wait(NULL);
	}
	return 0;
}
