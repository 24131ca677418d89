// SPDX-License-Identifier: GPL-2.0
/* Settings of ports that differ from most ports with the same facing. */
#include <stdlib.h>

#include "client.h"

/* Settings of a watchdog in one number, for comparison */
#define DETECTION_SHIFT		32
#define RESTORATION_SHIFT	8

static uint64_t lle_nl_watchdog_value(const struct lle_nl_settings *s,
				      const struct lle_nl_port *port, uint8_t prio)
{
	const struct lle_nl_watchdog key = { .who = port->who, .prio = prio };
	const struct lle_nl_watchdog *w = NULL;

	if (s->num_watchdogs)
		w = bsearch(&key, s->watchdogs, s->num_watchdogs, sizeof(key),
			    lle_nl_compare_prios);
	if (!w || !w->detection_ms)
		return LLE_NL_WATCHDOG_OFF;
	return (uint64_t)w->detection_ms << DETECTION_SHIFT |
	       w->restoration_ms << RESTORATION_SHIFT | w->action;
}

/* Return: for comparison: to_alpha, or what lle_nl_watchdog_of() reads */
uint64_t lle_nl_setting(const struct lle_nl_settings *s, const struct lle_nl_port *port,
			uint8_t prio, enum lle_nl_setting setting)
{
	return setting == LLE_NL_ALPHA ? port->to_alpha :
					 lle_nl_watchdog_value(s, port, prio);
}

/* @value: of lle_nl_setting(), not LLE_NL_WATCHDOG_OFF. Only times and action are set. */
struct lle_nl_watchdog lle_nl_watchdog_of(uint64_t value)
{
	return (struct lle_nl_watchdog){
		.detection_ms = value >> DETECTION_SHIFT,
		.restoration_ms = (uint32_t)value >> RESTORATION_SHIFT,
		.action = (uint8_t)value,
	};
}

static int lle_nl_compare_values(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The value of more than half, which is the median. */
static bool lle_nl_majority(uint64_t *values, size_t n, uint64_t *result)
{
	size_t votes = 0, i;

	if (!n)
		return false;
	qsort(values, n, sizeof(*values), lle_nl_compare_values);
	*result = values[n / 2];
	for (i = 0; i < n; i++)
		votes += values[i] == *result;
	return 2 * votes > n;
}

static size_t lle_nl_collect(const struct lle_nl_settings *s, uint8_t facing,
			     enum lle_nl_setting setting, uint64_t *values)
{
	const struct lle_nl_port *port;
	size_t n = 0;
	uint8_t p;

	for (port = s->ports; port < s->ports + s->num_ports; port++)
		for (p = 0; p < LLE_NUM_PRIO; p++)
			if (port->facing == facing && port->pfc_en >> p & 1)
				values[n++] = lle_nl_setting(s, port, p, setting);
	return n;
}

/* @usual: without memory none is known */
void lle_nl_find_usual(const struct lle_nl_settings *s, struct lle_nl_usual *usual)
{
	uint64_t *values = calloc(s->num_ports + 1,
				  LLE_NUM_PRIO * sizeof(*values));
	unsigned int facing, setting;
	size_t n;

	*usual = (struct lle_nl_usual) {};
	if (!values)
		return;
	for (facing = 0; facing <= LLE_FACING_MAX; facing++)
		for (setting = 0; setting < LLE_NL_NUM_SETTING; setting++) {
			n = lle_nl_collect(s, facing, setting, values);
			usual->known[facing][setting] = lle_nl_majority(
				values, n, &usual->value[facing][setting]);
		}
	free(values);
}

/* Return: a priority with another setting than the usual one, or -1 */
int lle_nl_unusual(const struct lle_nl_settings *s, const struct lle_nl_port *port,
		   enum lle_nl_setting setting, const struct lle_nl_usual *usual)
{
	int p;

	if (port->facing > LLE_FACING_MAX ||
	    !usual->known[port->facing][setting])
		return -1;
	for (p = LLE_NUM_PRIO - 1; p >= 0; p--)
		if (port->pfc_en >> p & 1 &&
		    lle_nl_setting(s, port, p, setting) !=
			    usual->value[port->facing][setting])
			break;
	return p;
}
