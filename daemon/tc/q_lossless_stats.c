// SPDX-License-Identifier: GPL-2.0
/* tc plugin: statistics of a port or of one priority, as text and JSON. */
#include <stddef.h>
#include <linux/lossless.h>
#include <string.h>

#include "drop_names.h"
#include "q_lossless.h"

/**
 * struct lossless_field - a counter
 * @at: offset in struct lle_port_stats or struct lle_prio_stats
 * @size: size there, of a __u64 or __u8
 * @key: key in JSON
 * @fmt: format of the text, for an unsigned long long, or a string if @is_size
 * @is_size: in bytes, shown with a unit
 */
struct lossless_field {
	size_t at;
	size_t size;
	const char *key;
	const char *fmt;
	bool is_size;
};

/**
 * struct lossless_prio - statistics of a priority
 * @mentioned: the kernel sent statistics of it
 * @has_rcm: @rcm is valid
 * @stats: counters
 * @rcm: RCM
 */
struct lossless_prio {
	bool mentioned;
	bool has_rcm;
	struct lle_prio_stats stats;
	struct lle_prio_rcm rcm;
};

#define LOSSLESS_ROW_MAX	6

/**
 * struct lossless_row - counters of one line of text
 * @label: beginning of the line
 * @fields: counters
 */
struct lossless_row {
	const char *label;
	struct lossless_field fields[LOSSLESS_ROW_MAX];
};

#define LOSSLESS_MEMBER(type, member, fmt, is_size) \
	{ offsetof(struct type, member), sizeof(((struct type *)0)->member), \
	  #member, fmt, is_size }
#define LOSSLESS_PORT_FIELD(member, fmt, is_size) \
	LOSSLESS_MEMBER(lle_port_stats, member, fmt, is_size)

static const struct lossless_field lossless_port_fields[] = {
	LOSSLESS_PORT_FIELD(shared_used, " shared %s", true),
	LOSSLESS_PORT_FIELD(shared_max, " max %s", true),
	LOSSLESS_PORT_FIELD(reaction_ns, " reaction %lluns", false),
	LOSSLESS_PORT_FIELD(rx_malformed, " rx-malformed %llu", false),
	LOSSLESS_PORT_FIELD(rx_link_pause, " rx-link-pause %llu", false),
	LOSSLESS_PORT_FIELD(rx_pfc_excess, " rx-pfc-excess %llu", false),
	LOSSLESS_PORT_FIELD(rx_bypass, " rx-bypass %llu", false),
	LOSSLESS_PORT_FIELD(unaccounted, " unaccounted %llu", false),
	LOSSLESS_PORT_FIELD(wire_bytes, " wire %s", true),
};

#define LOSSLESS_FIELD(member, fmt, is_size) \
	LOSSLESS_MEMBER(lle_prio_stats, member, fmt, is_size)

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
 * @begun: a line was printed
 * @first: no text stands before it
 */
struct lossless_block {
	unsigned int prio;
	bool begun;
	bool first;
};

/* The first line begins with the priority, the others with blanks. */
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

static __u64 lossless_counter(const void *stats,
			      const struct lossless_field *field)
{
	const char *at = (const char *)stats + field->at;
	__u64 value;

	if (field->size == sizeof(__u8))
		return *(const __u8 *)at;
	memcpy(&value, at, sizeof(value));
	return value;
}

/* JSON shows all counters, text only lines with one that is not 0. */
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
			print_u64(PRINT_JSON, lle_drop_names[r], NULL,
				  s->drops[r]);
		close_json_object();
		return;
	}
	for (r = 0; r < LLE_NUM_DROP; r++) {
		if (!s->drops[r])
			continue;
		lossless_show_label(block, "drop");
		print_u64(PRINT_FP, NULL, "%12llu pkt", s->drops[r]);
		print_string(PRINT_FP, NULL, " %s", lle_drop_names[r]);
	}
}

/* RCM of a priority that has it. Text leaves out values that are 0. */
static void lossless_show_rcm(const struct lle_prio_rcm *rcm,
			      struct lossless_block *block)
{
	static const char * const roles[] = {
		[LOSSLESS_CRD_ROLE_NONE] = "none",
		[LOSSLESS_CRD_ROLE_ROOT] = "root",
		[LOSSLESS_CRD_ROLE_EDGE] = "edge",
		[LOSSLESS_CRD_ROLE_INNER] = "inner",
	};
	const char *role = rcm->role < ARRAY_SIZE(roles) ? roles[rcm->role] :
							   "unknown";
	bool json = is_json_context();

	open_json_object("rcm");
	if (!json)
		lossless_show_label(block, "rcm");
	print_string(PRINT_ANY, "role", "%12s", role);
	if (rcm->ids || json) {
		lossless_show_field(&(struct lossless_field){
			.key = "isolated_bytes", .fmt = " isolated %s",
			.is_size = true,
		}, rcm->isolated_bytes);
		print_u64(PRINT_ANY, "ids", " of %llu", rcm->ids);
	}
	if (rcm->w_bytes) {
		lossless_show_field(&(struct lossless_field){
			.key = "wc_bytes", .fmt = ", window %s", .is_size = true,
		}, rcm->wc_bytes);
		lossless_show_field(&(struct lossless_field){
			.key = "w_bytes", .fmt = " of %s", .is_size = true,
		}, rcm->w_bytes);
	}
	if (rcm->identified || json)
		print_u64(PRINT_ANY, "identified", ", identified %llu",
			  rcm->identified);
	close_json_object();
}

static void lossless_show_prio(const struct lossless_prio *p, unsigned int prio,
			       bool first)
{
	struct lossless_block block = { .prio = prio, .first = first };
	unsigned int i;

	open_json_object(NULL);
	print_u64(PRINT_JSON, "prio", NULL, prio);
	for (i = 0; i < ARRAY_SIZE(lossless_rows); i++)
		lossless_show_row(&lossless_rows[i], &p->stats, &block);
	lossless_show_drops(&p->stats, &block);
	if (p->has_rcm)
		lossless_show_rcm(&p->rcm, &block);
	close_json_object();
}

/* A kernel may know fewer counters, or more; missing ones are 0. */
static void lossless_get(void *stats, size_t size, const struct rtattr *attr)
{
	size_t len = RTA_PAYLOAD(attr);

	memset(stats, 0, size);
	memcpy(stats, RTA_DATA(attr), len < size ? len : size);
}

static void lossless_get_prio(struct lossless_prio prios[LLE_NUM_PRIO],
			      const struct rtattr *attr)
{
	struct lle_prio_stats s;

	lossless_get(&s, sizeof(s), attr);
	if (s.prio >= LLE_NUM_PRIO)
		return;
	prios[s.prio].stats = s;
	prios[s.prio].mentioned = true;
}

static void lossless_get_rcm(struct lossless_prio prios[LLE_NUM_PRIO],
			     const struct rtattr *attr)
{
	struct lle_prio_rcm s;

	lossless_get(&s, sizeof(s), attr);
	if (s.prio >= LLE_NUM_PRIO)
		return;
	prios[s.prio].rcm = s;
	prios[s.prio].has_rcm = true;
	prios[s.prio].mentioned = true;
}

static void lossless_get_prios(struct lossless_prio prios[LLE_NUM_PRIO],
			       const struct rtattr *xstats)
{
	const struct rtattr *attr = RTA_DATA(xstats);
	int left = RTA_PAYLOAD(xstats);

	memset(prios, 0, LLE_NUM_PRIO * sizeof(*prios));
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left)) {
		switch (attr->rta_type & NLA_TYPE_MASK) {
		case TCA_LOSSLESS_STATS_PRIO:
			lossless_get_prio(prios, attr);
			break;
		case TCA_LOSSLESS_STATS_RCM:
			lossless_get_rcm(prios, attr);
			break;
		}
	}
}

static void lossless_show_port(const struct rtattr *attr)
{
	const struct lossless_field *field;
	struct lle_port_stats s;
	unsigned int i;

	lossless_get(&s, sizeof(s), attr);
	for (i = 0; i < ARRAY_SIZE(lossless_port_fields); i++) {
		field = &lossless_port_fields[i];
		lossless_show_field(field, lossless_counter(&s, field));
	}
}

/**
 * lossless_print_xstats() - print statistics: struct qdisc_util.print_xstats
 * @qu: not used
 * @f: not used, as tc's printers know their file
 * @xstats: TCA_STATS_APP of a qdisc, or of a class, which has one priority and
 *	nothing of the port; may be NULL
 *
 * Return: 0.
 */
int lossless_print_xstats(struct qdisc_util *qu, FILE *f,
			  struct rtattr *xstats)
{
	const struct rtattr *tb[TCA_LOSSLESS_STATS_MAX + 1];
	struct lossless_prio prios[LLE_NUM_PRIO];
	unsigned int p;
	bool is_class;

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;

	lossless_attr_parse(tb, TCA_LOSSLESS_STATS_MAX, xstats);
	is_class = !tb[TCA_LOSSLESS_STATS_PORT];
	if (!is_class)
		lossless_show_port(tb[TCA_LOSSLESS_STATS_PORT]);

	lossless_get_prios(prios, xstats);
	open_json_array(PRINT_JSON, "prios");
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (prios[p].mentioned || !is_class)
			lossless_show_prio(&prios[p], p, is_class);
	close_json_array(PRINT_JSON, NULL);
	return 0;
}
