// SPDX-License-Identifier: GPL-2.0
/* Text output: error messages, names, rates. */
#include <stdarg.h>
#include <string.h>

#include "../tc/q_lossless.h"
#include "ctl.h"

static void ctl_say(const char *kind, const char *fmt, va_list list)
{
	/* earlier output comes first */
	fflush(stdout);
	fprintf(stderr, "losslessctl: %s", kind);
	vfprintf(stderr, fmt, list);
	fprintf(stderr, "\n");
}

/* Prints an error. Return: CTL_FAIL */
enum ctl_exit ctl_fail(const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	ctl_say("", fmt, list);
	va_end(list);
	return CTL_FAIL;
}

/* Prints the usage of the command, or how to get help. */
void ctl_try(const struct ctl *c)
{
	const struct ctl_command *command = c->command;

	if (!command) {
		fprintf(stderr, "Try: losslessctl --help\n");
		return;
	}
	fprintf(stderr, "Usage: losslessctl %s%s%s%s%s\nTry: losslessctl %s --help\n",
		command->name, command->sub ? " " : "",
		command->sub ? command->sub : "", *command->usage ? " " : "",
		command->usage, command->name);
}

/* Prints an error of the command line. Return: CTL_USAGE */
enum ctl_exit ctl_wrong(const struct ctl *c, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	ctl_say("", fmt, list);
	va_end(list);
	ctl_try(c);
	return CTL_USAGE;
}

void ctl_warn(const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	ctl_say("warning: ", fmt, list);
	va_end(list);
}

/* Prints @text to stderr if @num is 0, but not with JSON. */
void ctl_empty(const struct ctl *c, unsigned int num, const char *text)
{
	if (num || c->json)
		return;
	/* earlier output comes first */
	fflush(stdout);
	fprintf(stderr, "%s\n", text);
}

/* @words: CTL_WORDS bytes. @format: of a priority, given twice; 7 bytes */
const char *ctl_prio_words(char *words, uint8_t prios, const char *format)
{
	char *at = words;

	*words = '\0';
	for (int p = 0; p < LLE_NUM_PRIO; p++)
		if (prios >> p & 1)
			at += sprintf(at, format, p, p);
	return words;
}

/* A newer kernel may have values that are not known here. */
static const char *ctl_name(const char *const *names, unsigned int num, uint64_t value)
{
	return value < num ? names[value] : "unknown";
}

/* @facing: enum lle_facing */
const char *ctl_facing_name(unsigned int facing)
{
	return ctl_name(lossless_names_facing, LLE_FACING_MAX + 1, facing);
}

/* @action: enum lle_deadlock_action */
const char *ctl_deadlock_name(unsigned int action)
{
	return ctl_name(lossless_names_deadlock_action, LLE_DEADLOCK_ACTION_MAX + 1, action);
}

/* @mode: enum lle_gso_mode */
const char *ctl_gso_name(uint64_t mode)
{
	return ctl_name(lossless_names_gso_mode, LLE_GSO_MODE_MAX + 1, mode);
}

/* @direction: enum lossless_direction */
const char *ctl_direction_name(unsigned int direction)
{
	static const char *const names[] = LOSSLESS_DIRECTION_NAMES;

	return ctl_name(names, ARRAY_SIZE(names), direction);
}

/* @text: CTL_TEXT bytes. @rate: bytes per second; 0: not known */
const char *ctl_rate_text(char *text, uint64_t rate)
{
	static const char *const units[] = { "bit", "Kbit", "Mbit", "Gbit" };
	uint64_t bits = rate * 8;
	unsigned int i;

	for (i = 0; i + 1 < ARRAY_SIZE(units) && bits && !(bits % 1000); i++)
		bits /= 1000;
	if (bits)
		snprintf(text, CTL_TEXT, "%" PRIu64 "%s", bits, units[i]);
	else
		snprintf(text, CTL_TEXT, "-");
	return text;
}

/* @text: CTL_TEXT bytes; a device of this namespace, a MAC address, or "-" */
const char *ctl_peer_text(char *text, const struct lle_nl_port *port)
{
	char name[IFNAMSIZ];

	if (port->peer && if_indextoname(port->peer, name))
		return lle_nl_dev_text(text, name);
	return lle_nl_mac_text(text, port->peer_mac);
}
