// SPDX-License-Identifier: GPL-2.0
/*
 * Frames on wires, by arrival time.
 *
 * Those of the next microseconds are in a wheel with a slot for each
 * nanosecond; later ones wait in a tree until their time is in the wheel. One
 * timer, in hard interrupt context, hands over the frames of its slot.
 *
 * Frames of one nanosecond arrive in a random order, which depends only on the
 * time and the number of their ends: so the order of sending does not matter,
 * and no link is always first. Frames of the same end keep their order.
 */
#include <linux/bitmap.h>
#include <linux/hrtimer.h>
#include <linux/jhash.h>
#include <linux/list_sort.h>
#include <linux/rbtree.h>
#include <linux/slab.h>

#include "wire.h"

/* A power of two: nanoseconds of the wheel */
#define WIRE_SLOTS	8192
#define WIRE_SOME	14

/* Frames of a slot, in two cache lines; @before: earlier ones */
struct wire_some {
	struct wire_some *before;
	u32 num;
	struct sk_buff *skb[WIRE_SOME];
};

/*
 * Frames that arrive in the same nanosecond; @more: after the first one, latest
 * first. No list through the frames, so that all can be prefetched at once.
 */
struct wire_slot {
	struct sk_buff *first;
	struct wire_some *more;
};

/* Frames under way */
static struct wire_under_way {
	raw_spinlock_t lock;	/* taken in hard interrupts */
	/* last run of @timer: frames of the wheel are 0 to WIRE_SLOTS later */
	u64 now_ns;
	u64 next_ns;	/* when @timer runs; U64_MAX: it does not */
	u64 start_ns;	/* start of the run, for ties; 0: no run */
	u64 end_ns;	/* no frame arrives after; U64_MAX: no run */
	/* no frame of other parts arrives before; U64_MAX: none, or waiting */
	u64 horizon_ns;
	DECLARE_BITMAP(used, WIRE_SLOTS);	/* slots with frames */
	struct wire_slot slot[WIRE_SLOTS];	/* one a nanosecond */
	struct rb_root_cached later;	/* not in the wheel yet, by time */
	struct hrtimer timer;	/* hands over frames */
} wire_under_way;

static void wire_slot_add(struct wire_slot *slot, struct sk_buff *skb)
{
	struct wire_some *some = slot->more;

	if (!slot->first) {
		slot->first = skb;
		return;
	}
	if (!some || some->num == WIRE_SOME) {
		some = kmalloc(sizeof(*some), GFP_ATOMIC);
		if (some)
			*some = (struct wire_some){ .before = slot->more };
		else
			panic("lle_wire: a frame is lost");
		slot->more = some;
	}
	some->skb[some->num++] = skb;
}

/* Moves the frames of a slot to a list, in their order. */
static void wire_slot_take(struct wire_slot *slot, struct list_head *list)
{
	struct wire_some *some;
	unsigned int i;

	while ((some = slot->more)) {
		for (i = some->num; i--;)
			list_add(&some->skb[i]->list, list);
		slot->more = some->before;
		kfree(some);
	}
	if (slot->first)
		list_add(&slot->first->list, list);
	slot->first = NULL;
}

static void wire_slot_warm(const struct wire_slot *slot)
{
	const struct wire_some *some;
	unsigned int i;

	for (some = slot->more; some; some = some->before)
		for (i = 0; i < some->num; i++)
			wire_warm_frame(some->skb[i]);
	wire_warm_frame(slot->first);
}

static void wire_to_slot(struct wire_under_way *u, struct sk_buff *skb)
{
	unsigned int i = skb->tstamp & (WIRE_SLOTS - 1);

	wire_slot_add(&u->slot[i], skb);
	__set_bit(i, u->used);
}

static bool wire_is_later(struct rb_node *a, const struct rb_node *b)
{
	return rb_to_skb(a)->tstamp < rb_to_skb(b)->tstamp;
}

/* Moves frames that arrive soon to the wheel, in their order. */
static void wire_fill(struct wire_under_way *u)
{
	struct rb_node *first;
	struct sk_buff *skb;

	while ((first = rb_first_cached(&u->later))) {
		skb = rb_to_skb(first);
		if (skb->tstamp - u->now_ns >= WIRE_SLOTS)
			return;
		rb_erase_cached(first, &u->later);
		wire_to_slot(u, skb);
	}
}

/* First slot with frames, from @at on; WIRE_SLOTS: none */
static unsigned int wire_next_slot(const struct wire_under_way *u, unsigned int at)
{
	unsigned int i = find_next_bit(u->used, WIRE_SLOTS, at);

	return i < WIRE_SLOTS ? i : find_first_bit(u->used, WIRE_SLOTS);
}

/* Time of the first frame; U64_MAX: no frames */
static u64 wire_first(const struct wire_under_way *u)
{
	unsigned int at = u->now_ns & (WIRE_SLOTS - 1), i;
	struct rb_node *first;

	i = wire_next_slot(u, at);
	if (i < WIRE_SLOTS)
		return u->now_ns + ((i - at) & (WIRE_SLOTS - 1));
	first = rb_first_cached(&u->later);
	return first ? rb_to_skb(first)->tstamp : U64_MAX;
}

static int wire_compare(void *unused, const struct list_head *a,
			const struct list_head *b)
{
	struct sk_buff *x = list_entry(a, struct sk_buff, list);
	struct sk_buff *y = list_entry(b, struct sk_buff, list);

	if (wire_cb(x)->tie != wire_cb(y)->tie)
		return wire_cb(x)->tie > wire_cb(y)->tie ? 1 : -1;
	return wire_to(x)->end > wire_to(y)->end ? 1 : 0;
}

static void wire_arrive(struct sk_buff *skb)
{
	/* rbnode is in its place */
	skb->dev = wire_to(skb)->dev;
	skb->tstamp = 0;
	netif_rx(skb);
}

/* Prefetches for all frames, step by step: each step needs the one before. */
static void wire_warm_all(const struct list_head *list)
{
	const struct sk_buff *skb;

	list_for_each_entry(skb, list, list)
		wire_warm_in(skb);
	list_for_each_entry(skb, list, list)
		wire_warm_next_out(skb);
	list_for_each_entry(skb, list, list)
		wire_warm_out(skb);
}

/* Hands over frames in the order of their ties. */
static void wire_arrive_all(struct list_head *list, u64 since_ns)
{
	struct sk_buff *skb, *next;

	list_for_each_entry(skb, list, list)
		wire_cb(skb)->tie = jhash_3words(wire_to(skb)->end,
						 lower_32_bits(since_ns),
						 upper_32_bits(since_ns), 0);
	list_sort(NULL, list, wire_compare);
	list_for_each_entry_safe(skb, next, list, list) {
		skb_list_del_init(skb);
		wire_arrive(skb);
	}
}

/* Hands over the frames of a slot; prefetches those of the next one. */
static void wire_slot_arrive(struct wire_under_way *u, unsigned int i, u64 since_ns)
{
	struct wire_slot *slot = &u->slot[i];
	struct sk_buff *first = slot->first;
	LIST_HEAD(list);

	__clear_bit(i, u->used);
	if (!slot->more) {
		slot->first = NULL;
		wire_arrive(first);
		return;
	}
	wire_slot_take(slot, &list);
	wire_warm_all(&list);
	i = wire_next_slot(u, i);
	if (i < WIRE_SLOTS)
		wire_slot_warm(&u->slot[i]);
	wire_arrive_all(&list, since_ns);
}

/* Hands over all frames that have arrived. Return: time of the next one. */
static u64 wire_arrivals(struct wire_under_way *u, u64 now_ns)
{
	u64 first_ns;

	while ((first_ns = wire_first(u)) <= now_ns) {
		u->now_ns = first_ns;
		wire_fill(u);
		wire_slot_arrive(u, first_ns & (WIRE_SLOTS - 1), first_ns - u->start_ns);
	}
	u->now_ns = now_ns;
	wire_fill(u);
	return first_ns;
}

/* Nothing arrives after this. */
static void wire_end_run(struct wire_under_way *u)
{
	struct sk_buff *skb, *next;
	struct rb_node *node;
	unsigned int i;
	LIST_HEAD(list);

	u->next_ns = 0;
	for_each_set_bit(i, u->used, WIRE_SLOTS) {
		wire_slot_take(&u->slot[i], &list);
		list_for_each_entry_safe(skb, next, &list, list) {
			wire_not_sent(wire_cb(skb));
			skb_list_del_init(skb);
			wire_slot_add(&u->slot[i], skb);
		}
	}
	for (node = rb_first_cached(&u->later); node; node = rb_next(node))
		wire_not_sent(wire_cb(rb_to_skb(node)));
}

/* When this part is busy again: now, if a process or softirq is to run */
static u64 wire_idle_until(u64 now_ns, u64 next_ns)
{
	if (!is_idle_task(current) || need_resched() || softirq_count() ||
	    local_softirq_pending())
		return now_ns;
	return clamp_t(u64, hrtimer_first_ns(), now_ns, next_ns);
}

/* Virtual time stands while this waits for other parts. */
static enum hrtimer_restart wire_run(struct hrtimer *timer)
{
	struct wire_under_way *u = &wire_under_way;
	u64 now_ns = ktime_get_ns(), next_ns;

	wire_part_now(now_ns);
	raw_spin_lock(&u->lock);
	next_ns = wire_arrivals(u, min(now_ns, u->end_ns - 1));
	raw_spin_unlock(&u->lock);
	while (now_ns >= u->horizon_ns - 1) {
		u->horizon_ns = wire_part_wait(now_ns, wire_idle_until(now_ns, next_ns));
		raw_spin_lock(&u->lock);
		next_ns = wire_arrivals(u, min(now_ns, u->end_ns - 1));
		raw_spin_unlock(&u->lock);
		if (now_ns >= u->end_ns)
			break;
	}
	if (now_ns >= u->end_ns) {
		wire_end_run(u);
		return HRTIMER_NORESTART;
	}
	next_ns = min3(next_ns, u->horizon_ns - 1, u->end_ns);
	u->next_ns = next_ns;
	if (next_ns == U64_MAX)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(next_ns));
	return HRTIMER_RESTART;
}

/* The first frame arrives at @ns: the timer must run by then. */
static void wire_expect(struct wire_under_way *u, u64 ns)
{
	if (ns >= u->next_ns)
		return;
	u->next_ns = ns;
	hrtimer_start(&u->timer, ns_to_ktime(ns), HRTIMER_MODE_ABS_HARD);
}

/*
 * @skb: a frame as its receiver sees it, with its wire_cb; it arrives at
 * @skb->tstamp. Softirq; or hard interrupts, from wire_part_wait().
 */
void wire_under_way_add(struct sk_buff *skb)
{
	struct wire_under_way *u = &wire_under_way;
	u64 now_ns = ktime_get_ns();
	unsigned long flags;

	raw_spin_lock_irqsave(&u->lock, flags);
	/* nothing is in the wheel before the next run, so time may pass */
	if (u->now_ns < now_ns && now_ns < u->next_ns) {
		u->now_ns = now_ns;
		wire_fill(u);
	}
	skb->tstamp = max_t(u64, skb->tstamp, u->now_ns);
	if (skb->tstamp - u->now_ns < WIRE_SLOTS)
		wire_to_slot(u, skb);
	else
		rb_add_cached(&skb->rbnode, &u->later, wire_is_later);
	wire_expect(u, skb->tstamp);
	raw_spin_unlock_irqrestore(&u->lock, flags);
}

/* Has the run ended? */
bool wire_under_way_ended(u64 now_ns)
{
	return now_ns >= wire_under_way.end_ns;
}

/* Other parts send from @start_ns on. Process context. */
void wire_under_way_run(u64 start_ns, u64 end_ns)
{
	struct wire_under_way *u = &wire_under_way;
	unsigned long flags;

	wire_know_all();
	raw_spin_lock_irqsave(&u->lock, flags);
	u->start_ns = start_ns;
	u->end_ns = end_ns;
	u->horizon_ns = wire_part_start(start_ns, end_ns);
	u->next_ns = U64_MAX;
	wire_expect(u, min(u->horizon_ns - 1, end_ns));
	raw_spin_unlock_irqrestore(&u->lock, flags);
}

/* Drops all frames to a device that is not running. */
void wire_under_way_forget(const struct wire *wire)
{
	struct wire_under_way *u = &wire_under_way;
	struct sk_buff *skb, *next_skb, *gone = NULL;
	struct rb_node *node, *next;
	unsigned long flags;
	unsigned int i;
	LIST_HEAD(list);

	raw_spin_lock_irqsave(&u->lock, flags);
	for_each_set_bit(i, u->used, WIRE_SLOTS) {
		wire_slot_take(&u->slot[i], &list);
		list_for_each_entry_safe(skb, next_skb, &list, list) {
			skb_list_del_init(skb);
			if (wire_to(skb) != wire) {
				wire_slot_add(&u->slot[i], skb);
				continue;
			}
			skb->next = gone;
			gone = skb;
		}
		if (!u->slot[i].first)
			__clear_bit(i, u->used);
	}
	for (node = rb_first_cached(&u->later); node; node = next) {
		next = rb_next(node);
		skb = rb_to_skb(node);
		if (wire_to(skb) != wire)
			continue;
		rb_erase_cached(node, &u->later);
		skb->next = gone;
		gone = skb;
	}
	for (skb = gone; skb; skb = skb->next) {
		skb->prev = NULL;
		skb->dev = NULL;
	}
	raw_spin_unlock_irqrestore(&u->lock, flags);
	kfree_skb_list(gone);
}

void wire_under_way_init(void)
{
	struct wire_under_way *u = &wire_under_way;

	raw_spin_lock_init(&u->lock);
	u->next_ns = U64_MAX;
	u->end_ns = U64_MAX;
	u->horizon_ns = U64_MAX;
	u->later = RB_ROOT_CACHED;
	hrtimer_setup(&u->timer, wire_run, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
}

/* Stops the timer, after the last device. */
void wire_under_way_exit(void)
{
	hrtimer_cancel(&wire_under_way.timer);
}
