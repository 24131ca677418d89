// SPDX-License-Identifier: GPL-2.0
/* Topology files: one statement a line; # begins a comment. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb.h"

/* Cuts text into words, which point into it. */
int tb_split(struct tb_words *w, char *text)
{
	char *word;

	w->num = 0;
	while ((word = strsep(&text, " \t\r\n"))) {
		if (!*word)
			continue;
		if (w->num == TB_WORD_MAX)
			return tb_error("more than %d words", TB_WORD_MAX);
		w->word[w->num++] = word;
	}
	return 0;
}

/* Appends words of tc to options of qdiscs. */
int tb_add_words(struct tb_words *w, unsigned int num, const char *const *word)
{
	if (tb_qdisc_check(num, word))
		return -1;
	/* leave room for the words that the topology implies, 7 at most */
	if (num > TB_WORD_MAX - 8 - w->num)
		return tb_error("more than %d words of options",
				TB_WORD_MAX - 8);
	tb_append(w, num, word);
	return 0;
}

/* [rate R] [delay T] [failed] */
static int tb_file_attrs(struct tb_link *l, const struct tb_words *w,
			 unsigned int i)
{
	const char **value;

	for (; i < w->num; i++) {
		if (!strcmp(w->word[i], "failed") && !l->to_host) {
			l->failed = true;
			continue;
		}
		if (!strcmp(w->word[i], "rate"))
			value = &l->rate;
		else if (!strcmp(w->word[i], "delay"))
			value = &l->delay;
		else
			return tb_error("unknown argument \"%s\"", w->word[i]);
		if (tb_qdisc_check(w->num - i < 2 ? 1 : 2, &w->word[i]))
			return -1;
		*value = w->word[++i];
	}
	return 0;
}

static int tb_file_switch(struct tb_topo *t, const struct tb_words *w)
{
	bool part = w->num > 3 && !strcmp(w->word[2], "with");
	unsigned int whole, i = part ? 4 : 2;
	struct tb_switch *sw;

	if (part && tb_find_switch(w->word[3], &whole))
		return -1;
	if (tb_add_switch(t, w->word[1]))
		return -1;
	sw = &t->sw[t->switches - 1];
	if (part)
		sw->number = t->sw[whole].number;
	if (i >= w->num)
		return 0;
	sw->qdisc = tb_zalloc(1, sizeof(*sw->qdisc));
	return tb_add_words(sw->qdisc, w->num - i, &w->word[i]);
}

static int tb_file_host(struct tb_topo *t, const struct tb_words *w)
{
	unsigned int sw;

	if (tb_find_switch(w->word[2], &sw) || tb_add_host(t, w->word[1], sw))
		return -1;
	return tb_file_attrs(&t->link[t->links - 1], w, 3);
}

static int tb_file_link(struct tb_topo *t, const struct tb_words *w)
{
	unsigned int a, b;

	if (tb_find_switch(w->word[1], &a) || tb_find_switch(w->word[2], &b) ||
	    tb_add_link(t, a, b))
		return -1;
	return tb_file_attrs(&t->link[t->links - 1], w, 3);
}

static int tb_file_route(struct tb_topo *t, const struct tb_words *w)
{
	struct tb_given g = {};

	if (strcmp(w->word[3], "via"))
		return tb_error("\"%s\" stands where \"via\" should",
				w->word[3]);
	if (tb_find_switch(w->word[1], &g.sw) ||
	    tb_find_host(w->word[2], &g.host) ||
	    tb_find_switch(w->word[4], &g.via))
		return -1;
	t->given = tb_grow(t->given, t->givens, sizeof(*t->given));
	t->given[t->givens++] = g;
	return 0;
}

static int tb_file_qdisc(struct tb_topo *t, const struct tb_words *w)
{
	enum tb_role role;

	if (!strcmp(w->word[1], "none") && w->num == 2) {
		t->no_qdisc = true;
		return 0;
	}
	for (role = 0; role < TB_NUM_ROLE; role++)
		if (!strcmp(w->word[1], tb_role_name(role)))
			return tb_add_words(&t->qdisc[role], w->num - 2,
					    &w->word[2]);
	return tb_error("\"%s\" is not edge, fabric or host", w->word[1]);
}

/* A kind of statement; @usage: its arguments; @min, @max: number of words */
struct tb_statement {
	const char *word;
	const char *usage;
	unsigned int min;
	unsigned int max;
	int (*read)(struct tb_topo *t, const struct tb_words *w);
};

static const struct tb_statement tb_statements[] = {
	{ "switch", "NAME [with SWITCH] [OPTION...]", 2, TB_WORD_MAX, tb_file_switch },
	{ "host", "NAME SWITCH [rate R] [delay T]", 3, 7, tb_file_host },
	{ "link", "SWITCH SWITCH [rate R] [delay T] [failed]", 3, 8,
	  tb_file_link },
	{ "route", "SWITCH HOST via SWITCH", 5, 5, tb_file_route },
	{ "qdisc", "{edge|fabric|host} OPTION... | none", 2, TB_WORD_MAX,
	  tb_file_qdisc },
};

static int tb_file_line(struct tb_topo *t, char *line, unsigned int number)
{
	const struct tb_statement *s;
	unsigned int i, givens = t->givens;
	struct tb_words w;

	line[strcspn(line, "#")] = '\0';
	if (tb_split(&w, line))
		return -1;
	if (!w.num)
		return 0;
	for (i = 0; i < ARRAY_SIZE(tb_statements); i++) {
		s = &tb_statements[i];
		if (strcmp(s->word, w.word[0]))
			continue;
		if (w.num < s->min || w.num > s->max)
			return tb_error("%s wants: %s", s->word, s->usage);
		if (s->read(t, &w))
			return -1;
		if (t->givens > givens)
			t->given[givens].line = number;
		return 0;
	}
	return tb_error("unknown argument \"%s\"", w.word[0]);
}

/* Reads a file as a whole, and closes it; words of the topology point into this text. */
int tb_file_text(char **text, FILE *f, const char *path)
{
	size_t size = 0;
	int ret = 0;

	*text = NULL;
	errno = 0;
	if (getdelim(text, &size, '\0', f) < 0) {
		if (errno)
			ret = tb_error("%s: %s", path, strerror(errno));
		else if (*text)
			**text = '\0';
	} else if (getc(f) != EOF) {
		ret = tb_error("%s: not a text", path);
	}
	fclose(f);
	return ret;
}

/* Reads t->text; messages about a converted file have the statement. */
static int tb_file_lines(struct tb_topo *t, const char *path, bool converted)
{
	unsigned int number = 0;
	char *line, *rest = t->text, copy[128];

	t->file = path;
	while ((line = strsep(&rest, "\n"))) {
		snprintf(copy, sizeof(copy), "%s", line);
		tb_error_at(path, ++number, converted ? copy : NULL);
		if (tb_file_line(t, line, number))
			return -1;
	}
	tb_error_at(NULL, 0, NULL);
	if (!t->hosts)
		return tb_error("%s: no hosts", path);
	return 0;
}

/* Reads a topology of another program. */
int tb_file_convert(struct tb_topo *t, const char *path)
{
	if (tb_convert(&t->text, path))
		return -1;
	return tb_file_lines(t, path, true);
}

/* Reads a topology file, or a topology of HPCC or htsim. */
int tb_file_read(struct tb_topo *t, const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f)
		return tb_error("%s: %s", path, strerror(errno));
	if (tb_file_text(&t->text, f, path))
		return -1;
	if (tb_is_foreign_text(t->text)) {
		free(t->text);
		return tb_file_convert(t, path);
	}
	return tb_file_lines(t, path, false);
}
