/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is to be known of a deadlock from what the switch that has found it says. Two
 * switches may find the same one; which of its ports are whose is known of those that are
 * in this network namespace.
 */
#ifndef LLE_CLIENT_DEADLOCK_H
#define LLE_CLIENT_DEADLOCK_H

#include <stdio.h>

#include "client.h"

struct json_object;

/**
 * struct lle_nl_ports - the ports that are known
 * @all: with counters
 * @num: how many
 */
struct lle_nl_ports {
	struct lle_nl_port *all;
	int num;
};

/**
 * enum lle_nl_holds - does a deadlock hold?
 * @LLE_NL_UNKNOWN: none of the ports in question is known
 * @LLE_NL_OVER: one of them sends, or lets its peer send
 * @LLE_NL_HOLDS: all that are known are paused, and pause
 */
enum lle_nl_holds {
	LLE_NL_UNKNOWN,
	LLE_NL_OVER,
	LLE_NL_HOLDS,
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
const char *lle_nl_slot_text(char *text, const struct lle_nl_ports *ports,
			     uint32_t sw, uint8_t slot);
const char *lle_nl_bytes_text(char *text, uint64_t bytes);
void lle_nl_deadlock_times(FILE *f, const struct lle_nl_deadlock *d);
void lle_nl_deadlock_print(FILE *f, const struct lle_nl_deadlock *d,
			   const struct lle_nl_ports *ports);

/* deadlock_json.c */
int lle_nl_deadlock_json(struct json_object *to, const struct lle_nl_deadlock *d,
			 const struct lle_nl_ports *ports);

#endif /* LLE_CLIENT_DEADLOCK_H */
