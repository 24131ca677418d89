// SPDX-License-Identifier: GPL-2.0
/*
 * Ports with wrong settings: other settings than most ports that face the same
 * kind of device (hosts, or switches), or less headroom than the link needs.
 * The log has the beginning and the end of each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "drift.h"
#include "log.h"

#define WATCHDOG_OFF	0

/* The settings of a watchdog in one number, for comparison */
#define DETECTION_SHIFT		32
#define RESTORATION_SHIFT	8

static const char * const names[NUM_DRIFT] = {
	[DRIFT_ALPHA] = "alpha",
	[DRIFT_WATCHDOG] = "watchdog",
};

static uint64_t watchdog(const struct snapshot *s,
			 const struct lle_nl_port *port, uint8_t prio)
{
	const struct lle_nl_watchdog key = { .who = port->who, .prio = prio };
	const struct lle_nl_watchdog *wd = NULL;

	if (s->num_watchdogs)
		wd = bsearch(&key, s->watchdogs, s->num_watchdogs, sizeof(key),
			     lle_nl_compare_watchdogs);
	if (!wd || !wd->detection_ms)
		return WATCHDOG_OFF;
	return (uint64_t)wd->detection_ms << DETECTION_SHIFT |
	       wd->restoration_ms << RESTORATION_SHIFT | wd->action;
}

static uint64_t value_of(const struct snapshot *s,
			 const struct lle_nl_port *port, uint8_t prio,
			 enum drift_setting setting)
{
	return setting == DRIFT_ALPHA ? port->to_alpha :
					watchdog(s, port, prio);
}

static int compare_values(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The value of more than half of them. If there is one, it is the median. */
static bool majority(uint64_t *values, size_t n, uint64_t *result)
{
	size_t votes = 0, i;

	if (!n)
		return false;
	qsort(values, n, sizeof(*values), compare_values);
	*result = values[n / 2];
	for (i = 0; i < n; i++)
		votes += values[i] == *result;
	return 2 * votes > n;
}

static bool lossless(const struct lle_nl_port *port, uint8_t prio)
{
	return port->pfc_en >> prio & 1;
}

/* A setting of all lossless priorities of ports that face @facing */
static size_t collect(const struct snapshot *s, uint8_t facing,
		      enum drift_setting setting, uint64_t *values)
{
	const struct lle_nl_port *port;
	size_t n = 0;
	uint8_t p;

	for (port = s->ports; port < s->ports + s->num_ports; port++)
		for (p = 0; p < LLE_NUM_PRIO; p++)
			if (port->facing == facing && lossless(port, p))
				values[n++] = value_of(s, port, p, setting);
	return n;
}

/**
 * drift_usual() - find the settings of the majority
 * @s: state of the kernel
 * @usual: result
 */
void drift_usual(const struct snapshot *s, struct usual *usual)
{
	uint64_t *values = calloc(s->num_ports + 1,
				  LLE_NUM_PRIO * sizeof(*values));
	unsigned int facing, setting;
	size_t n;

	*usual = (struct usual) {};
	if (!values)
		return;
	for (facing = 0; facing <= LLE_FACING_MAX; facing++)
		for (setting = 0; setting < NUM_DRIFT; setting++) {
			n = collect(s, facing, setting, values);
			usual->known[facing][setting] = majority(
				values, n, &usual->value[facing][setting]);
		}
	free(values);
}

static void words(char *text, enum drift_setting setting, uint64_t value)
{
	uint32_t detection_ms = value >> DETECTION_SHIFT;
	uint32_t restoration_ms = (uint32_t)value >> RESTORATION_SHIFT;

	if (setting == DRIFT_ALPHA)
		lle_nl_alpha_text(text, value);
	else if (value == WATCHDOG_OFF)
		strcpy(text, "off");
	else
		snprintf(text, LLE_NL_WORD, "%s %u %u ms",
			 lle_nl_action_name((uint8_t)value), detection_ms,
			 restoration_ms);
}

static void tell_different(const struct lle_nl_port *port,
			   enum drift_setting setting, uint8_t prio,
			   uint64_t value, uint64_t usual)
{
	struct json_object *f = log_fields("drift", &port->who);
	char is[LLE_NL_WORD], others[LLE_NL_WORD];

	words(is, setting, value);
	words(others, setting, usual);
	log_add_text(f, "what", names[setting]);
	log_add(f, "prio", prio);
	log_add_text(f, "is", is);
	log_add_text(f, "usual", others);
	log_event(LOG_WARNING, f, "port %s, priority %u: %s is %s, that of its peers %s",
		  port->who.ifname, prio, names[setting], is, others);
}

static void tell_thin(const struct lle_nl_port *port)
{
	struct json_object *f = log_fields("drift", &port->who);

	log_add_text(f, "what", "headroom");
	log_add(f, "headroom_bytes", port->headroom_bytes);
	log_add(f, "headroom_need_bytes", port->headroom_need_bytes);
	log_event(LOG_WARNING, f,
		  "port %s: headroom of %u bytes, it needs %u: packets will be lost; raise the switch's buffer, lower the port's MTU, delay or number of lossless priorities, or set its headroom",
		  port->who.ifname, port->headroom_bytes,
		  port->headroom_need_bytes);
}

static void tell_mended(const struct lle_nl_port *port, const char *what)
{
	struct json_object *f = log_fields("drift_mended", &port->who);

	log_add_text(f, "what", what);
	log_event(LOG_NOTICE, f, "port %s: %s is as it should be",
		  port->who.ifname, what);
}

/* A priority with another setting than the usual one, or -1. */
static int differs(const struct snapshot *s, const struct lle_nl_port *port,
		   enum drift_setting setting, const struct usual *usual)
{
	int p;

	if (port->facing > LLE_FACING_MAX ||
	    !usual->known[port->facing][setting])
		return -1;
	for (p = LLE_NUM_PRIO - 1; p >= 0; p--)
		if (lossless(port, p) && value_of(s, port, p, setting) !=
					 usual->value[port->facing][setting])
			break;
	return p;
}

/**
 * drift_check() - check the settings of a port
 * @s: state of the kernel
 * @port: the port
 * @usual: settings of the majority
 * @told: differences reported
 */
void drift_check(const struct snapshot *s, const struct lle_nl_port *port,
		 const struct usual *usual, struct drift *told)
{
	bool thin = port->pfc_en &&
		    port->headroom_bytes < port->headroom_need_bytes;
	unsigned int setting;
	int prio;

	for (setting = 0; setting < NUM_DRIFT; setting++) {
		prio = differs(s, port, setting, usual);
		if (prio >= 0 && !told->differs[setting])
			tell_different(port, setting, prio,
				       value_of(s, port, prio, setting),
				       usual->value[port->facing][setting]);
		if (prio < 0 && told->differs[setting])
			tell_mended(port, names[setting]);
		told->differs[setting] = prio >= 0;
	}
	if (thin && !told->thin)
		tell_thin(port);
	if (!thin && told->thin)
		tell_mended(port, "headroom");
	told->thin = thin;
}
