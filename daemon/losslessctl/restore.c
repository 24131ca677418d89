// SPDX-License-Identifier: GPL-2.0
/*
 * losslessctl restore: runs the commands that losslessctl save has written.
 * No shell reads them, so that a device may have any name.
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl.h"
#include "save.h"

#define WORDS_MAX	256

extern char **environ;

/* Return: false: after a message, unless the program has said what is wrong. */
static bool run(const char *program, char **argv, int input)
{
	posix_spawn_file_actions_t actions;
	int err, status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	if (input >= 0)
		posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
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

/**
 * struct batch - lines of a program, which is started once for all of them
 * @program: its name
 * @to: the lines are written here, then it is closed
 * @lines: the lines
 * @bytes: their length, bytes
 * @any: there is a line that is not empty
 */
struct batch {
	char *program;
	FILE *to;
	char *lines;
	size_t bytes;
	bool any;
};

static bool batch_open(struct batch *b)
{
	b->to = open_memstream(&b->lines, &b->bytes);
	return b->to;
}

/* The program goes on after a failure. */
static bool batch_run(struct batch *b)
{
	char *argv[] = { b->program, "-f", "-b", "-", NULL };
	bool ok = true;
	int fd;

	fclose(b->to);
	if (b->any) {
		fd = memfd_create(b->program, MFD_CLOEXEC);
		ok = fd >= 0 && write(fd, b->lines, b->bytes) == (ssize_t)b->bytes &&
		     !lseek(fd, 0, SEEK_SET);
		if (ok)
			ok = run(b->program, argv, fd);
		else
			ctl_fail("the commands of %s: %s", b->program, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	free(b->lines);
	return ok;
}

static bool run_self(char *line)
{
	char *argv[WORDS_MAX + 1];
	int n = 0;

	for (line = strtok(line, " \t"); line && n < WORDS_MAX; line = strtok(NULL, " \t"))
		argv[n++] = line;
	argv[n] = NULL;
	if (line) {
		ctl_fail("more than %d words", WORDS_MAX);
		return false;
	}
	return run("/proc/self/exe", argv, -1);
}

/* The command of a line, after the name of its program; NULL: of another one. */
static char *command_of(char *line, const char *program)
{
	size_t len = strlen(program);

	return strncmp(line, program, len) || line[len] != ' ' ? NULL : line + len + 1;
}

/* Adds a line to those of its program; false: it is of another one. */
static bool sort_line(struct batch *batches, int num, char *line)
{
	char *command;

	for (struct batch *b = batches; b < batches + num; b++) {
		command = command_of(line, b->program);
		if (!command)
			continue;
		fprintf(b->to, "%s", command);
		b->any = true;
		return true;
	}
	return !*line || *line == '#';
}

/**
 * ctl_restore_all() - run commands of "save" in this network namespace
 * @from: the commands
 * @name: of the file, for messages
 *
 * Those of tc come first: the others need the ports. A command that fails does
 * not keep the others from running.
 *
 * Return: exit status, CTL_FAIL if one of them has failed.
 */
enum ctl_exit ctl_restore_all(FILE *from, const char *name)
{
	struct batch batches[] = { { .program = "tc" }, { .program = "dcb" } };
	char *line = NULL, *own = NULL, *next;
	size_t room = 0, own_bytes;
	unsigned int n = 0, i;
	FILE *to_own;
	bool ok = true;

	to_own = open_memstream(&own, &own_bytes);
	if (!to_own || !batch_open(&batches[0]) || !batch_open(&batches[1]))
		return ctl_fail("out of memory");
	while (getline(&line, &room, from) > 0) {
		n++;
		line[strcspn(line, "\n")] = '\0';
		if (command_of(line, "losslessctl")) {
			fprintf(to_own, "%s\n", line);
		} else if (!sort_line(batches, ARRAY_SIZE(batches), line)) {
			ctl_fail("%s:%u: a command of neither tc, dcb nor losslessctl", name, n);
			ok = false;
		}
		/* so they count the same lines */
		for (i = 0; i < ARRAY_SIZE(batches); i++)
			fprintf(batches[i].to, "\n");
	}
	free(line);
	fclose(to_own);
	for (i = 0; i < ARRAY_SIZE(batches); i++)
		ok &= batch_run(&batches[i]);
	for (line = own; *line; line = next) {
		next = line + strcspn(line, "\n") + 1;
		next[-1] = '\0';
		ok &= run_self(line);
	}
	free(own);
	return ok ? CTL_OK : CTL_FAIL;
}

/**
 * ctl_restore() - run restore [FILE]
 * @c: the run
 * @argc: number of arguments
 * @argv: arguments
 *
 * Return: exit status.
 */
enum ctl_exit ctl_restore(struct ctl *c, int argc, char **argv)
{
	enum ctl_exit ret;
	FILE *from = stdin;
	const char *name;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	if (argc - optind > 1)
		return ctl_wrong(c, "restore: unknown argument \"%s\"", argv[optind + 1]);
	name = argc > optind ? argv[optind] : "-";
	if (strcmp(name, "-"))
		from = fopen(name, "re");
	if (!from)
		return ctl_fail("%s: %s", name, strerror(errno));
	ret = ctl_restore_all(from, name);
	if (from != stdin)
		fclose(from);
	return ret;
}
