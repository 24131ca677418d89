// SPDX-License-Identifier: GPL-2.0
/* lle-testbed: lossless networks made of network namespaces. */
#include <string.h>
#include <sys/resource.h>

#include "../daemon/tc/alike.h"
#include "options.h"

static const char tb_usage[] =
	"Usage: lle-testbed up TOPOLOGY [OPTION...]       build a testbed\n"
	"       lle-testbed down [OPTION...]              remove it\n"
	"       lle-testbed show [TOPOLOGY] [OPTION...]   what is, or would be, built\n"
	"       lle-testbed stats [OPTION...]             counters of all its qdiscs\n"
	"TOPOLOGY:\n"
	"  line N        N switches, a host at each end\n"
	"  star N        one switch, N hosts\n"
	"  dumbbell N    two switches, N hosts each\n"
	"  ring N [H]    N switches, H hosts each (1)\n"
	"  leaf-spine L S H\n"
	"                L leaves with H hosts each, S spines\n"
	"  fat-tree K    K*K*K/4 hosts\n"
	"  file FILE     see lle-testbed(8); FILE.clab.yml: of Containerlab;\n"
	"                FILE.graphml\n"
	"OPTION:\n";

/* The whole program has one testbed. */
static struct tb_topo tb_testbed;

static int tb_route_and_part(const struct tb_args *a)
{
	if (tb_route(&tb_testbed))
		return -1;
	return a->build.parts ? tb_part(&tb_testbed, a->build.parts) : 0;
}

/* The topology that the command line describes. */
static int tb_new_testbed(const struct tb_args *a)
{
	if (tb_generate(&tb_testbed, a->topo_num, a->topo) ||
	    tb_options_apply(a, &tb_testbed) || tb_qdisc_check_all(&tb_testbed))
		return -1;
	return tb_route_and_part(a);
}

/* The testbed that is built. */
static int tb_old_testbed(const struct tb_args *a)
{
	static char path[TB_PATH_SIZE];

	if (a->topo_num)
		return tb_error("unknown argument \"%s\"", a->topo[0]);
	if (tb_saved(a->build.name, path))
		return -1;
	return tb_file_read(&tb_testbed, path);
}

static int tb_do_up(const struct tb_args *a)
{
	if (!a->topo_num)
		return tb_error("up: a topology is required");
	return tb_new_testbed(a) ? -1 : tb_up(&tb_testbed, &a->build);
}

static int tb_do_down(const struct tb_args *a)
{
	return tb_old_testbed(a) ? -1 : tb_down(&tb_testbed, a->build.name);
}

static int tb_do_show(const struct tb_args *a)
{
	if (a->topo_num) {
		if (tb_new_testbed(a))
			return -1;
	} else {
		if (a->late_num)
			return tb_error("show: options of a topology without one");
		if (tb_old_testbed(a) || tb_route_and_part(a))
			return -1;
	}
	a->build.format(&tb_testbed, &a->build);
	return tb_printed();
}

static int tb_do_stats(const struct tb_args *a)
{
	if (tb_old_testbed(a) || (a->build.parts && tb_route_and_part(a)) ||
	    tb_stats(&tb_testbed, &a->build))
		return -1;
	return tb_printed();
}

static const struct tb_command {
	const char *name;
	unsigned int bit;
	int (*run)(const struct tb_args *a);
} tb_commands[] = {
	{ "up", TB_UP, tb_do_up },
	{ "down", TB_DOWN, tb_do_down },
	{ "show", TB_SHOW, tb_do_show },
	{ "stats", TB_STATS, tb_do_stats },
};

static void tb_help(void)
{
	fputs(tb_usage, stdout);
	tb_options_help();
}

static const struct tb_command *tb_find_command(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tb_commands); i++)
		if (!strcmp(tb_commands[i].name, name))
			return &tb_commands[i];
	return NULL;
}

/* Return: exit status */
static int tb_no_command(const char *word)
{
	unsigned int letters = LLE_ALIKE, i;
	const char *best = NULL;

	for (i = 0; i < ARRAY_SIZE(tb_commands); i++)
		if (lle_nearer(word, tb_commands[i].name, &letters))
			best = tb_commands[i].name;
	if (best)
		tb_error("there is no command \"%s\"; did you mean \"%s\"?", word, best);
	else
		tb_error("there is no command \"%s\": up, down, show, stats", word);
	return 1;
}

static void tb_say_cpu(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	fprintf(stderr, "lle-testbed: CPU seconds: user %ld.%06ld, system %ld.%06ld\n",
		r.ru_utime.tv_sec, r.ru_utime.tv_usec,
		r.ru_stime.tv_sec, r.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
	static struct tb_args a = { .build = { .name = "lle" } };
	const struct tb_command *c = argc > 1 ? tb_find_command(argv[1]) : NULL;
	int ret;

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		puts("lle-testbed " LLE_VERSION);
		return 0;
	}
	if (argc < 2 || !strcmp(argv[1], "--help")) {
		tb_help();
		return argc < 2;
	}
	if (!c)
		return tb_no_command(argv[1]);
	a.build.format = tb_find_format("text");
	if (tb_options_read(&a, c->bit, argc - 1, argv + 1))
		return 1;
	if (a.help) {
		tb_help();
		return 0;
	}
	ret = c->run(&a);
	if (a.verbose)
		tb_say_cpu();
	return ret ? 1 : 0;
}
