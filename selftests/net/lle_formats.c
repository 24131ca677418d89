// SPDX-License-Identifier: GPL-2.0
/* lle_formats SYSTEM: prints tracepoints that libtraceevent (perf) cannot parse. */
#include <glob.h>
#include <stdio.h>

#include <traceevent/event-parse.h>

/* A format has at most one page. */
#define FORMAT_MAX	65536

static int check(struct tep_handle *tep, const char *system, const char *path)
{
	struct tep_event *event = NULL;
	char format[FORMAT_MAX];
	FILE *file = fopen(path, "r");
	size_t len;

	if (!file) {
		perror(path);
		return 1;
	}
	len = fread(format, 1, sizeof(format) - 1, file);
	fclose(file);
	format[len] = '\0';
	if (tep_parse_format(tep, &event, format, len, system) || !event ||
	    event->flags & TEP_EVENT_FL_FAILED) {
		puts(path);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct tep_handle *tep = tep_alloc();
	int failed = 0;
	char pattern[256];
	glob_t found;
	size_t i;

	if (argc != 2 || !tep) {
		fprintf(stderr, "Usage: lle_formats SYSTEM\n");
		return 2;
	}
	snprintf(pattern, sizeof(pattern),
		 "/sys/kernel/tracing/events/%s/*/format", argv[1]);
	if (glob(pattern, 0, NULL, &found)) {
		fprintf(stderr, "%s: none\n", pattern);
		return 2;
	}
	for (i = 0; i < found.gl_pathc; i++)
		failed |= check(tep, argv[1], found.gl_pathv[i]);
	return failed;
}
