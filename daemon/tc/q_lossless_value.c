// SPDX-License-Identifier: GPL-2.0
/* Keywords with one value: from text to number, from number to netlink. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "q_lossless.h"

/* Buffer for all names of a keyword, bytes */
#define LOSSLESS_NAMES	64

_Static_assert(TCA_LOSSLESS_MAX < 64, "struct lossless_values is too small");

/* Return: NULL: no more words */
const char *lossless_next(struct lossless_args *args)
{
	if (!args->argc)
		return NULL;
	args->argc--;
	return *args->argv++;
}

/* A list ends where no number begins. No keyword begins like a number. */
bool lossless_at_number(const struct lossless_args *args)
{
	return args->argc && **args->argv &&
	       strchr("0123456789.+-", **args->argv);
}

/* Functions of tc also accept signs, spaces and hexadecimal numbers. */
static bool lossless_is_number(const char *arg)
{
	arg += *arg == '.';
	return *arg >= '0' && *arg <= '9' && (arg[1] | 0x20) != 'x';
}

/* Return: -1: not a number, or greater than @max */
int lossless_get_small(__u8 *value, const char *arg, __u8 max)
{
	__u32 number;

	if (!lossless_is_number(arg) || get_u32(&number, arg, 10) || number > max)
		return -1;
	*value = number;
	return 0;
}

/* @arg: NULL: missing. @wanted: format of the expected value. Return: -1 */
int lossless_wrong(const char *word, const char *arg, const char *wanted, ...)
{
	va_list list;

	if (arg)
		fprintf(stderr, "Error: %s: \"%s\" is not ", word, arg);
	else
		fprintf(stderr, "Error: %s: missing: ", word);
	va_start(list, wanted);
	vfprintf(stderr, wanted, list);
	va_end(list);
	fprintf(stderr, ".\n");
	return -1;
}

/* @what: keyword, or place in a list. Return: -1 */
int lossless_twice(const char *what)
{
	fprintf(stderr, "Error: %s: this has been set already.\n", what);
	return -1;
}

/* "a, b or c" */
static const char *lossless_names_text(char *buf, const struct lossless_word *w)
{
	unsigned int i, len = 0;

	for (i = 0; i <= w->max && len < LOSSLESS_NAMES; i++)
		len += snprintf(buf + len, LOSSLESS_NAMES - len, "%s%s",
				!i ? "" : i < w->max ? ", " : " or ",
				w->names[i]);
	return buf;
}

/* @arg: the value; NULL: missing. Return: -1 */
static int lossless_wrong_value(const struct lossless_word *w, const char *arg)
{
	char min[LOSSLESS_TEXT], max[LOSSLESS_TEXT], names[LOSSLESS_NAMES];

	switch (w->type) {
	case LOSSLESS_FIXED:
		break;
	case LOSSLESS_NUMBER:
		return lossless_wrong(w->word, arg, "a number of %llu..%llu",
				      (unsigned long long)w->min,
				      (unsigned long long)w->max);
	case LOSSLESS_SIZE:
		return lossless_wrong(w->word, arg, "a size of %s..%s%s%s",
				      lossless_size_text(min, w->min),
				      lossless_size_text(max, w->max),
				      w->zero ? " or " : "",
				      w->zero ? w->zero : "");
	case LOSSLESS_TIME:
		return lossless_wrong(w->word, arg, "a time of 0..%s",
				      lossless_time_text(max, w->max));
	case LOSSLESS_RATE:
		return lossless_wrong(w->word, arg, "a rate of 8kbit..1tbit");
	case LOSSLESS_PERCENT:
		return lossless_wrong(w->word, arg, "a percentage %s100",
				      w->min ? "above 0, up to " : "of 0..");
	case LOSSLESS_ALPHA:
		return lossless_wrong(w->word, arg,
				      "a power of two of 1/1024..1024");
	case LOSSLESS_NAME:
		return lossless_wrong(w->word, arg, "%s",
				      lossless_names_text(names, w));
	case LOSSLESS_RX_RATE:
		return lossless_wrong(w->word, arg,
				      "a rate of 8kbit..1tbit, unlimited or stopped");
	}
	return -1;
}

/* As in tc, a number without a unit is in microseconds. */
static int lossless_get_time(__u64 *ns, const char *arg)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {
		{ "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 },
		{ "", 1e3 },
	};
	unsigned int i;
	double value;
	char *end;

	value = strtod(arg, &end);
	if (end == arg || !(value >= 0))
		return -1;
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].unit))
			continue;
		value = value * units[i].ns + 0.5;
		if (value >= 0x1p63)
			return -1;
		*ns = value;
		return 0;
	}
	return -1;
}

static int lossless_get_percent(__u64 *q32, const char *arg)
{
	double value;
	char *end;

	value = strtod(arg, &end);
	if (end == arg || (*end && strcmp(end, "%")))
		return -1;
	if (!(value >= 0 && value <= 100))
		return -1;
	*q32 = value < 100 ? value / 100 * 0x1p32 : UINT32_MAX;
	return 0;
}

static int lossless_get_alpha(__u64 *to_alpha, const char *arg)
{
	bool inverse = !strncmp(arg, "1/", 2);
	__u32 n;

	arg += inverse ? 2 : 0;
	if (!lossless_is_number(arg) || get_u32(&n, arg, 10) ||
	    !n || n & (n - 1) || n > 1U << LLE_TO_ALPHA_ONE)
		return -1;
	*to_alpha = LLE_TO_ALPHA_ONE;
	for (; n > 1; n >>= 1)
		*to_alpha += inverse ? -1 : 1;
	return 0;
}

static int lossless_get_name(__u64 *value, const char *arg,
			     const char * const names[], __u64 max)
{
	for (*value = 0; *value <= max; ++*value)
		if (!strcmp(arg, names[*value]))
			return 0;
	return -1;
}

static int lossless_get_rx_rate(__u64 *rate, const char *arg)
{
	if (!strcmp(arg, "stopped"))
		*rate = 0;
	else if (!strcmp(arg, "unlimited"))
		*rate = LLE_RX_UNLIMITED;
	else if (!lossless_is_number(arg) || get_rate64(rate, arg) ||
		 *rate < LLE_RATE_MIN || *rate > LLE_RATE_MAX)
		return -1;
	return 0;
}

/* Does not check the limits. */
static int lossless_get_any(const struct lossless_word *w, const char *arg,
			    __u64 *value)
{
	unsigned int size = 0;
	__u32 number = 0;
	int err;

	if (w->type == LOSSLESS_NAME)
		return lossless_get_name(value, arg, w->names, w->max);
	if (w->type == LOSSLESS_RX_RATE)
		return lossless_get_rx_rate(value, arg);
	if (!lossless_is_number(arg))
		return -1;
	switch (w->type) {
	case LOSSLESS_NUMBER:
		err = get_u32(&number, arg, 10);
		*value = number;
		return err;
	case LOSSLESS_SIZE:
		err = get_size(&size, arg);
		*value = size;
		return err;
	case LOSSLESS_RATE:
		return get_rate64(value, arg);
	case LOSSLESS_TIME:
		return lossless_get_time(value, arg);
	case LOSSLESS_PERCENT:
		return lossless_get_percent(value, arg);
	case LOSSLESS_ALPHA:
		return lossless_get_alpha(value, arg);
	default:
		return -1;
	}
}

/* @arg: NULL: missing. Return: -1: after a message */
int lossless_get_value(const struct lossless_word *w, const char *arg,
		       __u64 *value)
{
	if (arg && w->zero && !strcmp(arg, w->zero)) {
		*value = 0;
		return 0;
	}
	if (!arg || lossless_get_any(w, arg, value) ||
	    *value < w->min || *value > w->max)
		return lossless_wrong_value(w, arg);
	return 0;
}

/* Return: 1; 0: the next word is not in @table; -1: after a message */
int lossless_parse_word(const struct lossless_word *table,
			struct lossless_values *v, struct lossless_args *args)
{
	const struct lossless_word *w;

	for (w = table; w->word && strcmp(w->word, *args->argv); w++)
		;
	if (!w->word)
		return 0;
	lossless_next(args);

	if (v->given & 1ULL << w->attr)
		return lossless_twice(w->word);
	v->given |= 1ULL << w->attr;
	if (w->type == LOSSLESS_FIXED) {
		v->value[w->attr] = w->min;
		return 1;
	}
	return lossless_get_value(w, lossless_next(args),
				  &v->value[w->attr]) ? -1 : 1;
}

void lossless_put_values(const struct lossless_word *table,
			 const struct lossless_values *v, struct nlmsghdr *n)
{
	__u64 todo = v->given;
	const struct lossless_word *w;

	for (w = table; w->word; w++) {
		__u64 u64 = v->value[w->attr];
		__u32 u32 = u64;
		__u16 u16 = u64;
		__u8 u8 = u64;
		const void *data = &u64;

		if (!(todo & 1ULL << w->attr))
			continue;
		todo &= ~(1ULL << w->attr);
		if (w->bytes == sizeof(u8))
			data = &u8;
		else if (w->bytes == sizeof(u16))
			data = &u16;
		else if (w->bytes == sizeof(u32))
			data = &u32;
		addattr_l(n, LOSSLESS_MSG_MAX, w->attr, data, w->bytes);
	}
}
