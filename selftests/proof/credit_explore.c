// SPDX-License-Identifier: GPL-2.0
/*
 * Loans of the shared buffer: sb.c, credit.c and credit.h as they are, on three
 * CPUs, in all interleavings of their shared accesses in which a CPU that could
 * go on is interrupted at most PREEMPTIONS times. Memory is sequentially
 * consistent here; orders of weaker memory are the matter of litmus/.
 *
 * Usage: credit_explore PREEMPTIONS [CASE...]	(all cases, by number)
 *
 * Each CPU sends packets of one priority group to an egress queue of its own: a
 * case says which bytes arrive and leave. The locked parts are those of
 * kmod/lossless/admit.c. Prints a line for each case, and ends at the first
 * interleaving that is wrong.
 *
 * Exit status: 0 none is wrong; 1 one is; 2 wrong use.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "../../kmod/core/core.h"

#define CPUS	3
#define STEPS	4	/* most of one CPU in a case */
#define CHOICES	4096	/* most of one interleaving */

static jmp_buf scheduler, resumed[CPUS];
static int cpu;
static bool ended[CPUS], blocked[CPUS];

/* A shared access follows: another CPU may have its turn. */
static noinline void yield(void)
{
	if (!_setjmp(resumed[cpu]))
		_longjmp(scheduler, 1);
}

static noinline void resume(int which)
{
	cpu = which;
	if (!_setjmp(scheduler))
		_longjmp(resumed[cpu], 1);
}

#undef READ_ONCE
#undef WRITE_ONCE
#undef smp_load_acquire
#undef smp_store_release
#define READ_ONCE(x)		({ yield(); (x); })
#define WRITE_ONCE(x, v)	({ yield(); (x) = (v); })
#define smp_load_acquire(p)	({ yield(); *(p); })
#define smp_store_release(p, v)	({ yield(); *(p) = (v); })
#define atomic_read(a)		({ yield(); (a)->counter; })
#define atomic_add_return(i, a)	({ yield(); (a)->counter += (i); })
#define atomic_sub_return(i, a)	({ yield(); (a)->counter -= (i); })
#define atomic_add(i, a)	((void)atomic_add_return(i, a))
#define atomic_sub(i, a)	((void)atomic_sub_return(i, a))
#define atomic_xchg(a, v) ({						\
	int _old;							\
									\
	yield();							\
	_old = (a)->counter;						\
	(a)->counter = (v);						\
	_old;								\
})

#ifndef SB_C	/* a copy with a bug */
#define SB_C "../../kmod/core/buffer/sb.c"
#endif
#include SB_C
#include "../../kmod/core/buffer/credit.c"

/* Bytes of the group at first; bytes that arrive, or leave (below 0), by CPU */
static const struct {
	int bytes;
	int step[CPUS][STEPS];
} cases[] = {
	{ 99000, { { 1500 }, { -1000, 1000 }, { -1500 } } },
	{ 98000, { { 1500, -1500 }, { 1500, -1500 }, { -1500, 1500 } } },
	{ 98000, { { 1500, -1500 }, { 3000, -3000 }, { -1000 } } },
	{ 98000, { { 1000, 1000 }, { 1000, -1000 }, { -2000, 1000 } } },
	{ 99000, { { 1500, -1500 }, { 1500, -1500 }, { -1500, 1500 } } },
	{ 97000, { { 1500, -1500 }, { 3000, -3000 }, { -1000 } } },
	{ 99000, { { 1000, 1000 }, { 1000, -1000 }, { -2000, 1000 } } },
};

static struct lle_sb sb;
static struct lle_sb_params params;
static struct lle_sb_pg pg;
static struct lle_sb_credit credits[CPUS];
static u32 charged;
static bool locked;
static unsigned int number;	/* of the case */

static void take_lock(void)
{
	yield();
	while (locked) {
		blocked[cpu] = true;
		yield();
	}
	locked = true;
}

static void release_lock(void)
{
	locked = false;
	memset(blocked, 0, sizeof(blocked));
}

/* lle_admit(), lle_admit_locked() */
static void arrive(u32 len)
{
	struct lle_sb_credit *credit = &credits[cpu];
	unsigned int verdict = LLE_SB_ADMIT;

	if (!lle_credit_borrow(&sb, &params, &pg, credit, len)) {
		take_lock();
		if (!credit->keep && credit->bytes.counter)
			lle_credit_settle(&sb, credit);
		verdict = lle_sb_admit(&sb, &params, &pg, len);
		if (!verdict && !pg.careful)
			lle_credit_lend(&sb, credit, CPUS + 1);
		release_lock();
	}
	if (!(verdict & ~LLE_SB_XOFF))
		charged += len;
}

/* lle_admit_release(), lle_admit_release_locked() */
static void leave(u32 len)
{
	struct lle_sb_credit *credit = &credits[cpu];
	enum lle_sb_repaid repaid = lle_credit_repay(&pg, credit, len);

	if (repaid != LLE_SB_REPAID) {
		take_lock();
		if (repaid == LLE_SB_REPAID_RECHECK)
			lle_credit_recheck(&sb, &pg, credit);
		else
			lle_sb_release(&sb, &pg, len);
		release_lock();
	}
	charged -= len;
}

/* A CPU: carries out its steps again and again. */
static void run(void)
{
	for (;;) {
		const int *step;
		int i;

		yield();
		step = cases[number].step[cpu];
		for (i = 0; i < STEPS && step[i]; i++)
			if (step[i] > 0)
				arrive(step[i]);
			else
				leave(-step[i]);
		ended[cpu] = true;
	}
}

static void start(int which)
{
	static char stacks[CPUS][65536];
	static ucontext_t context;

	getcontext(&context);
	context.uc_stack.ss_sp = stacks[which];
	context.uc_stack.ss_size = sizeof(stacks[which]);
	makecontext(&context, run, 0);
	cpu = which;
	if (!_setjmp(scheduler))
		setcontext(&context);
}

/* Loans, and bytes that were charged to them */
static void begin(void)
{
	int bytes = cases[number].bytes, i;

	sb = (struct lle_sb) { .size = 1 << 22 };
	params = (struct lle_sb_params) {
		.xoff_bytes = 100000,
		.xon_delta_bytes = 1000,
		.headroom_bytes = 50000,
	};
	lle_sb_params_init(&params);
	pg = (struct lle_sb_pg) { .lossless = true, .shared = { bytes } };
	sb.used = bytes;
	for (i = 0; i < CPUS; i++) {
		credits[i] = (struct lle_sb_credit) {
			.bytes = { 65536 - bytes / CPUS },
			.keep = 65536,
			.listed = true,
			.next = sb.borrowers,
		};
		sb.borrowers = &credits[i];
		sb.used += credits[i].bytes.counter;
	}
	sb.free = sb.size - sb.used;
	charged = bytes;
	memset(ended, 0, sizeof(ended));
}

/* All CPUs have ended. */
static const char *judge(void)
{
	u32 occ = pg.shared.counter + pg.reserved + pg.headroom;
	u64 used = pg.shared.counter;
	int i;

	for (i = 0; i < CPUS; i++) {
		used += credits[i].bytes.counter;
		if (!ended[i])
			return "a CPU waits for the lock for ever";
	}
	if (occ != charged)
		return "bytes of the group are wrong";
	if (sb.used != used)
		return "used bytes are wrong";
	if (!pg.xoff && pg.shared.counter >= (int)params.xoff_bytes)
		return "above the threshold without XOFF";
	if (pg.xoff && occ <= pg.xon)
		return "at most XON, and still XOFF";
	return NULL;
}

static int max_preemptions;
/* Choices of this interleaving, and how many there were at each */
static int taken[CHOICES], width[CHOICES], depth, at;

static int choose(int n)
{
	if (at == depth) {
		if (depth == CHOICES)
			abort();
		taken[depth] = 0;
		width[depth++] = n;
	}
	return taken[at++];
}

/* The next interleaving in depth first order; false: all have run. */
static bool next(void)
{
	while (depth && taken[depth - 1] + 1 == width[depth - 1])
		depth--;
	if (depth)
		taken[depth - 1]++;
	return depth;
}

static void interleave(void)
{
	int last = -1, preemptions = 0;

	at = 0;
	for (cpu = 0; cpu < CPUS; cpu++)
		resume(cpu);	/* up to its first access */
	for (;;) {
		bool goes_on = last >= 0 && !ended[last] && !blocked[last];
		int can[CPUS], n = 0, i;

		for (i = 0; i < CPUS; i++)
			if (!ended[i] && !blocked[i] &&
			    (!goes_on || i == last || preemptions < max_preemptions))
				can[n++] = i;
		if (!n)
			return;
		i = can[n > 1 ? choose(n) : 0];
		preemptions += goes_on && i != last;
		last = i;
		resume(i);
	}
}

static bool explore(void)
{
	unsigned long runs = 0;
	const char *wrong;

	depth = 0;
	do {
		begin();
		interleave();
		runs++;
		wrong = judge();
	} while (!wrong && next());
	printf("case %u: %lu interleavings%s%s\n", number, runs,
	       wrong ? ": wrong: " : "", wrong ?: "");
	if (wrong)
		printf("xoff %d, shared %d, headroom %u, xon %u, loans %u %u %u\n",
		       pg.xoff, pg.shared.counter, pg.headroom, pg.xon,
		       credits[0].keep, credits[1].keep, credits[2].keep);
	return !wrong;
}

int main(int argc, char **argv)
{
	bool good = true;
	int i;

	if (argc < 2)
		return 2;
	max_preemptions = atoi(argv[1]);
	for (i = 0; i < CPUS; i++)
		start(i);
	for (number = 0; number < ARRAY_SIZE(cases); number++) {
		bool wanted = argc == 2;

		for (i = 2; i < argc; i++)
			wanted |= (unsigned int)atoi(argv[i]) == number;
		if (wanted)
			good &= explore();
	}
	return !good;
}
