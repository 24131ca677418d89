// SPDX-License-Identifier: GPL-2.0
/* Commands that are programs in Python, of daemon/view/. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl.h"

/*
 * Runs ../lib/lossless/losslessctl-NAME, relative to this program, with all
 * options and words. That program runs $LOSSLESSCTL for data and help.
 */
enum ctl_exit ctl_view(struct ctl *c, int argc, char **argv)
{
	const struct ctl_command *command = c->command;
	char self[PATH_MAX], path[PATH_MAX + 64];
	char *words[argc + 3];
	ssize_t len;
	int num = 0;

	if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
		c->help(command->name);
		return CTL_OK;
	}
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len < 0)
		return ctl_fail("/proc/self/exe: %s", strerror(errno));
	self[len] = '\0';
	snprintf(path, sizeof(path), "%.*s/../lib/lossless/losslessctl-%s%s%s",
		 (int)(strrchr(self, '/') - self), self, command->name,
		 command->sub ? "-" : "", command->sub ? command->sub : "");
	words[num++] = path;
	if (c->json)
		words[num++] = c->pretty ? "-p" : "-j";
	/* with the NULL at the end */
	memcpy(words + num, argv + 1, argc * sizeof(*argv));
	if (!setenv("LOSSLESSCTL", self, 1))
		execv(path, words);
	return ctl_fail("%s: cannot run %s with python3: %s", command->name, path,
			strerror(errno));
}
