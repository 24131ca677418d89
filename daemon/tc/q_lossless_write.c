// SPDX-License-Identifier: GPL-2.0
/* Options of the lossless qdisc, from netlink to the words that set them. */
#include "q_lossless.h"

/* Adds half a step, as lossless_get_percent() rounds down. */
static void lossless_write_percent(FILE *to, const char *word, __u64 q32)
{
	if (q32 == UINT32_MAX)
		fprintf(to, " %s 100%%", word);
	else
		fprintf(to, " %s %.12g%%", word, (q32 + 0.5) / 0x1p32 * 100);
}

static void lossless_write_rx_rate(FILE *to, const char *word, __u64 rate)
{
	if (rate == LLE_RX_UNLIMITED)
		fprintf(to, " %s unlimited", word);
	else if (!rate)
		fprintf(to, " %s stopped", word);
	else
		fprintf(to, " %s %llubps", word, (unsigned long long)rate);
}

/* Return: false: @value belongs to another keyword of the same attribute. */
static bool lossless_write_word(FILE *to, const struct lossless_word *w, __u64 value)
{
	char text[LOSSLESS_TEXT];

	if (w->type == LOSSLESS_FIXED) {
		if (value == w->min)
			fprintf(to, " %s", w->word);
		return value == w->min;
	}
	if (w->zero && !value) {
		fprintf(to, " %s %s", w->word, w->zero);
		return true;
	}
	if (value < w->min || value > w->max)
		return false;
	switch (w->type) {
	case LOSSLESS_FIXED:
		break;
	case LOSSLESS_NUMBER:
		fprintf(to, " %s %llu", w->word, (unsigned long long)value);
		break;
	case LOSSLESS_SIZE:
		fprintf(to, " %s %s", w->word, lossless_size_text(text, value));
		break;
	case LOSSLESS_RATE:
		fprintf(to, " %s %llubps", w->word, (unsigned long long)value);
		break;
	case LOSSLESS_TIME:
		fprintf(to, " %s %s", w->word, lossless_time_text(text, value));
		break;
	case LOSSLESS_PERCENT:
		lossless_write_percent(to, w->word, value);
		break;
	case LOSSLESS_ALPHA:
		fprintf(to, " %s %s", w->word, lossless_alpha_text(text, value));
		break;
	case LOSSLESS_NAME:
		fprintf(to, " %s %s", w->word, w->names[value]);
		break;
	case LOSSLESS_RX_RATE:
		lossless_write_rx_rate(to, w->word, value);
		break;
	}
	return true;
}

/* The keywords of a table, each attribute once. */
static void lossless_write_words(FILE *to, const struct lossless_word *table,
				 const struct rtattr *tb[])
{
	const struct lossless_word *w;
	__u64 done = 0;

	for (w = table; w->word; w++)
		if (tb[w->attr] && !(done >> w->attr & 1) &&
		    lossless_write_word(to, w, lossless_attr_get(tb[w->attr])))
			done |= 1ULL << w->attr;
}

static void lossless_write_lists(FILE *to, const struct rtattr *tb[])
{
	unsigned int pfc_en = lossless_attr_bits(tb[TCA_LOSSLESS_PFC_EN]);
	__u32 quanta[LLE_NUM_BAND];
	__u8 map[64];
	unsigned int i, n;

	n = lossless_attr_array(tb[TCA_LOSSLESS_QUANTA], quanta, sizeof(quanta[0]),
				LLE_NUM_BAND);
	for (i = 0; i < n; i++)
		fprintf(to, "%s %u", i ? "" : " quanta", quanta[i]);
	n = lossless_attr_array(tb[TCA_LOSSLESS_PRIOMAP], map, sizeof(map[0]),
				LLE_NUM_PRIO);
	for (i = 0; i < n; i++)
		fprintf(to, "%s %u", i ? "" : " priomap", map[i]);
	fprintf(to, " prio-pfc all:off");
	for (i = 0; i < LLE_NUM_PRIO; i++)
		if (pfc_en >> i & 1)
			fprintf(to, " %u:on", i);
	n = lossless_attr_array(tb[TCA_LOSSLESS_DSCP_PRIO], map, sizeof(map[0]), 64);
	if (n)
		fprintf(to, " dscp-prio all:default");
	for (i = 0; i < n; i++)
		if (map[i] != i / 8)
			fprintf(to, " %u:%u", i, map[i]);
}

static void lossless_write_wred(FILE *to, const struct rtattr *nest)
{
	const struct rtattr *tb[TCA_LOSSLESS_WRED_MAX + 1];

	lossless_attr_parse(tb, TCA_LOSSLESS_WRED_MAX, nest);
	fprintf(to, " wred %llu",
		(unsigned long long)lossless_attr_get(tb[TCA_LOSSLESS_WRED_PRIO]));
	lossless_write_words(to, lossless_wred_words, tb);
}

/*
 * Writes all options as words, each with a space before it. They set these
 * options on any lossless qdisc. Return: -1: a newer module has unknown options
 */
int lossless_write_opt(FILE *to, const struct rtattr *opt)
{
	const struct rtattr *tb[TCA_LOSSLESS_MAX + 1], *attr;
	int len = RTA_PAYLOAD(opt);

	lossless_attr_parse(tb, TCA_LOSSLESS_MAX, opt);
	lossless_write_words(to, lossless_words, tb);
	lossless_write_lists(to, tb);
	fprintf(to, " nowred");
	for (attr = RTA_DATA(opt); RTA_OK(attr, len); attr = RTA_NEXT(attr, len)) {
		if ((attr->rta_type & NLA_TYPE_MASK) > TCA_LOSSLESS_MAX)
			return -1;
		if ((attr->rta_type & NLA_TYPE_MASK) == TCA_LOSSLESS_WRED)
			lossless_write_wred(to, attr);
	}
	return 0;
}
