// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/losslessd/storms.c: the rate and share of a storm are those between
 * two samples of the kernel, however late the daemon receives them. A storm that
 * lasts has no end.
 */
#include <math.h>

#include "../../daemon/losslessd/storms.c"

static double rate, share;
static int restored;

struct json_object *log_fields(const char *event, const struct lle_nl_who *who)
{
	(void)who;
	restored += !strcmp(event, "storm_restored");
	return NULL;
}

void log_add(struct json_object *fields, const char *name, uint64_t value)
{
	(void)fields, (void)name, (void)value;
}

void log_add_double(struct json_object *fields, const char *name, double value)
{
	(void)fields;
	*(strcmp(name, "paused_share") ? &rate : &share) = value;
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

void log_say(int priority, const char *format, ...)
{
	(void)priority, (void)format;
}

int lle_nl_get_watchdogs(struct lle_nl *kernel, struct lle_nl_watchdog **result)
{
	(void)kernel;
	*result = NULL;
	return 0;
}

const char *lle_nl_text(const struct lle_nl *kernel)
{
	(void)kernel;
	return "";
}

/* Clock of the kernel. Priority 3 is paused throughout, by 2000 frames/s. */
static uint64_t kernel_ns;

int lle_nl_get_port(struct lle_nl *kernel, unsigned int ifindex,
		    struct lle_nl_port *result)
{
	(void)kernel;
	*result = (struct lle_nl_port){
		.who.ifindex = ifindex,
		.time_ns = kernel_ns,
		.stats[3] = {
			.rx_pause = kernel_ns / 500000,
			.rx_pause_duration = kernel_ns / 1000,
		},
	};
	return 1;
}

static int bad(const char *what, double is, double should)
{
	if (fabs(is - should) < 0.001)
		return 0;
	printf("%s: is %f, should be %f; ", what, is, should);
	return 1;
}

int main(void)
{
	struct lle_nl_storm storm = { .prio = 3, .stormed = true, .stats.detected = 1 };
	/* of two storms, the second lasts when the daemon starts */
	struct lle_nl_storm second = {
		.prio = 4, .stormed = true,
		.stats = { .detected = 2, .restored = 1, .since_ns = 5 },
	};
	struct reported *t;
	int failed;

	sd_event_new(&loop);
	kernel_ns = 100 * NS_PER_S;
	storms_event(&storm);
	t = find(&storm.who, 3);
	/* the clock of the daemon has hardly advanced */
	kernel_ns += NS_PER_S;
	on_watched(NULL, 0, t);
	failed = bad("share", share, 1) + bad("rate", rate, 2000);
	storms_event(&second);
	failed += bad("ends of a storm that lasts", restored, 0);
	second.stormed = false;
	second.stats.restored = 2;
	storms_event(&second);
	failed += bad("ends", restored, 1);
	storms_close();
	sd_event_unref(loop);
	return failed;
}
