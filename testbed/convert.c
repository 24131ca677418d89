// SPDX-License-Identifier: GPL-2.0
/* Topologies of other programs: lle-topology converts them. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb.h"

/* It keeps the limits of a testbed. */
#define TB_CONVERTER	"lle-topology"

extern char **environ;

/* Does a file's suffix belong to another program? */
bool tb_is_foreign(const char *path)
{
	static const char *const suffix[] = { ".yml", ".yaml", ".graphml" };
	size_t i, len = strlen(path), n;

	for (i = 0; i < ARRAY_SIZE(suffix); i++) {
		n = strlen(suffix[i]);
		if (len > n && !strcmp(path + len - n, suffix[i]))
			return true;
	}
	return false;
}

/* Is a hostile text a topology of HPCC (a number) or htsim ("Nodes")? */
bool tb_is_foreign_text(const char *text)
{
	while (*text == '#' || isspace((unsigned char)*text))
		text += *text == '#' ? strcspn(text, "\n") : 1;
	return isdigit((unsigned char)*text) || !strncasecmp(text, "nodes ", 6);
}

/* The converter is in the folder of this program. */
static int tb_converter(char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size);
	char *name;

	if (len < 0 || (size_t)len >= size - sizeof(TB_CONVERTER))
		return tb_error("/proc/self/exe: %s",
				strerror(len < 0 ? errno : ENAMETOOLONG));
	path[len] = '\0';
	name = strrchr(path, '/');
	strcpy(name ? name + 1 : path, TB_CONVERTER);
	return 0;
}

/* Starts the converter; *@from is the end of its output pipe. */
static int tb_start(pid_t *pid, int *from, const char *program,
		    const char *path)
{
	char *const argv[] = { (char *)program, "--", (char *)path, NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], err;

	if (pipe(ends))
		return tb_error("pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	err = posix_spawn(pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	*from = ends[0];
	if (!err)
		return 0;
	close(ends[0]);
	return tb_error("%s: %s", program, strerror(err));
}

/*
 * Converts a topology of another program; @path: hostile, for the converter
 * only. *@text is to be freed.
 */
int tb_convert(char **text, const char *path)
{
	char program[PATH_MAX];
	int from = -1, status, ret;
	pid_t pid;
	FILE *f;

	if (tb_converter(program, sizeof(program)) ||
	    tb_start(&pid, &from, program, path))
		return -1;
	f = fdopen(from, "r");
	ret = f ? tb_file_text(text, f, TB_CONVERTER) : tb_error("%s", strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return tb_error("wait: %s", strerror(errno));
	if (ret)
		return ret;
	if (WIFSIGNALED(status))
		return tb_error(TB_CONVERTER ": ended by signal %d",
				WTERMSIG(status));
	return WEXITSTATUS(status) ? -1 : 0;
}
