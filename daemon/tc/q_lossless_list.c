// SPDX-License-Identifier: GPL-2.0
/* Keywords with any number of values, and WRED. */
#include <string.h>

#include "alike.h"
#include "q_lossless.h"

static int lossless_parse_quanta(struct lossless_options *o,
				 struct lossless_args *args)
{
	static const struct lossless_word w = {
		"quanta", TCA_LOSSLESS_QUANTA, 4, LOSSLESS_SIZE,
		LLE_QUANTUM_MIN, LLE_QUANTUM_MAX, NULL
	};
	const char *arg;
	__u64 value;

	if (o->quanta_num)
		return lossless_twice(w.word);
	do {
		arg = lossless_next(args);
		if (lossless_get_value(&w, arg, &value))
			return -1;
		if (o->quanta_num == LLE_NUM_BAND)
			return lossless_wrong(w.word, arg, "one of 8 or fewer");
		o->quanta[o->quanta_num++] = value;
	} while (lossless_at_number(args));
	return 0;
}

static int lossless_parse_priomap(struct lossless_options *o,
				  struct lossless_args *args)
{
	const char *arg;
	__u8 band;

	if (o->band_num)
		return lossless_twice("priomap");
	do {
		arg = lossless_next(args);
		if (!arg || lossless_get_small(&band, arg, LLE_NUM_BAND - 1))
			return lossless_wrong("priomap", arg, "a band of 0..7");
		if (o->band_num == LLE_NUM_PRIO)
			return lossless_wrong("priomap", arg,
					      "one of 8 or fewer");
		o->band[o->band_num++] = band;
	} while (lossless_at_number(args));
	return 0;
}

/* KEY:VALUE ..., as in dcb(8): other keys stay; "all" is first, no key twice */
static int lossless_parse_map(const char *word, const char *wanted, __u8 *map,
			      unsigned int num, struct lossless_args *args,
			      int (*get)(__u8 *value, const char *arg,
					 unsigned int key))
{
	const char *arg, *colon;
	unsigned int i;
	__u64 given = 0;
	__u8 number;
	char key[8];

	do {
		arg = lossless_next(args);
		colon = arg ? strchr(arg, ':') : NULL;
		if (!colon || colon - arg >= (int)sizeof(key))
			return lossless_wrong(word, arg, "%s", wanted);
		snprintf(key, sizeof(key), "%.*s", (int)(colon - arg), arg);

		if (!strcmp(key, "all")) {
			if (given)
				return lossless_wrong(word, arg, "first in the list");
			for (i = 0; i < num; i++)
				if (get(&map[i], colon + 1, i))
					return lossless_wrong(word, arg, "%s", wanted);
			continue;
		}
		if (lossless_get_small(&number, key, num - 1) ||
		    get(&map[number], colon + 1, number))
			return lossless_wrong(word, arg, "%s", wanted);
		if (given >> number & 1)
			return lossless_twice(arg);
		given |= 1ULL << number;
	} while (args->argc && strchr(*args->argv, ':'));
	return 0;
}

static int lossless_get_on_off(__u8 *value, const char *arg, unsigned int prio)
{
	(void)prio;
	*value = !strcmp(arg, "on");
	return *value || !strcmp(arg, "off") ? 0 : -1;
}

static int lossless_get_prio(__u8 *value, const char *arg)
{
	return lossless_get_small(value, arg, LLE_NUM_PRIO - 1);
}

static int lossless_get_dscp_prio(__u8 *value, const char *arg, unsigned int dscp)
{
	if (strcmp(arg, "default"))
		return lossless_get_prio(value, arg);
	*value = dscp / 8;
	return 0;
}

static int lossless_parse_pfc(struct lossless_options *o,
			      struct lossless_args *args)
{
	if (o->pfc_given)
		return lossless_twice("prio-pfc");
	o->pfc_given = true;
	return lossless_parse_map("prio-pfc",
				  "{ all | 0..7 }:{ on | off } of a list such as \"all:off 3:on\": others stay",
				  o->pfc_en, LLE_NUM_PRIO, args, lossless_get_on_off);
}

static int lossless_parse_dscp(struct lossless_options *o,
			       struct lossless_args *args)
{
	if (o->dscp_given)
		return lossless_twice("dscp-prio");
	o->dscp_given = true;
	return lossless_parse_map("dscp-prio",
				  "{ all | 0..63 }:{ 0..7 | default } of a list such as \"26:3 46:5\": others stay",
				  o->dscp_prio, 64, args, lossless_get_dscp_prio);
}

static int lossless_parse_wred(struct lossless_options *o,
			       struct lossless_args *args)
{
	const char *arg = lossless_next(args);
	struct lossless_wred *wred;
	__u8 prio;
	int ret;

	if (!arg || lossless_get_prio(&prio, arg))
		return lossless_wrong("wred", arg, "a priority of 0..7");

	wred = &o->wred[prio];
	if (wred->mode == LOSSLESS_WRED_ON)
		return lossless_twice("wred");
	memset(wred, 0, sizeof(*wred));
	wred->mode = LOSSLESS_WRED_ON;
	do {
		if (!args->argc)
			return 0;
		ret = lossless_parse_word(lossless_wred_words, &wred->v, args);
	} while (ret > 0);
	return ret;
}

static int lossless_parse_nowred(struct lossless_options *o,
				 struct lossless_args *args)
{
	__u8 first = 0, last = LLE_NUM_PRIO - 1;
	const char *arg;

	if (lossless_at_number(args)) {
		arg = lossless_next(args);
		if (lossless_get_prio(&first, arg))
			return lossless_wrong("nowred", arg,
					      "a priority of 0..7");
		last = first;
	}
	for (; first <= last; first++) {
		if (o->wred[first].mode == LOSSLESS_WRED_ON)
			return lossless_twice("nowred");
		o->wred[first].mode = LOSSLESS_WRED_OFF;
	}
	return 0;
}

static int lossless_parse_clearmax(struct lossless_options *o,
				   struct lossless_args *args)
{
	(void)args;
	o->clear_max = true;
	return 0;
}

static const struct {
	const char *word;
	int (*parse)(struct lossless_options *o, struct lossless_args *args);
} lossless_lists[] = {
	{ "quanta", lossless_parse_quanta },
	{ "priomap", lossless_parse_priomap },
	{ "prio-pfc", lossless_parse_pfc },
	{ "dscp-prio", lossless_parse_dscp },
	{ "wred", lossless_parse_wred },
	{ "nowred", lossless_parse_nowred },
	{ "clearmax", lossless_parse_clearmax },
};

/* Return: 1; 0: the next word is no such keyword; -1: after a message */
int lossless_parse_list(struct lossless_options *o, struct lossless_args *args)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lossless_lists); i++) {
		if (!strcmp(lossless_lists[i].word, *args->argv)) {
			lossless_next(args);
			return lossless_lists[i].parse(o, args) ? -1 : 1;
		}
	}
	return 0;
}

/* Return: the most similar keyword, or NULL */
const char *lossless_similar(const char *word)
{
	const struct lossless_word *w;
	unsigned int letters = LLE_ALIKE, i;
	const char *best = NULL;

	for (w = lossless_words; w->word; w++)
		if (lle_nearer(word, w->word, &letters))
			best = w->word;
	for (w = lossless_wred_words; w->word; w++)
		if (lle_nearer(word, w->word, &letters))
			best = w->word;
	for (i = 0; i < ARRAY_SIZE(lossless_lists); i++)
		if (lle_nearer(word, lossless_lists[i].word, &letters))
			best = lossless_lists[i].word;
	return best;
}

void lossless_put_wred(const struct lossless_wred *wred, __u8 prio,
		       struct nlmsghdr *n)
{
	struct rtattr *nest;

	if (wred->mode == LOSSLESS_WRED_KEEP)
		return;

	nest = addattr_nest(n, LOSSLESS_MSG_MAX,
			    TCA_LOSSLESS_WRED | NLA_F_NESTED);
	addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_WRED_PRIO, &prio,
		  sizeof(prio));
	if (wred->mode == LOSSLESS_WRED_OFF)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_WRED_OFF, NULL, 0);
	else
		lossless_put_values(lossless_wred_words, &wred->v, n);
	addattr_nest_end(n, nest);
}
