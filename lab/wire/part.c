// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of one network, each in a kernel of its own, which is a process.
 *
 * Each kernel has its part of the network, and the other ends of its wires,
 * which do not run. Frames to these go through memory that all kernels share.
 *
 * A frame sent at time t arrives at t + L or later, L being the minimum delay
 * of a wire between two parts. So each kernel may be at most L ahead of the
 * slowest: this is its horizon. It publishes its clock often, and reads the
 * others' at its horizon (wire_part_follow()). Each kernel has an end of its
 * wires to other parts, so L is known from the first barrier on.
 *
 * That alone would move an idle network by L at a time. So all kernels meet at
 * barriers, and publish until when they are idle: no frame arrives before the
 * earliest of these times plus L (wire_part_meet()). If all are busy, the next
 * barrier is WIRE_WINDOWS times L later; else it is L later, and no clock is
 * read before.
 *
 * A kernel has one CPU, so smp_mb() is no barrier of the CPU: virt_mb() is. x86
 * needs one only between a write and a later read, so smp_store_release() and
 * smp_load_acquire() do.
 *
 * No kernel is more than one barrier ahead, so two slots for idle times are
 * enough. Nor does a kernel wait for ever: the slowest never waits for others'
 * clocks.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <mem_user.h>

#include "shared.h"
#include "wire.h"

#define WIRE_SPINS	100
/* Lookaheads between two barriers of busy parts */
#define WIRE_WINDOWS	16
/* Clock updates of a part in a lookahead */
#define WIRE_TELLS	16
/* A part that waits at its horizon continues after half a lookahead, or more */
#define WIRE_FOLLOWS	2
/* Lookahead of parts that no wire connects */
#define WIRE_LOOKAHEAD_MAX	NSEC_PER_SEC
/* Bytes of wire_zeros */
#define WIRE_ZEROS	(PAGE_SIZE << 2)

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

static uint windows = WIRE_WINDOWS;
module_param(windows, uint, 0444);
MODULE_PARM_DESC(windows, "Lookaheads between two barriers of busy parts (16; 1: none reads the time of others)");

static struct wire_shared *wire_shared;
/* Minimum delay between two parts: this part's, until the first barrier */
static u64 wire_lookahead_ns = WIRE_LOOKAHEAD_MAX;
/* End of the run */
static u64 wire_end_ns = U64_MAX;
/* 1 ns after the next barrier: no horizon is later */
static u64 wire_barrier_ns;
/* When to publish our clock; U64_MAX: not before the next barrier */
static u64 wire_tell_ns = U64_MAX;
/* Arrival of the first frame sent since the last barrier */
static u64 wire_sent_ns = U64_MAX;
/* Data of frames with only zeros in a fragment */
static struct page *wire_zeros;

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

/* Does an end belong to this part? */
bool wire_is_here(const struct wire *wire)
{
	return !part || wire->part == part;
}

/* Is this the part with this number? */
bool wire_part_is(unsigned int number)
{
	return part == number;
}

/* Notes a wire that may be between two parts. RTNL. */
void wire_part_cut(const struct wire *wire, const struct wire *other)
{
	if (wire->part != other->part)
		wire_lookahead_ns = min3(wire_lookahead_ns, wire->delay_ns,
					 other->delay_ns);
}

static struct wire_ring *wire_ring(unsigned int from, unsigned int to)
{
	return wire_ring_of(wire_shared, parts, from, to);
}

/* Takes the frame at @at like one from an end in this part. */
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
	if (f->zeros) {
		get_page(wire_zeros);
		skb_add_rx_frag(skb, 0, wire_zeros, 0, f->zeros, f->zeros);
	}
	skb->protocol = eth_type_trans(skb, to->dev);
	skb->tstamp = f->arrival_ns;
	*wire_cb(skb) = (struct wire_cb){
		.to = to, .bytes = f->bytes, .prio = f->prio,
	};
	wire_under_way_add(skb);
}

/* Takes all frames that other parts have sent. */
static void wire_part_drain(void)
{
	struct wire_ring *ring;
	struct wire_frame f;
	unsigned int p;
	u64 head, at;

	for (p = 1; p <= parts; p++) {
		ring = wire_ring(p, part);
		/* pairs with the release in wire_part_write(): frames before it */
		head = smp_load_acquire(&ring->head.at);
		for (at = ring->tail.at; at != head;
		     at += wire_frame_size(&f)) {
			wire_ring_read(ring, at, &f, sizeof(f));
			if (f.end == WIRE_NOTE)
				wire_note_receive(p, ring, at + sizeof(f), &f);
			else
				wire_part_receive(ring, at, &f);
		}
		if (at == ring->tail.at)
			continue;
		/* pairs with the acquire in wire_part_write(): it may overwrite them */
		smp_store_release(&ring->tail.at, at);
	}
}

/* Wakes parts that sleep until our clock is at @clock_ns, or earlier. */
static void wire_part_wake(u64 clock_ns)
{
	struct wire_shared_part *me = &wire_shared->part[part - 1];
	bool asleep = false;
	unsigned int p;
	u64 wanted_ns;

	/* our writes come first: pairs with that of wire_part_wait_for() */
	virt_mb();
	for (p = 0; p < parts; p++) {
		wanted_ns = READ_ONCE(me->wanted_ns[p]);
		if (!wanted_ns || wanted_ns > clock_ns)
			continue;
		WRITE_ONCE(me->wanted_ns[p], 0);
		asleep = true;
	}
	if (!asleep)
		return;
	WRITE_ONCE(me->wakes, me->wakes + 1);
	host_futex(&me->wakes, HOST_FUTEX_WAKE, INT_MAX);
}

/* Bytes of the only fragment, if these are zeros, as of lle_rnic; else 0 */
static unsigned int wire_zeros_of(const struct sk_buff *skb)
{
	const skb_frag_t *frag = &skb_shinfo(skb)->frags[0];
	unsigned int len = skb->data_len;

	if (skb_shinfo(skb)->nr_frags != 1 || skb_has_frag_list(skb) ||
	    skb->ip_summed == CHECKSUM_PARTIAL || len > WIRE_ZEROS ||
	    memchr_inv(skb_frag_address(frag), 0, len))
		return 0;
	return len;
}

/* Writes a frame. Waits for room, which the other part makes if it waits. */
static void wire_part_write(struct wire_ring *ring, const struct wire_frame *f,
			    const void *data)
{
	u64 head = ring->head.at;
	unsigned int size = wire_frame_size(f);

	/* pairs with the release in wire_part_drain() */
	while (head + size - smp_load_acquire(&ring->tail.at) > WIRE_RING) {
		wire_part_wake(U64_MAX);
		wire_part_drain();
		asm volatile("pause");
	}
	wire_ring_write(ring, head, f, sizeof(*f));
	wire_ring_write(ring, head + sizeof(*f), data, f->len);
	/* pairs with the acquire in wire_part_drain() */
	smp_store_release(&ring->head.at, head + size);
}

/* Sends a frame to another part. Softirq. */
void wire_part_send(struct sk_buff *skb, const struct wire_cb *cb, u64 arrival_ns)
{
	struct wire_ring *ring = wire_ring(part, cb->to->part);
	struct wire_frame f = {
		.arrival_ns = arrival_ns, .end = cb->to->end,
		.bytes = cb->bytes, .prio = cb->prio, .zeros = wire_zeros_of(skb),
	};

	/* the run ends before, in both parts */
	if (arrival_ns >= wire_end_ns) {
		wire_not_sent(cb);
		consume_skb(skb);
		return;
	}
	/* frames have a checksum, and are no larger than the MTU */
	if ((!f.zeros && skb_linearize(skb)) || skb_is_gso(skb) ||
	    (skb->ip_summed == CHECKSUM_PARTIAL && skb_checksum_help(skb)))
		panic("lle_wire: a frame that cannot be sent to another part");
	f.len = skb_headlen(skb);
	wire_sent_ns = min(wire_sent_ns, arrival_ns);
	wire_part_write(ring, &f, skb->data);
	consume_skb(skb);
}

/* Sends processes' data to all parts. @at: its place. Process context. */
void wire_part_tell(const void *data, u32 len, u32 at)
{
	const struct wire_frame f = { .end = WIRE_NOTE, .len = len, .bytes = at };
	unsigned long flags;
	unsigned int p;

	/* interrupts write and read frames, too */
	local_irq_save(flags);
	for (p = 1; p <= parts; p++)
		if (p != part)
			wire_part_write(wire_ring(part, p), &f, data);
	local_irq_restore(flags);
}

/* Publishes our clock. Earlier frames are in the rings. */
static void wire_part_tell_time(u64 now_ns)
{
	/* pairs with the acquire in wire_part_clock() */
	smp_store_release(&wire_shared->part[part - 1].clock_ns, now_ns);
	wire_part_wake(now_ns);
	wire_tell_ns = now_ns + wire_lookahead_ns / WIRE_TELLS;
}

/* Publishes our clock, if that is due. Hard interrupts. */
void wire_part_now(u64 now_ns)
{
	if (now_ns >= wire_tell_ns)
		wire_part_tell_time(now_ns);
}

/* Clock of a part; frames sent before are in its ring */
static u64 wire_part_clock(const struct wire_shared_part *p)
{
	/* pairs with the release in wire_part_tell_time() */
	return smp_load_acquire(&p->clock_ns);
}

/* Has a part come to a barrier? Then its idle time and frames are valid. */
static bool wire_part_is_at(const struct wire_shared_part *p, u32 seq)
{
	/* pairs with the release in wire_part_meet() */
	return (int)(smp_load_acquire(&p->seq) - seq) >= 0;
}

/*
 * Waits until the clock of a part is @clock_ns or later, and it has come to
 * barrier @seq. Takes frames meanwhile, as the part may wait for room.
 */
static void wire_part_wait_for(struct wire_shared_part *p, u64 clock_ns, u32 seq)
{
	unsigned int spins = 0;
	u32 wakes;

	while (wire_part_clock(p) < clock_ns || !wire_part_is_at(p, seq)) {
		/* cpu_relax() would move the virtual time */
		asm volatile("pause");
		if (spins++ < WIRE_SPINS)
			continue;
		/* not each time: it takes a cache line that the part writes */
		wire_part_drain();
		wakes = READ_ONCE(p->wakes);
		WRITE_ONCE(p->wanted_ns[part - 1], clock_ns);
		/* either we see the condition, or the part sees us sleep */
		virt_mb();
		if (wire_part_clock(p) < clock_ns || !wire_part_is_at(p, seq))
			host_futex(&p->wakes, HOST_FUTEX_WAIT, wakes);
	}
}

/* Waits until all parts have come to a time, and to a barrier. */
static void wire_part_wait_for_all(u64 clock_ns, u32 seq)
{
	struct wire_shared_part *p;

	for (p = wire_shared->part; p < wire_shared->part + parts; p++)
		wire_part_wait_for(p, clock_ns, seq);
}

/*
 * Follows the other parts at our horizon. Waking a part takes long, so we wait
 * for some time, while the others have more than L to their horizon.
 */
static u64 wire_part_follow(u64 now_ns)
{
	u64 horizon_ns = min(now_ns + 1 + wire_lookahead_ns / WIRE_FOLLOWS, wire_barrier_ns);
	struct wire_shared_part *p;

	wire_part_tell_time(now_ns);
	wire_part_wait_for_all(horizon_ns - wire_lookahead_ns, wire_shared->part[part - 1].seq);
	horizon_ns = wire_barrier_ns;
	for (p = wire_shared->part; p < wire_shared->part + parts; p++)
		if (p != &wire_shared->part[part - 1])
			horizon_ns = min(horizon_ns, wire_part_clock(p) + wire_lookahead_ns);
	wire_part_drain();
	return horizon_ns;
}

/* Comes to a barrier. Frames since the last one count in our idle time. */
static u64 wire_part_meet(u64 now_ns, u64 idle_ns)
{
	struct wire_shared_part *me = &wire_shared->part[part - 1], *p;
	u64 first_ns = U64_MAX, last_ns = 0, horizon_ns;
	u32 seq = me->seq + 1;

	/* the first frame since the last barrier may have arrived */
	me->idle_ns[seq & 1] = min(idle_ns, max(wire_sent_ns, now_ns));
	wire_sent_ns = U64_MAX;
	/* pairs with the acquire in wire_part_is_at() */
	smp_store_release(&me->seq, seq);
	wire_part_tell_time(now_ns);
	wire_part_wait_for_all(now_ns, seq);
	for (p = wire_shared->part; p < wire_shared->part + parts; p++) {
		wire_lookahead_ns = min(wire_lookahead_ns, p->lookahead_ns);
		first_ns = min(first_ns, p->idle_ns[seq & 1]);
		last_ns = max(last_ns, p->idle_ns[seq & 1]);
	}
	wire_part_drain();
	horizon_ns = min(first_ns + wire_lookahead_ns, wire_end_ns + 1);
	wire_barrier_ns = horizon_ns;
	if (last_ns < horizon_ns)
		wire_barrier_ns = min(first_ns + windows * wire_lookahead_ns, wire_end_ns + 1);
	if (wire_barrier_ns == horizon_ns)
		wire_tell_ns = U64_MAX;
	return horizon_ns;
}

/*
 * Sets the run. At its end is the last barrier: frames sent before are counted.
 * Return: a horizon as of wire_part_wait(); U64_MAX: there are no other parts.
 */
u64 wire_part_start(u64 start_ns, u64 end_ns)
{
	unsigned int p;

	/* left by an earlier run; others send after their first barrier */
	for (p = 1; part && p <= parts; p++)
		wire_ring(p, part)->tail.at = wire_ring(p, part)->head.at;
	if (part)
		wire_shared->part[part - 1].lookahead_ns = wire_lookahead_ns;
	wire_end_ns = end_ns;
	wire_barrier_ns = start_ns + 1;
	wire_tell_ns = U64_MAX;
	return parts > 1 ? wire_barrier_ns : U64_MAX;
}

/*
 * Waits for other parts, 1 ns before the horizon. @idle_ns: this part is idle
 * until then, unless it receives a frame. Hard interrupts. Return: the new
 * horizon: frames that other parts have still to send arrive then, or later.
 */
u64 wire_part_wait(u64 now_ns, u64 idle_ns)
{
	if (now_ns < wire_barrier_ns - 1)
		return wire_part_follow(now_ns);
	return wire_part_meet(now_ns, idle_ns);
}

void wire_part_exit(void)
{
	wire_note_exit();
	if (wire_zeros)
		put_page(wire_zeros);
}

/* Return: 0; -EINVAL: wrong parameter; -ENODEV: no such memory; -ENOMEM. */
int wire_part_init(void)
{
	unsigned long len = 0;
	size_t need;

	if (part > parts || parts > WIRE_PARTS || !windows)
		return -EINVAL;
	if (!part)
		return 0;
	need = sizeof(*wire_shared) + parts * parts * sizeof(struct wire_ring);
	wire_shared = (struct wire_shared *)find_iomem("wire", &len);
	if (!wire_shared || len < need) {
		pr_err("lle_wire: iomem=wire,FILE needs %zu bytes\n", need);
		return -ENODEV;
	}
	wire_zeros = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_COMP, get_order(WIRE_ZEROS));
	if (wire_zeros && !wire_note_init(parts))
		return 0;
	wire_part_exit();
	return -ENOMEM;
}
