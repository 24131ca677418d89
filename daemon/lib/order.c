// SPDX-License-Identifier: GPL-2.0
/*
 * Order of results. The lle_nl_compare_...() functions are for qsort() and
 * bsearch(); they return less than 0, 0, or more.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

static int lle_nl_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Orders structs that begin with a number of 32 bits. */
int lle_nl_compare_numbers(const void *a, const void *b)
{
	return lle_nl_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* Orders structs that begin with a port, by switch and ifindex. */
int lle_nl_compare_ports(const void *a, const void *b)
{
	const struct lle_nl_who *x = a, *y = b;

	return lle_nl_compare(x->sw, y->sw) ?: lle_nl_compare(x->ifindex, y->ifindex);
}

/* Orders structs that begin with a port and a priority. */
int lle_nl_compare_prios(const void *a, const void *b)
{
	const struct lle_nl_who *x = a, *y = b;

	return lle_nl_compare_ports(a, b) ?: memcmp(x + 1, y + 1, 1);
}

_Static_assert(offsetof(struct lle_nl_history, direction) == sizeof(struct lle_nl_who) + 1,
	       "lle_nl_compare_histories() has to find it");

/* Orders struct lle_nl_history by port, priority and direction. */
int lle_nl_compare_histories(const void *a, const void *b)
{
	const struct lle_nl_who *x = a, *y = b;

	return lle_nl_compare_ports(a, b) ?: memcmp(x + 1, y + 1, 2);
}

/* Orders struct lle_nl_deadlock: newest first, then by switch and number. */
int lle_nl_compare_deadlocks(const void *a, const void *b)
{
	const struct lle_nl_deadlock *x = a, *y = b;

	return lle_nl_compare(y->info.declared_ns, x->info.declared_ns) ?:
	       lle_nl_compare(x->sw, y->sw) ?: lle_nl_compare(y->info.number, x->info.number);
}

/* @links: of all devices, sorted by ifindex. Return: NULL: the device is gone */
const struct lle_nl_link *lle_nl_find_link(const struct lle_nl_link *links, int num,
					   unsigned int ifindex)
{
	return num ? bsearch(&ifindex, links, num, sizeof(*links), lle_nl_compare_numbers) : NULL;
}
