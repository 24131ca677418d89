// SPDX-License-Identifier: GPL-2.0
/* An event is a sentence, and fields with the same information for programs. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <syslog.h>
#include <systemd/sd-journal.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

const char *const log_topics[NUM_TOPIC] = {
	[TOPIC_EVENTS] = "events",
	[TOPIC_WATCHDOGS] = "watchdogs",
	[TOPIC_METRICS] = "metrics",
	[TOPIC_CONFIG] = "config",
	[TOPIC_LDCP] = "ldcp",
};

static unsigned int debug;	/* bit t: topic t is logged */
static int file = -1;
static bool journal;
static bool complained;

/* After a failure the destination is unchanged. */
int log_open(const char *to)
{
	int new = -1;

	if (strcmp(to, "journal") && strcmp(to, "stderr")) {
		/* a pipe without a reader must not stop the daemon */
		new = open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
		if (new < 0)
			return -errno;
	}
	log_close();
	file = new;
	journal = !strcmp(to, "journal");
	complained = false;
	return 0;
}

void log_close(void)
{
	if (file >= 0)
		close(file);
	file = -1;
}

/* As a whole or not at all; a full disk is reported once. */
static void write_line(const struct iovec *parts, int num)
{
	ssize_t len = 0, written;
	int err;

	for (int i = 0; i < num; i++)
		len += parts[i].iov_len;
	written = writev(file, parts, num);
	if (written == len) {
		complained = false;
		return;
	}
	err = written < 0 ? errno : ENOSPC;
	if (written > 0 &&
	    ftruncate(file, lseek(file, 0, SEEK_CUR) - written))
		err = errno;
	if (!complained)
		fprintf(stderr, "losslessd: the log cannot be written: %s\n",
			strerror(err));
	complained = true;
}

static const char *json_text(struct json_object *object)
{
	return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
}

static struct iovec part(const char *text)
{
	return (struct iovec){ (void *)text, strlen(text) };
}

/* Quick, for thousands of events a second: strftime() would look into /etc. */
static void log_to_file(int priority, const char *text,
			struct json_object *fields)
{
	struct json_object *message = json_object_new_string(text);
	struct timespec ts;
	struct tm tm;
	char head[96];

	clock_gettime(CLOCK_REALTIME, &ts);
	gmtime_r(&ts.tv_sec, &tm);
	snprintf(head, sizeof(head),
		 "{\"time\":\"%04d-%02d-%02dT%02d:%02d:%02d.%06ldZ\",\"priority\":%d,\"message\":",
		 tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		 tm.tm_min, tm.tm_sec, ts.tv_nsec / 1000, priority);
	write_line((struct iovec[]){
		part(head),
		part(json_text(message)),
		part(fields ? "," : "}"),
		part(fields ? json_text(fields) + 1 : ""),	/* without its { */
		part("\n"),
	}, 5);
	json_object_put(message);
}

static void log_to_journal(int priority, const char *text,
			   struct json_object *fields)
{
	/* the list ends at the first NULL */
	sd_journal_send("MESSAGE=%s", text, "PRIORITY=%i", priority,
			fields ? "LOSSLESS=%s" : NULL, fields ? json_text(fields) : NULL, NULL);
}

static void log_put(int priority, struct json_object *fields,
		    const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return;
	if (file >= 0)
		log_to_file(priority, text, fields);
	else if (journal)
		log_to_journal(priority, text, fields);
	else
		fprintf(stderr, "losslessd: %s\n", text);
	free(text);
}

/* Each field is new, and all names are constants. */
static void add(struct json_object *fields, const char *name,
		struct json_object *value)
{
	json_object_object_add_ex(fields, name, value,
				  JSON_C_OBJECT_ADD_KEY_IS_NEW |
				  JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

void log_say(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_put(priority, NULL, format, args);
	va_end(args);
}

/* @topics: bit t: enum log_topic t */
void log_debug_on(unsigned int topics)
{
	debug = topics;
}

void log_debug(enum log_topic topic, const char *format, ...)
{
	struct json_object *fields;
	va_list args;

	if (!(debug >> topic & 1))
		return;
	fields = json_object_new_object();
	log_add_text(fields, "topic", log_topics[topic]);
	va_start(args, format);
	log_put(LOG_DEBUG, fields, format, args);
	va_end(args);
	json_object_put(fields);
}

void log_add(struct json_object *fields, const char *name, uint64_t value)
{
	add(fields, name, json_object_new_uint64(value));
}

void log_add_double(struct json_object *fields, const char *name, double value)
{
	add(fields, name, json_object_new_double(value));
}

void log_add_text(struct json_object *fields, const char *name,
		  const char *value)
{
	add(fields, name, json_object_new_string(value));
}

/* Freed by log_event(); @who: NULL: no port */
struct json_object *log_fields(const char *event, const struct lle_nl_who *who)
{
	struct json_object *fields = json_object_new_object();

	log_add_text(fields, "event", event);
	if (who) {
		log_add_text(fields, "device", who->ifname);
		log_add(fields, "switch", who->sw);
	}
	return fields;
}

/* Frees @fields. */
void log_event(int priority, struct json_object *fields, const char *format,
	       ...)
{
	va_list args;

	va_start(args, format);
	log_put(priority, fields, format, args);
	va_end(args);
	json_object_put(fields);
}
