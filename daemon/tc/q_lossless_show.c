// SPDX-License-Identifier: GPL-2.0
/* tc plugin: options of the lossless qdisc, from netlink to text and JSON. */
#include "q_lossless.h"

/* As text, "KEY 12Kb "; in JSON, "key": 12288. */
static void lossless_show_size(const struct rtattr *attr, const char *key,
			       const char *fmt)
{
	__u64 bytes = lossless_attr_get(attr);
	char text[LOSSLESS_TEXT];

	if (!attr)
		return;
	print_u64(PRINT_JSON, key, NULL, bytes);
	print_string(PRINT_FP, NULL, fmt, lossless_size_text(text, bytes));
}

/* Text shows the word @zero for the value 0. */
static void lossless_show_size_or(const struct rtattr *attr, const char *key,
				  const char *fmt, const char *zero)
{
	if (!attr)
		return;
	if (lossless_attr_get(attr) || is_json_context())
		lossless_show_size(attr, key, fmt);
	else
		print_text(zero);
}

static void lossless_show_time(const struct rtattr *attr, const char *key,
			       const char *fmt)
{
	__u64 ns = lossless_attr_get(attr);
	char text[LOSSLESS_TEXT];

	if (!attr)
		return;
	print_u64(PRINT_JSON, key, NULL, ns);
	print_string(PRINT_FP, NULL, fmt, lossless_time_text(text, ns));
}

static void lossless_show_number(const struct rtattr *attr, const char *key,
				 const char *fmt)
{
	if (attr)
		print_u64(PRINT_ANY, key, fmt, lossless_attr_get(attr));
}

static void lossless_show_rate(const struct rtattr *attr)
{
	__u64 rate = lossless_attr_get(attr);

	if (!attr)
		return;
	print_u64(PRINT_JSON, "rate", NULL, rate);
	if (rate)
		tc_print_rate(PRINT_FP, NULL, "rate %s ", rate);
	else
		print_text("unlimited ");
}

/* Like cake's, and what the default means for this port. */
static void lossless_show_gso(const struct rtattr *tb[])
{
	__u64 mode = lossless_attr_get(tb[TCA_LOSSLESS_GSO]);
	bool split;

	if (!tb[TCA_LOSSLESS_GSO] || !tb[TCA_LOSSLESS_GSO_NOW])
		return;
	split = lossless_attr_get(tb[TCA_LOSSLESS_GSO_NOW]) == LLE_GSO_SPLIT;
	print_color_bool(PRINT_JSON, COLOR_NONE, "auto_gso", NULL,
			 mode == LLE_GSO_AUTO);
	print_color_bool(PRINT_JSON, COLOR_NONE, "split_gso", NULL, split);
	if (mode == LLE_GSO_AUTO)
		print_text(split ? "auto-gso (split) " : "auto-gso (whole) ");
	else
		print_text(split ? "split-gso " : "no-split-gso ");
}

static void lossless_show_sched(const struct rtattr *tb[])
{
	__u32 quanta[LLE_NUM_BAND];
	__u8 band[LLE_NUM_PRIO];
	unsigned int i, n;

	lossless_show_number(tb[TCA_LOSSLESS_BANDS], "bands", "bands %llu ");
	lossless_show_number(tb[TCA_LOSSLESS_STRICT], "strict",
			     "strict %llu ");

	n = lossless_attr_array(tb[TCA_LOSSLESS_QUANTA], quanta,
				sizeof(quanta[0]), LLE_NUM_BAND);
	open_json_array(PRINT_ANY, n || is_json_context() ? "quanta" : "");
	for (i = 0; i < n; i++)
		print_u64(PRINT_ANY, NULL, " %llu", quanta[i]);
	close_json_array(PRINT_ANY, n ? " " : "");

	n = lossless_attr_array(tb[TCA_LOSSLESS_PRIOMAP], band,
				sizeof(band[0]), LLE_NUM_PRIO);
	open_json_array(PRINT_ANY, "priomap");
	for (i = 0; i < n; i++)
		print_u64(PRINT_ANY, NULL, " %llu", band[i]);
	close_json_array(PRINT_ANY, " ");
}

static void lossless_show_pfc(const struct rtattr *tb[])
{
	unsigned int pfc_en = lossless_attr_get(tb[TCA_LOSSLESS_PFC_EN]);
	unsigned int i;

	open_json_array(PRINT_ANY, is_json_context() ? "prio_pfc" :
						       "prio-pfc");
	for (i = 0; i < LLE_NUM_PRIO; i++)
		if (pfc_en & 1U << i)
			print_u64(PRINT_ANY, NULL, " %llu:on", i);
	close_json_array(PRINT_ANY, pfc_en ? " " : " all:off ");

	lossless_show_number(tb[TCA_LOSSLESS_PAUSE_QUANTA], "pause_quanta",
			     "pause-quanta %llu ");
}

static void lossless_show_alpha(const struct rtattr *attr)
{
	unsigned int to_alpha = lossless_attr_get(attr);
	char text[LOSSLESS_TEXT];

	if (!attr || to_alpha > LLE_TO_ALPHA_MAX)
		return;
	print_string(PRINT_ANY, "alpha", "alpha %s ",
		     lossless_alpha_text(text, to_alpha));
	print_u64(PRINT_JSON, "to_alpha", NULL, to_alpha);
}

/* One of @names; nothing for the first, which is the default. */
static void lossless_show_name(const struct rtattr *attr, const char *key,
			       const char *format, const char * const names[],
			       unsigned int max)
{
	__u64 value = lossless_attr_get(attr);

	if (value && value <= max)
		print_string(PRINT_ANY, key, format, names[value]);
}

static void lossless_show_deadlock(const struct rtattr *tb[])
{
	lossless_show_name(tb[TCA_LOSSLESS_DEADLOCK], "deadlock",
			   "deadlock %s ", lossless_deadlock_actions,
			   LLE_DEADLOCK_ACTION_MAX);
	lossless_show_name(tb[TCA_LOSSLESS_DEADLOCK_MODE], "deadlock_mode",
			   "deadlock-mode %s ", lossless_deadlock_modes,
			   LLE_DEADLOCK_MODE_MAX);
	lossless_show_name(tb[TCA_LOSSLESS_DEADLOCK_TRIGGER],
			   "deadlock_trigger", "deadlock-trigger %s ",
			   lossless_deadlock_triggers,
			   LLE_DEADLOCK_TRIGGER_MAX);
}

/* Only options that differ from their defaults. */
static void lossless_show_rcm(const struct rtattr *tb[])
{
	__u64 las = lossless_attr_get(tb[TCA_LOSSLESS_RCM_LAS]);

	if (!lossless_attr_get(tb[TCA_LOSSLESS_RCM]))
		return;
	print_nl();
	print_text(" ");
	lossless_show_name(tb[TCA_LOSSLESS_RCM], "rcm", "rcm %s ",
			   lossless_switches, 1);
	if (lossless_attr_get(tb[TCA_LOSSLESS_RCM_QEQ]))
		lossless_show_size(tb[TCA_LOSSLESS_RCM_QEQ], "rcm_qeq",
				   "rcm-qeq %s ");
	lossless_show_name(tb[TCA_LOSSLESS_RCM_HOST_CN], "rcm_host_cn",
			   "rcm-host-cn %s ", lossless_switches, 1);
	if (las != LLE_RCM_LAS_DEFAULT)
		print_u64(PRINT_ANY, "rcm_las", "rcm-las %llu ", las);
}

/* Values in parentheses depend on other ports, too. */
static void lossless_show_buffer(const struct rtattr *tb[])
{
	lossless_show_number(tb[TCA_LOSSLESS_SWITCH], "switch",
			     "switch %llu ");
	lossless_show_deadlock(tb);
	lossless_show_size(tb[TCA_LOSSLESS_BUFFER], "buffer", "buffer %s ");
	lossless_show_size(tb[TCA_LOSSLESS_SHARED], "shared_size",
			   "(%s shared) ");
	lossless_show_size(tb[TCA_LOSSLESS_RESERVED], "reserved",
			   "reserved %s ");
	lossless_show_alpha(tb[TCA_LOSSLESS_TO_ALPHA]);
	lossless_show_size_or(tb[TCA_LOSSLESS_XOFF], "xoff", "xoff %s ",
			      "dynamic ");
	lossless_show_size_or(tb[TCA_LOSSLESS_XON_DELTA], "xon_delta",
			      "xon-delta %s ", "xon-delta auto ");
	lossless_show_size(tb[TCA_LOSSLESS_XON_DELTA_NOW], "xon_delta_now",
			   "(%s) ");
	lossless_show_size_or(tb[TCA_LOSSLESS_HEADROOM], "headroom",
			      "headroom %s ", "headroom auto ");
	lossless_show_size(tb[TCA_LOSSLESS_HEADROOM_NOW], "headroom_now",
			   "(%s");
	lossless_show_size(tb[TCA_LOSSLESS_HEADROOM_NEED], "headroom_need",
			   ", %s needed) ");
	lossless_show_time(tb[TCA_LOSSLESS_REACTION_NS], "reaction",
			   "reaction %s ");
}

static void lossless_show_rx(const struct rtattr *tb[])
{
	__u64 value = lossless_attr_get(tb[TCA_LOSSLESS_TRUST]);
	__u8 prio[64];
	unsigned int i, n, shown = 0;

	if (tb[TCA_LOSSLESS_TRUST] && value <= LLE_TRUST_MAX)
		print_string(PRINT_ANY, "trust", "trust %s ",
			     lossless_trusts[value]);

	n = lossless_attr_array(tb[TCA_LOSSLESS_DSCP_PRIO], prio,
				sizeof(prio[0]), sizeof(prio));
	open_json_array(PRINT_JSON, "dscp_prio");
	for (i = 0; i < n; i++) {
		if (prio[i] == i / 8)
			continue;
		if (!shown++)
			print_text("dscp-prio ");
		open_json_object(NULL);
		print_u64(PRINT_ANY, "dscp", "%llu:", i);
		print_u64(PRINT_ANY, "prio", "%llu ", prio[i]);
		close_json_object();
	}
	close_json_array(PRINT_JSON, NULL);

	if (!tb[TCA_LOSSLESS_FACING])
		return;
	value = lossless_attr_get(tb[TCA_LOSSLESS_FACING]);
	print_string(PRINT_ANY, "facing", "%s ",
		     value == LLE_FACING_FABRIC ? "fabric" : "edge");
}

/* In JSON, a missing rx_rate means unlimited, and 0 means stopped. */
static void lossless_show_role(const struct rtattr *tb[])
{
	__u64 role = lossless_attr_get(tb[TCA_LOSSLESS_ROLE]);
	__u64 rate = lossless_attr_get(tb[TCA_LOSSLESS_RX_RATE64]);

	if (!tb[TCA_LOSSLESS_ROLE] || role > LLE_ROLE_MAX)
		return;
	print_string(PRINT_JSON, "role", NULL, lossless_roles[role]);
	if (role != LLE_ROLE_HOST || !tb[TCA_LOSSLESS_RX_RATE64])
		return;
	print_text("role host rx-rate ");
	if (rate != LLE_RX_UNLIMITED)
		print_u64(PRINT_JSON, "rx_rate", NULL, rate);
	if (rate == LLE_RX_UNLIMITED)
		print_text("unlimited ");
	else if (rate)
		tc_print_rate(PRINT_FP, NULL, "%s ", rate);
	else
		print_text("stopped ");
}

/* An attribute that is left out is 0. */
static void lossless_show_wred_size(const struct rtattr *attr, const char *key,
				    const char *fmt)
{
	if (lossless_attr_get(attr))
		lossless_show_size(attr, key, fmt);
	else
		print_u64(PRINT_JSON, key, NULL, 0);
}

static void lossless_show_wred(const struct rtattr *nest)
{
	const struct rtattr *tb[TCA_LOSSLESS_WRED_MAX + 1];
	double pmax;
	bool ecn;

	lossless_attr_parse(tb, TCA_LOSSLESS_WRED_MAX, nest);
	pmax = lossless_attr_get(tb[TCA_LOSSLESS_WRED_PMAX]) / 0x1p32 * 100;
	ecn = lossless_attr_get(tb[TCA_LOSSLESS_WRED_ECN]);

	print_nl();
	open_json_object(NULL);
	lossless_show_number(tb[TCA_LOSSLESS_WRED_PRIO], "prio",
			     " wred %llu ");
	lossless_show_size(tb[TCA_LOSSLESS_WRED_KMIN], "kmin", "kmin %s ");
	lossless_show_size(tb[TCA_LOSSLESS_WRED_KMAX], "kmax", "kmax %s ");
	print_color_float(PRINT_ANY, COLOR_NONE, "pmax", "pmax %g%% ", pmax);
	lossless_show_wred_size(tb[TCA_LOSSLESS_WRED_NONECT], "nonect",
				"nonect %s ");
	lossless_show_wred_size(tb[TCA_LOSSLESS_WRED_BUFMAX], "bufmax",
				"bufmax %s ");
	print_color_bool(PRINT_JSON, COLOR_NONE, "ecn", NULL, ecn);
	if (ecn)
		print_text("ecn ");
	close_json_object();
}

/**
 * lossless_print_opt() - print the options: struct qdisc_util.print_qopt
 * @qu: not used
 * @f: not used, as tc's printers know their file
 * @opt: TCA_OPTIONS; may be NULL
 *
 * Return: 0.
 */
int lossless_print_opt(struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	const struct rtattr *tb[TCA_LOSSLESS_MAX + 1];
	const struct rtattr *attr;
	int len;

	(void)qu;
	(void)f;
	if (!opt)
		return 0;

	lossless_attr_parse(tb, TCA_LOSSLESS_MAX, opt);
	lossless_show_rate(tb[TCA_LOSSLESS_RATE64]);
	lossless_show_time(tb[TCA_LOSSLESS_DELAY_NS], "delay", "delay %s ");
	lossless_show_size(tb[TCA_LOSSLESS_OVERHEAD], "overhead",
			   "overhead %s ");
	lossless_show_size(tb[TCA_LOSSLESS_BURST], "burst", "burst %s ");
	lossless_show_size_or(tb[TCA_LOSSLESS_LIMIT], "limit", "limit %s ",
			      "nolimit ");
	lossless_show_gso(tb);
	lossless_show_sched(tb);
	print_nl();
	print_text(" ");
	lossless_show_pfc(tb);
	lossless_show_rx(tb);
	lossless_show_role(tb);
	print_nl();
	print_text(" ");
	lossless_show_buffer(tb);
	lossless_show_rcm(tb);

	open_json_array(PRINT_JSON, "wred");
	attr = RTA_DATA(opt);
	len = RTA_PAYLOAD(opt);
	for (; RTA_OK(attr, len); attr = RTA_NEXT(attr, len))
		if ((attr->rta_type & NLA_TYPE_MASK) == TCA_LOSSLESS_WRED)
			lossless_show_wred(attr);
	close_json_array(PRINT_JSON, NULL);
	return 0;
}
