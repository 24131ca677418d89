/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_LOG_H
#define LLED_LOG_H

#include <json-c/json.h>
#include <stdarg.h>
#include <stdbool.h>

#include "../lib/client.h"

/* Topics of debug messages */
enum log_topic {
	TOPIC_EVENTS,		/* of the kernel */
	TOPIC_WATCHDOGS,	/* that are set */
	TOPIC_METRICS,		/* scrapes and files */
	TOPIC_CONFIG,		/* that is taken */
	TOPIC_LDCP,		/* changes that are recorded */
	NUM_TOPIC,
};

extern const char *const log_topics[NUM_TOPIC];

/* Priorities are those of syslog.h. */
int log_open(const char *to);
void log_close(void);
__attribute__((format(printf, 2, 3)))
void log_say(int priority, const char *format, ...);
void log_debug_on(unsigned int topics);
__attribute__((format(printf, 2, 3)))
void log_debug(enum log_topic topic, const char *format, ...);
struct json_object *log_fields(const char *event, const struct lle_nl_who *who);
void log_add(struct json_object *fields, const char *name, uint64_t value);
void log_add_double(struct json_object *fields, const char *name, double value);
void log_add_text(struct json_object *fields, const char *name,
		  const char *value);
__attribute__((format(printf, 3, 4)))
void log_event(int priority, struct json_object *fields, const char *format,
	       ...);

#endif /* LLED_LOG_H */
