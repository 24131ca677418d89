/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests are KUnit suites. The same source is also a program of user space,
 * which prints each test point; there kunit.h replaces KUnit.
 */
#ifndef LLE_TAP_H
#define LLE_TAP_H

#include "../../kmod/core/core.h"

#ifdef __KERNEL__
#include <kunit/test.h>
#include <kunit/test-bug.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#define ok(cond, ...) ({						\
	bool _pass = (cond);						\
									\
	if (!_pass)							\
		kunit_fail_current_test(__VA_ARGS__);			\
	_pass;								\
})
#define tap_note(format, ...)						\
	kunit_err(current->kunit_test, format "\n", ##__VA_ARGS__)
#define tap_metric(format, ...)						\
	kunit_info(current->kunit_test, "metric " format "\n", ##__VA_ARGS__)
#else
#include "kunit.h"
#endif

/*
 * ok(condition, name...): a test point. tap_note(): why a point fails.
 * tap_metric(): a name and a number for the pages (run.sh -m).
 */

/* A test point: two numbers are equal. */
#define is(got, want, ...) do {						\
	u64 _got = (got), _want = (want);				\
									\
	if (!ok(_got == _want, __VA_ARGS__))				\
		tap_note("got %llu, want %llu", _got, _want);		\
} while (0)

/* Unless @cond, prints the failing input and returns false. */
#define require(cond, format, ...) do {					\
	if (!(cond)) {							\
		tap_note("%s:%d: %s: " format, __FILE__, __LINE__,	\
			 #cond, ##__VA_ARGS__);				\
		return false;						\
	}								\
} while (0)

/* Declares @v, which points to each vector in turn. */
#define for_each_vector(v, vectors)					\
	for (typeof(&(vectors)[0]) v = (vectors);			\
	     v < (vectors) + ARRAY_SIZE(vectors); v++)

/* Last in a file: a KUNIT_CASE() for each test function. */
#define tap_suite(suite, ...)						\
static struct kunit_case tap_cases[] = { __VA_ARGS__, {} };		\
static struct kunit_suite tap_suite = {					\
	.name = suite,							\
	.test_cases = tap_cases,					\
};									\
kunit_test_suite(tap_suite);						\
MODULE_DESCRIPTION("Tests of " suite);					\
MODULE_LICENSE("GPL")

#endif /* LLE_TAP_H */
