// SPDX-License-Identifier: GPL-2.0
/*
 * Stress of the shared buffer without a lock: buffer PACKETS [SEED]. Threads are
 * egress queues, which charge and release packets of the same ingress ports,
 * while ports come, go and change thresholds. Built with a race detector by
 * buffer.sh. At each standstill, each byte must be in a group or a loan, the
 * buffer must not overflow, and no group below XON may be paused.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kmod/core/buffer/credit.c"
#include "../../kmod/core/buffer/sb.c"
#include "../unit/prng.h"

#define QUEUES		4
#define PORTS		6
#define DEPTH		4096U		/* packets in a queue */
#define CHANGES		16		/* between two checks */
#define SIZE		1500000
#define GSO		68130
#define LONG		10000000	/* packets */

static const struct lle_sb_params presets[] = {
	{ .to_alpha = 6, .xon_delta_bytes = 3036, .headroom_bytes = 150000 },
	{ .to_alpha = 10, .xon_delta_bytes = 3036, .headroom_bytes = 80000 },
	{ .xoff_bytes = 200000, .xon_delta_bytes = 20000, .headroom_bytes = 10000 },
	{ .xoff_bytes = 3000, .xon_delta_bytes = 1000, .headroom_bytes = 30000 },
	{ .to_alpha = 8, .xon_delta_bytes = 1, .headroom_bytes = 70000,
	  .reserved_bytes = 10000 },
	{ .xoff_bytes = SIZE, .xon_delta_bytes = 3036, .headroom_bytes = 20000 },
};

struct port {
	struct lle_sb_params p;
	struct lle_sb_pg pg;
	u64 carved;
};

struct packet {
	u32 port;
	u32 len;
};

struct queue {
	pthread_t thread;
	struct lle_sb_credit credit;
	struct packet packet[DEPTH];
	u32 head, tail;
	s64 bytes[PORTS];
	u64 left, epoch, seed;
	u64 borrowed, dropped[3], xoff, xon, lent;
} __aligned(64);

static struct lle_sb sb = { .size = SIZE };
static struct port ports[PORTS];
static struct queue queues[QUEUES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t standstill = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t standing = PTHREAD_COND_INITIALIZER, moving = PTHREAD_COND_INITIALIZER;
static u64 changes, removals, checks;
static int stop, stand, ended;	/* last two: under standstill */

static void fail(const char *what, long long is, long long should)
{
	printf("# %s: %lld, should be %lld\n", what, is, should);
	exit(1);
}

/* under the lock */
static void check_size(void)
{
	if (sb.carved + sb.used > sb.size)
		fail("bytes in use", sb.carved + sb.used, sb.size);
}

static bool arrive(struct queue *q, struct port *port, u32 len)
{
	struct lle_sb_credit *c = &q->credit;
	unsigned int verdict;

	if (lle_credit_borrow(&sb, &port->p, &port->pg, c, len)) {
		q->borrowed++;
		return true;
	}
	pthread_mutex_lock(&lock);
	if (!c->keep && atomic_read(&c->bytes))
		lle_credit_settle(&sb, c);
	verdict = lle_sb_admit(&sb, &port->p, &port->pg, len);
	if (!verdict && !port->pg.careful) {
		lle_credit_lend(&sb, c, PORTS);
		q->lent++;
	}
	check_size();
	pthread_mutex_unlock(&lock);
	q->xoff += !!(verdict & LLE_SB_XOFF);
	verdict &= ~LLE_SB_XOFF;
	if (verdict)
		q->dropped[verdict - LLE_SB_DROP_THRESHOLD]++;
	return !verdict;
}

static void leave(struct queue *q, struct port *port, u32 len)
{
	enum lle_sb_repaid repaid = lle_credit_repay(&port->pg, &q->credit,
						     len);

	if (repaid == LLE_SB_REPAID)
		return;
	pthread_mutex_lock(&lock);
	q->xon += repaid == LLE_SB_REPAID_RECHECK ?
			  lle_credit_recheck(&sb, &port->pg, &q->credit) :
			  lle_sb_release(&sb, &port->pg, len);
	check_size();
	pthread_mutex_unlock(&lock);
}

static void check_all(void)
{
	s64 used = 0, carved = 0, bytes;
	unsigned int i, j;

	pthread_mutex_lock(&lock);
	for (i = 0; i < PORTS; i++) {
		const struct lle_sb_pg *pg = &ports[i].pg;

		bytes = 0;
		for (j = 0; j < QUEUES; j++)
			bytes += queues[j].bytes[i];
		if (lle_sb_occ(pg) != bytes)
			fail("bytes of a port", lle_sb_occ(pg), bytes);
		if (pg->xoff && lle_sb_occ(pg) <= pg->xon)
			fail("paused below XON", lle_sb_occ(pg), pg->xon + 1);
		used += lle_sb_shared(pg);
		carved += ports[i].carved;
	}
	for (j = 0; j < QUEUES; j++) {
		bytes = atomic_read(&queues[j].credit.bytes);
		if (bytes < 0)
			fail("bytes of a loan", bytes, 0);
		used += bytes;
	}
	if (used != (s64)sb.used)
		fail("bytes used", sb.used, used);
	if (carved != (s64)sb.carved)
		fail("bytes carved", sb.carved, carved);
	check_size();
	checks++;
	pthread_mutex_unlock(&lock);
}

static void stand_still(void)
{
	pthread_mutex_lock(&standstill);
	stand++;
	pthread_cond_signal(&standing);
	while (stop)
		pthread_cond_wait(&moving, &standstill);
	stand--;
	pthread_mutex_unlock(&standstill);
}

/* True: all queues have ended. */
static bool check_standing(void)
{
	bool all;

	pthread_mutex_lock(&standstill);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	while (stand + ended < QUEUES)
		pthread_cond_wait(&standing, &standstill);
	check_all();
	__atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
	all = ended == QUEUES;
	pthread_cond_broadcast(&moving);
	pthread_mutex_unlock(&standstill);
	return all;
}

static u32 length(u64 *seed)
{
	return prng(seed) % 64 ? prng_range(seed, 60, 1518) : GSO;
}

/* Rarely of a port that pauses */
static bool another(struct queue *q, struct packet *x)
{
	x->port = prng(&q->seed) % PORTS;
	x->len = length(&q->seed);
	return !READ_ONCE(ports[x->port].pg.careful) || !(prng(&q->seed) % 8);
}

/* False: the packet was dropped. */
static bool take(struct queue *q)
{
	struct packet *x = &q->packet[q->tail % DEPTH];

	if (!another(q, x))
		return true;
	q->left--;
	if (!arrive(q, &ports[x->port], x->len))
		return false;
	q->bytes[x->port] += x->len;
	q->tail++;
	return true;
}

static void give(struct queue *q)
{
	struct packet *x = &q->packet[q->head++ % DEPTH];

	q->bytes[x->port] -= x->len;
	leave(q, &ports[x->port], x->len);
}

/* Fills and drains in turns, to random depths. */
static void *run(void *arg)
{
	struct queue *q = arg;
	u32 goal = 0, depth;
	u64 n;

	for (n = 1; q->left || q->head != q->tail; n++) {
		depth = q->tail - q->head;
		__atomic_store_n(&q->epoch, n, __ATOMIC_SEQ_CST);
		if (depth == goal || !(prng(&q->seed) % 1024))
			goal = prng(&q->seed) % (prng(&q->seed) % 16 ? 64 : DEPTH);
		if (depth < goal && q->left) {
			if (!take(q) && !(prng(&q->seed) % 64))
				goal = depth / 2;
		} else if (depth) {
			give(q);
		}
		if (__atomic_load_n(&stop, __ATOMIC_RELAXED))
			stand_still();
	}
	__atomic_store_n(&q->epoch, U64_MAX, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&standstill);
	ended++;
	pthread_cond_signal(&standing);
	pthread_mutex_unlock(&standstill);
	return NULL;
}

/* As synchronize_net(): each queue begins another packet. */
static void synchronize(void)
{
	u64 seen[QUEUES];
	unsigned int i;

	for (i = 0; i < QUEUES; i++)
		seen[i] = __atomic_load_n(&queues[i].epoch, __ATOMIC_SEQ_CST);
	for (i = 0; i < QUEUES; i++)
		while (seen[i] != U64_MAX &&
		       __atomic_load_n(&queues[i].epoch, __ATOMIC_SEQ_CST) == seen[i])
			sched_yield();
}

static void close_port(struct port *port, bool closed)
{
	port->pg.closed = closed;
	lle_sb_check_careful(&port->pg);
}

/* Takes the bytes of new parameters out of the buffer, if free. */
static bool carve(struct port *port, const struct lle_sb_params *p, bool lossless)
{
	u64 carved = lle_sb_carve(p, lossless);

	if (carved > port->carved + lle_sb_free(&sb))
		return false;
	sb.carved += carved - port->carved;
	port->carved = carved;
	port->p = *p;
	lle_sb_params_init(&port->p);
	lle_sb_publish(&sb);
	return true;
}

/* New thresholds; or the empty port goes and comes again. */
static void change(u64 *seed)
{
	struct port *port = &ports[prng(seed) % PORTS];
	const struct lle_sb_params *p = &presets[prng(seed) % ARRAY_SIZE(presets)];

	pthread_mutex_lock(&lock);
	close_port(port, true);
	pthread_mutex_unlock(&lock);
	synchronize();
	pthread_mutex_lock(&lock);
	if (!lle_sb_occ(&port->pg)) {
		lle_sb_set_lossless(&sb, &port->pg, prng(seed) % 2);
		sb.carved -= port->carved;
		port->carved = 0;
		if (!carve(port, p, port->pg.lossless))
			carve(port, &presets[3], false);
		removals++;
	} else if (lle_sb_shared(&port->pg) == lle_sb_occ(&port->pg) &&
		   port->p.headroom_bytes <= p->headroom_bytes) {
		changes += carve(port, p, port->pg.lossless);
	}
	close_port(port, false);
	check_size();
	pthread_mutex_unlock(&lock);
}

static u64 total(size_t at)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < QUEUES; i++)
		sum += *(u64 *)((char *)&queues[i] + at);
	return sum;
}

static void report(const char *what, u64 number, u64 packets)
{
	printf("# %s: %llu\n", what, (unsigned long long)number);
	if (!number && packets >= LONG)
		fail(what, 0, 1);
}

#define TOTAL(member) total(offsetof(struct queue, member))

int main(int argc, char **argv)
{
	u64 packets = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	unsigned int i;

	for (i = 0; i < PORTS; i++) {
		ports[i].pg.lossless = i % 2;
		carve(&ports[i], &presets[i ^ 1], i % 2);
		lle_sb_check_careful(&ports[i].pg);
	}
	for (i = 0; i < QUEUES; i++) {
		queues[i].left = packets / QUEUES;
		queues[i].seed = seed * QUEUES + i;
		pthread_create(&queues[i].thread, NULL, run, &queues[i]);
	}
	do {
		for (i = 0; i < CHANGES; i++)
			change(&seed);
	} while (!check_standing());
	for (i = 0; i < QUEUES; i++)
		pthread_join(queues[i].thread, NULL);
	pthread_mutex_lock(&lock);
	lle_credit_reclaim(&sb);
	pthread_mutex_unlock(&lock);
	check_all();
	if (sb.used)
		fail("bytes used at the end", sb.used, 0);
	printf("# packets: %llu\n", (unsigned long long)(packets / QUEUES * QUEUES));
	report("charged to a loan", TOTAL(borrowed), packets);
	report("charged under the lock, and lent to", TOTAL(lent), packets);
	report("XOFF", TOTAL(xoff), packets);
	report("XON", TOTAL(xon), packets);
	report("dropped at a threshold", TOTAL(dropped[0]), packets);
	report("dropped as the buffer was full", TOTAL(dropped[1]), packets);
	report("dropped as headroom was full", TOTAL(dropped[2]), packets);
	report("other thresholds", changes, packets);
	report("ports that went and came", removals, packets);
	report("checks of all bytes", checks, packets);
	return 0;
}
