// SPDX-License-Identifier: GPL-2.0
/*
 * A part of a network in a kernel of its own, as a rank of MPI: part N is rank
 * N - 1.
 *
 * The kernel shares memory with this program, and finds all other parts in it,
 * as if they were on this machine (lab/wire/part.c). At each barrier this
 * program sends its part's time and frames to the others; it lets its part pass
 * when it has received theirs.
 *
 * Usage: lle_wire_mpi MEMORY DIR
 *
 * Runs "bash DIR/N/command", which ends when the kernel does; the kernel shares
 * the file MEMORY.N. Writes DIR/N/barriers: their number, bytes of frames sent,
 * this program's seconds of CPU, and of waiting for other parts; and DIR/N/cpu:
 * all seconds of CPU. If a part fails, all end.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <mpi.h>

#include "../wire/shared.h"

/* Spins until we sleep, waiting for our part */
#define PART_SPINS	1000
/* Calls of MPI before we sleep, up to 1 us each */
#define SPINS		20
/* Minimum sleep between two of them */
#define NAP_MIN_NS	10000
#define NAP_MAX_NS	1000000
/* A part that waits for room sends no signal: look again after this time, ns */
#define LOOK_NS		1000000

/* Message to another rank at each barrier, as in struct wire_shared_part */
struct message {
	uint64_t idle_ns;
	uint64_t lookahead_ns;
	char frames[];
};

/* A message that grows. @size: capacity for frames, bytes */
struct buffer {
	struct message *m;
	size_t len;
	size_t size;
};

static struct wire_shared *shared;
static int part, parts;
static pid_t child;
static struct buffer out[WIRE_PARTS], in;
/* Name of the shared memory, until the kernel has it */
static char memory[4096];

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "lle_wire_mpi: part %d: %s: %s\n", part, what, strerror(errno));
	MPI_Abort(MPI_COMM_WORLD, 1);
	abort();
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void make_room(struct buffer *b, size_t len)
{
	if (b->m && len <= b->size)
		return;
	b->size = 2 * len + 4096;
	b->m = realloc(b->m, sizeof(*b->m) + b->size);
	if (!b->m)
		die("memory");
}

/* Moves the frames that our part has sent to their messages. */
static void collect(void)
{
	struct wire_ring *ring;
	struct buffer *b;
	uint64_t head;
	uint32_t len;
	int p;

	for (p = 1; p <= parts; p++) {
		ring = wire_ring_of(shared, parts, part, p);
		b = &out[p - 1];
		/* pairs with the release in wire_part_write(): frames before it */
		head = __atomic_load_n(&ring->head.at, __ATOMIC_ACQUIRE);
		len = head - ring->tail.at;
		if (!len)
			continue;
		make_room(b, b->len + len);
		wire_ring_read(ring, ring->tail.at, b->m->frames + b->len, len);
		b->len += len;
		/* pairs with the acquire in wire_part_write(): it may overwrite them */
		__atomic_store_n(&ring->tail.at, head, __ATOMIC_RELEASE);
	}
}

/* Return: has the kernel ended? If it has failed, all others end, too. */
static bool ended(void)
{
	int status;

	if (waitpid(child, &status, WNOHANG) != child)
		return false;
	if (status) {
		unlink(memory);
		MPI_Abort(MPI_COMM_WORLD, WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	return true;
}

/* Has a part come to a barrier? */
static bool is_at(const struct wire_shared_part *p, uint32_t seq)
{
	/* pairs with the release in wire_part_meet(): its idle time, and its frames */
	return (int32_t)(__atomic_load_n(&p->seq, __ATOMIC_ACQUIRE) - seq) >= 0;
}

/* Waits until our part has come to a barrier. Return: false: it has ended. */
static bool wait_for_part(uint32_t seq)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	struct wire_shared_part *me = &shared->part[part - 1];
	unsigned int spins = 0;
	uint32_t wakes;

	while (!is_at(me, seq)) {
		if (spins++ < PART_SPINS) {
			__builtin_ia32_pause();
			continue;
		}
		collect();
		if (ended())
			return false;
		wakes = __atomic_load_n(&me->wakes, __ATOMIC_RELAXED);
		/* at any time of our part */
		__atomic_store_n(&me->wanted_ns[part - 1], 1, __ATOMIC_RELAXED);
		/* either we see that it has come, or it sees that we sleep */
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (!is_at(me, seq))
			syscall(SYS_futex, &me->wakes, FUTEX_WAIT, wakes, &look, NULL, 0);
	}
	collect();
	return true;
}

/* Wakes our part, if it sleeps until part @p comes to the barrier. */
static void wake(struct wire_shared_part *p)
{
	/* either the part sees our writes, or we see that it sleeps */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&p->wanted_ns[part - 1], __ATOMIC_RELAXED)) {
		__atomic_store_n(&p->wanted_ns[part - 1], 0, __ATOMIC_RELAXED);
		__atomic_fetch_add(&p->wakes, 1, __ATOMIC_RELAXED);
		syscall(SYS_futex, &p->wakes, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
	}
}

/*
 * Sleeps between two calls of MPI, which would spin. @naps: number of earlier
 * sleeps. Return: false: our part has ended.
 */
static bool nap(unsigned int naps)
{
	struct timespec t = { .tv_nsec = NAP_MIN_NS };

	if (naps < SPINS)
		return true;
	if (ended())
		return false;
	/* longer and longer: the others need some time */
	t.tv_nsec *= 1 + (naps - SPINS) / 8;
	if (t.tv_nsec > NAP_MAX_NS)
		t.tv_nsec = NAP_MAX_NS;
	nanosleep(&t, NULL);
	return true;
}

/* Receives the message of a part. Return: false: our part has ended. */
static bool receive(int p)
{
	MPI_Request request;
	MPI_Status status;
	unsigned int naps;
	int found = 0, len;

	for (naps = 0; !found; naps++) {
		if (!nap(naps))
			return false;
		MPI_Iprobe(p - 1, 0, MPI_COMM_WORLD, &found, &status);
	}
	MPI_Get_count(&status, MPI_BYTE, &len);
	make_room(&in, len);
	in.len = len - sizeof(*in.m);
	MPI_Irecv(in.m, len, MPI_BYTE, p - 1, 0, MPI_COMM_WORLD, &request);
	found = 0;
	for (naps = 0; !found; naps++) {
		if (!nap(naps))
			return false;
		MPI_Test(&request, &found, MPI_STATUS_IGNORE);
	}
	return true;
}

/* Hands over the frames of a part, and its time: it has come to the barrier. */
static void deliver(int p, uint32_t seq)
{
	struct wire_ring *ring = wire_ring_of(shared, parts, p, part);
	struct wire_shared_part *from = &shared->part[p - 1];
	uint64_t head = ring->head.at;
	struct wire_frame f;
	uint32_t size;
	size_t at;

	for (at = 0; at < in.len; at += size) {
		memcpy(&f, in.m->frames + at, sizeof(f));
		size = wire_frame_size(&f);
		/* pairs with the release in wire_part_drain() */
		while (head + size - __atomic_load_n(&ring->tail.at, __ATOMIC_ACQUIRE) > WIRE_RING) {
			__atomic_store_n(&ring->head.at, head, __ATOMIC_RELEASE);
			wake(from);
			sched_yield();
		}
		wire_ring_write(ring, head, in.m->frames + at, size);
		head += size;
	}
	/* pairs with the acquire in wire_part_drain() */
	__atomic_store_n(&ring->head.at, head, __ATOMIC_RELEASE);
	from->idle_ns[seq & 1] = in.m->idle_ns;
	from->lookahead_ns = in.m->lookahead_ns;
	/* pairs with the acquire in wire_part_is_at() */
	__atomic_store_n(&from->seq, seq, __ATOMIC_RELEASE);
	wake(from);
}

/* Cost of barriers; @waited_s: for other parts */
struct cost {
	uint32_t number;
	uint64_t bytes;
	double cpu_s;
	double waited_s;
};

/* Barriers, until our part ends. */
static void run(struct cost *cost)
{
	MPI_Request sent[WIRE_PARTS];
	unsigned int naps;
	struct buffer *b;
	uint32_t seq;
	double since;
	int p, all;

	for (p = 1; p <= parts; p++) {
		sent[p - 1] = MPI_REQUEST_NULL;
		make_room(&out[p - 1], 0);
	}
	for (seq = 1; wait_for_part(seq); seq++) {
		if (seq == 1) {
			unlink(memory);
			cost->cpu_s = -seconds(CLOCK_PROCESS_CPUTIME_ID);
		}
		cost->number = seq;
		since = seconds(CLOCK_MONOTONIC);
		for (p = 1; p <= parts; p++) {
			if (p == part)
				continue;
			b = &out[p - 1];
			b->m->idle_ns = shared->part[part - 1].idle_ns[seq & 1];
			b->m->lookahead_ns = shared->part[part - 1].lookahead_ns;
			cost->bytes += b->len;
			MPI_Isend(b->m, sizeof(*b->m) + b->len, MPI_BYTE, p - 1, 0,
				  MPI_COMM_WORLD, &sent[p - 1]);
		}
		for (p = 1; p <= parts; p++) {
			if (p == part)
				continue;
			if (!receive(p))
				return;
			deliver(p, seq);
		}
		for (naps = 0, all = 0; !all && nap(naps); naps++)
			MPI_Testall(parts, sent, &all, MPI_STATUSES_IGNORE);
		for (p = 1; p <= parts; p++)
			out[p - 1].len = 0;
		cost->waited_s += seconds(CLOCK_MONOTONIC) - since;
	}
	cost->cpu_s += seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void share_memory(const char *name)
{
	size_t size = sizeof(*shared) + parts * parts * sizeof(struct wire_ring);
	int fd, p;

	/* UML takes whole pages */
	size = (size + 4095) & ~4095UL;
	snprintf(memory, sizeof(memory), "%s.%d", name, part);
	fd = open(memory, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, size))
		die(memory);
	shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	/* our part waits only for their barriers, not for their clocks */
	for (p = 1; p <= parts; p++)
		if (p != part)
			shared->part[p - 1].clock_ns = UINT64_MAX;
}

static void begin(const char *dir)
{
	char command[4096];

	snprintf(command, sizeof(command), "%s/%d/command", dir, part);
	child = fork();
	if (child < 0)
		die("fork");
	if (child)
		return;
	/* an aborted rank leaves no kernel behind */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execlp("bash", "bash", command, (char *)NULL);
	_exit(127);
}

static void write_line(const char *dir, const char *name, const char *text)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d/%s", dir, part, name);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%s\n", text) < 0 || fclose(file))
		die(path);
}

static double cpu_of(int who)
{
	struct rusage use;

	getrusage(who, &use);
	return use.ru_utime.tv_sec + use.ru_stime.tv_sec +
	       (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	struct cost cost = { 0 };
	char text[256];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &part);
	MPI_Comm_size(MPI_COMM_WORLD, &parts);
	part++;
	if (argc != 3 || parts > WIRE_PARTS) {
		fprintf(stderr, "usage: lle_wire_mpi MEMORY DIR, with at most %d ranks\n",
			WIRE_PARTS);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	share_memory(argv[1]);
	begin(argv[2]);
	run(&cost);
	unlink(memory);
	snprintf(text, sizeof(text), "%u %llu %.3f %.3f", cost.number,
		 (unsigned long long)cost.bytes, cost.cpu_s, cost.waited_s);
	write_line(argv[2], "barriers", text);
	snprintf(text, sizeof(text), "%.3f", cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN));
	write_line(argv[2], "cpu", text);
	MPI_Finalize();
	return 0;
}
