/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit and kernel for user space. TAP 13: a line per point, the plan last. */
#ifndef LLE_KUNIT_H
#define LLE_KUNIT_H

#include <stdio.h>
#include <stdlib.h>

struct kunit;

struct kunit_case {
	void (*run_case)(struct kunit *test);
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(name)	{ .run_case = name }
#define MODULE_DESCRIPTION(text)	_Static_assert(1, text)
#define MODULE_LICENSE(name)	_Static_assert(1, name)

#define kmalloc(size, flags)	malloc(size)
#define kzalloc(size, flags)	calloc(1, size)
#define kfree(data)		free(data)

static unsigned int tap_points;
static unsigned int tap_failures;

#define ok(cond, ...) tap_ok((cond), __FILE__, __LINE__, __VA_ARGS__)
#define tap_note(format, ...) printf("# " format "\n", ##__VA_ARGS__)
#define tap_metric(format, ...) printf("# metric " format "\n", ##__VA_ARGS__)

__attribute__((format(printf, 4, 5)))
static inline bool tap_ok(bool pass, const char *file, int line,
			  const char *format, ...)
{
	__builtin_va_list args;

	printf("%sok %u - ", pass ? "" : "not ", ++tap_points);
	__builtin_va_start(args, format);
	vprintf(format, args);
	__builtin_va_end(args);
	printf("\n");
	if (!pass) {
		tap_failures++;
		printf("#   at %s:%d\n", file, line);
	}
	return pass;
}

static inline int tap_run(const struct kunit_suite *suite)
{
	const struct kunit_case *c;

	printf("TAP version 13\n");
	for (c = suite->test_cases; c->run_case; c++)
		c->run_case(NULL);
	printf("1..%u\n", tap_points);
	return tap_failures != 0;
}

#define kunit_test_suite(suite) int main(void) { return tap_run(&(suite)); }

#endif /* LLE_KUNIT_H */
