// SPDX-License-Identifier: GPL-2.0
/*
 * losslessctl restore: runs the commands of losslessctl save, and no others. It
 * uses no shell, as a device may have any name. With --follow it runs a command
 * when a device of it is new. It lists the devices again at each event of a
 * link: the content of an event does not matter, and neither does a lost event.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl.h"
#include "save.h"

extern char **environ;

/* Programs in the order in which they run: the others need the ports of tc. */
enum program {
	TC,
	DCB,
	SELF,
	NUM_PROGRAM,
};

static const char * const programs[NUM_PROGRAM] = { "tc", "dcb", "losslessctl" };

enum subject {
	QDISC,
	DEVICE,
	DEVICES_AND_MS,
	GROUP_AND_DEVICES,
	SWITCH,
};

/* A command that may be in a file */
static const struct form {
	const char *words;	/* the first words */
	enum program program;
	enum subject subject;	/* next words, without options */
	const char *letters;	/* options, for getopt */
} forms[] = {
	{ "tc qdisc replace dev ", TC, QDISC, "" },
	{ "dcb app replace dev ", DCB, DEVICE, "" },
	{ "losslessctl watchdog start ", SELF, DEVICES_AND_MS, "a:r:" },
	{ "losslessctl path set ", SELF, GROUP_AND_DEVICES, "ag:" },
	{ "losslessctl switch discard ", SELF, SWITCH, "" },
	{ "losslessctl switch set ", SELF, SWITCH, "" },
};

/* A command of a file */
struct line {
	unsigned int number;	/* from 1, for messages */
	const struct form *form;
	char *text;
	char *buffer;	/* memory of @words */
	char **words;	/* ended by NULL */
	char **names;	/* devices, or the switch */
	int num_names;
	/* devices (a hash), or switch, at the last run; 0: incomplete */
	uint64_t seen;
	bool due;	/* it has to run */
};

struct file {
	const char *name;	/* for messages */
	struct line *lines;
	int num;
	int failed;	/* commands that failed, or are wrong */
};

/* Return: false: after a message */
static bool run(const char *program, char **argv, int input, int errors)
{
	posix_spawn_file_actions_t actions;
	int err, status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	if (input >= 0)
		posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (errors >= 0)
		posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	err = posix_spawnp(&pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err) {
		ctl_fail("%s: %s", argv[0], strerror(err));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static int memory_with(const char *text)
{
	int fd = memfd_create("losslessctl", MFD_CLOEXEC);
	size_t len = strlen(text);

	if (fd >= 0 && write(fd, text, len) == (ssize_t)len && !lseek(fd, 0, SEEK_SET))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * @commands: one a line, without the program; a wrong one may end the run.
 * Prints the output of the program only after success.
 */
bool ctl_restore_batch(const char *program, const char *commands)
{
	char name[16], *argv[] = { name, "-f", "-b", "-", NULL };
	int in = memory_with(commands), out = memory_with("");
	bool ok;

	snprintf(name, sizeof(name), "%s", program);
	ok = in >= 0 && out >= 0 && run(program, argv, in, out);
	if (ok && !lseek(out, 0, SEEK_SET)) {
		char said[512];
		ssize_t n;

		while ((n = read(out, said, sizeof(said))) > 0)
			fwrite(said, 1, n, stderr);
	}
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return ok;
}

/* Each in its own process: a wrong one cannot stop others. */
static void run_single(struct file *f, const struct line *l)
{
	if (run(l->form->program == SELF ? "/proc/self/exe" : l->words[0], l->words, -1, -1))
		return;
	f->failed++;
	ctl_fail("%s:%u: failed: %s", f->name, l->number, l->text);
}

/* If a command fails, runs all one by one: to set them again has no effect. */
static void run_together(struct file *f, enum program program)
{
	size_t skip = strlen(programs[program]), bytes;
	char *commands = NULL;
	struct line *l;
	FILE *to = open_memstream(&commands, &bytes);
	bool ok;

	for (l = f->lines; to && l < f->lines + f->num; l++)
		if (l->due && l->form->program == program)
			fprintf(to, "%s\n", l->text + skip);
	ok = to && !fclose(to) && (!*commands || ctl_restore_batch(programs[program], commands));
	free(commands);
	for (l = f->lines; !ok && l < f->lines + f->num; l++)
		if (l->due && l->form->program == program)
			run_single(f, l);
}

static bool there_is_switch(const char *id)
{
	struct lle_nl_switch *switches;
	struct lle_nl *nl = NULL;
	bool is_there = false;
	int num = 0;

	/* not before the module is loaded */
	if (!lle_nl_open(&nl))
		num = lle_nl_get_switches(nl, &switches);
	for (int i = 0; i < num; i++)
		is_there |= switches[i].id == strtoul(id, NULL, 0);
	if (num > 0)
		free(switches);
	lle_nl_close(nl);
	return is_there;
}

static void run_due(struct file *f, bool follow)
{
	struct line *l;

	run_together(f, TC);
	run_together(f, DCB);
	for (l = f->lines; l < f->lines + f->num; l++) {
		if (follow && l->form->subject == SWITCH) {
			l->due = !l->seen && there_is_switch(l->names[0]);
			l->seen |= l->due;
		}
		if (l->due && l->form->program == SELF)
			run_single(f, l);
	}
}

/* Return: the bridge of all devices of a line, or 0 */
static uint32_t bridge_of(const struct line *l)
{
	struct lle_nl_device *devices = NULL;
	int num = 0, found = 0;
	struct lle_nl *nl = NULL;
	uint32_t bridge = 0;

	if (!lle_nl_open(&nl))
		num = lle_nl_get_devices(nl, &devices);
	for (int i = 0; i < l->num_names; i++) {
		for (int d = 0; d < num; d++) {
			if (devices[d].ifindex != if_nametoindex(l->names[i]) ||
			    (found && devices[d].master != bridge))
				continue;
			bridge = devices[d].master;
			found++;
		}
	}
	free(devices);
	lle_nl_close(nl);
	return found == l->num_names ? bridge : 0;
}

/* Return: a hash of the devices of a line; 0: not all are there */
static uint64_t look_at_devices(const struct line *l)
{
	unsigned int ifindex;
	uint64_t seen = 0;

	for (int i = 0; i < l->num_names; i++) {
		ifindex = if_nametoindex(l->names[i]);
		if (!ifindex)
			return 0;
		seen = seen * 31 + ifindex;
	}
	if (l->form->subject != GROUP_AND_DEVICES)
		return seen;
	/* only ports of one bridge can be a group */
	ifindex = bridge_of(l);
	return ifindex ? seen * 31 + ifindex : 0;
}

/* Last programs first: a new device gets its port before its watchdogs. */
static bool look(struct file *f)
{
	bool due = false;
	uint64_t seen;

	for (int program = NUM_PROGRAM - 1; program >= 0; program--) {
		for (struct line *l = f->lines; l < f->lines + f->num; l++) {
			if ((int)l->form->program != program)
				continue;
			if (l->form->subject == SWITCH) {
				l->seen = l->seen && there_is_switch(l->names[0]);
				continue;
			}
			seen = look_at_devices(l);
			l->due = seen && seen != l->seen;
			l->seen = seen;
			due |= l->due;
		}
	}
	return due;
}

static const struct form *form_of(const char *text)
{
	for (const struct form *form = forms; form < forms + ARRAY_SIZE(forms); form++)
		if (!strncmp(text, form->words, strlen(form->words)))
			return form;
	return NULL;
}

/* Return: false: it does not have its form */
static bool find_names(struct line *l)
{
	int skip = 0, argc = 0, num;
	char **argv;

	for (const char *at = l->form->words; *at; at++)
		skip += *at == ' ';
	/* getopt() takes the word before for the name of the program */
	argv = l->words + skip - 1;
	while (argv[argc])
		argc++;
	opterr = 0;
	optind = 0;
	while ((num = getopt(argc, argv, l->form->letters)) != -1)
		if (num == '?')
			return false;
	l->names = argv + optind;
	num = argc - optind;
	switch (l->form->subject) {
	case QDISC:
		l->num_names = 1;
		/* DEV root [handle HANDLE] lossless */
		return num > 2 && !strcmp(l->names[num > 4 && strcmp(l->names[2], "lossless") ? 4 : 2],
					  "lossless");
	case DEVICE:
	case SWITCH:
		l->num_names = 1;
		return num > 1;
	case DEVICES_AND_MS:
		if (num > 2 && !strcmp(l->names[num - 2], "prio"))
			num -= 2;
		l->num_names = num - 1;
		return num > 1 && strcmp(l->names[0], "all");
	case GROUP_AND_DEVICES:
		l->names++;
		l->num_names = num - 1;
		return num > 2;
	}
	return false;
}

static bool split(struct line *l)
{
	char *word, *state;
	int n = 0;

	l->buffer = strdup(l->text);
	l->words = calloc(strlen(l->text) / 2 + 2, sizeof(*l->words));
	if (!l->buffer || !l->words)
		return false;
	for (word = strtok_r(l->buffer, " \t", &state); word; word = strtok_r(NULL, " \t", &state))
		l->words[n++] = word;
	return true;
}

static void free_line(struct line *l)
{
	free(l->text);
	free(l->buffer);
	free(l->words);
}

static enum ctl_exit read_line(struct file *f, unsigned int number, const char *text)
{
	struct line l = { .number = number, .form = form_of(text), .due = true }, *more;

	if (!*text || *text == '#')
		return CTL_OK;
	l.text = strdup(text);
	more = reallocarray(f->lines, f->num + 1, sizeof(*more));
	if (more)
		f->lines = more;
	if (!l.text || !more || !split(&l)) {
		free_line(&l);
		return ctl_fail("out of memory");
	}
	if (l.form && find_names(&l)) {
		f->lines[f->num++] = l;
		return CTL_OK;
	}
	free_line(&l);
	f->failed++;
	ctl_fail("%s:%u: not a command of \"losslessctl save\": %s", f->name, number, text);
	return CTL_OK;
}

static enum ctl_exit read_file(struct file *f, FILE *from)
{
	enum ctl_exit ret = CTL_OK;
	unsigned int number = 0;
	char *text = NULL;
	size_t room = 0;

	while (!ret && getline(&text, &room, from) > 0) {
		text[strcspn(text, "\n")] = '\0';
		ret = read_line(f, ++number, text + strspn(text, " \t"));
	}
	free(text);
	return ret;
}

static void free_file(struct file *f)
{
	for (int i = 0; i < f->num; i++)
		free_line(&f->lines[i]);
	free(f->lines);
}

/* @name: of the file. A failed command does not stop the others. */
enum ctl_exit ctl_restore_all(FILE *from, const char *name)
{
	struct file f = { .name = name };
	enum ctl_exit ret = read_file(&f, from);

	if (!ret) {
		run_due(&f, false);
		ret = f.failed ? CTL_FAIL : CTL_OK;
	}
	free_file(&f);
	return ret;
}

static int open_events(void)
{
	const struct sockaddr_nl links = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	return fd >= 0 && bind(fd, (const void *)&links, sizeof(links)) ? -1 : fd;
}

/* Waits for an event of a link, and reads all. */
static bool wait_for_event(int fd)
{
	int flags = 0;
	char event;

	while (recv(fd, &event, sizeof(event), flags) >= 0 || errno == ENOBUFS || errno == EINTR)
		flags = MSG_DONTWAIT;
	return errno == EAGAIN;
}

/* As sd_notify(3); libsystemd would double the start time of losslessctl. */
static void notify(const char *status)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char state[128];

	if (fd >= 0 && path && strlen(path) < sizeof(to.sun_path)) {
		memcpy(to.sun_path, path, strlen(path));
		if (*path == '@')
			to.sun_path[0] = '\0';
		snprintf(state, sizeof(state), "READY=1\nSTATUS=%s", status);
		sendto(fd, state, strlen(state), 0, (void *)&to,
		       offsetof(struct sockaddr_un, sun_path) + strlen(path));
	}
	if (fd >= 0)
		close(fd);
}

/* @ran: commands have been run, which is worth a line in a log */
static void show_status(const struct file *f, bool ran)
{
	char status[96];
	int waiting = 0;

	for (int i = 0; i < f->num; i++)
		waiting += !f->lines[i].seen;
	snprintf(status, sizeof(status), "%d commands, %d wait for devices, %d failed", f->num,
		 waiting, f->failed);
	if (ran) {
		puts(status);
		fflush(stdout);
	}
	notify(status);
}

/* Runs each command when its devices are there, until a signal. */
static enum ctl_exit follow(FILE *from, const char *name)
{
	struct file f = { .name = name };
	enum ctl_exit ret = read_file(&f, from);
	int fd = open_events();

	if (fd < 0)
		ret = ctl_fail("events of links: %s", strerror(errno));
	while (!ret) {
		bool due = look(&f);

		if (due)
			run_due(&f, true);
		show_status(&f, due);
		if (!wait_for_event(fd))
			ret = ctl_fail("events of links: %s", strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	free_file(&f);
	return ret;
}

enum ctl_exit ctl_restore(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = { { "follow", no_argument, NULL, 'f' }, {} };
	bool follows = false;
	enum ctl_exit ret;
	FILE *from = stdin;
	const char *name;
	int letter;

	while ((letter = ctl_option(c, argc, argv, "f", names))) {
		if (letter != 'f')
			return CTL_USAGE;
		follows = true;
	}
	if (argc - optind > 1)
		return ctl_wrong(c, "restore: unknown argument \"%s\"", argv[optind + 1]);
	name = argc > optind ? argv[optind] : "-";
	if (strcmp(name, "-"))
		from = fopen(name, "re");
	if (!from)
		return ctl_fail("%s: %s", name, strerror(errno));
	ret = follows ? follow(from, name) : ctl_restore_all(from, name);
	if (from != stdin)
		fclose(from);
	return ret;
}
