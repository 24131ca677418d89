// SPDX-License-Identifier: GPL-2.0
/*
 * Order of results. The lle_nl_compare_...() functions are for qsort() and
 * bsearch(); they return less than 0, 0, or more.
 */
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

/* Orders struct lle_nl_switch by number. */
int lle_nl_compare_switches(const void *a, const void *b)
{
	const struct lle_nl_switch *x = a, *y = b;

	return lle_nl_compare(x->id, y->id);
}

/* Orders struct lle_nl_port by switch and ifindex. */
int lle_nl_compare_ports(const void *a, const void *b)
{
	const struct lle_nl_port *x = a, *y = b;

	return lle_nl_compare_who(&x->who, &y->who);
}

/* Orders struct lle_nl_history by switch, ifindex, priority and direction. */
int lle_nl_compare_histories(const void *a, const void *b)
{
	const struct lle_nl_history *x = a, *y = b;
	int order = lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);

	return order ? order : lle_nl_compare(x->direction, y->direction);
}

/* Orders struct lle_nl_watchdog by switch, ifindex and priority. */
int lle_nl_compare_watchdogs(const void *a, const void *b)
{
	const struct lle_nl_watchdog *x = a, *y = b;
	return lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);
}

/* Orders struct lle_nl_queue by switch, ifindex and priority. */
int lle_nl_compare_queues(const void *a, const void *b)
{
	const struct lle_nl_queue *x = a, *y = b;
	return lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);
}

/* Orders struct lle_nl_congestion by switch, ifindex and priority. */
int lle_nl_compare_congestions(const void *a, const void *b)
{
	const struct lle_nl_congestion *x = a, *y = b;

	return lle_nl_compare_prio(&x->who, x->prio, &y->who, y->prio);
}

/* Orders struct lle_nl_path by number. */
int lle_nl_compare_paths(const void *a, const void *b)
{
	const struct lle_nl_path *x = a, *y = b;

	return lle_nl_compare(x->group, y->group);
}

/* Orders struct lle_nl_link by ifindex. */
int lle_nl_compare_links(const void *a, const void *b)
{
	const struct lle_nl_link *x = a, *y = b;

	return lle_nl_compare(x->ifindex, y->ifindex);
}

/* @links: of all devices, sorted by ifindex. Return: NULL: the device is gone */
const struct lle_nl_link *lle_nl_find_link(const struct lle_nl_link *links, int num,
					   unsigned int ifindex)
{
	const struct lle_nl_link key = { .ifindex = ifindex };

	return num ? bsearch(&key, links, num, sizeof(*links),
			     lle_nl_compare_links) : NULL;
}

/* Orders struct lle_nl_deadlock: newest first, then by switch and number. */
int lle_nl_compare_deadlocks(const void *a, const void *b)
{
	const struct lle_nl_deadlock *x = a, *y = b;
	int order = lle_nl_compare(y->info.declared_ns, x->info.declared_ns);

	if (!order)
		order = lle_nl_compare(x->sw, y->sw);
	return order ? order : lle_nl_compare(y->info.number, x->info.number);
}
