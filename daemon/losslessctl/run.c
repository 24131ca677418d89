// SPDX-License-Identifier: GPL-2.0
/* A run of a command: options, client, exit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../tc/alike.h"
#include "../tc/version.h"
#include "ctl.h"

/* Closes the output. Return: @ret; CTL_FAIL, after a message, if that fails */
enum ctl_exit ctl_end(enum ctl_exit ret)
{
	if (ferror(stdout) | fclose(stdout))
		return ctl_fail("standard output: %s", strerror(errno));
	return ret;
}

/* After an error message of getopt_long() about an option */
static void ctl_similar_option(const struct option *all, const char *word)
{
	unsigned int letters = LLE_ALIKE;
	const char *best = NULL;

	for (; all->name; all++)
		if (lle_nearer(word, all->name, &letters))
			best = all->name;
	if (best)
		fprintf(stderr, "losslessctl: did you mean \"--%s\"?\n", best);
}

/*
 * Handles the options of all commands. @names: at most 4, then an empty one
 * Return: a letter; '?': after a message; 0: the other words begin at optind
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

	/* a "+" in @letters has to be the first character */
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
		case '?':	/* getopt_long() has printed an error */
			if (!optopt && !strncmp(argv[optind - 1], "--", 2))
				ctl_similar_option(all, argv[optind - 1] + 2);
			ctl_try(c);
			return letter;
		default:
			return letter;
		}
	}
	return 0;
}

/* Of a command without options. @what: its name, for the message. @most: number of words */
enum ctl_exit ctl_words(struct ctl *c, int argc, char **argv, const char *what, int most)
{
	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	if (argc - optind > most)
		return ctl_wrong(c, "%s: unknown argument \"%s\"", what, argv[optind + most]);
	return CTL_OK;
}

/* Return: false: after a message */
bool ctl_open(struct ctl *c)
{
	const char *warning;

	if (c->nl)
		return true;
	if (lle_nl_open(&c->nl)) {
		ctl_refused(c);
		return false;
	}
	warning = lle_version_differs();
	if (warning)
		fprintf(stderr, "losslessctl: %s\n", warning);
	return true;
}

/* Prints the error of the client. Return: CTL_FAIL */
enum ctl_exit ctl_refused(const struct ctl *c)
{
	return ctl_fail("%s", c->nl ? lle_nl_text(c->nl) : strerror(ENOMEM));
}
