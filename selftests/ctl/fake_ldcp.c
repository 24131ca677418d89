// SPDX-License-Identifier: GPL-2.0
/*
 * Fake kernel for losslessctl ldcp: replaces the functions of the client
 * library (ld --wrap). It has an IPv4 socket in the stable stage, an IPv6
 * socket in its first RTT, and a socket to a peer without ECN.
 *
 * LLE_FAKE_NONE	there are no sockets
 * LLE_FAKE_FAIL	the kernel refuses
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/lib/client.h"

uint64_t __wrap_ctl_now_ns(void)
{
	return 0;
}

int __wrap_lle_nl_get_tcps(struct lle_nl *nl, struct lle_nl_tcp **result)
{
	static const struct lle_nl_tcp tcps[] = {
		{ .family = AF_INET, .address = { 10, 0, 0, 1 }, .peer = { 10, 0, 0, 2 },
		  .port = 40000, .peer_port = 5001, .cc = "ldcp", .phase = 4, .window = 512,
		  .packets = 1000, .marked = 250, .first_lost = 3, .rtt_us = 120,
		  .min_rtt_us = 40, .retrans = 3, .acked_bytes = 1ULL << 40 },
		{ .family = AF_INET6, .address = { 0x20, 1, 0xd, 0xb8, [15] = 1 },
		  .peer = { 0x20, 1, 0xd, 0xb8, [15] = 2 }, .port = 65535, .peer_port = 1,
		  .cc = "ldcp", .phase = 1, .window = 33 * 1024 },
		{ .family = AF_INET, .address = { 10, 0, 0, 1 }, .peer = { 10, 0, 0, 3 },
		  .port = 40001, .peer_port = 80, .cc = "ldcp-reno", .rtt_us = 5000 },
	};

	(void)nl;
	if (getenv("LLE_FAKE_FAIL"))
		return -EPERM;
	*result = malloc(sizeof(tcps));
	memcpy(*result, tcps, sizeof(tcps));
	return getenv("LLE_FAKE_NONE") ? 0 : 3;
}
