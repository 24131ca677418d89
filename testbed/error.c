// SPDX-License-Identifier: GPL-2.0
/* What went wrong, and memory without which nothing goes on. */
#include <stdarg.h>
#include <stdlib.h>

#include "tb.h"

static const char *tb_at_file;
static unsigned int tb_at_line;

/**
 * tb_error() - say what is wrong, on one line
 * @fmt: format, and arguments to it
 *
 * Return: -1.
 */
int tb_error(const char *fmt, ...)
{
	va_list list;

	fprintf(stderr, "lle-testbed: ");
	if (tb_at_file)
		fprintf(stderr, "%s:%u: ", tb_at_file, tb_at_line);
	va_start(list, fmt);
	vfprintf(stderr, fmt, list);
	va_end(list);
	fprintf(stderr, "\n");
	return -1;
}

/**
 * tb_error_at() - where in a file the errors from now on are
 * @file: name of the file; NULL: in none
 * @line: number of the line
 */
void tb_error_at(const char *file, unsigned int line)
{
	tb_at_file = file;
	tb_at_line = line;
}

static void *tb_got(void *memory)
{
	if (memory)
		return memory;
	tb_error("out of memory");
	exit(1);
}

/**
 * tb_grow() - make room for one element more
 * @array: the array; NULL: there is none yet
 * @num: elements it has
 * @size: of an element
 *
 * Its room is always a power of two, so that is when more is needed. Memory is
 * got while nothing is built yet: exit leaves nothing behind.
 *
 * Return: the array.
 */
void *tb_grow(void *array, unsigned int num, size_t size)
{
	if (num & (num - 1))
		return array;
	return tb_got(reallocarray(array, num ? 2 * (size_t)num : 1, size));
}

/**
 * tb_zalloc() - get memory
 * @num: of so many elements
 * @size: of each
 *
 * Return: the memory, all 0.
 */
void *tb_zalloc(size_t num, size_t size)
{
	return tb_got(calloc(num ? num : 1, size));
}
