// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin: options of the lossless qdisc, from words to netlink. The plugin
 * checks each value; the kernel checks options against each other and the port.
 */
#include <string.h>

#include "q_lossless.h"
#include "version.h"

/* One line: the usage would hide it. */
static void lossless_unknown(const char *word)
{
	const char *similar = lossless_similar(word);

	fprintf(stderr, "Unknown option \"%s\"", word);
	if (!similar)
		fputs(": \"tc qdisc add lossless help\" lists all\n", stderr);
	else if (!strcmp(similar, word))
		fputs(": it follows wred and its priority\n", stderr);
	else
		fprintf(stderr, ", did you mean \"%s\"?\n", similar);
}

static int lossless_parse_one(struct lossless_options *o,
			      struct lossless_args *args)
{
	int ret;

	ret = lossless_parse_word(lossless_words, &o->v, args);
	if (!ret)
		ret = lossless_parse_list(o, args);
	if (ret)
		return ret;

	if (!strcmp(*args->argv, "help")) {
		fputs(lossless_usage, stderr);
		return -1;
	}
	lossless_unknown(*args->argv);
	return -1;
}

static void lossless_put(const struct lossless_options *o, struct nlmsghdr *n)
{
	struct nla_bitfield32 pfc = {};
	struct rtattr *nest;
	unsigned int i;

	nest = addattr_nest(n, LOSSLESS_MSG_MAX, TCA_OPTIONS | NLA_F_NESTED);
	lossless_put_values(lossless_words, &o->v, n);
	if (o->quanta_num)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_QUANTA, o->quanta,
			  o->quanta_num * sizeof(o->quanta[0]));
	if (o->band_num)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_PRIOMAP, o->band,
			  o->band_num);
	for (i = 0; i < LLE_NUM_PRIO; i++) {
		pfc.selector |= (o->pfc_en[i] != LOSSLESS_KEEP) << i;
		pfc.value |= (o->pfc_en[i] == 1) << i;
	}
	if (o->pfc_given)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_PFC_EN, &pfc,
			  sizeof(pfc));
	if (o->dscp_given)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_DSCP_PRIO,
			  o->dscp_prio, sizeof(o->dscp_prio));
	for (i = 0; i < LLE_NUM_PRIO; i++)
		lossless_put_wred(&o->wred[i], i, n);
	if (o->clear_max)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_CLEARMAX, NULL, 0);
	addattr_nest_end(n, nest);
}

static int lossless_parse_opt(struct qdisc_util *qu, int argc, char **argv,
			      struct nlmsghdr *n, const char *dev)
{
	const char *refused = lle_version_refused();
	struct lossless_args args = { argc, argv };
	struct lossless_options o = {};

	(void)qu;
	(void)dev;
	if (refused) {
		fprintf(stderr, "lossless: %s\n", refused);
		return -1;
	}
	memset(o.pfc_en, LOSSLESS_KEEP, sizeof(o.pfc_en));
	memset(o.dscp_prio, LOSSLESS_KEEP, sizeof(o.dscp_prio));

	while (args.argc)
		if (lossless_parse_one(&o, &args) < 0)
			return -1;
	lossless_put(&o, n);
	return 0;
}

/* Classes show the statistics of priorities; they have no options. */
static int lossless_print_copt(struct qdisc_util *qu, FILE *f,
			       struct rtattr *opt)
{
	(void)qu;
	(void)f;
	(void)opt;
	return 0;
}

struct qdisc_util lossless_qdisc_util = {
	.id = "lossless",
	.parse_qopt = lossless_parse_opt,
	.print_qopt = lossless_print_opt,
	.print_xstats = lossless_print_xstats,
	.print_copt = lossless_print_copt,
};
