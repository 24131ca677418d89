// SPDX-License-Identifier: GPL-2.0
/* Options of the command line. */
#include <getopt.h>
#include <string.h>

#include "../daemon/tc/alike.h"
#include "options.h"
#include "tc.h"

static int tb_set_name(struct tb_args *a, char *value)
{
	if (!tb_is_name(value))
		return tb_error("--name: \"%s\" is not a name", value);
	a->build.name = value;
	return 0;
}

static int tb_set_format(struct tb_args *a, char *value)
{
	a->build.format = tb_find_format(value);
	return a->build.format ? 0 : -1;
}

static int tb_set_mtu(struct tb_args *a, char *value)
{
	if (get_u32(&a->build.mtu, value, 10) || a->build.mtu < 68 ||
	    a->build.mtu > 65535)
		return tb_error("--mtu: \"%s\" is not a number of 68..65535",
				value);
	return 0;
}

static int tb_set_arp(struct tb_args *a, char *value)
{
	(void)value;
	a->build.arp = true;
	return 0;
}

static int tb_set_part(struct tb_args *a, char *value)
{
	char end;

	if (sscanf(value, "%2u/%2u%c", &a->build.here, &a->build.parts, &end) != 2 ||
	    !a->build.parts || a->build.parts > TB_PART_MAX ||
	    a->build.here > a->build.parts)
		return tb_error("--part: \"%s\" is not a number of 0..N, /, and N, of 1..%d",
				value, TB_PART_MAX);
	return 0;
}

static int tb_set_verbose(struct tb_args *a, char *value)
{
	(void)value;
	a->verbose = true;
	return 0;
}

static int tb_set_help(struct tb_args *a, char *value)
{
	(void)value;
	a->help = true;
	return 0;
}

/* Of the links that have no rate of their own. */
static int tb_set_rate(struct tb_topo *t, char *value)
{
	const char *words[] = { "rate", value };
	unsigned int i;

	for (i = 0; i < t->links; i++)
		if (!t->link[i].rate)
			t->link[i].rate = value;
	return tb_qdisc_check(ARRAY_SIZE(words), words);
}

static int tb_set_delay(struct tb_topo *t, char *value)
{
	const char *words[] = { "delay", value };
	unsigned int i;

	for (i = 0; i < t->links; i++)
		if (!t->link[i].delay)
			t->link[i].delay = value;
	return tb_qdisc_check(ARRAY_SIZE(words), words);
}

static int tb_set_words(struct tb_topo *t, enum tb_role role, char *value)
{
	struct tb_words w;

	return tb_split(&w, value) ? -1 :
		tb_add_words(&t->qdisc[role], w.num, w.word);
}

static int tb_set_edge(struct tb_topo *t, char *value)
{
	return tb_set_words(t, TB_EDGE, value);
}

static int tb_set_fabric(struct tb_topo *t, char *value)
{
	return tb_set_words(t, TB_FABRIC, value);
}

static int tb_set_host(struct tb_topo *t, char *value)
{
	return tb_set_words(t, TB_HOST, value);
}

static int tb_set_no_qdisc(struct tb_topo *t, char *value)
{
	(void)value;
	t->no_qdisc = true;
	return 0;
}

/**
 * struct tb_option - an option
 * @name: name, without dashes
 * @value: its argument, for the help; NULL: none
 * @commands: TB_UP and so on: the commands that take it
 * @text: help
 * @set: stores its argument
 * @late: changes the topology; called once there is one. NULL if @set is not
 */
struct tb_option {
	const char *name;
	const char *value;
	unsigned int commands;
	const char *text;
	int (*set)(struct tb_args *a, char *value);
	int (*late)(struct tb_topo *t, char *value);
};

static const struct tb_option tb_options[] = {
	{ "name", "NAME", TB_ANY, "of the testbed (lle)", tb_set_name, NULL },
	{ "format", "text|json|dot|paths|ethers|file", TB_UP | TB_SHOW, "of what is printed",
	  tb_set_format, NULL },
	{ "rate", "RATE", TB_UP | TB_SHOW, "of links without their own",
	  NULL, tb_set_rate },
	{ "delay", "TIME", TB_UP | TB_SHOW, "of links without their own",
	  NULL, tb_set_delay },
	{ "fail", "A-B", TB_UP | TB_SHOW, "a link of switches is not up",
	  NULL, tb_fail },
	{ "edge", "OPTIONS", TB_UP | TB_SHOW,
	  "of the qdiscs of ports to hosts", NULL, tb_set_edge },
	{ "fabric", "OPTIONS", TB_UP | TB_SHOW,
	  "of the qdiscs of ports to switches", NULL, tb_set_fabric },
	{ "host", "OPTIONS", TB_UP | TB_SHOW, "of the hosts' own qdiscs",
	  NULL, tb_set_host },
	{ "no-qdisc", NULL, TB_UP | TB_SHOW, "no qdiscs at all", NULL,
	  tb_set_no_qdisc },
	{ "mtu", "BYTES", TB_UP, "of all links", tb_set_mtu, NULL },
	{ "arp", NULL, TB_UP, "hosts know each other's MAC", tb_set_arp,
	  NULL },
	{ "part", "I/N", TB_UP | TB_SHOW | TB_STATS, "of the lab: links are lle_wire, of N kernels",
	  tb_set_part, NULL },
	{ "verbose", NULL, TB_ANY, "say what CPU time it took (-v)",
	  tb_set_verbose, NULL },
	{ "help", NULL, TB_ANY, "this text (-h)", tb_set_help, NULL },
};

static int tb_option(struct tb_args *a, unsigned int command,
		     const struct tb_option *o, char *value)
{
	if (!(o->commands & command))
		return tb_error("this command has no option --%s", o->name);
	if (o->set)
		return o->set(a, value);
	if (a->late_num == TB_GIVEN_MAX)
		return tb_error("more than %d options", TB_GIVEN_MAX);
	a->late[a->late_num].set = o->late;
	a->late[a->late_num++].value = value;
	return 0;
}

static const struct tb_option *tb_find_option(const char *name)
{
	const struct tb_option *o = tb_options;

	while (strcmp(o->name, name))
		o++;
	return o;
}

static void tb_similar_option(const char *word)
{
	unsigned int letters = LLE_ALIKE;
	const char *best = NULL;
	const struct tb_option *o;

	if (strncmp(word, "--", 2))
		return;
	for (o = tb_options; o < tb_options + ARRAY_SIZE(tb_options); o++)
		if (lle_nearer(word + 2, o->name, &letters))
			best = o->name;
	if (best)
		tb_error("did you mean \"--%s\"?", best);
}

/**
 * tb_options_read() - parse the command line
 * @a: result
 * @command: TB_UP and so on
 * @argc: number of words, from the command on
 * @argv: the command and the words; those of the topology move to the end
 *
 * Return: 0; -1 after an error message.
 */
int tb_options_read(struct tb_args *a, unsigned int command, int argc,
		    char **argv)
{
	struct option names[ARRAY_SIZE(tb_options) + 1] = {};
	const struct tb_option *o;
	int c, i = 0;

	for (o = tb_options; o < tb_options + ARRAY_SIZE(tb_options); o++) {
		names[o - tb_options].name = o->name;
		names[o - tb_options].has_arg = !!o->value;
	}
	while ((c = getopt_long(argc, argv, "hv", names, &i)) != -1) {
		switch (c) {
		case 0:
			o = &tb_options[i];
			break;
		case 'h':
			o = tb_find_option("help");
			break;
		case 'v':
			o = tb_find_option("verbose");
			break;
		default:	/* getopt_long() has printed an error */
			tb_similar_option(argv[optind - 1]);
			return -1;
		}
		if (tb_option(a, command, o, optarg))
			return -1;
	}
	a->topo = argv + optind;
	a->topo_num = argc - optind;
	return 0;
}

/**
 * tb_options_apply() - apply options to the topology
 * @a: the command line
 * @t: the testbed
 *
 * Return: 0; -1 after an error message.
 */
int tb_options_apply(const struct tb_args *a, struct tb_topo *t)
{
	unsigned int i;

	for (i = 0; i < a->late_num; i++)
		if (a->late[i].set(t, a->late[i].value))
			return -1;
	return 0;
}

/**
 * tb_options_help() - print the help on options
 */
void tb_options_help(void)
{
	const struct tb_option *o;
	char left[32];

	for (o = tb_options; o < tb_options + ARRAY_SIZE(tb_options); o++) {
		snprintf(left, sizeof(left), "--%s %s", o->name,
			 o->value ? o->value : "");
		printf("  %-24s%s\n", left, o->text);
	}
}
