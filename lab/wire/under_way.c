// SPDX-License-Identifier: GPL-2.0
/*
 * Frames under way, by the time of their arrival.
 *
 * Those of the next microseconds are in a wheel with a slot for each nanosecond;
 * later ones wait in a tree until their time is in the wheel. One timer, in hard
 * interrupt context, hands over the frames of its slot.
 *
 * Frames of one nanosecond arrive in a random order, which depends on nothing but
 * the time and the number of their ends: so it does not matter in which order they
 * were sent, and no link is always first. Frames of the same end keep their order.
 */
#include <linux/bitmap.h>
#include <linux/hrtimer.h>
#include <linux/jhash.h>
#include <linux/list_sort.h>
#include <linux/rbtree.h>

#include "wire.h"

/* A power of two: nanoseconds of the wheel */
#define WIRE_SLOTS	8192

/**
 * struct wire_under_way - frames under way
 * @lock: protects all
 * @now_ns: time of the last run of @timer: no frame of the wheel is earlier, and
 *	none is %WIRE_SLOTS later
 * @next_ns: when @timer runs; U64_MAX: it does not
 * @used: slots with frames
 * @slot: last frame of each slot, which points to the ones before it
 * @start_ns: start of the run; 0: there is none. Ties depend on the time since
 * @end_ns: end of the run, after which no frame arrives; U64_MAX: there is none
 * @horizon_ns: other parts may send a frame that arrives then, but none before;
 *	U64_MAX: there are no other parts, or they wait for the start of the run
 * @later: frames that are not in the wheel yet, by their time
 * @timer: hands over frames
 */
static struct wire_under_way {
	raw_spinlock_t lock;	/* taken in hard interrupts */
	u64 now_ns;
	u64 next_ns;
	u64 start_ns;
	u64 end_ns;
	u64 horizon_ns;
	DECLARE_BITMAP(used, WIRE_SLOTS);
	struct sk_buff *slot[WIRE_SLOTS];
	struct rb_root_cached later;
	struct hrtimer timer;
} wire_under_way;

static void wire_to_slot(struct wire_under_way *u, struct sk_buff *skb)
{
	unsigned int i = skb->tstamp & (WIRE_SLOTS - 1);

	skb->next = u->slot[i];
	u->slot[i] = skb;
	__set_bit(i, u->used);
}

static bool wire_is_later(struct rb_node *a, const struct rb_node *b)
{
	return rb_to_skb(a)->tstamp < rb_to_skb(b)->tstamp;
}

/* Frames that arrive soon now go to the wheel, in their order. */
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

/* Time of the first frame; U64_MAX: there is none. */
static u64 wire_first(const struct wire_under_way *u)
{
	unsigned int at = u->now_ns & (WIRE_SLOTS - 1), i;
	struct rb_node *first;

	i = find_next_bit(u->used, WIRE_SLOTS, at);
	if (i == WIRE_SLOTS)
		i = find_first_bit(u->used, WIRE_SLOTS);
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
	return wire_cb(x)->to->end > wire_cb(y)->to->end ? 1 : 0;
}

static void wire_arrive(struct sk_buff *skb)
{
	/* rbnode is in its place */
	skb->dev = wire_cb(skb)->to->dev;
	skb->tstamp = 0;
	netif_rx(skb);
}

/* Hand over the frames of a slot, in the order of their ties. */
static void wire_arrive_all(struct sk_buff *last, u64 since_ns)
{
	struct sk_buff *skb, *next;
	LIST_HEAD(list);

	for (skb = last; skb; skb = next) {
		next = skb->next;
		wire_cb(skb)->tie = jhash_3words(wire_cb(skb)->to->end,
						 lower_32_bits(since_ns),
						 upper_32_bits(since_ns), 0);
		list_add(&skb->list, &list);
	}
	list_sort(NULL, &list, wire_compare);
	list_for_each_entry_safe(skb, next, &list, list) {
		skb_list_del_init(skb);
		wire_arrive(skb);
	}
}

/* Hand over all frames that have arrived. Return: time of the next one. */
static u64 wire_arrivals(struct wire_under_way *u, u64 now_ns)
{
	struct sk_buff *last;
	unsigned int i;
	u64 first_ns;

	while ((first_ns = wire_first(u)) <= now_ns) {
		u->now_ns = first_ns;
		wire_fill(u);
		i = first_ns & (WIRE_SLOTS - 1);
		last = u->slot[i];
		u->slot[i] = NULL;
		__clear_bit(i, u->used);
		if (last->next)
			wire_arrive_all(last, first_ns - u->start_ns);
		else
			wire_arrive(last);
	}
	u->now_ns = now_ns;
	wire_fill(u);
	return first_ns;
}

/* Nothing arrives any more. */
static void wire_end_run(struct wire_under_way *u)
{
	struct rb_node *node;
	struct sk_buff *skb;
	unsigned int i;

	u->next_ns = 0;
	for_each_set_bit(i, u->used, WIRE_SLOTS)
		for (skb = u->slot[i]; skb; skb = skb->next)
			wire_not_sent(wire_cb(skb));
	for (node = rb_first_cached(&u->later); node; node = rb_next(node))
		wire_not_sent(wire_cb(rb_to_skb(node)));
}

/*
 * When this part has something to do, at @next_ns at the latest. Now, if a process or
 * a softirq is about to run.
 */
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

	raw_spin_lock(&u->lock);
	next_ns = wire_arrivals(u, min(now_ns, u->end_ns - 1));
	raw_spin_unlock(&u->lock);
	while (now_ns >= u->horizon_ns - 1) {
		/* the last barrier is at the end: what was sent before it is counted */
		u->horizon_ns = min(wire_part_wait(wire_idle_until(now_ns, next_ns)),
				    u->end_ns + 1);
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

/* The first frame arrives at @ns: the timer runs by then. */
static void wire_expect(struct wire_under_way *u, u64 ns)
{
	if (ns >= u->next_ns)
		return;
	u->next_ns = ns;
	hrtimer_start(&u->timer, ns_to_ktime(ns), HRTIMER_MODE_ABS_HARD);
}

/**
 * wire_under_way_add() - let a frame arrive
 * @skb: the frame, as its receiver sees it, with its wire_cb; @skb->tstamp is when
 *	it arrives
 *
 * Context: softirq; or hard interrupts, from wire_part_wait().
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

/**
 * wire_under_way_ended() - tell whether the run has ended
 * @now_ns: the time
 */
bool wire_under_way_ended(u64 now_ns)
{
	return now_ns >= wire_under_way.end_ns;
}

/**
 * wire_under_way_run() - tell when the run begins and ends
 * @start_ns: its start; from then on other parts send frames
 * @end_ns: its end; then frames that are under way stay so
 *
 * Context: process.
 */
void wire_under_way_run(u64 start_ns, u64 end_ns)
{
	struct wire_under_way *u = &wire_under_way;
	unsigned long flags;

	raw_spin_lock_irqsave(&u->lock, flags);
	u->start_ns = start_ns;
	u->end_ns = end_ns;
	u->horizon_ns = wire_part_start(start_ns);
	u->next_ns = U64_MAX;
	wire_expect(u, min(u->horizon_ns - 1, end_ns));
	raw_spin_unlock_irqrestore(&u->lock, flags);
}

/**
 * wire_under_way_forget() - drop all frames to a device
 * @wire: end of the device, which is not running
 */
void wire_under_way_forget(const struct wire *wire)
{
	struct wire_under_way *u = &wire_under_way;
	struct sk_buff *skb, **link, *gone = NULL;
	struct rb_node *node, *next;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&u->lock, flags);
	for_each_set_bit(i, u->used, WIRE_SLOTS) {
		link = &u->slot[i];
		while ((skb = *link)) {
			if (wire_cb(skb)->to != wire) {
				link = &skb->next;
				continue;
			}
			*link = skb->next;
			skb->next = gone;
			gone = skb;
		}
		if (!u->slot[i])
			__clear_bit(i, u->used);
	}
	for (node = rb_first_cached(&u->later); node; node = next) {
		next = rb_next(node);
		skb = rb_to_skb(node);
		if (wire_cb(skb)->to != wire)
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

/**
 * wire_under_way_init() - prepare the timer
 */
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

/**
 * wire_under_way_exit() - stop the timer; there is no device any more
 */
void wire_under_way_exit(void)
{
	hrtimer_cancel(&wire_under_way.timer);
}
