// SPDX-License-Identifier: GPL-2.0
/* tc plugin: statistics of a port or of one priority, as text and JSON. */
#include <linux/lossless.h>
#include <string.h>

#include "counter_names_gen.h"
#include "q_lossless.h"
#include "version.h"

struct lossless_prio {
	bool mentioned;	/* the kernel sent statistics of it */
	bool has_rcm;	/* @rcm is valid */
	struct lle_prio_stats stats;
	struct lle_prio_rcm rcm;
};

#define LOSSLESS_DROP(reason, member, name) \
	[LLE_DROP_##reason] = { #name, offsetof(struct lle_prio_stats, member) },

static const struct lossless_drop {
	const char *name;
	size_t at;
} lossless_drops[] = { LLE_PRIO_DROPS(LOSSLESS_DROP) };

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

/* Lines of text of one priority */
struct lossless_block {
	unsigned int prio;
	bool begun;	/* a line was printed */
	bool first;	/* no text stands before it */
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

static void lossless_show_fields(const struct lossless_row *row,
				 const void *stats)
{
	const struct lossless_field *field;

	for (field = row->fields; field->key; field++)
		lossless_show_field(field, lossless_counter(stats, field));
}

/* JSON shows all counters, text only lines with one that is not 0. */
static void lossless_show_row(const struct lossless_row *row,
			      const struct lle_prio_stats *s,
			      struct lossless_block *block)
{
	const struct lossless_field *field;
	__u64 any = 0;

	for (field = row->fields; field->key; field++)
		any |= lossless_counter(s, field);
	if (!any && !is_json_context())
		return;

	lossless_show_label(block, row->label);
	lossless_show_fields(row, s);
}

static void lossless_show_drops(const struct lle_prio_stats *s,
				struct lossless_block *block)
{
	bool json = is_json_context();
	unsigned int r;
	__u64 packets;

	print_u64(PRINT_JSON, "drop_bytes", NULL, s->drop_bytes);
	if (json)
		open_json_object("drops");
	for (r = 0; r < LLE_NUM_DROP; r++) {
		memcpy(&packets, (const char *)s + lossless_drops[r].at, sizeof(packets));
		print_u64(PRINT_JSON, lossless_drops[r].name, NULL, packets);
		if (json || !packets)
			continue;
		lossless_show_label(block, "drop");
		print_u64(PRINT_FP, NULL, "%12llu pkt", packets);
		print_string(PRINT_FP, NULL, " %s", lossless_drops[r].name);
	}
	if (json)
		close_json_object();
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
	const struct lossless_row *row;

	open_json_object(NULL);
	print_u64(PRINT_JSON, "prio", NULL, prio);
	for (row = lossless_prio_rows; row->label; row++)
		lossless_show_row(row, &p->stats, &block);
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
	struct lle_port_stats s;

	lossless_get(&s, sizeof(s), attr);
	lossless_show_fields(lossless_port_rows, &s);
}

/* @xstats: NULL, or TCA_STATS_APP of a qdisc or class: one priority, no port */
int lossless_print_xstats(struct qdisc_util *qu, FILE *f,
			  struct rtattr *xstats)
{
	const struct rtattr *tb[TCA_LOSSLESS_STATS_MAX + 1];
	struct lossless_prio prios[LLE_NUM_PRIO];
	unsigned int p;
	bool is_class;

	(void)qu;
	(void)f;
	if (!xstats || lle_version_refused())
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
