// SPDX-License-Identifier: GPL-2.0
/*
 * Fake kernel for losslessctl deadlock: replaces the functions of the client
 * library (ld --wrap). The time is 100 s. Switches 1 to 3 are in this network
 * namespace, switches 4 and 7 are not. Packets travel from switch 1 to 2 to 3
 * to 4 to 1, with ingress slot 0 and egress slot 1. A host on s3p3 pauses.
 *
 *	1.1	at 50 s, the ring, priority 3
 *	2.1	at 98 s, priority 4, loop unknown
 *	2.2	at 99 s, the ring again, priority 3
 *	3.1	the same deadlock as 2.2, found 30 us later
 *	7.1	at 40 s, priority 5: a switch that waits for itself, and is the
 *		initial trigger
 *
 * A listener to deadlock events receives 2.2 only.
 *
 * LLE_FAKE_NONE	no deadlock has been found
 * LLE_FAKE_OVER	s2p2 is no longer paused
 * LLE_FAKE_UNKNOWN	what triggered 1.1, 2.2 and 3.1 is not known
 * LLE_FAKE_SWITCHES	length of the ring; its first switch finds the deadlock
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/lib/client.h"

#define SECOND	1000000000ULL
#define US	1000ULL
#define PRIO	3
#define CLOSED	(99 * SECOND)

uint64_t __wrap_ctl_now_ns(void)
{
	return 100 * SECOND;
}

static void add_port(struct lle_nl_port *port, unsigned int sw,
		     unsigned int slot)
{
	port->who.sw = sw;
	port->slot = slot;
	snprintf(port->who.ifname, sizeof(port->who.ifname), "s%up%u", sw,
		 slot + 1);
	port->stats[PRIO].tx_paused = slot == 0;
	port->stats[PRIO].rx_paused = slot != 0;
}

int __wrap_lle_nl_get_ports(struct lle_nl *nl, struct lle_nl_port **result)
{
	static const uint8_t mac[] = { 2, 0, 0, 0, 0, 3 };
	struct lle_nl_port *ports = calloc(9, sizeof(*ports));

	(void)nl;
	for (unsigned int i = 0; i < 9; i++)
		add_port(&ports[i], i / 3 + 1, i % 3);
	memcpy(ports[8].peer_mac, mac, sizeof(mac));
	/* characters that would end a label, or control a terminal */
	strcpy(ports[8].who.ifname, "s3\"p3\033");
	ports[4].stats[PRIO].rx_paused = !getenv("LLE_FAKE_OVER");
	*result = ports;
	return 9;
}

/*
 * A ring of @num switches. Pauses spread against the direction of the packets,
 * one each 100 us, from switch 3 on, until the ring is closed at @closed_ns.
 * Switch @first finds the deadlock. A message needs 10 us from one switch to
 * the next.
 */
static void ring(struct lle_nl_deadlock *d, unsigned int num,
		 unsigned int first, uint64_t number, uint64_t closed_ns,
		 uint64_t declared_ns)
{
	static const struct lle_deadlock_who h3 = { .sw = 3, .slot = 2, .host = 1 };
	uint64_t now_ns = declared_ns;

	*d = (struct lle_nl_deadlock) {
		.sw = first,
		.info = {
			.number = number, .prio = PRIO, .loop = 1,
			.initiator = { .sw = first, .seq = 17 },
			.trigger = getenv("LLE_FAKE_UNKNOWN") ? (struct lle_deadlock_who) {} : h3,
			.declared_ns = declared_ns,
			.reported_ns = declared_ns + num * 10 * US,
		},
		.num_hops = num,
	};
	for (unsigned int i = 0; i < num; i++, now_ns += 10 * US) {
		unsigned int sw = (first - 1 + num - i) % num + 1;
		uint64_t before_ns = (sw + 4 * num - 4) % num * 100 * US;

		d->hops[i] = (struct lle_deadlock_hop) {
			.sw = sw, .ingress = 0, .egress = 1, .bytes = 105000,
			.trigger = d->info.trigger,
			.age_ns = now_ns - closed_ns + before_ns,
		};
	}
}

int __wrap_lle_nl_get_deadlocks(struct lle_nl *nl,
				struct lle_nl_deadlock **result)
{
	struct lle_nl_deadlock *all = calloc(5, sizeof(*all));
	const char *switches = getenv("LLE_FAKE_SWITCHES");

	(void)nl;
	*result = all;
	if (getenv("LLE_FAKE_NONE"))
		return 0;
	if (switches) {
		ring(&all[0], atoi(switches), 1, 1, CLOSED, CLOSED + 12 * US);
		return 1;
	}
	ring(&all[0], 4, 1, 1, 50 * SECOND, 50 * SECOND + US);
	ring(&all[1], 4, 2, 2, CLOSED, CLOSED + 12 * US);
	ring(&all[2], 4, 3, 1, CLOSED, CLOSED + 42 * US);
	all[3] = (struct lle_nl_deadlock) {
		.sw = 2,
		.info = {
			.number = 1, .prio = 4,
			.initiator = { .sw = 2 },
			.trigger = { .sw = 9, .slot = 200, .host = 1 },
			.declared_ns = 98 * SECOND,
			.reported_ns = 98 * SECOND + 80 * US,
			.cure = LOSSLESS_DEADLOCK_CURE_DROPPED,
			.parked_bytes = 52000, .dropped_bytes = 1000,
			.resolved = 1,
		},
		.hops[0] = { .sw = 2, .egress = 2, .bytes = 9999, .age_ns = 5 * US },
		.num_hops = 1,
	};
	ring(&all[4], 1, 1, 1, 40 * SECOND, 40 * SECOND + 7 * US);
	all[4].sw = 7;
	all[4].hops[0].sw = 7;
	all[4].info.prio = 5;
	all[4].info.cure = LOSSLESS_DEADLOCK_CURE_RESUMED;
	all[4].info.trigger = (struct lle_deadlock_who) { .sw = 7, .slot = 0 };
	qsort(all, 5, sizeof(*all), lle_nl_compare_deadlocks);
	return 5;
}

int __wrap_lle_nl_listen(struct lle_nl *nl, unsigned int groups)
{
	(void)nl;
	return groups & LLE_NL_DEADLOCK ? 0 : -ENOENT;
}

int __wrap_lle_nl_read_events(struct lle_nl *nl,
			      void (*event)(const struct lle_nl_event *e, void *arg),
			      void *arg)
{
	struct lle_nl_event e = { .cmd = LOSSLESS_CMD_DEADLOCK_NTF };
	static bool done;

	(void)nl;
	if (done)
		return -EIO;
	ring(&e.deadlock, 4, 2, 2, CLOSED, CLOSED + 12 * US);
	event(&e, arg);
	done = true;
	return 0;
}
