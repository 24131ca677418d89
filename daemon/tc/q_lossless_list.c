// SPDX-License-Identifier: GPL-2.0
/* Keywords with any number of values, and WRED. */
#include <string.h>

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

	o->quanta_num = 0;
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
	__u32 band;

	o->band_num = 0;
	do {
		arg = lossless_next(args);
		if (!arg || get_u32(&band, arg, 10) || band >= LLE_NUM_BAND)
			return lossless_wrong("priomap", arg, "a band of 0..7");
		if (o->band_num == LLE_NUM_PRIO)
			return lossless_wrong("priomap", arg,
					      "one of 8 or fewer");
		o->band[o->band_num++] = band;
	} while (lossless_at_number(args));
	return 0;
}

/* KEY:VALUE ..., as in dcb(8) */
static int lossless_parse_map(const char *word, const char *wanted, __u8 *map,
			      unsigned int num, struct lossless_args *args,
			      int (*get)(__u8 *value, const char *arg))
{
	unsigned int first, last, i;
	const char *arg, *colon;
	char key[8] = "";
	__u32 number;
	__u8 value;

	do {
		arg = lossless_next(args);
		colon = arg ? strchr(arg, ':') : NULL;
		if (!colon || colon - arg >= (int)sizeof(key) ||
		    get(&value, colon + 1))
			return lossless_wrong(word, arg, "%s", wanted);
		snprintf(key, sizeof(key), "%.*s", (int)(colon - arg), arg);

		first = 0;
		last = num - 1;
		if (strcmp(key, "all")) {
			if (get_u32(&number, key, 10) || number >= num)
				return lossless_wrong(word, arg, "%s", wanted);
			first = number;
			last = number;
		}
		for (i = first; i <= last; i++)
			map[i] = value;
	} while (args->argc && strchr(*args->argv, ':'));
	return 0;
}

static int lossless_get_on_off(__u8 *value, const char *arg)
{
	*value = !strcmp(arg, "on");
	return *value || !strcmp(arg, "off") ? 0 : -1;
}

static int lossless_get_prio(__u8 *value, const char *arg)
{
	__u32 prio;

	if (get_u32(&prio, arg, 10) || prio >= LLE_NUM_PRIO)
		return -1;
	*value = prio;
	return 0;
}

static int lossless_parse_pfc(struct lossless_options *o,
			      struct lossless_args *args)
{
	o->pfc_given = true;
	return lossless_parse_map("prio-pfc", "{ all | 0..7 }:{ on | off }",
				  o->pfc_en, LLE_NUM_PRIO, args,
				  lossless_get_on_off);
}

static int lossless_parse_dscp(struct lossless_options *o,
			       struct lossless_args *args)
{
	o->dscp_given = true;
	return lossless_parse_map("dscp-prio", "{ all | 0..63 }:0..7",
				  o->dscp_prio, 64, args, lossless_get_prio);
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
	const char *arg;
	unsigned int i;
	__u8 prio;

	if (lossless_at_number(args)) {
		arg = lossless_next(args);
		if (lossless_get_prio(&prio, arg))
			return lossless_wrong("nowred", arg,
					      "a priority of 0..7");
		o->wred[prio].mode = LOSSLESS_WRED_OFF;
		return 0;
	}
	for (i = 0; i < LLE_NUM_PRIO; i++)
		o->wred[i].mode = LOSSLESS_WRED_OFF;
	return 0;
}

static int lossless_parse_clearmax(struct lossless_options *o,
				   struct lossless_args *args)
{
	(void)args;
	o->clear_max = true;
	return 0;
}

/**
 * lossless_parse_list() - read a keyword with any number of values
 * @o: result
 * @args: rest of the command line; not empty
 *
 * Return: 1; 0 if the next word is no such keyword; -1 after an error message.
 */
int lossless_parse_list(struct lossless_options *o, struct lossless_args *args)
{
	static const struct {
		const char *word;
		int (*parse)(struct lossless_options *o,
			     struct lossless_args *args);
	} lists[] = {
		{ "quanta", lossless_parse_quanta },
		{ "priomap", lossless_parse_priomap },
		{ "prio-pfc", lossless_parse_pfc },
		{ "dscp-prio", lossless_parse_dscp },
		{ "wred", lossless_parse_wred },
		{ "nowred", lossless_parse_nowred },
		{ "clearmax", lossless_parse_clearmax },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!strcmp(lists[i].word, *args->argv)) {
			lossless_next(args);
			return lists[i].parse(o, args) ? -1 : 1;
		}
	}
	return 0;
}

/**
 * lossless_put_wred() - write the options for WRED of a priority
 * @wred: the options
 * @prio: the priority
 * @n: netlink message
 */
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
