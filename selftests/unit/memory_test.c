// SPDX-License-Identifier: GPL-2.0
/* kmod/core/buffer/memory.c: the buffer shrinks before memory is short. */
#include "tap.h"

#include "../../kmod/core/buffer/credit.c"
#include "../../kmod/core/buffer/memory.c"
#include "../../kmod/core/buffer/sb.c"

#define MACHINE	(1ULL << 30)
#define SIZE	(128U << 20)
#define ALPHA	(LLE_TO_ALPHA_ONE + 10)		/* 1024: all free bytes */

/* Returns the memory of frames until one is refused. Alpha leaves 1/1024 free. */
static u64 fill(u64 size, u32 len, u32 truesize, bool lossless, u64 *bytes)
{
	struct lle_sb_params p = { .to_alpha = ALPHA, .headroom_bytes = 100000 };
	struct lle_sb sb = {
		.size = size, .carved = lossless ? 100000 : 0,
		.memory_max = MACHINE,
	};
	struct lle_sb_pg pg = { .lossless = lossless };
	struct lle_sb_memory memory = {};
	unsigned int verdict;

	lle_sb_params_init(&p);
	for (*bytes = 0;; *bytes += len) {
		verdict = lle_sb_admit(&sb, &p, &pg, len);
		if (verdict & ~LLE_SB_XOFF)
			break;
		memory.bytes += truesize;
		if (lle_memory_has_changed(&memory))
			lle_memory_update(&sb, &memory);
	}
	return memory.bytes;
}

static void test_bound(struct kunit *test)
{
	u64 bytes;

	ok(fill(SIZE, 62, 768, false, &bytes) <= 2ULL * SIZE,
	   "bound: small frames, lossy");
	ok(fill(SIZE, 62, 768, true, &bytes) <= 2ULL * SIZE,
	   "bound: small frames, lossless");
	ok(fill(SIZE, 62, 2304, true, &bytes) <= 2ULL * SIZE,
	   "bound: small frames in half pages");
	ok(bytes < SIZE / 16, "bound: these have few bytes");
	ok(fill(1 << 20, 62, 768, true, &bytes) <= 32 << 20,
	   "bound: a small buffer");
	ok(fill(LLE_BUFFER_MAX, 1000, 2304, true, &bytes) <= MACHINE,
	   "bound: the machine's memory");
}

static void test_unchanged(struct kunit *test)
{
	u64 bytes;

	fill(SIZE, 1514, 2304, false, &bytes);
	ok(bytes + SIZE / 1000 > SIZE, "unchanged: full frames fill the buffer");
	fill(12 << 20, 1000, 2304, false, &bytes);
	ok(bytes + (12 << 20) / 1000 > 12 << 20, "unchanged: a buffer of 12 MB");
	fill(2 << 20, 62, 768, false, &bytes);
	ok(bytes + (2 << 20) / 1000 > 2 << 20, "unchanged: a buffer of 2 MB");
}

/* Reports of several queues add up, and are taken back. */
static void test_account(struct kunit *test)
{
	struct lle_sb sb = { .size = 16 << 20 };
	struct lle_sb_memory a = {}, b = {};
	u64 begin = 28 << 20;

	a.bytes = LLE_SB_MEMORY_SLACK;
	ok(!lle_memory_has_changed(&a), "account: little is no news");
	a.bytes++;
	ok(lle_memory_has_changed(&a), "account: a byte more is");
	b.known = LLE_SB_MEMORY_SLACK;
	ok(!lle_memory_has_changed(&b), "account: nor is little less");
	b.known++;
	ok(lle_memory_has_changed(&b), "account: a byte less is");
	b.known = 0;
	a.bytes = 10 << 20;
	ok(lle_memory_has_changed(&a), "account: much is");
	ok(!lle_memory_update(&sb, &a), "account: but less than the limit");
	is(lle_sb_free(&sb), 16 << 20, "account: all is free");
	b.bytes = begin - a.bytes + 1000;
	ok(lle_memory_update(&sb, &b), "account: both are too much");
	is(lle_sb_free(&sb), (16 << 20) - 16000, "account: 16 times less is free");
	b.bytes += 1 << 20;
	ok(!lle_memory_update(&sb, &b), "account: no news that it shrinks");
	is(lle_sb_free(&sb), 0, "account: nothing is free");
	a.bytes = 0;
	ok(lle_memory_has_changed(&a), "account: less is news, too");
	lle_memory_update(&sb, &a);
	is(lle_sb_free(&sb), 16 << 20, "account: all is free again");
	b.bytes = 0;
	lle_memory_update(&sb, &b);
	is(sb.memory, 0, "account: empty");
}

tap_suite("lossless_memory",
	  KUNIT_CASE(test_bound),
	  KUNIT_CASE(test_unchanged),
	  KUNIT_CASE(test_account));
