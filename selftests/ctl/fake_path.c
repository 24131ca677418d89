// SPDX-License-Identifier: GPL-2.0
/*
 * Fake kernel for losslessctl path: replaces the functions of the client
 * library (ld --wrap). Ports are s1p1 (ifindex 11), s1p2 (12) ... Prints each
 * change that it is asked for.
 *
 *	group 1		s1p1 and s1p2, the latter with a name that needs escapes
 *	group 7		s2p1, s2p2 and a removed device; adaptive
 *
 * LLE_FAKE_NONE	there are no groups
 * LLE_FAKE_FAIL	the kernel refuses
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/lib/client.h"

uint64_t __wrap_ctl_now_ns(void)
{
	return 0;
}

unsigned int __wrap_if_nametoindex(const char *name)
{
	unsigned int sw, port;

	return sscanf(name, "s%1up%2u", &sw, &port) == 2 ? sw * 10 + port : 0;
}

char *__wrap_if_indextoname(unsigned int ifindex, char *name)
{
	if (ifindex > 90)
		return NULL;
	/* characters that would end a JSON string, or control a terminal */
	sprintf(name, ifindex == 12 ? "s%up%u\"\033" : "s%up%u", ifindex / 10,
		ifindex % 10);
	return name;
}

int __wrap_lle_nl_get_paths(struct lle_nl *nl, struct lle_nl_path **result)
{
	static const struct lle_nl_path paths[] = {
		{ .group = 1, .sw = 3, .gap_us = 1000, .ifindex = { 11, 12 }, .ports = 2,
		  .stats = { .saved = 5 } },
		{ .group = 7, .adaptive = 1, .gap_us = 100,
		  .ifindex = { 21, 22, 99 }, .ports = 3,
		  .stats = { .moved = 1ULL << 40, .saved = 3 } },
	};

	(void)nl;
	if (getenv("LLE_FAKE_FAIL"))
		return -EPERM;
	*result = calloc(2, sizeof(**result));
	memcpy(*result, paths, sizeof(paths));
	return getenv("LLE_FAKE_NONE") ? 0 : 2;
}

int __wrap_lle_nl_set_path(struct lle_nl *nl, const struct lle_nl_path *path)
{
	(void)nl;
	if (getenv("LLE_FAKE_FAIL"))
		return -EPERM;
	printf("set %u adaptive %u gap %u:", path->group, path->adaptive,
	       path->gap_us);
	for (unsigned int i = 0; i < path->ports; i++)
		printf(" %u", path->ifindex[i]);
	printf("\n");
	return 0;
}

int __wrap_lle_nl_del_path(struct lle_nl *nl, uint32_t group)
{
	(void)nl;
	if (getenv("LLE_FAKE_FAIL"))
		return -EPERM;
	printf("del %u\n", group);
	return 0;
}
