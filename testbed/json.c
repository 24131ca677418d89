// SPDX-License-Identifier: GPL-2.0
/* tc's functions for JSON: the plugin prints here as in `tc -j`. */
#include "tc.h"

/* colours and formats are for text */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static bool json_comma;	/* this level has an element already */

static void json_key(const char *key)
{
	if (json_comma)
		putchar(',');
	json_comma = true;
	if (key)
		printf("\"%s\":", key);
}

static void json_open(const char *key, char bracket)
{
	json_key(key);
	putchar(bracket);
	json_comma = false;
}

static void json_close(char bracket)
{
	putchar(bracket);
	json_comma = true;
}

static bool json_value(enum output_type t, const char *key)
{
	if (t != PRINT_FP)
		json_key(key);
	return t != PRINT_FP;
}

bool is_json_context(void)
{
	return true;
}

void open_json_object(const char *key)
{
	json_open(key, '{');
}

void close_json_object(void)
{
	json_close('}');
}

void open_json_array(enum output_type t, const char *key)
{
	if (t != PRINT_FP)
		json_open(key, '[');
}

void close_json_array(enum output_type t, const char *text)
{
	if (t != PRINT_FP)
		json_close(']');
}

void print_nl(void)
{
}

void tc_print_rate(enum output_type t, const char *key, const char *fmt,
		   unsigned long long rate)
{
	if (t != PRINT_FP)
		print_u64(t, key, NULL, rate);
}

void print_color_bool(enum output_type t, enum color_attr color,
		      const char *key, const char *fmt, bool value)
{
	if (json_value(t, key))
		printf("%s", value ? "true" : "false");
}

void print_color_float(enum output_type t, enum color_attr color,
		       const char *key, const char *fmt, double value)
{
	if (json_value(t, key))
		printf("%g", value);
}

void print_color_lluint(enum output_type t, enum color_attr color,
			const char *key, const char *fmt,
			unsigned long long value)
{
	if (json_value(t, key))
		printf("%llu", value);
}

/* Strings here have no characters that JSON must escape. */
void print_color_string(enum output_type t, enum color_attr color,
			const char *key, const char *fmt, const char *value)
{
	if (json_value(t, key))
		printf("\"%s\"", value);
}
