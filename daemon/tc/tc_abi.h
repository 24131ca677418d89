/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of tc(8) for plugins: distributions package no headers of iproute2.
 * All have the same signature in iproute2 6.1 to 7.3. So the *_size() printers,
 * print_tcstats2_attr(), print_tm() and the printers of actions are missing.
 */
#ifndef LLE_TC_ABI_H
#define LLE_TC_ABI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/types.h>

/* Symbol NAME_qdisc_util, which tc looks up in q_NAME.so */
struct qdisc_util {
	struct qdisc_util *next;	/* for tc */
	const char *id;	/* kind of the qdisc */
	/* options of `tc qdisc`, to TCA_OPTIONS */
	int (*parse_qopt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_qopt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
	/* TCA_STATS_APP of the qdisc or of a class */
	int (*print_xstats)(struct qdisc_util *qu, FILE *f,
			    struct rtattr *xstats);
	/* options of `tc class`; NULL: it has no options */
	int (*parse_copt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_copt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
	int (*has_block)(struct qdisc_util *qu, struct rtattr *opt,
			 __u32 block_idx, bool *p_has);
};

/* netlink */
int addattr_l(struct nlmsghdr *n, int maxlen, int type, const void *data,
	      int alen);
struct rtattr *addattr_nest(struct nlmsghdr *n, int maxlen, int type);
int addattr_nest_end(struct nlmsghdr *n, struct rtattr *nest);

/* words of the command line; return 0, or not 0 if the word is wrong */
int get_u32(__u32 *val, const char *arg, int base);
int get_rate64(__u64 *rate, const char *str);
int get_size(unsigned int *size, const char *str);

/* Output: text, or JSON if tc was called with -j. */
enum output_type {
	PRINT_FP = 1,	/* in text only */
	PRINT_JSON = 2,	/* in JSON only */
	PRINT_ANY = 4,
};

enum color_attr {
	COLOR_NONE = 6,
};

bool is_json_context(void);
void open_json_object(const char *key);
void close_json_object(void);
void open_json_array(enum output_type t, const char *key_or_text);
void close_json_array(enum output_type t, const char *text);
void print_nl(void);
void tc_print_rate(enum output_type t, const char *key, const char *fmt,
		   unsigned long long rate);
void print_color_bool(enum output_type t, enum color_attr color,
		      const char *key, const char *fmt, bool value);
void print_color_float(enum output_type t, enum color_attr color,
		       const char *key, const char *fmt, double value);
void print_color_lluint(enum output_type t, enum color_attr color,
			const char *key, const char *fmt,
			unsigned long long value);
void print_color_string(enum output_type t, enum color_attr color,
			const char *key, const char *fmt, const char *value);

static inline void print_u64(enum output_type t, const char *key,
			     const char *fmt, unsigned long long value)
{
	print_color_lluint(t, COLOR_NONE, key, fmt, value);
}

static inline void print_string(enum output_type t, const char *key,
				const char *fmt, const char *value)
{
	print_color_string(t, COLOR_NONE, key, fmt, value);
}

static inline void print_text(const char *text)
{
	print_string(PRINT_FP, NULL, "%s", text);
}

#endif /* LLE_TC_ABI_H */
