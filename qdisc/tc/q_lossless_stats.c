// SPDX-License-Identifier: GPL-2.0
/* tc plugin: statistics of a port or of one priority, as text and JSON. */
#include <stddef.h>
#include <string.h>

#include "q_lossless.h"

/**
 * struct lossless_field - a counter
 * @at: attribute, or offset in struct lle_prio_stats
 * @key: in JSON
 * @fmt: as text: of an unsigned long long, or of a string if @is_size
 * @is_size: bytes, shown with a unit
 */
struct lossless_field {
	size_t at;
	const char *key;
	const char *fmt;
	bool is_size;
};

#define LOSSLESS_ROW_MAX	6

/**
 * struct lossless_row - counters that are one line of text
 * @label: what the line begins with
 * @fields: the counters
 */
struct lossless_row {
	const char *label;
	struct lossless_field fields[LOSSLESS_ROW_MAX];
};

static const struct lossless_field lossless_port_fields[] = {
	{ TCA_LOSSLESS_STATS_SHARED_USED, "shared_used", " shared %s", true },
	{ TCA_LOSSLESS_STATS_SHARED_MAX, "shared_max", " max %s", true },
	{ TCA_LOSSLESS_STATS_REACTION_NS, "reaction_ns", " reaction %lluns",
	  false },
	{ TCA_LOSSLESS_STATS_RX_MALFORMED, "rx_malformed",
	  " rx-malformed %llu", false },
	{ TCA_LOSSLESS_STATS_RX_LINK_PAUSE, "rx_link_pause",
	  " rx-link-pause %llu", false },
	{ TCA_LOSSLESS_STATS_WIRE_BYTES, "wire_bytes", " wire %s", true },
};

#define LOSSLESS_FIELD(member, fmt, is_size) \
	{ offsetof(struct lle_prio_stats, member), #member, fmt, is_size }

static const struct lossless_row lossless_rows[] = {
	{ "rx", {
		LOSSLESS_FIELD(rx_packets, "%12llu pkt", false),
		LOSSLESS_FIELD(rx_bytes, " %12llu bytes", false),
	} },
	{ "buffer", {
		LOSSLESS_FIELD(occupancy, "%12s", true),
		LOSSLESS_FIELD(occupancy_max, " max %s",
			       true),
		LOSSLESS_FIELD(headroom, ", headroom %s", true),
		LOSSLESS_FIELD(headroom_max, " max %s", true),
	} },
	{ "tx", {
		LOSSLESS_FIELD(tx_packets, "%12llu pkt", false),
		LOSSLESS_FIELD(tx_bytes, " %12llu bytes", false),
		LOSSLESS_FIELD(ecn_marked, ", marked %llu",
			       false),
	} },
	{ "backlog", {
		LOSSLESS_FIELD(backlog, "%12s", true),
		LOSSLESS_FIELD(backlog_max, " max %s", true),
	} },
	{ "rx-pause", {
		LOSSLESS_FIELD(rx_pause, "%12llu", false),
		LOSSLESS_FIELD(rx_resume, " resume %llu", false),
		LOSSLESS_FIELD(rx_pause_transition, ", transition %llu", false),
		LOSSLESS_FIELD(rx_pause_duration, " duration %lluus", false),
		LOSSLESS_FIELD(rx_paused, " now %llu", false),
	} },
	{ "tx-pause", {
		LOSSLESS_FIELD(tx_pause, "%12llu", false),
		LOSSLESS_FIELD(tx_resume, " resume %llu", false),
		LOSSLESS_FIELD(tx_pause_transition, ", transition %llu", false),
		LOSSLESS_FIELD(tx_pause_duration, " duration %lluus", false),
		LOSSLESS_FIELD(tx_paused, " now %llu", false),
	} },
};

static const char * const lossless_drop_keys[LLE_NUM_DROP] = {
	[LLE_DROP_THRESHOLD] = "cong_discard",
	[LLE_DROP_BUFFER] = "buf_discard",
	[LLE_DROP_HEADROOM] = "headroom_discard",
	[LLE_DROP_LIMIT] = "limit_discard",
	[LLE_DROP_WRED] = "wred_discard",
	[LLE_DROP_WRED_NONECT] = "nonect_discard",
	[LLE_DROP_WRED_BUFMAX] = "bufmax_discard",
	[LLE_DROP_NOMEM] = "nomem_discard",
	[LLE_DROP_STORM] = "storm_discard",
	[LLE_DROP_DEADLOCK] = "deadlock_discard",
	[LLE_DROP_PURGE] = "purge_discard",
	[LLE_DROP_STORM_RX] = "storm_rx_discard",
};

static void lossless_show_field(const struct lossless_field *field,
				__u64 value)
{
	char text[LOSSLESS_TEXT];

	if (!field->is_size) {
		print_u64(PRINT_ANY, field->key, field->fmt, value);
		return;
	}
	print_u64(PRINT_JSON, field->key, NULL, value);
	print_string(PRINT_FP, NULL, field->fmt,
		     lossless_size_text(text, value));
}

/**
 * struct lossless_block - lines of text of one priority
 * @prio: the priority
 * @begun: there is a line of it
 * @first: nothing stands before it
 */
struct lossless_block {
	unsigned int prio;
	bool begun;
	bool first;
};

/* The first line begins with the priority, the others with as much space. */
static void lossless_show_label(struct lossless_block *block,
				const char *label)
{
	char text[LOSSLESS_TEXT];

	if (block->begun || !block->first)
		print_nl();
	if (block->begun)
		snprintf(text, sizeof(text), "        %-8s", label);
	else
		snprintf(text, sizeof(text), " prio %u %-8s", block->prio,
			 label);
	print_text(text);
	block->begun = true;
}

static __u64 lossless_counter(const struct lle_prio_stats *s,
			      const struct lossless_field *field)
{
	__u64 value;

	memcpy(&value, (const char *)s + field->at, sizeof(value));
	return value;
}

/*
 * JSON gets every counter, text the lines in which one is not zero.
 */
static void lossless_show_row(const struct lossless_row *row,
			      const struct lle_prio_stats *s,
			      struct lossless_block *block)
{
	const struct lossless_field *field;
	__u64 any = 0;
	unsigned int i;

	for (i = 0; i < LOSSLESS_ROW_MAX; i++)
		if (row->fields[i].key)
			any |= lossless_counter(s, &row->fields[i]);
	if (!any && !is_json_context())
		return;

	lossless_show_label(block, row->label);
	for (i = 0; i < LOSSLESS_ROW_MAX; i++) {
		field = &row->fields[i];
		if (field->key)
			lossless_show_field(field, lossless_counter(s, field));
	}
}

static void lossless_show_drops(const struct lle_prio_stats *s,
				struct lossless_block *block)
{
	unsigned int r;

	print_u64(PRINT_JSON, "drop_bytes", NULL, s->drop_bytes);
	if (is_json_context()) {
		open_json_object("drops");
		for (r = 0; r < LLE_NUM_DROP; r++)
			print_u64(PRINT_JSON, lossless_drop_keys[r], NULL,
				  s->drops[r]);
		close_json_object();
		return;
	}
	for (r = 0; r < LLE_NUM_DROP; r++) {
		if (!s->drops[r])
			continue;
		lossless_show_label(block, "drop");
		print_u64(PRINT_FP, NULL, "%12llu pkt", s->drops[r]);
		print_string(PRINT_FP, NULL, " %s", lossless_drop_keys[r]);
	}
}

static void lossless_show_prio(const struct lle_prio_stats *s, bool first)
{
	struct lossless_block block = { .prio = s->prio, .first = first };
	unsigned int i;

	open_json_object(NULL);
	print_u64(PRINT_JSON, "prio", NULL, s->prio);
	for (i = 0; i < ARRAY_SIZE(lossless_rows); i++)
		lossless_show_row(&lossless_rows[i], s, &block);
	lossless_show_drops(s, &block);
	close_json_object();
}

/*
 * A kernel may know fewer counters, or more; 0 is what it does not mention.
 * Returns bit p: priority p was mentioned.
 */
static unsigned int lossless_get_prios(struct lle_prio_stats prios[LLE_NUM_PRIO],
				       const struct rtattr *xstats)
{
	const struct rtattr *attr = RTA_DATA(xstats);
	int left = RTA_PAYLOAD(xstats);
	unsigned int p, mentioned = 0;
	struct lle_prio_stats s;
	size_t len;

	memset(prios, 0, LLE_NUM_PRIO * sizeof(*prios));
	for (p = 0; p < LLE_NUM_PRIO; p++)
		prios[p].prio = p;
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left)) {
		if ((attr->rta_type & NLA_TYPE_MASK) != TCA_LOSSLESS_STATS_PRIO)
			continue;
		memset(&s, 0, sizeof(s));
		len = RTA_PAYLOAD(attr);
		memcpy(&s, RTA_DATA(attr), len < sizeof(s) ? len : sizeof(s));
		if (s.prio >= LLE_NUM_PRIO)
			continue;
		prios[s.prio] = s;
		mentioned |= 1 << s.prio;
	}
	return mentioned;
}

static void lossless_show_port(const struct rtattr *tb[])
{
	const struct lossless_field *field;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lossless_port_fields); i++) {
		field = &lossless_port_fields[i];
		lossless_show_field(field, lossless_attr_get(tb[field->at]));
	}
}

/**
 * lossless_print_xstats() - struct qdisc_util.print_xstats
 * @qu: not used
 * @f: not used, tc's printers know where to
 * @xstats: TCA_STATS_APP of a qdisc, or of a class: that has one priority and
 *	nothing of the port; NULL
 *
 * Return: 0.
 */
int lossless_print_xstats(struct qdisc_util *qu, FILE *f,
			  struct rtattr *xstats)
{
	const struct rtattr *tb[TCA_LOSSLESS_STATS_MAX + 1];
	struct lle_prio_stats prios[LLE_NUM_PRIO];
	unsigned int p, shown;
	bool is_class;

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;

	lossless_attr_parse(tb, TCA_LOSSLESS_STATS_MAX, xstats);
	is_class = !tb[TCA_LOSSLESS_STATS_SHARED_USED];
	if (!is_class)
		lossless_show_port(tb);

	shown = lossless_get_prios(prios, xstats);
	if (!is_class)
		shown = ~0U;
	open_json_array(PRINT_JSON, "prios");
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (shown & 1 << p)
			lossless_show_prio(&prios[p], is_class);
	close_json_array(PRINT_JSON, NULL);
	return 0;
}
