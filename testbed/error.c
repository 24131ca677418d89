// SPDX-License-Identifier: GPL-2.0
/* Error messages, and allocation that ends the program when it fails. */
#include <stdarg.h>
#include <stdlib.h>

#include "tb.h"

static const char *tb_at_file;
static unsigned int tb_at_line;
static const char *tb_at_statement;

/* Prints an error message of one line. Return: -1. */
int tb_error(const char *fmt, ...)
{
	va_list list;

	fprintf(stderr, "lle-testbed: ");
	if (tb_at_file && tb_at_statement)
		fprintf(stderr, "%s: \"%s\": ", tb_at_file, tb_at_statement);
	else if (tb_at_file)
		fprintf(stderr, "%s:%u: ", tb_at_file, tb_at_line);
	va_start(list, fmt);
	vfprintf(stderr, fmt, list);
	va_end(list);
	fprintf(stderr, "\n");
	return -1;
}

/*
 * Sets the place that begins error messages. @file: NULL: no place; @statement:
 * printed instead of the line of a converted file, or NULL
 */
void tb_error_at(const char *file, unsigned int line, const char *statement)
{
	tb_at_file = file;
	tb_at_line = line;
	tb_at_statement = statement;
}

static void *tb_got(void *memory)
{
	if (memory)
		return memory;
	tb_error("out of memory");
	exit(1);
}

/*
 * Makes room for one more element of @size bytes. @array: NULL if @num is 0.
 * The capacity is a power of two: the array grows when @num is one. Exits when
 * memory is short: topologies are read before anything is built. Return: the
 * array.
 */
void *tb_grow(void *array, unsigned int num, size_t size)
{
	if (num & (num - 1))
		return array;
	return tb_got(reallocarray(array, num ? 2 * (size_t)num : 1, size));
}

/* Exits when memory is short. */
void *tb_zalloc(size_t num, size_t size)
{
	return tb_got(calloc(num ? num : 1, size));
}
