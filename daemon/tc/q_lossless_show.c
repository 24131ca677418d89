// SPDX-License-Identifier: GPL-2.0
/* tc plugin: options of the lossless qdisc, from netlink to text and JSON. */
#include "q_lossless.h"
#include "version.h"

/* As text, "KEY 12Kb "; in JSON, "key": 12288. */
static void lossless_show_text(const struct lossless_show *s, __u64 value,
			       const char *text)
{
	print_u64(PRINT_JSON, s->key, NULL, value);
	print_string(PRINT_FP, NULL, s->fmt, text);
}

static void lossless_show_value(const struct lossless_show *s, __u64 value)
{
	char text[LOSSLESS_TEXT];

	switch (s->type) {
	case LOSSLESS_SIZE:
		lossless_show_text(s, value, lossless_size_text(text, value));
		break;
	case LOSSLESS_TIME:
		lossless_show_text(s, value, lossless_time_text(text, value));
		break;
	case LOSSLESS_RATE:
		print_u64(PRINT_JSON, s->key, NULL, value);
		tc_print_rate(PRINT_FP, NULL, s->fmt, value);
		break;
	case LOSSLESS_PERCENT:
		print_color_float(PRINT_ANY, COLOR_NONE, s->key, s->fmt,
				  value / 0x1p32 * 100);
		break;
	case LOSSLESS_NAME:
		if (value <= s->max)
			print_string(PRINT_ANY, s->key, s->fmt, s->names[value]);
		break;
	case LOSSLESS_FIXED:
		print_color_bool(PRINT_JSON, COLOR_NONE, s->key, NULL, value);
		if (value)
			print_text(s->fmt);
		break;
	default:
		print_u64(PRINT_ANY, s->key, s->fmt, value);
	}
}

static void lossless_show(const struct lossless_show *s,
			  const struct rtattr *tb[])
{
	__u64 value;

	for (; s->key || s->show; s++) {
		if (s->show) {
			s->show(tb);
			continue;
		}
		/* an attribute without a text for 0 is left out if it is 0 */
		if (!tb[s->attr] && !(s->zero && !*s->zero))
			continue;
		value = lossless_attr_get(tb[s->attr]);
		if (s->hide && value == s->usual)
			continue;
		if (value || !s->zero || is_json_context())
			lossless_show_value(s, value);
		else
			print_text(s->zero);
	}
}

/* As in cake, and the effect of the default at this port */
void lossless_show_gso(const struct rtattr *tb[])
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

void lossless_show_quanta(const struct rtattr *tb[])
{
	__u32 quanta[LLE_NUM_BAND];
	unsigned int i, n;

	n = lossless_attr_array(tb[TCA_LOSSLESS_QUANTA], quanta,
				sizeof(quanta[0]), LLE_NUM_BAND);
	open_json_array(PRINT_ANY, n || is_json_context() ? "quanta" : "");
	for (i = 0; i < n; i++)
		print_u64(PRINT_ANY, NULL, " %llu", quanta[i]);
	close_json_array(PRINT_ANY, n ? " " : "");
}

void lossless_show_priomap(const struct rtattr *tb[])
{
	__u8 band[LLE_NUM_PRIO];
	unsigned int i, n;

	n = lossless_attr_array(tb[TCA_LOSSLESS_PRIOMAP], band,
				sizeof(band[0]), LLE_NUM_PRIO);
	open_json_array(PRINT_ANY, "priomap");
	for (i = 0; i < n; i++)
		print_u64(PRINT_ANY, NULL, " %llu", band[i]);
	close_json_array(PRINT_ANY, " ");
}

void lossless_show_pfc_en(const struct rtattr *tb[])
{
	unsigned int pfc_en = lossless_attr_bits(tb[TCA_LOSSLESS_PFC_EN]);
	unsigned int i;

	open_json_array(PRINT_ANY, is_json_context() ? "prio_pfc" :
						       "prio-pfc");
	for (i = 0; i < LLE_NUM_PRIO; i++)
		if (pfc_en & 1U << i)
			print_u64(PRINT_ANY, NULL, " %llu:on", i);
	close_json_array(PRINT_ANY, pfc_en ? " " : " all:off ");
}

void lossless_show_to_alpha(const struct rtattr *tb[])
{
	unsigned int to_alpha = lossless_attr_get(tb[TCA_LOSSLESS_TO_ALPHA]);
	char text[LOSSLESS_TEXT];

	if (!tb[TCA_LOSSLESS_TO_ALPHA] || to_alpha > LLE_TO_ALPHA_MAX)
		return;
	print_string(PRINT_ANY, "alpha", "alpha %s ",
		     lossless_alpha_text(text, to_alpha));
	print_u64(PRINT_JSON, "to_alpha", NULL, to_alpha);
}

void lossless_show_dscp_prio(const struct rtattr *tb[])
{
	__u8 prio[64];
	unsigned int i, n, shown = 0;

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
}

/* In JSON, a missing rx_rate means unlimited, and 0 means stopped. */
void lossless_show_role(const struct rtattr *tb[])
{
	__u64 role = lossless_attr_get(tb[TCA_LOSSLESS_ROLE]);
	__u64 rate = lossless_attr_get(tb[TCA_LOSSLESS_RX_RATE64]);

	if (!tb[TCA_LOSSLESS_ROLE] || role > LLE_ROLE_MAX)
		return;
	print_string(PRINT_JSON, "role", NULL, lossless_names_role[role]);
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

static void lossless_show_wred(const struct rtattr *nest)
{
	const struct rtattr *tb[TCA_LOSSLESS_WRED_MAX + 1];

	lossless_attr_parse(tb, TCA_LOSSLESS_WRED_MAX, nest);
	print_nl();
	open_json_object(NULL);
	lossless_show(lossless_line_wred, tb);
	close_json_object();
}

/* @f: not used: printers of tc have their file. @opt: TCA_OPTIONS, or NULL */
int lossless_print_opt(struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	const struct rtattr *tb[TCA_LOSSLESS_MAX + 1];
	const char *refused = lle_version_refused();
	const struct rtattr *attr;
	int len;

	(void)qu;
	(void)f;
	if (!opt)
		return 0;
	if (refused) {
		fprintf(stderr, "lossless: %s\n", refused);
		return -1;
	}

	lossless_attr_parse(tb, TCA_LOSSLESS_MAX, opt);
	lossless_show(lossless_line_link, tb);
	print_nl();
	print_text(" ");
	lossless_show(lossless_line_rx, tb);
	print_nl();
	print_text(" ");
	lossless_show(lossless_line_buffer, tb);
	if (lossless_attr_get(tb[TCA_LOSSLESS_RCM])) {
		print_nl();
		print_text(" ");
		lossless_show(lossless_line_rcm, tb);
	}

	open_json_array(PRINT_JSON, "wred");
	attr = RTA_DATA(opt);
	len = RTA_PAYLOAD(opt);
	for (; RTA_OK(attr, len); attr = RTA_NEXT(attr, len))
		if ((attr->rta_type & NLA_TYPE_MASK) == TCA_LOSSLESS_WRED)
			lossless_show_wred(attr);
	close_json_array(PRINT_JSON, NULL);
	return 0;
}
