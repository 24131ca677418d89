// SPDX-License-Identifier: GPL-2.0
/* Options of the qdiscs: those that the topology implies, and the user's. */
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sch_lossless.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "tb.h"
#include "tc.h"

union tb_msg {
	struct nlmsghdr n;
	char room[TB_MSG_MAX];
};

/* Prints only the first line of the plugin's errors, after @where. */
static int tb_qdisc_parse(struct nlmsghdr *n, const char *where,
			  unsigned int num, const char *const *word)
{
	const char *reason = "out of memory";
	char *said = NULL;
	FILE *real = stderr;
	size_t size;
	int ret = -1;

	stderr = open_memstream(&said, &size);
	if (stderr) {
		ret = lossless_qdisc_util.parse_qopt(&lossless_qdisc_util, num,
						     (char **)word, n, NULL);
		fclose(stderr);
	}
	stderr = real;
	if (ret) {
		if (said)
			reason = said;
		if (!strncmp(reason, "Error: ", 7))
			reason += 7;
		tb_error("%s%.*s", where, (int)strcspn(reason, "\n"), reason);
	}
	free(said);
	return ret ? -1 : 0;
}

/* Checks options by themselves; the kernel checks contradictions. */
int tb_qdisc_check(unsigned int num, const char *const *word)
{
	union tb_msg msg;

	msg.n.nlmsg_len = NLMSG_LENGTH(0);
	return tb_qdisc_parse(&msg.n, "", num, word);
}

/* Finds a word. Return: @num: it is missing */
static unsigned int tb_find(const char *const *words, unsigned int num,
			    const char *word)
{
	unsigned int i;

	for (i = 0; i < num && strcmp(words[i], word); i++)
		;
	return i;
}

/* Removes a list of priorities, as "prio-pfc 3:on 4:on". */
static void tb_remove_list(struct tb_words *w, const char *list)
{
	unsigned int from = tb_find(w->word, w->num, list), to = from + 1;

	if (from == w->num)
		return;
	while (to < w->num && strchr(w->word[to], ':'))
		to++;
	memmove(&w->word[from], &w->word[to],
		(w->num - to) * sizeof(*w->word));
	w->num -= to - from;
}

/* Appends options to @w, which has room; a list replaces that of @w. */
void tb_append(struct tb_words *w, unsigned int num, const char *const *word)
{
	static const char * const lists[] = { "prio-pfc", "dscp-prio" };
	unsigned int i;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (tb_find(word, num, lists[i]) < num)
			tb_remove_list(w, lists[i]);
	memcpy(&w->word[w->num], word, num * sizeof(*word));
	w->num += num;
}

/* Lists the options at an end of a link. @number: buffer of %TB_NAME_SIZE */
void tb_qdisc_words(const struct tb_topo *t, const struct tb_link *l,
		    unsigned int side, struct tb_words *w, char *number)
{
	enum tb_role role = tb_role(l, side);
	const struct tb_switch *sw = NULL;

	w->num = 0;
	if (l->rate) {
		w->word[w->num++] = "rate";
		w->word[w->num++] = l->rate;
	}
	if (l->delay) {
		w->word[w->num++] = "delay";
		w->word[w->num++] = l->delay;
	}
	if (role != TB_HOST) {
		sw = &t->sw[l->end[side].node];
		snprintf(number, TB_NAME_SIZE, "%u", sw->number);
		w->word[w->num++] = tb_role_name(role);
		w->word[w->num++] = "switch";
		w->word[w->num++] = number;
	}
	tb_append(w, t->qdisc[role].num, t->qdisc[role].word);
	if (sw && sw->qdisc)
		tb_append(w, sw->qdisc->num, sw->qdisc->word);
}

/* Adds the options at an end of a link to a message. */
int tb_qdisc_put(struct nlmsghdr *n, const struct tb_topo *t,
		 const struct tb_link *l, unsigned int side)
{
	char number[TB_NAME_SIZE], where[2 * TB_NAME_SIZE + 8];
	struct tb_words w;

	tb_qdisc_words(t, l, side, &w, number);
	snprintf(where, sizeof(where), "%s %s: ", tb_node_name(t, l, side),
		 l->end[side].dev);
	return tb_qdisc_parse(n, where, w.num, w.word);
}

/* Finds the delay of a link in the options at an end; *@ns 0: none. */
int tb_qdisc_delay(const struct tb_topo *t, const struct tb_link *l,
		   unsigned int side, uint64_t *ns)
{
	struct nlattr *options[TCA_LOSSLESS_MAX + 1], *opt;
	union tb_msg msg;

	*ns = 0;
	msg.n.nlmsg_len = NLMSG_LENGTH(0);
	if (t->no_qdisc)
		return 0;
	if (tb_qdisc_put(&msg.n, t, l, side))
		return -1;
	opt = nlmsg_find_attr(&msg.n, 0, TCA_OPTIONS);
	if (opt && !nla_parse_nested(options, TCA_LOSSLESS_MAX, opt, NULL) &&
	    options[TCA_LOSSLESS_DELAY_NS])
		*ns = nla_get_u64(options[TCA_LOSSLESS_DELAY_NS]);
	return 0;
}

/* Checks all options; one given by both link and role is an error. */
int tb_qdisc_check_all(const struct tb_topo *t)
{
	union tb_msg msg;
	unsigned int i;

	for (i = 0; !t->no_qdisc && i < 2 * t->links; i++) {
		msg.n.nlmsg_len = NLMSG_LENGTH(0);
		if (tb_qdisc_put(&msg.n, t, &t->link[i / 2], i % 2))
			return -1;
	}
	return 0;
}
