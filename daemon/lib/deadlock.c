// SPDX-License-Identifier: GPL-2.0
/*
 * Deadlocks: their loop, when it came about, whether two are the same.
 *
 * Switches on a loop come against the direction of the packets, from the one that has
 * found it. Here they are in that direction, from the lowest number (and ingress) on: so
 * what two have found looks the same.
 */
#include <string.h>

#include "deadlock.h"

/* How many hops are known: of a loop that is not known as a whole, only the own one. */
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

/**
 * lle_nl_deadlock_hop() - a switch on the loop
 * @d: the deadlock
 * @n: 0 is the first; packets of each wait for the next one, of the last for the first
 *
 * Return: it; NULL: there are no more.
 */
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

/**
 * lle_nl_deadlock_switches() - how many switches are on the loop
 * @d: the deadlock
 *
 * Return: how many; a loop may pass one several times.
 */
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

/**
 * lle_nl_deadlock_bytes() - how much is stuck
 * @d: the deadlock
 *
 * Return: bytes, of all that is known of the loop.
 */
uint64_t lle_nl_deadlock_bytes(const struct lle_nl_deadlock *d)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < lle_nl_known(d); i++)
		bytes += d->hops[i].bytes;
	return bytes;
}

/* For how long the question was on its way round the loop. */
static uint64_t lle_nl_walk_ns(const struct lle_nl_deadlock *d)
{
	if (d->info.reported_ns < d->info.declared_ns)
		return 0;
	return d->info.reported_ns - d->info.declared_ns;
}

/**
 * lle_nl_deadlock_since() - since when a switch on the loop pauses its peer
 * @d: the deadlock
 * @i: index in its @hops
 *
 * A switch tells of its pause when the question passes it, which it does at equal
 * intervals, as far as is known.
 *
 * Return: CLOCK_MONOTONIC of the switch that has found the deadlock.
 */
uint64_t lle_nl_deadlock_since(const struct lle_nl_deadlock *d, unsigned int i)
{
	uint64_t asked = d->info.declared_ns, age_ns = d->hops[i].age_ns;

	if (d->info.loop)
		asked += lle_nl_walk_ns(d) / d->num_hops * i;
	return age_ns < asked ? asked - age_ns : 0;
}

/**
 * lle_nl_deadlock_formed() - when the first pause of the loop began
 * @d: the deadlock
 *
 * Return: as lle_nl_deadlock_since().
 */
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

/**
 * lle_nl_deadlock_closed() - when the last pause of the loop began
 * @d: the deadlock
 *
 * Return: as lle_nl_deadlock_since(); not after it was found.
 */
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

/**
 * lle_nl_deadlock_same_loop() - do two deadlocks have the same loop?
 * @a: a deadlock
 * @b: another
 *
 * Return: whether; false if one of the loops is not known.
 */
bool lle_nl_deadlock_same_loop(const struct lle_nl_deadlock *a,
			       const struct lle_nl_deadlock *b)
{
	unsigned int num = a->num_hops, at = 0, i;

	if (!a->info.loop || !b->info.loop || b->num_hops != num ||
	    a->info.prio != b->info.prio)
		return false;
	/* where @b has what @a begins with */
	while (at < num && !lle_nl_hop_same(&a->hops[0], &b->hops[at]))
		at++;
	if (at == num)
		return false;
	for (i = 1; i < num; i++)
		if (!lle_nl_hop_same(&a->hops[i], &b->hops[(at + i) % num]))
			return false;
	return true;
}

/**
 * lle_nl_deadlock_same() - have two switches found the same deadlock?
 * @a: what one says
 * @b: what the other says, or the same one
 *
 * A pause of a deadlock does not end. So all of the one that was found later had begun
 * when the first was found; or else the loop was broken in between.
 *
 * Return: whether.
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
	/* its times are not known better than that */
	return lle_nl_deadlock_closed(later) <=
	       first->info.declared_ns + lle_nl_walk_ns(later);
}

/**
 * lle_nl_deadlock_unite() - of those that are the same, leave the one that was first
 * @all: deadlocks, the newest first
 * @num: how many
 *
 * Return: how many are left, in @all, with their duplicates counted.
 */
int lle_nl_deadlock_unite(struct lle_nl_deadlock *all, int num)
{
	int left = num, i, j;

	/* those from @left on stay */
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

/**
 * lle_nl_deadlock_is_last() - is there no other, newer one of the same switch or loop?
 * @all: deadlocks, the newest first
 * @i: which of them
 *
 * Return: whether there is none of that priority.
 */
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

/**
 * lle_nl_find_slot() - a port by its number in its switch
 * @ports: the ports that are known
 * @sw: number of the switch
 * @slot: number of the port
 *
 * Return: the port; NULL: it is not known.
 */
const struct lle_nl_port *lle_nl_find_slot(const struct lle_nl_ports *ports,
					   uint32_t sw, uint8_t slot)
{
	/* from there on: it has none */
	if (slot >= LLE_MAX_PORTS)
		return NULL;
	for (int i = 0; i < ports->num; i++)
		if (ports->all[i].who.sw == sw && ports->all[i].slot == slot)
			return &ports->all[i];
	return NULL;
}

/**
 * lle_nl_deadlock_holds() - does a deadlock hold?
 * @d: the deadlock
 * @ports: the ports that are known, of one moment
 *
 * Return: as far as they tell.
 */
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
