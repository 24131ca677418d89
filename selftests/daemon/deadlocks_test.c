// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/losslessd/deadlocks.c: reports each deadlock once, whether an event or
 * the list of the kernel names it. Also the metrics of deadlocks.
 */
#include "../../daemon/losslessd/deadlocks.c"
#include "../../daemon/losslessd/metrics.c"

#define PRIO	3
#define MS	1000000ULL
#define NOW_US	300000

/* Reports since the last check: IDs of deadlocks, and their age. */
static char reports_text[128];

/* The list of the kernel. */
static struct lle_nl_deadlock kernel[4];
static int num_kernel;

struct json_object *log_fields(const char *event, const struct lle_nl_who *who)
{
	struct json_object *fields = json_object_new_object();

	(void)who;
	json_object_object_add(fields, "event", json_object_new_string(event));
	return fields;
}

void log_add(struct json_object *fields, const char *name, uint64_t value)
{
	json_object_object_add(fields, name, json_object_new_uint64(value));
}

void log_add_text(struct json_object *fields, const char *name,
		  const char *value)
{
	json_object_object_add(fields, name, json_object_new_string(value));
}

void log_say(int priority, const char *format, ...)
{
	(void)priority, (void)format;
}

/* Requires that sentence and fields describe the same deadlock. */
void log_event(int priority, struct json_object *fields, const char *format, ...)
{
	struct json_object *late;
	const char *id, *text;
	char begin[64];
	va_list args;

	va_start(args, format);
	text = va_arg(args, const char *);
	va_end(args);
	id = json_object_get_string(json_object_object_get(fields, "id"));
	snprintf(begin, sizeof(begin), "deadlock %s on priority %d: ", id, PRIO);
	if (priority != LOG_CRIT || strncmp(text, begin, strlen(begin)) ||
	    strcmp(json_object_get_string(json_object_object_get(fields, "event")),
		   "deadlock"))
		printf("logged %d %s, beside %s\n", priority, text,
		       json_object_to_json_string(fields));
	strcat(strcat(reports_text, *reports_text ? " " : ""), id);
	if (strstr(text, " ago"))
		strcat(reports_text, strrchr(text, ','));
	late = json_object_object_get(fields, "ago_ns");
	if (late)
		strcat(strcat(reports_text, " = "),
		       json_object_get_string(late));
	json_object_put(fields);
}

int lle_nl_get_deadlocks(struct lle_nl *nl, struct lle_nl_deadlock **result)
{
	(void)nl;
	*result = malloc(sizeof(kernel));
	memcpy(*result, kernel, sizeof(kernel));
	return num_kernel;
}

int lle_nl_get_ports(struct lle_nl *nl, struct lle_nl_port **result)
{
	(void)nl, (void)result;
	return -1;
}

const char *lle_nl_text(const struct lle_nl *nl)
{
	(void)nl;
	return "";
}

/* A deadlock of switches 1 and 2 since @closed_ns, which @sw found. */
static struct lle_nl_deadlock found(unsigned int sw, unsigned int number,
				    uint64_t closed_ns)
{
	struct lle_nl_deadlock d = {
		.sw = sw,
		.info = { .number = number, .prio = PRIO, .loop = 1,
			  .trigger = { .sw = 1 },
			  .declared_ns = closed_ns + sw,
			  .reported_ns = closed_ns + sw },
		.num_hops = 2,
		.hops = {
			{ .sw = sw, .egress = 1, .age_ns = sw },
			{ .sw = 3 - sw, .egress = 1, .age_ns = sw + MS },
		},
	};

	return d;
}

static void event(const struct lle_nl_deadlock *d)
{
	deadlocks_event(NULL, d);
}

/* Adds @d to the list of the kernel, which begins with the newest. */
static void remembers(struct lle_nl_deadlock d)
{
	memmove(kernel + 1, kernel, num_kernel * sizeof(*kernel));
	kernel[0] = d;
	num_kernel++;
}

static void is_now_reported(const char *what, const char *names)
{
	if (strcmp(reports_text, names))
		printf("%s: reported '%s', should be '%s'\n", what, reports_text, names);
	*reports_text = '\0';
}

static void log_test(void)
{
	const struct lle_nl_deadlock a = found(1, 1, MS), b = found(2, 1, MS);
	struct lle_nl_deadlock c = found(1, 2, 50 * MS);

	event(&a);
	is_now_reported("an event", "1.1");
	event(&a);
	event(&b);
	is_now_reported("it again, and a duplicate", "");
	event(&c);
	is_now_reported("the loop anew", "1.2");

	remembers(a);
	remembers(b);
	remembers(c);
	deadlocks_resync(NULL, NOW_US);
	is_now_reported("what was reported is remembered", "");
	c = found(2, 2, 90 * MS);
	c.info.reported_ns = 0;
	remembers(c);
	deadlocks_resync(NULL, NOW_US);
	is_now_reported("one whose event is still to come", "");
	kernel[0].info.reported_ns = 91 * MS;
	event(&kernel[0]);
	is_now_reported("its event", "2.2");

	/* detection was switched off and on */
	num_kernel = 0;
	deadlocks_resync(NULL, NOW_US);
	event(&a);
	is_now_reported("what the kernel has forgotten is forgotten", "1.1");
	remembers(found(2, 1, 200 * MS));
	deadlocks_resync(NULL, NOW_US);
	deadlocks_resync(NULL, NOW_US);
	is_now_reported("one that is missed, of a switch that counts anew",
			"2.1, 99.999ms ago = 99999998");
	event(&kernel[0]);
	is_now_reported("its event, late", "");

	/* as if the daemon restarted */
	deadlocks_free();
	remembers(found(1, 1, 200 * MS));
	deadlocks_resync(NULL, NOW_US);
	is_now_reported("after a restart", "2.1, 99.999ms ago = 99999998");
	deadlocks_free();
}

static void has(const char *text, const char *line)
{
	if (!strstr(text, line))
		printf("metrics are without %s", line);
}

static void is_status(const struct snapshot *s, const char *wanted)
{
	char text[METRICS_STATUS];

	metrics_status(s, text);
	if (!strstr(text, wanted))
		printf("status is \"%s\", should be \"%s\"\n", text, wanted);
}

static void metrics_test(void)
{
	struct lle_nl_switch switches[] = {
		{ .id = 1, .deadlocks = { .declared = 3, .broken = 2 } },
		{ .id = 2, .deadlocks.declared = 7 }, { .id = 9 },
	};
	struct lle_nl_port ports[] = {
		{ .who = { .sw = 1 }, .stats[PRIO] = { .tx_paused = 1 } },
		{ .who = { .sw = 1 }, .slot = 1, .stats[PRIO] = { .rx_paused = 1 } },
	};
	/* the third is off, and has detected storms before */
	struct lle_nl_watchdog watchdogs[] = {
		{ .detection_ms = 100 }, { .detection_ms = 100, .stormed = 1 }, {},
	};
	struct lle_nl_deadlock all[] = {
		found(2, 7, 90 * MS), found(1, 1, 50 * MS), found(2, 6, MS),
	};
	struct snapshot s = {
		.switches = switches, .num_switches = 3,
		.ports = ports, .num_ports = 2,
		.deadlocks = all, .num_deadlocks = 3,
		.watchdogs = watchdogs, .num_watchdogs = 3,
	};
	size_t len;
	char *text;

	is_status(&s, "2 ports, 2 watchdogs, 1 storm, 1 deadlock");
	text = metrics_text(&s, &len);
	has(text, "lossless_deadlock_detected_total{switch=\"1\"} 3\n");
	has(text, "lossless_deadlock_broken_total{switch=\"1\"} 2\n");
	has(text, "lossless_deadlock_broken_total{switch=\"2\"} 0\n");
	has(text, "lossless_deadlock_detected_total{switch=\"2\"} 7\n");
	has(text, "lossless_deadlock_detected_total{switch=\"9\"} 0\n");
	has(text, "lossless_deadlocked{switch=\"1\"} 0\n");
	has(text, "lossless_deadlocked{switch=\"2\"} 1\n");
	has(text, "lossless_deadlocked{switch=\"9\"} 0\n");
	free(text);

	/* both switches found the same deadlock */
	all[1] = found(1, 1, 90 * MS);
	is_status(&s, "1 deadlock");
	text = metrics_text(&s, &len);
	has(text, "lossless_deadlocked{switch=\"1\"} 1\n");
	has(text, "lossless_deadlocked{switch=\"2\"} 1\n");
	free(text);

	ports[1].stats[PRIO].rx_paused = 0;
	is_status(&s, "0 deadlocks");
	text = metrics_text(&s, &len);
	has(text, "lossless_deadlock_detected_total{switch=\"2\"} 7\n");
	has(text, "lossless_deadlocked{switch=\"2\"} 0\n");
	free(text);
}

int main(void)
{
	log_test();
	metrics_test();
	return 0;
}
