// SPDX-License-Identifier: GPL-2.0
/*
 * Generated topologies. Switches are s1, s2, ..., those with hosts first; hosts
 * are h1, h2, ... in the order of their switches.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../daemon/tc/alike.h"
#include "tb.h"

/* Numbers continue from struct tb_topo.hosts and .switches. */
static int tb_hosts(struct tb_topo *t, unsigned int sw, unsigned int num)
{
	char name[TB_NAME_SIZE];

	while (num--) {
		snprintf(name, sizeof(name), "h%u", t->hosts + 1);
		if (tb_add_host(t, name, sw))
			return -1;
	}
	return 0;
}

static int tb_switches(struct tb_topo *t, unsigned int num)
{
	char name[TB_NAME_SIZE];

	while (num--) {
		snprintf(name, sizeof(name), "s%u", t->switches + 1);
		if (tb_add_switch(t, name))
			return -1;
	}
	return 0;
}

/* Links each switch to the next one. */
static int tb_row(struct tb_topo *t)
{
	unsigned int i;

	for (i = 0; i + 1 < t->switches; i++)
		if (tb_add_link(t, i, i + 1))
			return -1;
	return 0;
}

static int tb_gen_line(struct tb_topo *t, const unsigned int *n)
{
	if (tb_switches(t, n[0]) || tb_hosts(t, 0, 1) ||
	    tb_hosts(t, n[0] - 1, 1))
		return -1;
	return tb_row(t);
}

static int tb_gen_star(struct tb_topo *t, const unsigned int *n)
{
	return tb_switches(t, 1) || tb_hosts(t, 0, n[0]) ? -1 : 0;
}

static int tb_gen_dumbbell(struct tb_topo *t, const unsigned int *n)
{
	if (tb_switches(t, 2) || tb_hosts(t, 0, n[0]) || tb_hosts(t, 1, n[0]))
		return -1;
	return tb_row(t);
}

static int tb_gen_ring(struct tb_topo *t, const unsigned int *n)
{
	unsigned int i;

	if (n[0] < 3)
		return tb_error("ring: needs at least 3 switches");
	if (tb_switches(t, n[0]))
		return -1;
	for (i = 0; i < n[0]; i++)
		if (tb_hosts(t, i, n[1]))
			return -1;
	if (tb_row(t))
		return -1;
	return tb_add_link(t, n[0] - 1, 0);
}

static int tb_gen_leaf_spine(struct tb_topo *t, const unsigned int *n)
{
	unsigned int leaf, spine;

	if (tb_switches(t, n[0] + n[1]))
		return -1;
	for (leaf = 0; leaf < n[0]; leaf++)
		if (tb_hosts(t, leaf, n[2]))
			return -1;
	for (leaf = 0; leaf < n[0]; leaf++)
		for (spine = 0; spine < n[1]; spine++)
			if (tb_add_link(t, leaf, n[0] + spine))
				return -1;
	return 0;
}

/*
 * K pods of K/2 edge and K/2 aggregation switches, and K/2 groups of K/2 core
 * switches: aggregation switch i of each pod is linked to all cores of group i.
 * Numbers: all edge switches by pod, all aggregation switches by pod, cores.
 */
static int tb_gen_fat_tree(struct tb_topo *t, const unsigned int *n)
{
	unsigned int half = n[0] / 2, layer = n[0] * half;
	unsigned int pod, i, j;

	if (n[0] % 2)
		return tb_error("fat-tree: %u is odd", n[0]);
	if (tb_switches(t, 2 * layer + half * half))
		return -1;
	for (i = 0; i < layer; i++)
		if (tb_hosts(t, i, half))
			return -1;
	for (pod = 0; pod < n[0]; pod++)
		for (i = 0; i < half; i++)
			for (j = 0; j < half; j++)
				if (tb_add_link(t, pod * half + i,
						layer + pod * half + j))
					return -1;
	for (pod = 0; pod < n[0]; pod++)
		for (i = 0; i < half; i++)
			for (j = 0; j < half; j++)
				if (tb_add_link(t, layer + pod * half + i,
						2 * layer + i * half + j))
					return -1;
	return 0;
}

/* A kind of topology; arguments are 1 to %TB_NODE_MAX, omitted ones 1 */
struct tb_generator {
	const char *name;
	int min;
	int max;
	int (*make)(struct tb_topo *t, const unsigned int *n);
};

static const struct tb_generator tb_generators[] = {
	{ "line", 1, 1, tb_gen_line },
	{ "star", 1, 1, tb_gen_star },
	{ "dumbbell", 1, 1, tb_gen_dumbbell },
	{ "ring", 1, 2, tb_gen_ring },
	{ "leaf-spine", 3, 3, tb_gen_leaf_spine },
	{ "fat-tree", 1, 1, tb_gen_fat_tree },
};

static int tb_number(unsigned int *n, const char *kind, const char *arg)
{
	unsigned long value;
	char *end;

	value = strtoul(arg, &end, 10);
	if (!isdigit((unsigned char)*arg) || *end || !value ||
	    value > TB_NODE_MAX)
		return tb_error("%s: \"%s\" is not a number of 1..%d", kind,
				arg, TB_NODE_MAX);
	*n = value;
	return 0;
}

static int tb_no_topology(const char *word)
{
	unsigned int letters = LLE_ALIKE, i;
	const char *best = NULL;
	char names[128] = "file";

	for (i = 0; i < ARRAY_SIZE(tb_generators); i++) {
		strcat(strcat(names, ", "), tb_generators[i].name);
		if (lle_nearer(word, tb_generators[i].name, &letters))
			best = tb_generators[i].name;
	}
	if (best)
		return tb_error("there is no topology \"%s\"; did you mean \"%s\"?", word, best);
	return tb_error("there is no topology \"%s\": %s", word, names);
}

/* Makes a topology from its name and arguments. */
int tb_generate(struct tb_topo *t, int argc, char **argv)
{
	const struct tb_generator *g;
	unsigned int n[3] = { 1, 1, 1 };
	int i;

	if (!strcmp(argv[0], "file")) {
		if (argc != 2)
			return tb_error("file: one name is required");
		return tb_is_foreign(argv[1]) ? tb_file_convert(t, argv[1]) :
						tb_file_read(t, argv[1]);
	}
	for (g = tb_generators; strcmp(g->name, argv[0]); g++)
		if (g == &tb_generators[ARRAY_SIZE(tb_generators) - 1])
			return tb_no_topology(argv[0]);
	if (argc - 1 < g->min || argc - 1 > g->max)
		return tb_error("%s: it takes %s%d number%s", g->name,
				g->min < g->max ? "1 or " : "", g->max, g->max > 1 ? "s" : "");
	for (i = 1; i < argc; i++)
		if (tb_number(&n[i - 1], g->name, argv[i]))
			return -1;
	return g->make(t, n);
}
