// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin: options of the lossless qdisc, from words to netlink.
 *
 * The plugin reports values that are wrong by themselves, with their keyword.
 * The kernel reports options that contradict each other or the port.
 */
#include <string.h>

#include "q_lossless.h"

static const struct lossless_word lossless_words[] = {
	{ "rate", TCA_LOSSLESS_RATE64, 8, LOSSLESS_RATE, LLE_RATE_MIN,
	  LLE_RATE_MAX, NULL },
	{ "unlimited", TCA_LOSSLESS_RATE64, 8, LOSSLESS_FIXED, 0, 0, NULL },
	{ "delay", TCA_LOSSLESS_DELAY_NS, 8, LOSSLESS_TIME, 0, LLE_DELAY_MAX_NS,
	  NULL },
	{ "overhead", TCA_LOSSLESS_OVERHEAD, 4, LOSSLESS_SIZE, 0,
	  LLE_OVERHEAD_MAX, NULL },
	{ "burst", TCA_LOSSLESS_BURST, 4, LOSSLESS_SIZE, 0, LLE_BUFFER_MAX,
	  NULL },
	{ "limit", TCA_LOSSLESS_LIMIT, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX,
	  NULL },
	{ "nolimit", TCA_LOSSLESS_LIMIT, 4, LOSSLESS_FIXED, 0, 0, NULL },
	{ "auto-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_AUTO, 0,
	  NULL },
	{ "split-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_SPLIT, 0,
	  NULL },
	{ "no-split-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_WHOLE,
	  0, NULL },
	{ "direct", TCA_LOSSLESS_DIRECT, 1, LOSSLESS_FIXED, 1, 0, NULL },
	{ "no-direct", TCA_LOSSLESS_DIRECT, 1, LOSSLESS_FIXED, 0, 0, NULL },
	{ "bands", TCA_LOSSLESS_BANDS, 1, LOSSLESS_NUMBER, 1, LLE_NUM_BAND,
	  NULL },
	{ "strict", TCA_LOSSLESS_STRICT, 1, LOSSLESS_NUMBER, 0, LLE_NUM_BAND,
	  NULL },
	{ "pause-quanta", TCA_LOSSLESS_PAUSE_QUANTA, 2, LOSSLESS_NUMBER, 1,
	  LLE_QUANTA_MAX, NULL },
	{ "switch", TCA_LOSSLESS_SWITCH, 4, LOSSLESS_NUMBER, 0, UINT32_MAX,
	  NULL },
	{ "buffer", TCA_LOSSLESS_BUFFER, 4, LOSSLESS_SIZE, LLE_BUFFER_MIN,
	  LLE_BUFFER_MAX, NULL },
	{ "deadlock", TCA_LOSSLESS_DEADLOCK, 1, LOSSLESS_NAME, 0,
	  LLE_DEADLOCK_ACTION_MAX, NULL, lossless_deadlock_actions },
	{ "deadlock-mode", TCA_LOSSLESS_DEADLOCK_MODE, 1, LOSSLESS_NAME, 0,
	  LLE_DEADLOCK_MODE_MAX, NULL, lossless_deadlock_modes },
	{ "deadlock-trigger", TCA_LOSSLESS_DEADLOCK_TRIGGER, 1, LOSSLESS_NAME,
	  0, LLE_DEADLOCK_TRIGGER_MAX, NULL, lossless_deadlock_triggers },
	{ "rcm", TCA_LOSSLESS_RCM, 1, LOSSLESS_NAME, 0, 1, NULL,
	  lossless_switches },
	{ "rcm-qeq", TCA_LOSSLESS_RCM_QEQ, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX,
	  "auto" },
	{ "rcm-wq", TCA_LOSSLESS_RCM_WQ, 1, LOSSLESS_NUMBER, 0, LLE_RCM_WQ_MAX,
	  NULL },
	{ "rcm-wremote", TCA_LOSSLESS_RCM_WREMOTE, 4, LOSSLESS_PERCENT, 0,
	  UINT32_MAX, NULL },
	{ "rcm-cam", TCA_LOSSLESS_RCM_CAM, 1, LOSSLESS_NUMBER, 1,
	  LLE_RCM_CAM_MAX, NULL },
	{ "rcm-sample", TCA_LOSSLESS_RCM_SAMPLE, 1, LOSSLESS_NAME, 0,
	  LLE_CRD_SAMPLE_MAX, NULL, lossless_crd_samples },
	{ "rcm-cfr", TCA_LOSSLESS_RCM_CFR, 1, LOSSLESS_NAME, 0,
	  LLE_CFR_RULE_MAX, NULL, lossless_cfr_rules },
	{ "rcm-rcc", TCA_LOSSLESS_RCM_RCC, 1, LOSSLESS_NAME, 0,
	  LLE_RCC_RULE_MAX, NULL, lossless_rcc_rules },
	{ "rcm-host-cn", TCA_LOSSLESS_RCM_HOST_CN, 1, LOSSLESS_NAME, 0, 1, NULL,
	  lossless_switches },
	{ "rcm-las", TCA_LOSSLESS_RCM_LAS, 1, LOSSLESS_NUMBER, 0,
	  LLE_RCM_LAS_MAX, NULL },
	{ "reserved", TCA_LOSSLESS_RESERVED, 4, LOSSLESS_SIZE, 0,
	  LLE_BUFFER_MAX, NULL },
	{ "alpha", TCA_LOSSLESS_TO_ALPHA, 1, LOSSLESS_ALPHA, 0,
	  LLE_TO_ALPHA_MAX, NULL },
	{ "to-alpha", TCA_LOSSLESS_TO_ALPHA, 1, LOSSLESS_NUMBER, 0,
	  LLE_TO_ALPHA_MAX, NULL },
	{ "xoff", TCA_LOSSLESS_XOFF, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX,
	  NULL },
	{ "dynamic", TCA_LOSSLESS_XOFF, 4, LOSSLESS_FIXED, 0, 0, NULL },
	{ "xon-delta", TCA_LOSSLESS_XON_DELTA, 4, LOSSLESS_SIZE, 1,
	  LLE_BUFFER_MAX, "auto" },
	{ "headroom", TCA_LOSSLESS_HEADROOM, 4, LOSSLESS_SIZE, 1,
	  LLE_BUFFER_MAX, "auto" },
	{ "reaction", TCA_LOSSLESS_REACTION_NS, 4, LOSSLESS_TIME, 0,
	  LLE_DELAY_MAX_NS, NULL },
	{ "trust", TCA_LOSSLESS_TRUST, 1, LOSSLESS_NAME, 0, LLE_TRUST_MAX, NULL,
	  lossless_trusts },
	{ "role", TCA_LOSSLESS_ROLE, 1, LOSSLESS_NAME, 0, LLE_ROLE_MAX, NULL,
	  lossless_roles },
	{ "rx-rate", TCA_LOSSLESS_RX_RATE64, 8, LOSSLESS_RX_RATE, 0,
	  LLE_RX_UNLIMITED, NULL },
	{ "edge", TCA_LOSSLESS_FACING, 1, LOSSLESS_FIXED, LLE_FACING_EDGE, 0,
	  NULL },
	{ "fabric", TCA_LOSSLESS_FACING, 1, LOSSLESS_FIXED, LLE_FACING_FABRIC,
	  0, NULL },
	{ NULL, 0, 0, LOSSLESS_FIXED, 0, 0, NULL }
};

static void lossless_explain(void)
{
	fprintf(stderr,
		"Usage: ... lossless\n"
		"	[ rate RATE | unlimited* ] [ delay TIME ] [ overhead BYTES ]\n"
		"	[ burst BYTES ] [ limit BYTES | nolimit* ]\n"
		"	[ auto-gso* | split-gso | no-split-gso ] [ direct | no-direct* ]\n"
		"	[ bands N ] [ strict N ] [ quanta B1 B2 ... ] [ priomap B0 ... B7 ]\n"
		"	[ prio-pfc { all | PRIO }:{ on | off } ... ] [ pause-quanta N ]\n"
		"	[ switch ID ] [ deadlock { off* | alert | lossless | drop } ]\n"
		"	[ deadlock-mode { exact* | dcfit } ]\n"
		"	[ deadlock-trigger { resolve* | leave } ]\n"
		"	[ rcm { off* | on } ] [ rcm-qeq { BYTES | auto* } ] [ rcm-wq N ]\n"
		"	[ rcm-wremote PERCENT ] [ rcm-cam 1..64 ]\n"
		"	[ rcm-sample { packet* | qcn } ]\n"
		"	[ rcm-cfr { stands-out* | literal | none } ]\n"
		"	[ rcm-rcc { conserving* | strict } ] [ rcm-host-cn { off* | on } ]\n"
		"	[ rcm-las 0..255 ]\n"
		"	[ buffer BYTES ] [ reserved BYTES ]\n"
		"	[ alpha { N | 1/N } | to-alpha 0..20 ] [ xoff BYTES | dynamic* ]\n"
		"	[ xon-delta { BYTES | auto* } ] [ headroom { BYTES | auto* } ]\n"
		"	[ reaction TIME ]\n"
		"	[ wred PRIO kmin BYTES kmax BYTES pmax PERCENT\n"
		"	  [ nonect BYTES ] [ bufmax BYTES ] [ ecn ] ] ... [ nowred [ PRIO ] ]\n"
		"	[ trust { dscp* | pcp | none } ] [ dscp-prio { all | DSCP }:PRIO ... ]\n"
		"	[ edge* | fabric ] [ clearmax ]\n"
		"	[ role { switch* | host [ rx-rate { RATE | unlimited* | stopped } ] } ]\n"
		"Defaults: * and overhead 24, burst 32Kb, 8 strict bands, priority 7 in the\n"
		"first; PFC off, pause-quanta 65535, switch 0, buffer 12Mb, reserved 0,\n"
		"alpha 1/16, reaction 100us, rcm-wq 2, rcm-wremote 50%%, rcm-cam 32,\n"
		"rcm-las 0, no WRED, DSCP/8 as priority.\n");
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

	if (strcmp(*args->argv, "help"))
		fprintf(stderr, "Unknown option \"%s\"\n", *args->argv);
	lossless_explain();
	return -1;
}

static void lossless_put(const struct lossless_options *o, struct nlmsghdr *n)
{
	struct rtattr *nest;
	__u8 pfc_en = 0;
	unsigned int i;

	nest = addattr_nest(n, LOSSLESS_MSG_MAX, TCA_OPTIONS | NLA_F_NESTED);
	lossless_put_values(lossless_words, &o->v, n);
	if (o->quanta_num)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_QUANTA, o->quanta,
			  o->quanta_num * sizeof(o->quanta[0]));
	if (o->band_num)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_PRIOMAP, o->band,
			  o->band_num);
	for (i = 0; i < LLE_NUM_PRIO; i++)
		pfc_en |= o->pfc_en[i] << i;
	if (o->pfc_given)
		addattr_l(n, LOSSLESS_MSG_MAX, TCA_LOSSLESS_PFC_EN, &pfc_en,
			  sizeof(pfc_en));
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
	struct lossless_args args = { argc, argv };
	struct lossless_options o = {};
	unsigned int i;

	(void)qu;
	(void)dev;
	for (i = 0; i < sizeof(o.dscp_prio); i++)
		o.dscp_prio[i] = i / 8;

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
