/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_SNAPSHOT_H
#define LLED_SNAPSHOT_H

#include "../lib/client.h"

/* Sorted by lle_nl_compare_*(), but for switches (by number) and deadlocks */
struct snapshot {
	struct lle_nl_switch *switches;
	struct lle_nl_port *ports;
	struct lle_nl_watchdog *watchdogs;	/* on, or with a storm detected */
	struct lle_nl_deadlock *deadlocks;	/* newest first */
	struct lle_nl_congestion *congestions;	/* of priorities with RCM */
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
