// SPDX-License-Identifier: GPL-2.0
/* kmod/core/buffer/sb.c: thresholds and charging, to the byte. */
#include "tap.h"

#include "sb_oracle.h"
#include "../../kmod/core/buffer/credit.c"
#include "../../kmod/core/buffer/sb.c"
#include "../vectors/sb.h"

#define GREEDY	3	/* another port's group, without threshold */

static bool step(struct lle_sb *sb, const struct lle_sb_params *p,
		 struct lle_sb_pg *pgs, const struct sb_step *v)
{
	struct lle_sb_pg *pg = &pgs[v->pg];
	unsigned int got = v->verdict;
	bool truth = true;

	switch (v->op) {
	case SB_IN:
		got = sb_in(sb, v->pg == GREEDY ? &oracle_greedy : p, pg,
			    v->len);
		break;
	case SB_OUT:
		truth = sb_out(sb, pg, v->len);
		break;
	case SB_ON:
		truth = sb_set(sb, pg, true);
		break;
	case SB_OFF:
		truth = sb_set(sb, pg, false);
		break;
	case SB_FREE:
		require(lle_sb_free(sb) == v->len, "%llu, want %u",
			lle_sb_free(sb), v->len);
		return true;
	case SB_END:
		return true;
	}
	require(truth, "XON");
	require(got == v->verdict, "verdict %u, want %u", got, v->verdict);
	require(pg->xoff == v->xoff, "xoff %d, want %d", pg->xoff, v->xoff);
	require(lle_sb_occ(pg) == v->occ, "occ %u, want %u",
		lle_sb_occ(pg), v->occ);
	require(lle_sb_shared(pg) == v->shared, "shared %u, want %u",
		lle_sb_shared(pg), v->shared);
	require(pg->headroom == v->headroom, "headroom %u, want %u",
		pg->headroom, v->headroom);
	return true;
}

static bool script(const struct sb_script *v)
{
	struct lle_sb_pg pgs[4] = {
		{ .lossless = true }, { .lossless = true },
	};
	struct lle_sb_pg max[4] = {};
	struct lle_sb sb = v->sb;
	u64 used_max = 0;
	unsigned int i, g;

	for (i = 0; i < ARRAY_SIZE(v->steps) && v->steps[i].op; i++) {
		require(step(&sb, &v->p, pgs, &v->steps[i]), "step %u", i);
		for (g = 0; g < 4; g++) {
			max[g].occ_max = max(max[g].occ_max, lle_sb_occ(&pgs[g]));
			if (v->steps[i].op == SB_IN)
				max[g].headroom_max = max(max[g].headroom_max,
							  pgs[g].headroom);
		}
		if (v->steps[i].op == SB_IN)
			used_max = max(used_max, sb.used);
	}
	for (g = 0; g < 4; g++)
		require(pgs[g].occ_max == max[g].occ_max &&
				pgs[g].headroom_max == max[g].headroom_max,
			"group %u: %u, %u", g, pgs[g].occ_max,
			pgs[g].headroom_max);
	require(sb.used_max == used_max, "%llu", sb.used_max);
	return true;
}

#define DYN_HEADROOM 2000

/* Fills n groups in turn until each is above its threshold. */
static void test_dynamic(struct kunit *test)
{
	unsigned int g, xoff;

	for_each_vector(v, sb_dynamic_vectors) {
		u32 n = v->n;
		u32 want = v->bytes;
		struct lle_sb_params p = {
			.to_alpha = v->to_alpha,
			.xon_delta_bytes = 3000,
			.headroom_bytes = DYN_HEADROOM,
		};
		struct lle_sb_pg pgs[8] = {};
		struct lle_sb sb = {
			.carved = lle_sb_carve(&p, n),
		};
		bool exact = true;

		sb.size = v->shared_bytes + sb.carved;
		for (g = 0; g < n; g++)
			pgs[g].lossless = true;

		/* cells, while a cell per group stays below */
		while (lle_sb_occ(&pgs[n - 1]) + 128 < want)
			for (g = 0; g < n; g++)
				exact &= !sb_in(&sb, &p, &pgs[g], 64) &&
					 !pgs[g].xoff;
		for (xoff = 0; xoff != (1U << n) - 1;)
			for (g = 0; g < n; g++) {
				if (xoff & 1 << g)
					continue;
				exact &= !sb_in(&sb, &p, &pgs[g], 1);
				xoff |= pgs[g].xoff << g;
				/* above XOFF a group has T, others at most T */
				exact &= pgs[g].xoff ?
					 lle_sb_shared(&pgs[g]) == want :
					 lle_sb_shared(&pgs[g]) <= want;
			}
		for (g = 0; g < n; g++)
			exact &= lle_sb_shared(&pgs[g]) == want && pgs[g].headroom <= 1;
		ok(exact, "alpha 1/%u of %u, %u groups: %u bytes each, want %u",
		   v->inverse, v->shared_bytes, n, lle_sb_shared(&pgs[0]), want);

		is(sb.used, (u64)want * n, "shared bytes in use");
		/* XON is below T at the moment of XOFF, rounded down */
		exact = true;
		for (g = 0; g < n; g++)
			exact &= pgs[g].xon <= want - 3000 &&
				 pgs[g].xon + 3000 + 1 >= want;
		ok(exact, "xon %u", pgs[0].xon);
	}

	for_each_vector(v, sb_cell_vectors) {
		struct lle_sb_params p = {
			.to_alpha = v->to_alpha,
			.headroom_bytes = DYN_HEADROOM,
		};
		struct lle_sb sb = { .size = v->shared_bytes };
		struct lle_sb_pg pg = { .lossless = true };

		while (!pg.xoff)
			sb_in(&sb, &p, &pg, 64);
		is(lle_sb_shared(&pg), v->bytes, "in cells of 64");
	}
}

static bool headroom_to_the_byte(void)
{
	u32 headroom, len, n;

	for (headroom = 0; headroom < 200; headroom++)
		for (len = 1; len < 220; len++) {
			struct lle_sb_params p = {
				.xoff_bytes = 1,
				.headroom_bytes = headroom,
			};
			struct lle_sb sb = { .size = 1, };
			struct lle_sb_pg pg = { .lossless = true };

			sb_in(&sb, &p, &pg, 1);
			for (n = 0; !sb_in(&sb, &p, &pg, len); n++)
				;
			require(n == headroom / len, "%u packets of %u in %u",
				n, len, headroom);
			require(pg.headroom == n * len && lle_sb_occ(&pg) == n * len + 1,
				"%u", lle_sb_occ(&pg));
		}
	return true;
}

/* 32 bits: largest buffer, headroom, packet */
static void test_extremes(struct kunit *test)
{
	struct lle_sb_params p = {
		.to_alpha = LLE_TO_ALPHA_MAX,
		.headroom_bytes = U32_MAX,
	};
	struct lle_sb sb = { .size = LLE_BUFFER_MAX };
	struct lle_sb_pg pg = { .lossless = true };

	is(sb_in(&sb, &p, &pg, LLE_BUFFER_MAX), LLE_SB_ADMIT,
	   "alpha 1024: a group may have all");
	ok(pg.xoff && lle_sb_free(&sb) == 0, "then it is paused");
	is(sb_in(&sb, &p, &pg, 9022), LLE_SB_ADMIT, "and has headroom");
	is(pg.headroom, 9022, "of which it uses that");
	p.headroom_bytes = 9022 + 65535;
	is(sb_in(&sb, &p, &pg, U32_MAX), LLE_SB_DROP_HEADROOM,
	   "a length that would wrap round");
	is(sb_in(&sb, &p, &pg, 65536), LLE_SB_DROP_HEADROOM,
	   "one byte too many");
	is(sb_in(&sb, &p, &pg, 65535), LLE_SB_ADMIT, "just enough");

	/* headroom below its use */
	p.headroom_bytes = 100;
	is(sb_in(&sb, &p, &pg, 1), LLE_SB_DROP_HEADROOM,
	   "headroom shrunk below its use");
	p = (struct lle_sb_params){ .xoff_bytes = 10, .reserved_bytes = 100 };
	sb = (struct lle_sb){ .size = 1000 };
	pg = (struct lle_sb_pg){};
	sb_in(&sb, &p, &pg, 100);
	p.reserved_bytes = 50;
	sb_in(&sb, &p, &pg, 7);
	ok(lle_sb_occ(&pg) == 107 && lle_sb_shared(&pg) == 7, "reserved shrunk below its use");
	/* also if other bytes are shared and in headroom: 100, 7, 3 */
	pg.lossless = true;
	p = (struct lle_sb_params) {
		.xoff_bytes = 7,
		.reserved_bytes = 100,
		.headroom_bytes = 10,
	};
	is(sb_in(&sb, &p, &pg, 3), LLE_SB_ADMIT, "headroom");
	p.reserved_bytes = 150;
	is(sb_in(&sb, &p, &pg, 50), LLE_SB_ADMIT, "reserved grown");
	ok(lle_sb_occ(&pg) == 160 && lle_sb_shared(&pg) == 7 && pg.headroom == 3 && sb.used == 7,
	   "all 50 bytes are reserved ones");
	sb.carved = 2000;
	is(lle_sb_free(&sb), 0, "more carved than there is");
	pg.lossless = false;
	is(sb_in(&sb, &oracle_greedy, &pg, 1), LLE_SB_DROP_BUFFER,
	   "nothing of it to have");
}

static bool derived_once(void)
{
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(sb_scripts); i++)
		for (k = 0; k < ARRAY_SIZE(sb_scripts); k++) {
			struct lle_sb_params p = sb_params(&sb_scripts[i].p);
			struct lle_sb_params want = sb_params(&sb_scripts[k].p);

			p.reserved_bytes = want.reserved_bytes;
			p.xoff_bytes = want.xoff_bytes;
			p.to_alpha = want.to_alpha;
			p.xon_delta_bytes = want.xon_delta_bytes;
			p.headroom_bytes = want.headroom_bytes;
			lle_sb_params_init(&p);
			require(!memcmp(&p, &want, sizeof(p)), "%u, %u", i, k);
		}
	return true;
}

static void test_scripts(struct kunit *test)
{
	for_each_vector(v, sb_scripts)
		ok(script(v), "%s", v->name);
}

static void test_params(struct kunit *test)
{
	for_each_vector(v, sb_threshold_vectors) {
		struct lle_sb_params p = {
			.to_alpha = v->to_alpha,
			.xoff_bytes = v->xoff_bytes,
		};

		p = sb_params(&p);
		is(lle_sb_threshold(&p, v->free), v->threshold,
		   "threshold: to-alpha %u, xoff %u, free %llu", p.to_alpha,
		   p.xoff_bytes, v->free);
	}
	ok(derived_once(), "what is derived does not depend on what was there");
	for_each_vector(v, sb_carve_vectors) {
		struct lle_sb_params p = {
			.reserved_bytes = v->reserved_bytes,
			.headroom_bytes = v->headroom_bytes,
		};

		is(lle_sb_carve(&p, v->lossless), v->carve,
		   "carve: %u and %u for %u", p.reserved_bytes,
		   p.headroom_bytes, v->lossless);
	}
}

static void test_headroom(struct kunit *test)
{
	ok(headroom_to_the_byte(), "headroom to the byte");
}

/* A group of 8000 bytes pauses at half of the free bytes; another has 80000. */
static void test_recheck(struct kunit *test)
{
	const struct lle_sb_params p = {
		.to_alpha = LLE_TO_ALPHA_ONE - 1,
		.alpha_num = 1,
		.alpha_den = 2,
		.xon_delta_bytes = 1000,
		.headroom_bytes = 10000,
	};
	struct lle_sb sb = { .size = 100000, .carved = 2000, .used = 88000 };
	struct lle_sb_pg pg = {
		.lossless = true, .xoff = true,
		.shared = ATOMIC_INIT(8000), .xon = 4000,
	};

	ok(!lle_sb_recheck(&sb, &p, &pg) && pg.xoff, "10000 free: still XOFF");
	sb.used = 80001;
	ok(!lle_sb_recheck(&sb, &p, &pg) && pg.xoff, "17999 free: still XOFF");
	sb.used = 80000;
	ok(lle_sb_recheck(&sb, &p, &pg) && !pg.xoff, "18000 free: XON");
	is(lle_sb_occ(&pg), 8000, "nothing has moved");
	ok(!lle_sb_recheck(&sb, &p, &pg), "XON once");
}

static void set(atomic_t *a, int value)
{
	atomic_add(value - atomic_read(a), a);
}

/* min(64 KB, free / 8 / ports), from 4 KB on */
static void test_lend(struct kunit *test)
{
	static const struct {
		u32 size;
		unsigned int ports;
		u32 loan;
	} loans[] = {
		{ 1 << 20, 4, 32768 },
		{ 1 << 20, 1, 65536 },
		{ 131072, 4, 4096 },
		{ 131071, 4, 0 },
	};
	struct lle_sb sb = { .size = 1 << 20 };
	struct lle_sb_credit a = {}, b = {};

	for_each_vector(v, loans) {
		struct lle_sb one = { .size = v->size };
		struct lle_sb_credit loan = {};

		lle_credit_lend(&one, &loan, v->ports);
		is(atomic_read(&loan.bytes), v->loan, "%u bytes, %u ports",
		   v->size, v->ports);
		ok(one.used == v->loan && lle_credit_lent(&one) == v->loan,
		   "its bytes are lent");
	}
	lle_credit_lend(&sb, &a, 4);
	lle_credit_lend(&sb, &b, 4);
	is(atomic_read(&b.bytes), 31744, "1015808 / 32: the first loan is not free");
	sb.carved = 1 << 19;
	lle_credit_lend(&sb, &a, 4);
	ok(atomic_read(&a.bytes) == 32768 && sb.used == 64512,
	   "a larger loan is not reduced here");
	set(&a.bytes, 14368);	/* (2^19 - 64512) / 32 */
	lle_credit_lend(&sb, &a, 4);
	is(a.keep, 32768, "nor is its size by a loan that has it");
	set(&a.bytes, 10000);
	lle_credit_lend(&sb, &a, 4);
	ok(atomic_read(&a.bytes) == 14368 && a.keep == 14368 &&
	   sb.used == 64512 + 4368, "a smaller one is filled up");
	is(lle_credit_lent(&sb), 14368 + 31744, "both are lent");
	set(&a.bytes, 1 - 31744);
	is(lle_credit_lent(&sb), 1, "one byte");
	set(&a.bytes, -5 - 31744);
	is(lle_credit_lent(&sb), 0, "never less than 0");
}

static void test_settle(struct kunit *test)
{
	struct lle_sb sb = { .size = 1 << 20 };
	struct lle_sb_credit a = {};

	lle_credit_lend(&sb, &a, 4);
	sb.used = 100000;
	set(&a.bytes, 32768 + 40000);
	lle_credit_settle(&sb, &a);
	ok(atomic_read(&a.bytes) == 32768 && sb.used == 60000,
	   "what is above a loan returns");
	is(sb.free, (1 << 20) - 60000, "and is free for others");
	set(&a.bytes, 22768);
	lle_credit_settle(&sb, &a);
	ok(atomic_read(&a.bytes) == 22768 && sb.used == 60000,
	   "a loan with less than its size is not filled up");
	lle_credit_reclaim(&sb);
	ok(!atomic_read(&a.bytes) && !a.keep && sb.used == 60000 - 22768,
	   "taken back");
	is(sb.free, 0, "no packet may be charged to a loan");
	set(&a.bytes, 1500);
	lle_credit_settle(&sb, &a);
	ok(!atomic_read(&a.bytes) && sb.used == 60000 - 22768 - 1500,
	   "bytes that return later are not lost");
}

static void test_borrow(struct kunit *test)
{
	struct lle_sb_params p = { .to_alpha = LLE_TO_ALPHA_MAX };
	struct lle_sb sb = { .size = 1 << 20 };
	struct lle_sb_credit a = {};
	struct lle_sb_pg pg = {};

	lle_sb_params_init(&p);
	lle_credit_lend(&sb, &a, 4);
	ok(lle_credit_borrow(&sb, &p, &pg, &a, 32768), "a loan, to its last byte");
	ok(!lle_credit_borrow(&sb, &p, &pg, &a, 1), "has no byte more");
	ok(!atomic_read(&a.bytes) && lle_sb_shared(&pg) == 32768,
	   "which is not charged");
	is(lle_credit_repay(&pg, &a, 32768), LLE_SB_REPAID, "repaid");
	is(atomic_read(&a.bytes), 32768, "to the loan");
	set(&pg.shared, 32769);
	is(lle_credit_repay(&pg, &a, 32768), LLE_SB_REPAID, "twice the loan");
	is(lle_credit_repay(&pg, &a, 1), LLE_SB_REPAID_RECHECK, "a byte more");
	p.quick_bytes = 100;
	ok(!lle_credit_borrow(&sb, &p, &pg, &a, 100) && !lle_sb_shared(&pg),
	   "a packet that reaches the threshold is not charged");
	is(atomic_read(&a.bytes), 65537, "nor does the loan pay for it");
	set(&pg.shared, 1500);
	pg.careful = true;
	is(lle_credit_repay(&pg, &a, 1500), LLE_SB_NOT_REPAID, "a careful group");
	pg.careful = false;
	lle_credit_reclaim(&sb);
	is(lle_credit_repay(&pg, &a, 1500), LLE_SB_NOT_REPAID, "no loan");
	is(lle_sb_shared(&pg), 1500, "nothing was done");
}

static void test_same(struct kunit *test)
{
	const struct lle_sb_params p = {
		.reserved_bytes = 1, .xoff_bytes = 2, .to_alpha = 3,
	};
	struct lle_sb_params other[] = { p, p, p, p };
	unsigned int i;

	other[1].reserved_bytes++;
	other[2].xoff_bytes++;
	other[3].to_alpha++;
	for (i = 0; i < ARRAY_SIZE(other); i++)
		is(lle_sb_same_thresholds(&p, &other[i]), !i, "thresholds %u", i);
}

/* Reserved bytes are raised while the group has bytes in headroom. */
static void test_reserved_raised(struct kunit *test)
{
	struct lle_sb_params p = {
		.xoff_bytes = 1000,
		.reserved_bytes = 50000,
		.headroom_bytes = 10000,
	};
	struct lle_sb sb = { .size = 100000, .used = 1000 };
	struct lle_sb_pg pg = {
		.lossless = true, .shared = ATOMIC_INIT(1000), .headroom = 500,
	};

	lle_sb_params_init(&p);
	is(lle_sb_admit(&sb, &p, &pg, 100), LLE_SB_ADMIT | LLE_SB_XOFF,
	   "the next packet has to pause the neighbour again");
	is(pg.reserved, 100, "though it has reserved bytes");
}

tap_suite("lossless_sb",
	  KUNIT_CASE(test_recheck),
	  KUNIT_CASE(test_lend),
	  KUNIT_CASE(test_settle),
	  KUNIT_CASE(test_borrow),
	  KUNIT_CASE(test_same),
	  KUNIT_CASE(test_reserved_raised),
	  KUNIT_CASE(test_scripts),
	  KUNIT_CASE(test_params),
	  KUNIT_CASE(test_dynamic),
	  KUNIT_CASE(test_headroom),
	  KUNIT_CASE(test_extremes));
