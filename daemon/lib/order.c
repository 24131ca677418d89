// SPDX-License-Identifier: GPL-2.0
/* Order of results, for qsort() and bsearch(). */
#include <stdlib.h>

#include "client.h"

static int lle_nl_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int lle_nl_compare_who(const struct lle_nl_who *a,
			      const struct lle_nl_who *b)
{
	int order = lle_nl_compare(a->sw, b->sw);

	return order ? order : lle_nl_compare(a->ifindex, b->ifindex);
}

static int lle_nl_compare_prio(const struct lle_nl_who *a, uint8_t prio_a,
			       const struct lle_nl_who *b, uint8_t prio_b)
{
	int order = lle_nl_compare_who(a, b);

	return order ? order : lle_nl_compare(prio_a, prio_b);
}

/**
 * lle_nl_compare_switches() - order by number
 * @a: a struct lle_nl_switch
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_switches(const void *a, const void *b)
{
	const struct lle_nl_switch *x = a, *y = b;

	return lle_nl_compare(x->id, y->id);
}

/**
 * lle_nl_compare_ports() - order by switch and ifindex
 * @a: a struct lle_nl_port
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_ports(const void *a, const void *b)
{
	const struct lle_nl_port *x = a, *y = b;

	return lle_nl_compare_who(&x->who, &y->who);
}

/**
 * lle_nl_compare_histories() - order by switch, ifindex, priority and direction
 * @a: a struct lle_nl_history
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_histories(const void *a, const void *b)
{
	const struct lle_nl_history *x = a, *y = b;
	int order = lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);

	return order ? order : lle_nl_compare(x->direction, y->direction);
}

/**
 * lle_nl_compare_watchdogs() - order by switch, ifindex and priority
 * @a: a struct lle_nl_watchdog
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_watchdogs(const void *a, const void *b)
{
	const struct lle_nl_watchdog *x = a, *y = b;
	return lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);
}

/**
 * lle_nl_compare_queues() - order by switch, ifindex and priority
 * @a: a struct lle_nl_queue
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_queues(const void *a, const void *b)
{
	const struct lle_nl_queue *x = a, *y = b;
	return lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);
}

/**
 * lle_nl_compare_congestions() - order by switch, ifindex and priority
 * @a: a struct lle_nl_congestion
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_congestions(const void *a, const void *b)
{
	const struct lle_nl_congestion *x = a, *y = b;

	return lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);
}

/**
 * lle_nl_compare_paths() - order by number
 * @a: a struct lle_nl_path
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_paths(const void *a, const void *b)
{
	const struct lle_nl_path *x = a, *y = b;

	return lle_nl_compare(x->group, y->group);
}

/**
 * lle_nl_compare_links() - order by ifindex
 * @a: a struct lle_nl_link
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_links(const void *a, const void *b)
{
	const struct lle_nl_link *x = a, *y = b;

	return lle_nl_compare(x->ifindex, y->ifindex);
}

/**
 * lle_nl_find_link() - find the counters of a device
 * @links: counters of all devices, sorted by ifindex
 * @num: entries of @links
 * @ifindex: ifindex of the device
 *
 * Return: the counters, or NULL.
 */
const struct lle_nl_link *lle_nl_find_link(const struct lle_nl_link *links, int num,
					   unsigned int ifindex)
{
	const struct lle_nl_link key = { .ifindex = ifindex };

	return num ? bsearch(&key, links, num, sizeof(*links),
			     lle_nl_compare_links) : NULL;
}

/**
 * lle_nl_compare_deadlocks() - order newest first, then by switch and number
 * @a: a struct lle_nl_deadlock
 * @b: another
 *
 * Return: less than 0, 0, or more.
 */
int lle_nl_compare_deadlocks(const void *a, const void *b)
{
	const struct lle_nl_deadlock *x = a, *y = b;
	int order = lle_nl_compare(y->info.declared_ns, x->info.declared_ns);

	if (!order)
		order = lle_nl_compare(x->sw, y->sw);
	return order ? order : lle_nl_compare(y->info.number, x->info.number);
}
