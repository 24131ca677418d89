/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_LOG_H
#define LLED_LOG_H

#include <json-c/json.h>
#include <stdarg.h>
#include <stdbool.h>

/* Priorities are those of syslog.h. */
int log_open(const char *to);
void log_close(void);
__attribute__((format(printf, 2, 3)))
void log_say(int priority, const char *format, ...);
__attribute__((format(printf, 3, 4)))
void log_event(int priority, struct json_object *fields, const char *format,
	       ...);

#endif /* LLED_LOG_H */
