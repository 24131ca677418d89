/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_SNAPSHOT_H
#define LLED_SNAPSHOT_H

#include "../lib/client.h"

/**
 * struct snapshot - what the kernel says, at one time
 * @switches: all switches, by number
 * @ports: all ports, in the order of lle_nl_compare_ports()
 * @watchdogs: all watchdogs that are on or have seen a storm, in that of
 *	lle_nl_compare_watchdogs()
 * @deadlocks: all deadlocks that are remembered, the newest first
 * @congestions: what RCM does, of all priorities that have it, in the order of
 *	lle_nl_compare_congestions()
 * @links: counters of all devices, in that of lle_nl_compare_links()
 * @num_switches: how many
 * @num_ports: how many
 * @num_watchdogs: how many
 * @num_deadlocks: how many
 * @num_congestions: how many
 * @num_links: how many
 */
struct snapshot {
	struct lle_nl_switch *switches;
	struct lle_nl_port *ports;
	struct lle_nl_watchdog *watchdogs;
	struct lle_nl_deadlock *deadlocks;
	struct lle_nl_congestion *congestions;
	struct lle_nl_link *links;
	int num_switches;
	int num_ports;
	int num_watchdogs;
	int num_deadlocks;
	int num_congestions;
	int num_links;
};

int snapshot_take(struct lle_nl *nl, struct snapshot *s);
void snapshot_free(struct snapshot *s);

#endif /* LLED_SNAPSHOT_H */
