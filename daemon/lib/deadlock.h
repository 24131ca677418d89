/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Properties of a deadlock, from the report of the switch that found it. Two
 * switches may report the same deadlock. Only ports of this network namespace
 * have names.
 */
#ifndef LLE_CLIENT_DEADLOCK_H
#define LLE_CLIENT_DEADLOCK_H

#include <stdio.h>

#include "client.h"

struct json_object;

struct lle_nl_ports {
	struct lle_nl_port *all; /* with counters */
	int num;
};

enum lle_nl_holds {
	LLE_NL_UNKNOWN, /* none of its ports is known */
	LLE_NL_OVER, /* a port may send, or lets its link partner send */
	LLE_NL_HOLDS, /* all known ports are paused, and pause */
};

/* deadlock.c */
const struct lle_deadlock_hop *lle_nl_deadlock_hop(const struct lle_nl_deadlock *d,
						   unsigned int n);
unsigned int lle_nl_deadlock_switches(const struct lle_nl_deadlock *d);
uint64_t lle_nl_deadlock_bytes(const struct lle_nl_deadlock *d);
uint64_t lle_nl_deadlock_since(const struct lle_nl_deadlock *d, unsigned int i);
uint64_t lle_nl_deadlock_formed(const struct lle_nl_deadlock *d);
uint64_t lle_nl_deadlock_closed(const struct lle_nl_deadlock *d);
bool lle_nl_deadlock_same_loop(const struct lle_nl_deadlock *a,
			       const struct lle_nl_deadlock *b);
bool lle_nl_deadlock_same(const struct lle_nl_deadlock *a,
			  const struct lle_nl_deadlock *b);
int lle_nl_deadlock_unite(struct lle_nl_deadlock *all, int num);
bool lle_nl_deadlock_is_last(const struct lle_nl_deadlock *all, int i);
const struct lle_nl_port *lle_nl_find_slot(const struct lle_nl_ports *ports,
					   uint32_t sw, uint8_t slot);
enum lle_nl_holds lle_nl_deadlock_holds(const struct lle_nl_deadlock *d,
					const struct lle_nl_ports *ports);

/* deadlock_text.c */
const char *lle_nl_deadlock_id(char *text, const struct lle_nl_deadlock *d);
void lle_nl_deadlock_print(FILE *f, const struct lle_nl_deadlock *d,
			   const struct lle_nl_ports *ports);

/* deadlock_json.c */
int lle_nl_deadlock_json(struct json_object *to, const struct lle_nl_deadlock *d,
			 const struct lle_nl_ports *ports);

#endif /* LLE_CLIENT_DEADLOCK_H */
