// SPDX-License-Identifier: GPL-2.0
/* Options of the command line. */
#include <getopt.h>
#include <stddef.h>
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

/* Rate and delay are of the links without their own. */
static int tb_set_rate(struct tb_topo *t, char *value)
{
	for (unsigned int i = 0; i < t->links; i++)
		t->link[i].rate = t->link[i].rate ?: value;
	return tb_qdisc_check(2, (const char *[]){ "rate", value });
}

static int tb_set_delay(struct tb_topo *t, char *value)
{
	for (unsigned int i = 0; i < t->links; i++)
		t->link[i].delay = t->link[i].delay ?: value;
	return tb_qdisc_check(2, (const char *[]){ "delay", value });
}

static int tb_set_words(struct tb_topo *t, enum tb_role role, char *value)
{
	struct tb_words w;

	return tb_split(&w, value) ? -1 :
		tb_add_words(&t->qdisc[role], w.num, w.word);
}

static int tb_set_no_qdisc(struct tb_topo *t, char *value)
{
	(void)value;
	t->no_qdisc = true;
	return 0;
}

/* An option, with one of @flag, @set, @late, or words of @role */
struct tb_option {
	const char *name;	/* without dashes */
	const char *value;	/* its argument, for the help; or NULL */
	unsigned int commands;	/* TB_UP and so on */
	const char *text;	/* help */
	size_t flag;		/* place of a flag in struct tb_args */
	int (*set)(struct tb_args *a, char *value);
	int (*late)(struct tb_topo *t, char *value);	/* for the topology */
	enum tb_role role;
};

#define TB_TOPO	(TB_UP | TB_SHOW)
#define TB_FLAG(name)	.flag = offsetof(struct tb_args, name)

static const struct tb_option tb_options[] = {
	{ "name", "NAME", TB_ANY, "of the testbed (lle)", .set = tb_set_name },
	{ "format", "text|json|dot|paths|ethers|file", TB_TOPO, "of what is printed",
	  .set = tb_set_format },
	{ "rate", "RATE", TB_TOPO, "of links without their own", .late = tb_set_rate },
	{ "delay", "TIME", TB_TOPO, "of links without their own", .late = tb_set_delay },
	{ "fail", "A-B", TB_TOPO, "a link of switches is not up", .late = tb_fail },
	{ "edge", "OPTIONS", TB_TOPO, "of the qdiscs of ports to hosts", .role = TB_EDGE },
	{ "fabric", "OPTIONS", TB_TOPO, "of the qdiscs of ports to switches", .role = TB_FABRIC },
	{ "host", "OPTIONS", TB_TOPO, "of the hosts' own qdiscs", .role = TB_HOST },
	{ "no-qdisc", NULL, TB_TOPO, "no qdiscs at all", .late = tb_set_no_qdisc },
	{ "mtu", "BYTES", TB_UP, "of all links", .set = tb_set_mtu },
	{ "arp", NULL, TB_UP, "hosts know each other's MAC", TB_FLAG(build.arp) },
	{ "part", "I/N", TB_TOPO | TB_STATS, "of the lab: links are lle_wire, of N kernels",
	  .set = tb_set_part },
	{ "verbose", NULL, TB_ANY, "print the CPU time (-v)", TB_FLAG(verbose) },
	{ "help", NULL, TB_ANY, "this text (-h)", TB_FLAG(help) },
};

static int tb_option(struct tb_args *a, unsigned int command,
		     const struct tb_option *o, char *value)
{
	if (!(o->commands & command))
		return tb_error("this command has no option --%s", o->name);
	if (o->flag) {
		*(bool *)((char *)a + o->flag) = true;
		return 0;
	}
	if (o->set)
		return o->set(a, value);
	if (a->late_num == TB_GIVEN_MAX)
		return tb_error("more than %d options", TB_GIVEN_MAX);
	a->late[a->late_num].option = o;
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

/* Parses the command line; words of the topology move to the end. */
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

/* Applies options to the topology. */
int tb_options_apply(const struct tb_args *a, struct tb_topo *t)
{
	const struct tb_option *o;
	unsigned int i;
	char *value;

	for (i = 0; i < a->late_num; i++) {
		o = a->late[i].option;
		value = a->late[i].value;
		if (o->late ? o->late(t, value) : tb_set_words(t, o->role, value))
			return -1;
	}
	return 0;
}

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
