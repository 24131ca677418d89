// SPDX-License-Identifier: GPL-2.0
/* A run of a command: its options, its client, its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

/**
 * ctl_end() - what to exit with after a run
 * @ret: what the command has returned
 *
 * Return: @ret, or CTL_FAIL if something could not be printed, after a complaint.
 */
enum ctl_exit ctl_end(enum ctl_exit ret)
{
	if (ferror(stdout) | fclose(stdout))
		return ctl_fail("standard output: %s", strerror(errno));
	return ret;
}

/**
 * ctl_option() - the next option of a command
 * @c: the run; notes the options that all commands have
 * @argc: number of words
 * @argv: the words; what is no option goes to the end, from optind on
 * @letters: options that only this command has, for getopt
 * @names: their long names, ended by an empty one; at most 4
 *
 * Return: a letter; 0: there are no more; '?': wrong, after a complaint.
 */
int ctl_option(struct ctl *c, int argc, char **argv, const char *letters,
	       const struct option *names)
{
	struct option all[9] = {
		{ "json", no_argument, NULL, 'j' },
		{ "pretty", no_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
	};
	char own[16];
	int letter;

	/* a "+" has to be the first */
	snprintf(own, sizeof(own), "%sjphV", letters);
	for (int i = 0; names && names[i].name; i++)
		all[4 + i] = names[i];
	while ((letter = getopt_long(argc, argv, own, all, NULL)) != -1) {
		switch (letter) {
		case 'p':
			c->pretty = true;
			/* fall through */
		case 'j':
			c->json = true;
			break;
		case 'h':
			c->help(c->command ? c->command->name : NULL);
			exit(ctl_end(CTL_OK));
		case 'V':
			printf("losslessctl %s\n", LLE_VERSION);
			exit(ctl_end(CTL_OK));
		case '?':	/* getopt_long() has complained */
			ctl_try(c);
			return letter;
		default:
			return letter;
		}
	}
	return 0;
}

/**
 * ctl_open() - open the client
 * @c: the run
 *
 * Return: whether that was possible; if not, after a complaint.
 */
bool ctl_open(struct ctl *c)
{
	if (!lle_nl_open(&c->nl))
		return true;
	ctl_refused(c);
	return false;
}

/**
 * ctl_refused() - say what the client says
 * @c: the run
 *
 * Return: CTL_FAIL.
 */
enum ctl_exit ctl_refused(const struct ctl *c)
{
	return ctl_fail("%s", c->nl ? lle_nl_text(c->nl) : strerror(ENOMEM));
}
