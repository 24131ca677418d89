/* SPDX-License-Identifier: GPL-2.0 */
/* TAP 13: one line a test point, the plan at the end. */
#ifndef LLE_TAP_H
#define LLE_TAP_H

#include <stdio.h>

#include "shim.h"

static unsigned int tap_points;
static unsigned int tap_failures;

/**
 * ok() - a test point
 * @cond: it passes if this is true
 * @...: format and arguments of its name
 */
#define ok(cond, ...) tap_ok((cond), __FILE__, __LINE__, __VA_ARGS__)

/**
 * is() - a test point: two numbers are equal
 * @got: what the code under test says
 * @want: what is right
 * @...: format and arguments of its name
 */
#define is(got, want, ...) do {						\
	u64 _got = (got), _want = (want);				\
									\
	if (!tap_ok(_got == _want, __FILE__, __LINE__, __VA_ARGS__))	\
		printf("#   got %llu, want %llu\n", _got, _want);	\
} while (0)

/**
 * require() - one of the many conditions of a function that is a test point
 * @cond: if false, the function says so and returns false
 * @...: format and arguments: with what it failed
 */
#define require(cond, ...) do {						\
	if (!(cond)) {							\
		printf("# %s:%d: %s: ", __FILE__, __LINE__, #cond);	\
		printf(__VA_ARGS__);					\
		printf("\n");						\
		return false;						\
	}								\
} while (0)

__attribute__((format(printf, 4, 5)))
static inline bool tap_ok(bool pass, const char *file, int line,
			  const char *format, ...)
{
	__builtin_va_list args;

	if (!tap_points)
		printf("TAP version 13\n");
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

/* To be returned by main(). */
static inline int tap_end(void)
{
	printf("1..%u\n", tap_points);
	return tap_failures != 0;
}

#endif /* LLE_TAP_H */
