// SPDX-License-Identifier: GPL-2.0
/* Text output: error messages, names, rates. */
#include <stdarg.h>
#include <string.h>

#include "ctl.h"

static void ctl_say(const char *kind, const char *fmt, va_list list)
{
	/* earlier output comes first */
	fflush(stdout);
	fprintf(stderr, "losslessctl: %s", kind);
	vfprintf(stderr, fmt, list);
	fprintf(stderr, "\n");
}

/**
 * ctl_fail() - print an error message of one line
 * @fmt: format, with its arguments
 *
 * Return: CTL_FAIL.
 */
enum ctl_exit ctl_fail(const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	ctl_say("", fmt, list);
	va_end(list);
	return CTL_FAIL;
}

/**
 * ctl_try() - print the words that the command takes, or how to get help
 * @c: the run
 */
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

/**
 * ctl_wrong() - print an error message about the command line
 * @c: the run
 * @fmt: format, with its arguments
 *
 * Return: CTL_USAGE.
 */
enum ctl_exit ctl_wrong(const struct ctl *c, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	ctl_say("", fmt, list);
	va_end(list);
	ctl_try(c);
	return CTL_USAGE;
}

/**
 * ctl_warn() - print a warning about an unexpected effect
 * @fmt: format, with its arguments
 */
void ctl_warn(const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	ctl_say("warning: ", fmt, list);
	va_end(list);
}

/**
 * ctl_empty() - say why nothing is shown, beside the output, and not with JSON
 * @c: the run
 * @num: what was shown
 * @text: reason
 */
void ctl_empty(const struct ctl *c, unsigned int num, const char *text)
{
	if (num || c->json)
		return;
	/* earlier output comes first */
	fflush(stdout);
	fprintf(stderr, "%s\n", text);
}

/**
 * ctl_prio_words() - write priorities as words of a command
 * @words: result, CTL_WORDS bytes
 * @prios: bit p: priority p
 * @format: format of one, at most 7 bytes, for its number twice
 *
 * Return: @words.
 */
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
static const char *ctl_name(const char *const *names, unsigned int num,
			    unsigned int value)
{
	return value < num ? names[value] : "unknown";
}

/**
 * ctl_facing_name() - get the word for the device that a port faces
 * @facing: enum lle_facing
 *
 * Return: the word.
 */
const char *ctl_facing_name(unsigned int facing)
{
	static const char *const names[] = {
		[LLE_FACING_EDGE] = "edge",
		[LLE_FACING_FABRIC] = "fabric",
	};

	return ctl_name(names, ARRAY_SIZE(names), facing);
}

/**
 * ctl_deadlock_name() - get the word for the action about deadlocks
 * @action: enum lle_deadlock_action
 *
 * Return: the word.
 */
const char *ctl_deadlock_name(unsigned int action)
{
	static const char *const names[] = {
		[LLE_DEADLOCK_OFF] = "off",
		[LLE_DEADLOCK_ALERT] = "alert",
		[LLE_DEADLOCK_LOSSLESS] = "lossless",
		[LLE_DEADLOCK_DROP] = "drop",
	};

	return ctl_name(names, ARRAY_SIZE(names), action);
}

/**
 * ctl_direction_name() - get the word for the direction of a pause
 * @direction: enum lossless_direction
 *
 * Return: the word.
 */
const char *ctl_direction_name(unsigned int direction)
{
	static const char *const names[] = {
		[LOSSLESS_DIRECTION_RX] = "rx",
		[LOSSLESS_DIRECTION_TX] = "tx",
	};

	return ctl_name(names, ARRAY_SIZE(names), direction);
}

/**
 * ctl_rate_text() - format a rate in the largest unit of which it is a multiple
 * @text: result, CTL_TEXT bytes
 * @rate: bytes per second; 0: not known
 *
 * Return: @text.
 */
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

/**
 * ctl_prios_text() - format a list of priorities
 * @text: result, CTL_TEXT bytes
 * @prios: bit p: priority p is in it
 *
 * Return: @text.
 */
const char *ctl_prios_text(char *text, uint8_t prios)
{
	char *end = text;

	for (unsigned int p = 0; p < LLE_NUM_PRIO; p++)
		if (prios >> p & 1)
			end += sprintf(end, "%s%u", end == text ? "" : ",", p);
	if (end == text)
		strcpy(text, "-");
	return text;
}

/**
 * ctl_peer_text() - format the other end of a port's link
 * @text: result, CTL_TEXT bytes
 * @port: the port
 *
 * Return: @text: a device of this network namespace, or a MAC address, or "-".
 */
const char *ctl_peer_text(char *text, const struct lle_nl_port *port)
{
	char name[IFNAMSIZ];

	if (port->peer && if_indextoname(port->peer, name))
		return lle_nl_dev_text(text, name);
	return lle_nl_mac_text(text, port->peer_mac);
}
