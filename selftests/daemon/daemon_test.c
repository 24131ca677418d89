// SPDX-License-Identifier: GPL-2.0
/*
 * losslessd with the kernel of kernel.h: what it logs, and what it asks of the kernel
 * from its start to its end. It gets all events, loses some, reads its configuration
 * again, looks once more at all ports, and learns that the module is gone.
 */
#include "../ctl/kernel.h"

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <systemd/sd-event.h>

#undef ARRAY_SIZE
#define main daemon_main
#include "../../daemon/losslessd/main.c"
#undef main
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static char dir[] = "/tmp/daemon-XXXXXX";
static int ends[2];	/* a pipe, readable if there are events */

int lle_nl_listen(struct lle_nl *nl, unsigned int groups)
{
	printf("listens to %x\n", groups);
	return 0;
}

int lle_nl_events_fd(const struct lle_nl *nl)
{
	return ends[0];
}

static void send_events(void (*event)(const struct lle_nl_event *e, void *arg), void *arg)
{
	struct lle_nl_event e;

	for (unsigned int i = 0; i < ARRAY_SIZE(objects); i++)
		for (int second = 0; second < 2; second++) {
			struct nl_msg *msg = object(objects[i].cmd, second);

			if (objects[i].cmd >= LOSSLESS_CMD_PAUSE_NTF &&
			    !lle_nl_decode_event(nlmsg_hdr(msg), &e))
				event(&e, arg);
			nlmsg_free(msg);
		}
}

int lle_nl_read_events(struct lle_nl *nl, void (*event)(const struct lle_nl_event *e, void *arg),
		       void *arg)
{
	static unsigned int reads;
	char byte;

	printf("reads events\n");
	if (read(ends[0], &byte, 1) != 1)
		return -EIO;
	switch (reads++) {
	case 0:
		send_events(event, arg);
		return 0;
	case 1:
		return -ENOBUFS;
	case 2:
		return -EBADMSG;
	case 3:
		raise(SIGHUP);
		return 0;
	}
	return -ESHUTDOWN;
}

/* The kernel's settings of LDCP are files in dir. */
FILE *fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *path, const char *mode) = dlsym(RTLD_NEXT, "fopen");
	char own[128];

	if (!strcmp(path, "/proc/net/ldcp"))
		path = "/proc/sys/net/ldcp/stats";
	if (strncmp(path, "/proc/sys/net/ldcp", 18))
		return real(path, mode);
	snprintf(own, sizeof(own), "%s%s", dir, path + 18);
	return real(own, mode);
}

/* The next look follows at once, with other counters; the second one is the last. */
int sd_event_source_set_time_relative(sd_event_source *source, uint64_t us)
{
	static unsigned int looks;

	more = 500;
	if (++looks == 2 && write(ends[1], "!", 1) != 1)
		return -errno;
	printf("next look in %llu us\n", (unsigned long long)us);
	return sd_event_source_set_time(source, 0);
}

/* It is always the same time. */
int sd_event_now(sd_event *loop, clockid_t clock, uint64_t *us)
{
	*us = 5000000;
	return 0;
}

struct tm *gmtime_r(const time_t *time, struct tm *tm)
{
	*tm = (struct tm){ .tm_year = 126, .tm_mon = 1, .tm_mday = 3, .tm_hour = 4,
			   .tm_min = 5, .tm_sec = 6 };
	return tm;
}

/* --- configurations --- */

static void put_file(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
}

static void print_file(const char *name)
{
	char path[128], line[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (*line != '#')
			printf("%s", line);
	if (f)
		fclose(f);
}

static void run(const char *conf)
{
	char *argv[] = { "losslessd", "-c", "lossless.conf", NULL }, text[1024];
	int status;

	snprintf(text, sizeof(text), "log = \"/proc/self/fd/1\" %s", conf);
	put_file("lossless.conf", text);
	put_file("metrics", "");
	put_file("mode", "0\n");
	put_file("alpha", "7\n");
	put_file("stats", "flows 3\nunknown 1\ntimeouts 4\n");
	if (chdir(dir) || pipe(ends) || write(ends[1], "abcd", 4) != 4)
		exit(9);
	status = daemon_main(3, argv);
	print_file("metrics");
	print_file("mode");
	exit(status);
}

int main(int argc, char **argv)
{
	char clean[64];
	int failed;

	failed = unshare(CLONE_NEWUSER | CLONE_NEWNET) || !mkdtemp(dir) ||
		 run_transcript(__FILE__, run, argc > 1);
	snprintf(clean, sizeof(clean), "rm -r %s", dir);
	return system(clean) || failed;
}
