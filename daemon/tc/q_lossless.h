/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_Q_LOSSLESS_H
#define LLE_Q_LOSSLESS_H

#include <stddef.h>
#include <linux/pkt_sch_lossless.h>

#include "tc_abi.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Buffer for a size or a time as text, bytes */
#define LOSSLESS_TEXT	32

/* Buffer for the message to the kernel, bytes: four times the longest one */
#define LOSSLESS_MSG_MAX	4096

enum lossless_type {
	LOSSLESS_FIXED,		/* the keyword alone; value: @min */
	LOSSLESS_NUMBER,
	LOSSLESS_SIZE,		/* bytes */
	LOSSLESS_RATE,		/* bytes per second */
	LOSSLESS_TIME,		/* nanoseconds */
	LOSSLESS_PERCENT,	/* in 1/2^32 */
	LOSSLESS_ALPHA,		/* to_alpha */
	LOSSLESS_NAME,		/* one of @names */
	LOSSLESS_RX_RATE,	/* bytes per second, stopped or unlimited */
};

/* A keyword with at most one value */
struct lossless_word {
	const char *word;
	unsigned int attr;	/* several keywords may have the same */
	unsigned int bytes;	/* width of the attribute */
	enum lossless_type type;
	__u64 min;
	__u64 max;
	const char *zero;	/* word for the value 0, or NULL */
	/* words for 0..@max, of LOSSLESS_NAME */
	const char * const *names;
};

/* An option in the output */
struct lossless_show {
	unsigned int attr;
	enum lossless_type type;
	const char *key;	/* in JSON */
	const char *fmt;	/* of the text, for a number or a string */
	const char *zero;	/* text of the value 0; NULL: as others */
	/* of the values 0..@max, of LOSSLESS_NAME */
	const char *const *names;
	unsigned int max;
	bool hide;	/* shows nothing for @usual */
	__u64 usual;	/* the default */
	/* shows the option; NULL: by the members above */
	void (*show)(const struct rtattr *tb[]);
};

#define LOSSLESS_ROW_MAX	12

/* Counters of one line of text */
struct lossless_row {
	const char *label;	/* begins the line; NULL: end of the table */
	struct lossless_field {
		size_t at;	/* offset in the struct */
		size_t size;
		const char *key;	/* in JSON */
		/* for an unsigned long long, or a string if @is_size */
		const char *fmt;
		bool is_size;
	} fields[LOSSLESS_ROW_MAX];
};

#define LOSSLESS_FIELD(type, member, fmt, is_size) \
	{ offsetof(struct type, member), sizeof(((struct type *)0)->member), \
	  #member, fmt, is_size }

/* Rest of the command line */
struct lossless_args {
	int argc;
	char **argv;
};

/* Values of the keywords of one table */
struct lossless_values {
	__u64 given;	/* bit a: attribute a */
	__u64 value[64];	/* by attribute */
};

struct lossless_wred {
	enum { LOSSLESS_WRED_KEEP, LOSSLESS_WRED_ON, LOSSLESS_WRED_OFF } mode;
	struct lossless_values v;	/* if LOSSLESS_WRED_ON */
};

/* In a list by priority or DSCP: not set */
#define LOSSLESS_KEEP	LLE_DSCP_KEEP

struct lossless_options {
	struct lossless_values v;
	__u32 quanta[LLE_NUM_BAND];	/* bytes */
	unsigned int quanta_num;
	__u8 band[LLE_NUM_PRIO];	/* by priority */
	unsigned int band_num;
	__u8 pfc_en[LLE_NUM_PRIO];	/* 0, 1 or LOSSLESS_KEEP */
	bool pfc_given;	/* send @pfc_en */
	__u8 dscp_prio[64];	/* by DSCP; or LOSSLESS_KEEP */
	bool dscp_given;	/* send @dscp_prio */
	struct lossless_wred wred[LLE_NUM_PRIO];
	bool clear_max;	/* restart the high-water marks */
};

#include "q_lossless_gen.h"

/* q_lossless_value.c */
const char *lossless_next(struct lossless_args *args);
bool lossless_at_number(const struct lossless_args *args);
int lossless_get_small(__u8 *value, const char *arg, __u8 max);
int lossless_twice(const char *what);
int lossless_wrong(const char *word, const char *arg, const char *wanted, ...)
	__attribute__((format(printf, 3, 4)));
int lossless_get_value(const struct lossless_word *w, const char *arg,
		       __u64 *value);
int lossless_parse_word(const struct lossless_word *table,
			struct lossless_values *v, struct lossless_args *args);
void lossless_put_values(const struct lossless_word *table,
			 const struct lossless_values *v, struct nlmsghdr *n);

/* q_lossless_list.c */
int lossless_parse_list(struct lossless_options *o, struct lossless_args *args);
const char *lossless_similar(const char *word);
void lossless_put_wred(const struct lossless_wred *wred, __u8 prio,
		       struct nlmsghdr *n);

/* q_lossless_attr.c */
void lossless_attr_parse(const struct rtattr *tb[], unsigned int max,
			 const struct rtattr *nest);
__u64 lossless_attr_get(const struct rtattr *attr);
__u32 lossless_attr_bits(const struct rtattr *attr);
unsigned int lossless_attr_array(const struct rtattr *attr, void *array,
				 unsigned int size, unsigned int max);
const char *lossless_size_text(char *buf, __u64 bytes);
const char *lossless_time_text(char *buf, __u64 ns);
const char *lossless_alpha_text(char *buf, unsigned int to_alpha);

/* q_lossless_write.c */
int lossless_write_opt(FILE *to, const struct rtattr *opt);

/* q_lossless_show.c */
int lossless_print_opt(struct qdisc_util *qu, FILE *f, struct rtattr *opt);

/* q_lossless_stats.c */
int lossless_print_xstats(struct qdisc_util *qu, FILE *f,
			  struct rtattr *xstats);

#endif /* LLE_Q_LOSSLESS_H */
