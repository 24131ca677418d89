/* SPDX-License-Identifier: GPL-2.0 */
/* Collects the log of the daemon as text: events and fields, in order. */
#ifndef REPORTS_H
#define REPORTS_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../daemon/losslessd/log.h"

static char reports[512];
/* The last sentence */
static char sentence[512];

static void __attribute__((format(printf, 1, 2))) tell_more(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reports + strlen(reports), sizeof(reports) - strlen(reports), format, args);
	va_end(args);
}

struct json_object *log_fields(const char *event, const struct lle_nl_who *who)
{
	tell_more("%s %s", event, who->ifname);
	return NULL;
}

void log_add(struct json_object *fields, const char *name, uint64_t value)
{
	(void)fields;
	tell_more(" %s %llu", name, (unsigned long long)value);
}

void log_add_double(struct json_object *fields, const char *name, double value)
{
	(void)fields;
	tell_more(" %s %g", name, value);
}

void log_add_text(struct json_object *fields, const char *name,
		  const char *value)
{
	(void)fields;
	tell_more(" %s %s", name, value);
}

void log_event(int priority, struct json_object *fields, const char *format, ...)
{
	va_list args;

	(void)priority, (void)fields;
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	tell_more("; ");
}

#endif /* REPORTS_H */
