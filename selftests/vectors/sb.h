/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_VECTORS_SB_H
#define LLE_VECTORS_SB_H

/*
 * "RDMA over Commodity Ethernet at Scale", section 6.2: a group admits while B
 * < alpha * free. So n groups that fill the shared buffer B stop each at the
 * first whole number >= T = alpha * B / (1 + n * alpha) = B / (1/alpha + n).
 */
static const struct {
	u32 shared_bytes;
	u32 to_alpha;
	u32 inverse;		/* 1 / alpha */
	u32 n;
	u32 bytes;
} sb_dynamic_vectors[] = {
	{ 12000000, 6, 16, 1, 705883 },		/* / 17 = 705882.35 */
	{ 12000000, 6, 16, 2, 666667 },		/* / 18 = 666666.67 */
	{ 12000000, 6, 16, 8, 500000 },		/* / 24 */
	{ 12000000, 4, 64, 1, 184616 },		/* / 65 = 184615.38 */
	{ 12000000, 4, 64, 2, 181819 },		/* / 66 = 181818.18 */
	{ 12000000, 4, 64, 8, 166667 },		/* / 72 = 166666.67 */
	{ 12582912, 6, 16, 1, 740172 },		/* / 17 = 740171.29 */
	{ 12582912, 6, 16, 2, 699051 },		/* / 18 = 699050.67 */
	{ 12582912, 6, 16, 8, 524288 },		/* / 24 */
	{ 12582912, 4, 64, 1, 193584 },		/* / 65 = 193583.26 */
	{ 12582912, 4, 64, 2, 190651 },		/* / 66 = 190650.18 */
	{ 12582912, 4, 64, 8, 174763 },		/* / 72 = 174762.67 */
};

/* One group, filled in cells of 64: the first multiple >= T */
static const struct {
	u32 shared_bytes;
	u32 to_alpha;
	u32 bytes;
} sb_cell_vectors[] = {
	{ 12000000, 6, 705920 },		/* 11030 * 64 = 705920 */
	{ 12000000, 4, 184640 },		/* 2885 * 64 = 184640 */
	{ 12582912, 6, 740224 },		/* 11566 * 64 = 740224 */
	{ 12582912, 4, 193600 },		/* 3025 * 64 = 193600 */
};

/* alpha = 2^(to_alpha - 10), as in devlink-sb; rounded down */
static const struct {
	u32 to_alpha;
	u32 xoff_bytes;
	u64 free;
	u64 threshold;
} sb_threshold_vectors[] = {
	{ 10, 0, 12345, 12345 },
	{ 9, 0, 12345, 6172 },
	{ 11, 0, 12345, 24690 },
	{ 6, 0, 12000000, 750000 },
	{ 6, 0, 15, 0 },
	{ 6, 0, 16, 1 },
	{ 4, 0, 12000000, 187500 },
	{ 0, 0, 1 << 20, 1024 },
	{ 0, 0, 1023, 0 },
	{ 20, 0, 1 << 30, 1ULL << 40 },
	{ 10, 0, 0, 0 },
	{ 6, 777, 12000000, 777 },
	{ 6, 777, 0, 777 },
};

/* reserved: of 8 priorities, headroom: of lossless ones */
static const struct {
	u32 reserved_bytes;
	u32 headroom_bytes;
	u32 lossless;
	u64 carve;
} sb_carve_vectors[] = {
	{ 0, 0, 8, 0 },
	{ 1000, 50000, 0, 8000 },
	{ 1000, 50000, 2, 108000 },
	{ U32_MAX, U32_MAX, 8, 68719476720ULL },
};

/*
 * Groups 0 and 1 are lossless, 2 is lossy; 3, lossy, belongs to another port,
 * without threshold or reserved bytes. After each step: above XOFF? and bytes:
 * total, shared, in headroom.
 */
enum sb_op {
	SB_END,
	SB_IN,
	SB_OUT,
	SB_ON,
	SB_OFF,
	SB_FREE,	/* @len bytes of the shared buffer are free */
};

struct sb_step {
	enum sb_op op;
	u8 pg;
	u32 len;
	enum lle_sb_verdict verdict;
	bool xoff;
	u32 occ;
	u32 shared;
	u32 headroom;
};

#define A	LLE_SB_ADMIT
#define DT	LLE_SB_DROP_THRESHOLD
#define DB	LLE_SB_DROP_BUFFER
#define DH	LLE_SB_DROP_HEADROOM

static const struct sb_script {
	const char *name;
	struct lle_sb sb;
	struct lle_sb_params p;
	struct sb_step steps[20];
} sb_scripts[] = {
	{ "static xoff, headroom and xon", { .size = 100000, .carved = 600 },
	  { .xoff_bytes = 1000, .xon_delta_bytes = 200, .headroom_bytes = 300 },
	  { { SB_IN, 0, 999, A, false, 999, 999, 0 },
	    { SB_IN, 0, 1, A, true, 1000, 1000, 0 },
	    { SB_IN, 0, 300, A, true, 1300, 1000, 300 },
	    { SB_IN, 0, 1, DH, true, 1300, 1000, 300 },
	    { SB_OUT, 0, 1, A, true, 1299, 1000, 299 },
	    { SB_IN, 0, 2, DH, true, 1299, 1000, 299 },
	    { SB_IN, 0, 1, A, true, 1300, 1000, 300 },
	    { SB_OUT, 0, 300, A, true, 1000, 1000, 0 },
	    { SB_OUT, 0, 199, A, true, 801, 801, 0 },
	    { SB_OUT, 0, 1, A, false, 800, 800, 0 },
	    /* the packet that crosses XOFF is all shared */
	    { SB_IN, 0, 199, A, false, 999, 999, 0 },
	    { SB_IN, 0, 1500, A, true, 2499, 2499, 0 },
	    { SB_FREE, 0, 96901 },
	    /* min(1000, 2499) - 200 */
	    { SB_OUT, 0, 1698, A, true, 801, 801, 0 },
	    /* still paused; shared bytes below the threshold are free */
	    { SB_IN, 0, 100, A, true, 901, 901, 0 },
	    { SB_OUT, 0, 101, A, false, 800, 800, 0 },
	    { SB_OUT, 0, 800, A, false, 0, 0, 0 },
	    { SB_FREE, 0, 99400 } } },

	{ "reserved bytes first", { .size = 100000, .carved = 8000 },
	  { .reserved_bytes = 500, .xoff_bytes = 1000, .xon_delta_bytes = 200,
	    .headroom_bytes = 2000 },
	  { { SB_IN, 0, 500, A, false, 500, 0, 0 },
	    { SB_IN, 1, 400, A, false, 400, 0, 0 },
	    { SB_FREE, 0, 92000 },
	    { SB_IN, 1, 300, A, false, 700, 200, 0 },
	    { SB_IN, 1, 799, A, false, 1499, 999, 0 },
	    { SB_IN, 1, 1, A, true, 1500, 1000, 0 },
	    { SB_IN, 1, 1, A, true, 1501, 1000, 1 },
	    { SB_FREE, 0, 91000 },
	    /* released first: headroom, then shared */
	    { SB_OUT, 1, 200, A, true, 1301, 801, 0 },
	    { SB_OUT, 1, 1, A, false, 1300, 800, 0 },
	    { SB_OUT, 1, 900, A, false, 400, 0, 0 },
	    { SB_FREE, 0, 92000 },
	    { SB_IN, 1, 100, A, false, 500, 0, 0 } } },

	/* B < 1000 - B. Frozen XON: 500 - 100 */
	{ "dynamic xoff; xon does not follow the threshold",
	  { .size = 3000, .carved = 2000 },
	  { .to_alpha = 10, .xon_delta_bytes = 100, .headroom_bytes = 1000 },
	  { { SB_IN, 0, 499, A, false, 499, 499, 0 },
	    { SB_IN, 0, 1, A, true, 500, 500, 0 },
	    { SB_IN, 3, 400, A, false, 400, 400, 0 },
	    { SB_FREE, 0, 100 },
	    { SB_OUT, 0, 99, A, true, 401, 401, 0 },
	    { SB_OUT, 0, 1, A, false, 400, 400, 0 },
	    /* free 200, above the threshold: in headroom; XON is min(200, 400) - 100 */
	    { SB_IN, 0, 10, A, true, 410, 400, 10 },
	    { SB_OUT, 3, 400, A, false, 0, 0, 0 },
	    { SB_OUT, 0, 309, A, true, 101, 101, 0 },
	    { SB_OUT, 0, 1, A, false, 100, 100, 0 } } },

	/* the threshold falls with the bytes of the other */
	{ "two groups, alpha 1/16",
	  { .size = 18000, .carved = 2000 },
	  { .to_alpha = 6, .xon_delta_bytes = 100, .headroom_bytes = 1000 },
	  { { SB_IN, 0, 900, A, false, 900, 900, 0 },
	    { SB_FREE, 0, 15100 },		/* / 16 = 943.75 */
	    { SB_IN, 1, 888, A, false, 888, 888, 0 },
	    /* 16 * 888 = 14208 < 14212; 16 * 889 = 14224 >= 14211 */
	    { SB_FREE, 0, 14212 },
	    { SB_IN, 1, 1, A, true, 889, 889, 0 },
	    /* 16 * 900 >= 14211: above since then, seen now */
	    { SB_IN, 0, 1, A, true, 901, 900, 1 } } },

	{ "not lossless: threshold and buffer",
	  { .size = 1000 }, { .to_alpha = 10, .headroom_bytes = 1000 },
	  { { SB_IN, 2, 499, A, false, 499, 499, 0 },
	    { SB_IN, 2, 1, A, false, 500, 500, 0 },
	    { SB_IN, 2, 1, DT, false, 500, 500, 0 },
	    { SB_IN, 2, 500, DT, false, 500, 500, 0 },
	    { SB_IN, 2, 501, DB, false, 500, 500, 0 },
	    { SB_OUT, 2, 1, A, false, 499, 499, 0 },
	    { SB_IN, 2, 501, A, false, 1000, 1000, 0 },
	    { SB_IN, 2, 1, DB, false, 1000, 1000, 0 },
	    { SB_FREE, 0, 0 } } },
	{ "not lossless: reserved bytes in a full buffer",
	  { .size = 1800, .carved = 800 },
	  { .reserved_bytes = 100, .xoff_bytes = 5000 },
	  { { SB_IN, 3, 1000, A, false, 1000, 1000, 0 },
	    { SB_IN, 2, 99, A, false, 99, 0, 0 },
	    { SB_IN, 2, 2, DB, false, 99, 0, 0 },
	    { SB_IN, 2, 1, A, false, 100, 0, 0 },
	    { SB_IN, 2, 1, DB, false, 100, 0, 0 } } },

	{ "the end of the buffer", { .size = 1000, .carved = 100 },
	  { .to_alpha = 0 },
	  { { SB_IN, 3, 901, DB, false, 0, 0, 0 },
	    { SB_IN, 3, 900, A, false, 900, 900, 0 },
	    { SB_IN, 3, 1, DB, false, 900, 900, 0 },
	    { SB_OUT, 3, 900, A, false, 0, 0, 0 },
	    { SB_FREE, 0, 900 } } },

	/* reserved bytes full: paused; only the part beyond them is in headroom */
	{ "lossless without shared bytes", { .size = 2800, .carved = 2800 },
	  { .reserved_bytes = 100, .to_alpha = 10, .headroom_bytes = 1000,
	    .xon_delta_bytes = 1 },
	  { { SB_IN, 0, 99, A, false, 99, 0, 0 },
	    { SB_IN, 0, 1, A, true, 100, 0, 0 },
	    { SB_OUT, 0, 1, A, false, 99, 0, 0 },
	    { SB_OUT, 0, 39, A, false, 60, 0, 0 },
	    { SB_IN, 0, 90, A, true, 150, 0, 50 },
	    /* headroom in use: no resume */
	    { SB_OUT, 0, 49, A, true, 101, 0, 1 },
	    { SB_OUT, 0, 1, A, true, 100, 0, 0 },
	    { SB_OUT, 0, 1, A, false, 99, 0, 0 },
	    { SB_IN, 0, 1001, A, true, 1100, 0, 1000 },
	    { SB_IN, 0, 1, DH, true, 1100, 0, 1000 } } },
	/* an empty group would never resume */
	{ "lossless without anything", { .size = 100, .carved = 100 },
	  { .to_alpha = 10, .headroom_bytes = 10 },
	  { { SB_IN, 0, 11, DH, false, 0, 0, 0 },
	    { SB_IN, 0, 10, A, true, 10, 0, 10 },
	    { SB_OUT, 0, 9, A, true, 1, 0, 1 },
	    { SB_OUT, 0, 1, A, false, 0, 0, 0 } } },
	{ "xon-delta above the threshold: paused until empty",
	  { .size = 10000, .carved = 1000 },
	  { .xoff_bytes = 100, .xon_delta_bytes = 3000, .headroom_bytes = 500 },
	  { { SB_IN, 0, 100, A, true, 100, 100, 0 },
	    { SB_OUT, 0, 99, A, true, 1, 1, 0 },
	    { SB_OUT, 0, 1, A, false, 0, 0, 0 } } },

	/* headroom becomes shared, 50 too much; none is free */
	{ "PFC switched off and on", { .size = 1450, .carved = 400 },
	  { .xoff_bytes = 1000, .xon_delta_bytes = 100, .headroom_bytes = 200 },
	  { { SB_IN, 0, 1000, A, true, 1000, 1000, 0 },
	    { SB_IN, 0, 100, A, true, 1100, 1000, 100 },
	    { SB_OFF, 0, 0, A, false, 1100, 1100, 0 },
	    { SB_FREE, 0, 0 },
	    { SB_IN, 0, 1, DB, false, 1100, 1100, 0 },
	    { SB_IN, 3, 1, DB, false, 0, 0, 0 },
	    { SB_ON, 0, 0, A, false, 1100, 1100, 0 },
	    { SB_IN, 0, 60, A, true, 1160, 1100, 60 },
	    { SB_ON, 0, 0, A, true, 1160, 1100, 60 },
	    { SB_OUT, 0, 259, A, true, 901, 901, 0 },
	    { SB_OUT, 0, 1, A, false, 900, 900, 0 },
	    { SB_FREE, 0, 150 } } },
};

#undef A
#undef DT
#undef DB
#undef DH

#endif /* LLE_VECTORS_SB_H */
