/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_SNAPSHOT_H
#define LLED_SNAPSHOT_H

#include "../lib/client.h"

/**
 * struct snapshot - state of the kernel at one time
 * @switches: all switches, sorted by number
 * @ports: all ports, sorted by lle_nl_compare_ports()
 * @watchdogs: all watchdogs that are on or have detected a storm, sorted by
 *	lle_nl_compare_watchdogs()
 * @deadlocks: all deadlocks that the switches remember, newest first
 * @congestions: RCM of all priorities that have it, sorted by
 *	lle_nl_compare_congestions()
 * @links: counters of all devices, sorted by lle_nl_compare_links()
 * @num_switches: entries of @switches
 * @num_ports: entries of @ports
 * @num_watchdogs: entries of @watchdogs
 * @num_deadlocks: entries of @deadlocks
 * @num_congestions: entries of @congestions
 * @num_links: entries of @links
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
