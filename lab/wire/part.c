// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of one network, each in a kernel of its own, which is a process.
 *
 * Each kernel has the whole network, but only the devices of its part run. Frames
 * to the end of a wire in another part go through memory that all kernels share.
 *
 * All kernels have the same time, but for a window: a frame that is sent at time t
 * arrives at t + L or later, L being the least delay of a wire between two parts.
 * If no kernel is before t, each may go on to t + L - 1 without hearing of others.
 * There it tells its time and waits for all others: that is a barrier for each L.
 *
 * No kernel is more than one barrier ahead, so two slots for the time are enough, and
 * the barrier needs nothing else: no kernel waits for ever.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <mem_user.h>

#include "wire.h"

#define WIRE_PARTS	16
#define WIRE_RING	(8U << 20)
#define WIRE_SPINS	100

/* Of the host: see futex(2) */
#define HOST_FUTEX	202
#define HOST_FUTEX_WAIT	0
#define HOST_FUTEX_WAKE	1

static uint part;
module_param(part, uint, 0444);
MODULE_PARM_DESC(part, "Number of this part of the network, from 1 (0: all of it)");
static uint parts = 1;
module_param(parts, uint, 0444);
MODULE_PARM_DESC(parts, "Number of parts (1)");

/**
 * struct wire_shared_part - what a part tells all others
 * @seq: barriers that it has come to
 * @asleep: another part may sleep until @seq changes
 * @now_ns: its time at the barrier, by parity of its number
 */
struct wire_shared_part {
	u32 seq;
	u32 asleep;
	u64 now_ns[2];
} __aligned(128);

/**
 * struct wire_place - a place in a ring, in a cache line of its own
 * @at: bytes since the start
 */
struct wire_place {
	u64 at;
} __aligned(128);

/**
 * struct wire_ring - frames from one part to another
 * @head: where the sender writes
 * @tail: where the receiver reads
 * @data: struct wire_frame, each with its data; in a ring
 */
struct wire_ring {
	struct wire_place head;
	struct wire_place tail;
	u8 data[WIRE_RING];
};

/**
 * struct wire_shared - the memory that all parts share
 * @part: by number of the part, less one
 * @ring: from each part, to each part
 */
struct wire_shared {
	struct wire_shared_part part[WIRE_PARTS];
	struct wire_ring ring[];
};

/**
 * struct wire_frame - a frame in a ring
 * @arrival_ns: when it arrives
 * @end: number of the end that receives it
 * @bytes: as of struct wire_cb
 * @len: bytes of data that follow; the next frame begins at a multiple of 8
 * @prio: as of struct wire_cb
 */
struct wire_frame {
	u64 arrival_ns;
	u32 end;
	u32 bytes;
	u32 len;
	u32 prio;
};

static struct wire_shared *wire_shared;
/* Least delay between two parts; U64_MAX: nothing connects them */
static u64 wire_lookahead_ns = U64_MAX;

static long host_futex(u32 *word, long op, u32 value)
{
	register long timeout asm("r10") = 0;
	long ret;

	asm volatile("syscall" : "=a"(ret)
		     : "a"((long)HOST_FUTEX), "D"(word), "S"(op), "d"((long)value),
		       "r"(timeout)
		     : "rcx", "r11", "memory");
	return ret;
}

/**
 * wire_is_here() - tell whether an end belongs to this part
 * @wire: the end
 */
bool wire_is_here(const struct wire *wire)
{
	return !part || wire->dev->group == part;
}

/**
 * wire_part_cut() - take note of a wire that may be between two parts
 * @wire: an end
 * @other: its other end
 *
 * Context: RTNL.
 */
void wire_part_cut(const struct wire *wire, const struct wire *other)
{
	if (wire->dev->group != other->dev->group)
		wire_lookahead_ns = min3(wire_lookahead_ns, wire->delay_ns,
					 other->delay_ns);
}

static struct wire_ring *wire_ring(unsigned int from, unsigned int to)
{
	return &wire_shared->ring[(from - 1) * parts + to - 1];
}

static void wire_ring_write(struct wire_ring *ring, u64 at, const void *data,
			    unsigned int len)
{
	unsigned int from = at % WIRE_RING, first = min(len, WIRE_RING - from);

	memcpy(ring->data + from, data, first);
	memcpy(ring->data, data + first, len - first);
}

static void wire_ring_read(const struct wire_ring *ring, u64 at, void *data,
			   unsigned int len)
{
	unsigned int from = at % WIRE_RING, first = min(len, WIRE_RING - from);

	memcpy(data, ring->data + from, first);
	memcpy(data + first, ring->data, len - first);
}

/* Take the frame at @at, which is the same as one from an end in this part. */
static void wire_part_receive(const struct wire_ring *ring, u64 at,
			      const struct wire_frame *f)
{
	struct wire *to = wire_find(f->end);
	struct sk_buff *skb;

	if (f->arrival_ns < ktime_get_ns())
		panic("lle_wire: a frame is late");
	skb = to ? netdev_alloc_skb_ip_align(to->dev, f->len) : NULL;
	if (!skb)
		panic("lle_wire: a frame from another part is lost");
	wire_ring_read(ring, at + sizeof(*f), skb_put(skb, f->len), f->len);
	skb->protocol = eth_type_trans(skb, to->dev);
	skb->tstamp = f->arrival_ns;
	*wire_cb(skb) = (struct wire_cb){
		.to = to, .bytes = f->bytes, .prio = f->prio,
	};
	wire_under_way_add(skb);
}

/* Take all frames that other parts have sent. */
static void wire_part_drain(void)
{
	struct wire_ring *ring;
	struct wire_frame f;
	unsigned int p;
	u64 head, at;

	for (p = 1; p <= parts; p++) {
		ring = wire_ring(p, part);
		/* pairs with the release in wire_part_send(): frames before it */
		head = smp_load_acquire(&ring->head.at);
		for (at = ring->tail.at; at != head;
		     at += sizeof(f) + ALIGN(f.len, 8)) {
			wire_ring_read(ring, at, &f, sizeof(f));
			wire_part_receive(ring, at, &f);
		}
		/* pairs with the acquire in wire_part_send(): it may overwrite them */
		smp_store_release(&ring->tail.at, at);
	}
}

/**
 * wire_part_send() - send a frame to another part
 * @skb: the frame
 * @cb: its control block
 * @arrival_ns: when it arrives
 *
 * Waits while there is no room. The other part makes some when it comes to the
 * barrier, or waits for room itself. Context: softirq.
 */
void wire_part_send(struct sk_buff *skb, const struct wire_cb *cb, u64 arrival_ns)
{
	struct wire_ring *ring = wire_ring(part, cb->to->dev->group);
	struct wire_frame f = {
		.arrival_ns = arrival_ns, .end = cb->to->end, .len = skb->len,
		.bytes = cb->bytes, .prio = cb->prio,
	};
	u64 head = ring->head.at;
	unsigned int size = sizeof(f) + ALIGN(f.len, 8);

	/* frames have a checksum, and are no larger than the MTU */
	if (skb_linearize(skb) || skb_is_gso(skb) ||
	    (skb->ip_summed == CHECKSUM_PARTIAL && skb_checksum_help(skb)))
		panic("lle_wire: a frame that cannot be sent to another part");
	/* pairs with the release in wire_part_drain() */
	while (head + size - smp_load_acquire(&ring->tail.at) > WIRE_RING) {
		wire_part_drain();
		asm volatile("pause");
	}
	wire_ring_write(ring, head, &f, sizeof(f));
	wire_ring_write(ring, head + sizeof(f), skb->data, f.len);
	/* pairs with the acquire in wire_part_drain() */
	smp_store_release(&ring->head.at, head + size);
	consume_skb(skb);
}

/* Wait until a part has come to a barrier. Takes frames meanwhile. */
static void wire_part_wait_for(struct wire_shared_part *p, u32 seq)
{
	unsigned int spins = 0;
	u32 seen;

	/* pairs with the release in wire_part_wait(): its time, and its frames */
	while ((int)((seen = smp_load_acquire(&p->seq)) - seq) < 0) {
		wire_part_drain();
		/* cpu_relax() would move the virtual time */
		asm volatile("pause");
		if (spins++ < WIRE_SPINS)
			continue;
		WRITE_ONCE(p->asleep, 1);
		/* either we see the new number, or the part sees that we sleep */
		smp_mb();
		if (READ_ONCE(p->seq) == seen)
			host_futex(&p->seq, HOST_FUTEX_WAIT, seen);
	}
}

/**
 * wire_part_start() - tell when to come to the first barrier
 * @start_ns: start of the run
 *
 * Return: a horizon as of wire_part_wait(); U64_MAX: there are no other parts.
 */
u64 wire_part_start(u64 start_ns)
{
	unsigned int p;

	/* what an earlier run has left; others send when they have passed a barrier */
	for (p = 1; part && p <= parts; p++)
		wire_ring(p, part)->tail.at = wire_ring(p, part)->head.at;
	return part && wire_lookahead_ns != U64_MAX ? start_ns + 1 : U64_MAX;
}

/**
 * wire_part_wait() - come to a barrier
 * @now_ns: the time
 *
 * Context: hard interrupts.
 * Return: the horizon: frames that other parts have still to send arrive then, or
 * later.
 */
u64 wire_part_wait(u64 now_ns)
{
	struct wire_shared_part *me = &wire_shared->part[part - 1], *p;
	u32 seq = me->seq + 1;
	u64 least_ns = now_ns;

	me->now_ns[seq & 1] = now_ns;
	/* pairs with the acquire in wire_part_wait_for() */
	smp_store_release(&me->seq, seq);
	/* the number before @asleep is read: pairs with that of wire_part_wait_for() */
	smp_mb();
	if (READ_ONCE(me->asleep)) {
		WRITE_ONCE(me->asleep, 0);
		host_futex(&me->seq, HOST_FUTEX_WAKE, INT_MAX);
	}
	for (p = wire_shared->part; p < wire_shared->part + parts; p++) {
		wire_part_wait_for(p, seq);
		least_ns = min(least_ns, p->now_ns[seq & 1]);
	}
	wire_part_drain();
	return least_ns + wire_lookahead_ns;
}

/**
 * wire_part_init() - find the memory that all parts share
 *
 * Return: 0; -EINVAL: a module parameter is wrong; -ENODEV: there is no memory.
 */
int wire_part_init(void)
{
	unsigned long len = 0;
	size_t need;

	if (part > parts || parts > WIRE_PARTS)
		return -EINVAL;
	if (!part)
		return 0;
	need = sizeof(*wire_shared) + parts * parts * sizeof(struct wire_ring);
	wire_shared = (struct wire_shared *)find_iomem("wire", &len);
	if (!wire_shared || len < need) {
		pr_err("lle_wire: iomem=wire,FILE needs %zu bytes\n", need);
		return -ENODEV;
	}
	return 0;
}
