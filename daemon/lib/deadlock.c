// SPDX-License-Identifier: GPL-2.0
/*
 * Deadlocks: their loop, when it formed, and whether two are the same.
 *
 * Messages list the switches of a loop against the direction of the packets,
 * from the one that found it. Here they follow the packets, from the lowest
 * number (and ingress) on, so that findings of two switches are equal.
 */
#include <string.h>

#include "deadlock.h"

/* Known hops; of an incomplete loop only the own one. */
static unsigned int lle_nl_known(const struct lle_nl_deadlock *d)
{
	return d->info.loop ? d->num_hops : 1;
}

static bool lle_nl_hop_same(const struct lle_deadlock_hop *a,
			    const struct lle_deadlock_hop *b)
{
	return a->sw == b->sw && a->ingress == b->ingress &&
	       a->egress == b->egress;
}

static bool lle_nl_hop_before(const struct lle_deadlock_hop *a,
			      const struct lle_deadlock_hop *b)
{
	return a->sw != b->sw ? a->sw < b->sw : a->ingress < b->ingress;
}

/* @n: index in the direction of the packets. Return: NULL: there are no more */
const struct lle_deadlock_hop *
lle_nl_deadlock_hop(const struct lle_nl_deadlock *d, unsigned int n)
{
	unsigned int known = lle_nl_known(d), first = 0;

	if (n >= known)
		return NULL;
	for (unsigned int i = 1; i < known; i++)
		if (lle_nl_hop_before(&d->hops[i], &d->hops[first]))
			first = i;
	return &d->hops[(first + known - n) % known];
}

/* A loop may pass a switch several times. */
unsigned int lle_nl_deadlock_switches(const struct lle_nl_deadlock *d)
{
	unsigned int known = lle_nl_known(d), num = 0, i, j;

	for (i = 0; i < known; i++) {
		for (j = 0; j < i && d->hops[j].sw != d->hops[i].sw; j++)
			;
		num += j == i;
	}
	return num;
}

/* Bytes that wait at known hops */
uint64_t lle_nl_deadlock_bytes(const struct lle_nl_deadlock *d)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < lle_nl_known(d); i++)
		bytes += d->hops[i].bytes;
	return bytes;
}

static uint64_t lle_nl_walk_ns(const struct lle_nl_deadlock *d)
{
	if (d->info.reported_ns < d->info.declared_ns)
		return 0;
	return d->info.reported_ns - d->info.declared_ns;
}

/*
 * Start of the pause of a hop, @i in @hops: CLOCK_MONOTONIC of the switch that found
 * the deadlock. Assumes that the walk, at which a switch reports the age of its
 * pause, passes the switches at equal intervals.
 */
uint64_t lle_nl_deadlock_since(const struct lle_nl_deadlock *d, unsigned int i)
{
	uint64_t asked = d->info.declared_ns, age_ns = d->hops[i].age_ns;

	if (d->info.loop)
		asked += lle_nl_walk_ns(d) / d->num_hops * i;
	return age_ns < asked ? asked - age_ns : 0;
}

/* Start of the first pause of the loop */
uint64_t lle_nl_deadlock_formed(const struct lle_nl_deadlock *d)
{
	uint64_t formed = UINT64_MAX, since;

	for (unsigned int i = 0; i < lle_nl_known(d); i++) {
		since = lle_nl_deadlock_since(d, i);
		if (since < formed)
			formed = since;
	}
	return formed;
}

/* Start of the last pause of the loop; not later than the detection */
uint64_t lle_nl_deadlock_closed(const struct lle_nl_deadlock *d)
{
	uint64_t closed = 0, since;

	for (unsigned int i = 0; i < lle_nl_known(d); i++) {
		since = lle_nl_deadlock_since(d, i);
		if (since > closed)
			closed = since;
	}
	return closed < d->info.declared_ns ? closed : d->info.declared_ns;
}

/* Return: false also for an incomplete loop */
bool lle_nl_deadlock_same_loop(const struct lle_nl_deadlock *a,
			       const struct lle_nl_deadlock *b)
{
	unsigned int num = a->num_hops, at = 0, i;

	if (!a->info.loop || !b->info.loop || b->num_hops != num ||
	    a->info.prio != b->info.prio)
		return false;
	/* where the loop of @b has the first hop of @a */
	while (at < num && !lle_nl_hop_same(&a->hops[0], &b->hops[at]))
		at++;
	if (at == num)
		return false;
	for (i = 1; i < num; i++)
		if (!lle_nl_hop_same(&a->hops[i], &b->hops[(at + i) % num]))
			return false;
	return true;
}

/*
 * Did two switches find the same deadlock? In one, all pauses of the later finding
 * began before the first one; otherwise the loop was broken in between.
 */
bool lle_nl_deadlock_same(const struct lle_nl_deadlock *a,
			  const struct lle_nl_deadlock *b)
{
	const struct lle_nl_deadlock *first = a, *later = b;

	if (a->sw == b->sw && a->info.number == b->info.number &&
	    a->info.declared_ns == b->info.declared_ns)
		return true;
	if (!lle_nl_deadlock_same_loop(a, b))
		return false;
	if (a->info.declared_ns > b->info.declared_ns) {
		first = b;
		later = a;
	}
	/* error of the times of pauses */
	return lle_nl_deadlock_closed(later) <=
	       first->info.declared_ns + lle_nl_walk_ns(later);
}

/*
 * Merges equal deadlocks into the first finding, which counts its duplicates.
 * @all: newest first. Return: number of entries left
 */
int lle_nl_deadlock_unite(struct lle_nl_deadlock *all, int num)
{
	int left = num, i, j;

	/* entries from @left on are kept */
	for (i = num - 1; i >= 0; i--) {
		for (j = left; j < num; j++)
			if (lle_nl_deadlock_same(&all[j], &all[i]))
				break;
		if (j < num)
			all[j].duplicates++;
		else
			all[--left] = all[i];
	}
	if (num)
		memmove(all, all + left, (num - left) * sizeof(*all));
	return num - left;
}

/* @all: newest first. Return: none of this priority, and switch or loop, is newer */
bool lle_nl_deadlock_is_last(const struct lle_nl_deadlock *all, int i)
{
	for (int j = 0; j < i; j++)
		if ((all[j].sw == all[i].sw &&
		     all[j].info.prio == all[i].info.prio) ||
		    (lle_nl_deadlock_same_loop(&all[j], &all[i]) &&
		     !lle_nl_deadlock_same(&all[j], &all[i])))
			return false;
	return true;
}

/* @slot: number of the port in its switch. Return: NULL: not known */
const struct lle_nl_port *lle_nl_find_slot(const struct lle_nl_ports *ports,
					   uint32_t sw, uint8_t slot)
{
	/* not a port */
	if (slot >= LLE_MAX_PORTS)
		return NULL;
	for (int i = 0; i < ports->num; i++)
		if (ports->all[i].who.sw == sw && ports->all[i].slot == slot)
			return &ports->all[i];
	return NULL;
}

/* @ports: read at one time */
enum lle_nl_holds lle_nl_deadlock_holds(const struct lle_nl_deadlock *d,
					const struct lle_nl_ports *ports)
{
	enum lle_nl_holds holds = LLE_NL_UNKNOWN;
	const struct lle_nl_port *port;

	for (unsigned int i = 0; i < lle_nl_known(d); i++) {
		const struct lle_deadlock_hop *hop = &d->hops[i];

		port = lle_nl_find_slot(ports, hop->sw, hop->ingress);
		if (port && !port->stats[d->info.prio].tx_paused)
			return LLE_NL_OVER;
		if (port)
			holds = LLE_NL_HOLDS;
		port = lle_nl_find_slot(ports, hop->sw, hop->egress);
		if (port && !port->stats[d->info.prio].rx_paused)
			return LLE_NL_OVER;
		if (port)
			holds = LLE_NL_HOLDS;
	}
	return holds;
}
