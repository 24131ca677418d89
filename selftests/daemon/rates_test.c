// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/losslessd/rates.c: which pauses it reports, and when it names their
 * origin. Checks a port each 15 seconds, for a little more than five minutes.
 */
#include <stdio.h>
#include <string.h>

#include "../../daemon/losslessd/rates.c"

#define LOOKS	21
#define STEP_US	15000000

/* Events since the last check, a letter each. */
static char reports[8];

struct json_object *log_fields(const char *event, const struct lle_nl_who *who)
{
	(void)who;
	snprintf(reports + strlen(reports), sizeof(reports) - strlen(reports),
		 "%s", strcmp(event, "pauses") ? "O" : "P");
	return NULL;
}

void log_add(struct json_object *fields, const char *name, uint64_t value)
{
	(void)fields, (void)name, (void)value;
}

void log_add_double(struct json_object *fields, const char *name, double value)
{
	(void)fields, (void)name, (void)value;
}

void log_add_text(struct json_object *fields, const char *name,
		  const char *value)
{
	(void)fields, (void)name, (void)value;
}

void log_event(int priority, struct json_object *fields, const char *format,
	       ...)
{
	(void)priority, (void)fields, (void)format;
}

/**
 * struct vector - counters of a port, and the events that they cause
 * @name: name of the case
 * @rx: pauses of priority 3 received per check
 * @rx4: pauses of priority 4 received per check
 * @tx: pauses sent per check
 * @packets: data packets received per check
 * @still: check without new received pauses; 0: none
 * @anew: check at which the counters restart at 0; 0: never
 * @reports: P: pauses, O: their origin
 */
static const struct vector {
	const char *name;
	unsigned int rx, rx4, tx, packets, still, anew;
	const char *reports;
} vectors[] = {
	{ .name = "quiet", .reports = "" },
	{ .name = "quiet, but for data", .packets = 9, .reports = "" },
	{ .name = "a pause now and then", .rx = 1, .reports = "P" },
	{ .name = "pauses sent", .tx = 1, .reports = "P" },
	{ .name = "more than 2000/s", .rx = 30001, .reports = "PO" },
	{ .name = "2000/s", .rx = 30000, .reports = "P" },
	{ .name = "and data", .rx = 30001, .packets = 1, .reports = "P" },
	{ .name = "and silence at one look", .rx = 60000, .still = 10, .reports = "P" },
	{ .name = "1500/s in each of two priorities", .rx = 22500, .rx4 = 22500,
	  .reports = "P" },
	{ .name = "sent as fast", .tx = 60000, .reports = "P" },
	{ .name = "a port that was made anew", .rx = 30001, .anew = 10, .reports = "" },
};

static const char *run(const struct vector *v)
{
	struct lle_nl_port port = {};
	struct rates rates = {};
	unsigned int i;

	*reports = '\0';
	for (i = 1; i <= LOOKS; i++) {
		if (i == v->anew)
			port = (struct lle_nl_port) {};
		if (i != v->still) {
			port.stats[3].rx_pause += v->rx;
			port.stats[4].rx_pause += v->rx4;
		}
		port.stats[3].tx_pause += v->tx;
		port.stats[0].rx_packets += v->packets;
		rates_check(&port, &rates, (uint64_t)i * STEP_US);
	}
	return reports;
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		if (strcmp(run(&vectors[i]), vectors[i].reports))
			printf("%s: reported '%s', should be '%s'\n", vectors[i].name,
			       reports, vectors[i].reports);
	return 0;
}
