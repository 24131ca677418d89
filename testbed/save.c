// SPDX-License-Identifier: GPL-2.0
/* Topology files of testbeds, /run/lle-testbed: made first, removed last */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb.h"

#define TB_SAVE_DIR	"/run/lle-testbed"

static void tb_save_path(char *path, const char *testbed)
{
	snprintf(path, TB_PATH_SIZE, TB_SAVE_DIR "/%s", testbed);
}

static void tb_save_words(const struct tb_words *w, FILE *f)
{
	unsigned int i;

	for (i = 0; w && i < w->num; i++)
		fprintf(f, " %s", w->word[i]);
	fprintf(f, "\n");
}

/* The end of a line */
void tb_save_attrs(const struct tb_link *l, FILE *f)
{
	if (l->rate)
		fprintf(f, " rate %s", l->rate);
	if (l->delay)
		fprintf(f, " delay %s", l->delay);
	fprintf(f, "%s\n", l->failed ? " failed" : "");
}

static void tb_save_link(const struct tb_topo *t, const struct tb_link *l,
			 FILE *f)
{
	const char *a = tb_node_name(t, l, 0), *b = tb_node_name(t, l, 1);

	if (l->to_host)
		fprintf(f, "host %s %s", b, a);
	else
		fprintf(f, "link %s %s", a, b);
	tb_save_attrs(l, f);
}

static void tb_save_topo(const struct tb_topo *t, FILE *f)
{
	const struct tb_given *g;
	enum tb_role role;
	unsigned int i;

	for (i = 0; i < t->switches; i++) {
		fprintf(f, "switch %s", t->sw[i].name);
		if (t->sw[i].number != i + 1)
			fprintf(f, " with %s", t->sw[t->sw[i].number - 1].name);
		tb_save_words(t->sw[i].qdisc, f);
	}
	for (i = 0; i < t->links; i++)
		tb_save_link(t, &t->link[i], f);
	for (i = 0; i < t->givens; i++) {
		g = &t->given[i];
		fprintf(f, "route %s %s via %s\n", t->sw[g->sw].name,
			t->host[g->host].name, t->sw[g->via].name);
	}
	for (role = 0; role < TB_NUM_ROLE; role++) {
		if (!t->qdisc[role].num)
			continue;
		fprintf(f, "qdisc %s", tb_role_name(role));
		tb_save_words(&t->qdisc[role], f);
	}
	if (t->no_qdisc)
		fprintf(f, "qdisc none\n");
}

/* Prints a testbed as a topology file. */
void tb_print_file(const struct tb_topo *t, const struct tb_build *b)
{
	(void)b;
	tb_save_topo(t, stdout);
}

/* Writes the topology file of a new testbed, or leaves nothing behind. */
int tb_save(const struct tb_topo *t, const char *testbed)
{
	char path[TB_PATH_SIZE];
	bool failed;
	FILE *f;
	int fd;

	tb_save_path(path, testbed);
	if (mkdir(TB_SAVE_DIR, 0755) && errno != EEXIST)
		return tb_error(TB_SAVE_DIR ": %s", strerror(errno));
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0 && errno == EEXIST)
		return tb_error("there is a testbed \"%s\" already", testbed);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		return tb_error("%s: %s", path, strerror(errno));
	tb_save_topo(t, f);
	failed = ferror(f);
	if (fclose(f) || failed) {
		tb_error("%s: cannot be written", path);
		tb_forget(testbed);
		return -1;
	}
	return 0;
}

/* Finds the topology file of a testbed; @path has %TB_PATH_SIZE. */
int tb_saved(const char *testbed, char *path)
{
	tb_save_path(path, testbed);
	if (access(path, F_OK))
		return tb_error("there is no testbed \"%s\"", testbed);
	return 0;
}

void tb_forget(const char *testbed)
{
	char path[TB_PATH_SIZE];

	tb_save_path(path, testbed);
	unlink(path);
	rmdir(TB_SAVE_DIR);
}
