// SPDX-License-Identifier: GPL-2.0
/*
 * Fake kernel for losslessctl congestion: replaces the functions of the client
 * library (ld --wrap). All ports have RCM on priority 3; s1p3 and s2p3 also on
 * priority 4, without traffic.
 *
 *	s1p1	to a host, which must hold one destination
 *	s1p2	edge port; its neighbour s2p1 made it hold the whole priority
 *	s1p3	quiet; its neighbour s2p3 has just made it hold all
 *	s2p1	has requested that s1p2 holds two destinations
 *	s2p2	root; 34 IDs isolated, 4 reported; tells veth9, which is no port
 *	s2p3	inner port, with a name that needs escapes
 *	s3p1	has an unknown role, tells an unknown neighbour
 *	s3p2	missing from the list of ports; has requested a hold
 *
 * The monitor receives two events of s2p2: it became root, and ceased to be.
 *
 * LLE_FAKE_NONE	no port has RCM
 * LLE_FAKE_FAIL	the kernel refuses
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/lib/client.h"

#define PRIO	3

enum { S1P1 = 11, S1P2, S1P3, S2P1 = 21, S2P2, S2P3, S3P1 = 31, S3P2, VETH9 = 99 };

static const struct {
	uint32_t ifindex;
	const char *name;
	uint32_t peer;
} links[] = {
	{ S1P1, "s1p1", 0 }, { S1P2, "s1p2", S2P1 }, { S1P3, "s1p3", S2P3 },
	{ S2P1, "s2p1", S1P2 }, { S2P2, "s2p2", VETH9 },
	/* characters that would end a label, or control a terminal */
	{ S2P3, "s2\"p3\033", S1P3 }, { S3P1, "s3p1", 0 }, { S3P2, "s3p2", 0 },
};

#define LINKS	(sizeof(links) / sizeof(links[0]))

uint64_t __wrap_ctl_now_ns(void)
{
	return 0;
}

unsigned int __wrap_if_nametoindex(const char *name)
{
	for (unsigned int i = 0; i < LINKS; i++)
		if (!strcmp(links[i].name, name))
			return links[i].ifindex;
	return 0;
}

char *__wrap_if_indextoname(unsigned int ifindex, char *name)
{
	return ifindex == VETH9 ? strcpy(name, "veth9") : NULL;
}

static struct lle_nl_who who(uint32_t ifindex)
{
	struct lle_nl_who w = { .ifindex = ifindex, .sw = ifindex / 10 };

	for (unsigned int i = 0; i < LINKS; i++)
		if (links[i].ifindex == ifindex)
			strcpy(w.ifname, links[i].name);
	return w;
}

int __wrap_lle_nl_get_port(struct lle_nl *nl, unsigned int ifindex,
			   struct lle_nl_port *result)
{
	(void)nl;
	*result = (struct lle_nl_port) { .who = who(ifindex) };
	return 0;
}

int __wrap_lle_nl_get_ports(struct lle_nl *nl, struct lle_nl_port **result)
{
	int num = LINKS - 1;
	struct lle_nl_port *ports = calloc(num, sizeof(*ports));

	(void)nl;
	for (int i = 0; i < num; i++)
		ports[i] = (struct lle_nl_port) {
			.who = who(links[i].ifindex), .peer = links[i].peer,
			.facing = links[i].ifindex == S1P1 ? LLE_FACING_EDGE :
							     LLE_FACING_FABRIC,
		};
	*result = ports;
	return num;
}

static const struct lle_nl_congestion congestions[] = {
	{ .who.ifindex = S1P1, .prio = PRIO,
	  .info = { .tells = 1, .in_bytes = 5000, .cn_sent = 7, .cn_received = 8,
		    .cn_ignored = 9 } },
	{ .who.ifindex = S1P2, .prio = PRIO,
	  .info = { .role = LOSSLESS_CRD_ROLE_EDGE, .fbr = 21, .class_held = 1,
		    .isolated_bytes = 5000, .ids = 1, .held = 1 },
	  .ids = { { .name = 0xbeef, .bytes = 5000, .remote = 1, .held = 1, .asked = 1 } },
	  .num_ids = 1 },
	{ .who.ifindex = S1P3, .prio = PRIO },
	{ .who.ifindex = S1P3, .prio = 4 },
	{ .who.ifindex = S2P1, .prio = PRIO, .info = { .tells = 2, .in_bytes = 9000 } },
	{ .who.ifindex = S2P2, .prio = PRIO,
	  .info = { .role = LOSSLESS_CRD_ROLE_ROOT, .fb = 17, .window = 1, .w_bytes = 70000,
		    .wc_bytes = 3000, .virtual_bytes = 123456, .isolated_bytes = 43000,
		    .ids = 34, .held = 1, .tells = 1, .identified = 40,
		    .regions = 3, .root_ns = 70000, .room_bytes = 56000,
		    .qeq_bytes = 15000 },
	  .ids = { { .name = 0xdeadbeef, .bytes = 40000, .local = 1, .asked = 2 },
		   { .name = 1, .bytes = 2000, .local = 1, .remote = 1, .held = 1 },
		   { .name = 2, .bytes = 1000 },
		   { .name = 3, .remote = 1 } },
	  .num_ids = 4 },
	{ .who.ifindex = S2P3, .prio = PRIO,
	  .info = { .role = LOSSLESS_CRD_ROLE_INNER, .fb = 63, .fbr = 1, .tells_class = 1 } },
	{ .who.ifindex = S2P3, .prio = 4 },
	{ .who.ifindex = S3P1, .prio = PRIO, .info = { .role = 200, .tells = 3 } },
	{ .who.ifindex = S3P2, .prio = PRIO, .info = { .tells = 1 } },
};

int __wrap_lle_nl_listen(struct lle_nl *nl, unsigned int groups)
{
	(void)nl;
	return groups & LLE_NL_CONGESTION ? 0 : -ENOENT;
}

int __wrap_lle_nl_read_events(struct lle_nl *nl,
			      void (*event)(const struct lle_nl_event *e, void *arg),
			      void *arg)
{
	struct lle_nl_event e = {
		.cmd = LOSSLESS_CMD_CONGESTION_NTF,
		.root = { .who = who(S2P2), .prio = PRIO, .root = 1,
			  .since_ns = 5000000100, .time_ns = 5000000100 },
	};
	static bool done;

	(void)nl;
	if (done)
		return -EIO;
	event(&e, arg);
	e.root.root = 0;
	e.root.time_ns += 213042;
	e.root.identified = 2;
	event(&e, arg);
	done = true;
	return 0;
}

/* A dump of all ports, or of one port */
int __wrap_lle_nl_get_congestions(struct lle_nl *nl, unsigned int ifindex,
				  struct lle_nl_congestion **result)
{
	int all = sizeof(congestions) / sizeof(congestions[0]), num = 0;

	(void)nl;
	if (getenv("LLE_FAKE_FAIL"))
		return -EPERM;
	*result = calloc(all, sizeof(**result));
	if (getenv("LLE_FAKE_NONE"))
		return 0;
	for (int i = 0; i < all; i++) {
		if (ifindex && congestions[i].who.ifindex != ifindex)
			continue;
		(*result)[num] = congestions[i];
		(*result)[num++].who = who(congestions[i].who.ifindex);
	}
	return num;
}
