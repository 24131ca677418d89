/* SPDX-License-Identifier: GPL-2.0 */
/* User space half of core.h: kernel functions with the same type checks. */
#ifndef LLE_CORE_USER_H
#define LLE_CORE_USER_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#define U16_MAX		((u16)~0U)
#define U32_MAX		((u32)~0U)
#define U64_MAX		((u64)~0ULL)
#define NSEC_PER_SEC	1000000000L
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define BIT(nr)		(1UL << (nr))
#define BIT_ULL(nr)	(1ULL << (nr))
#define __packed	__attribute__((packed))
#define __aligned(n)	__attribute__((aligned(n)))
#define noinline	__attribute__((noinline))
#define __maybe_unused	__attribute__((unused))
#ifndef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#endif

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define READ_ONCE(x)	__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, val) __atomic_store_n(&(x), val, __ATOMIC_RELAXED)
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, val) __atomic_store_n(p, val, __ATOMIC_RELEASE)
#define smp_mb()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

typedef struct {
	int counter;
} atomic_t;

#define ATOMIC_INIT(i)	{ (i) }

static inline int atomic_read(const atomic_t *v)
{
	return READ_ONCE(v->counter);
}

static inline int atomic_add_return(int i, atomic_t *v)
{
	return __atomic_add_fetch(&v->counter, i, __ATOMIC_SEQ_CST);
}

static inline int atomic_sub_return(int i, atomic_t *v)
{
	return __atomic_sub_fetch(&v->counter, i, __ATOMIC_SEQ_CST);
}

static inline void atomic_add(int i, atomic_t *v)
{
	__atomic_add_fetch(&v->counter, i, __ATOMIC_RELAXED);
}

static inline void atomic_sub(int i, atomic_t *v)
{
	__atomic_sub_fetch(&v->counter, i, __ATOMIC_RELAXED);
}

static inline int atomic_xchg(atomic_t *v, int i)
{
	return __atomic_exchange_n(&v->counter, i, __ATOMIC_SEQ_CST);
}

#undef static_assert
#define static_assert(expr, ...) __static_assert(expr, ##__VA_ARGS__, #expr)
#define __static_assert(expr, msg, ...) _Static_assert(expr, msg)

#define cpu_to_be16(x)	((__be16)htobe16(x))
#define be16_to_cpu(x)	((u16)be16toh(x))
#define cpu_to_be32(x)	((__be32)htobe32(x))
#define be32_to_cpu(x)	((u32)be32toh(x))
#define cpu_to_be64(x)	((__be64)htobe64(x))
#define be64_to_cpu(x)	((u64)be64toh(x))

/* Comparing the pointers warns of different types, as the kernel does. */
#define __shim_cmp(a, b, op) __extension__ ({	\
	__typeof__(a) _a = (a);			\
	__typeof__(b) _b = (b);			\
	(void)(&_a == &_b);			\
	_a op _b ? _a : _b;			\
})
#define min(a, b)	__shim_cmp(a, b, <)
#define max(a, b)	__shim_cmp(a, b, >)

#define __shim_cmp_t(type, a, b, op) __extension__ ({	\
	type _a = (a);					\
	type _b = (b);					\
	_a op _b ? _a : _b;				\
})
#define min_t(type, a, b)	__shim_cmp_t(type, a, b, <)
#define max_t(type, a, b)	__shim_cmp_t(type, a, b, >)

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

#ifdef __x86_64__
static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 divisor)
{
	return (unsigned __int128)a * b / divisor;
}
#else
/* As Linux 6.1 elsewhere: loses low bits of products of 64 bits or more. */
static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 divisor)
{
	u64 whole = 0;
	int shift;

	if (a && b && __builtin_clzll(a) + __builtin_clzll(b) < 64) {
		whole = b / divisor * a;
		b %= divisor;
		shift = b ? 64 - __builtin_clzll(a) - __builtin_clzll(b) : 0;
		if (shift > 0) {
			b >>= shift;
			divisor >>= shift;
		}
	}
	return divisor ? whole + a * b / divisor : whole;
}
#endif

/* largest n with n * n <= x */
static inline u32 int_sqrt64(u64 x)
{
	u64 n = 0, bit;

	for (bit = 1ULL << 31; bit; bit >>= 1)
		if ((n + bit) * (n + bit) <= x)
			n += bit;
	return n;
}

static inline unsigned long __ffs(unsigned long word)
{
	return __builtin_ctzl(word);
}

static inline unsigned long __ffs64(u64 word)
{
	return __builtin_ctzll(word);
}

#endif /* LLE_CORE_USER_H */
