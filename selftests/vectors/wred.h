/* SPDX-License-Identifier: GPL-2.0 */
/*
 * WRED: the curve of LDCP, section 2.1; Not-ECT: equation 3; lossless: no drop.
 * Random numbers below @p_q32 (0: none, Q32: all) give @below, the others PASS.
 */
#ifndef LLE_VECTORS_WRED_H
#define LLE_VECTORS_WRED_H

#define Q32	(1ULL << 32)

/* K_min 100 KB, K_max 400 KB, P_max 0.2 = 858993459 / 2^32, buf_max 1 MB */
#define WRED_CURVE	.kmin_bytes = 100000, .kmax_bytes = 400000, \
			.pmax_q32 = 858993459
/* K_min = K_max = 65000: a step, as in DCTCP */
#define WRED_STEP	.kmin_bytes = 65000, .kmax_bytes = 65000, \
			.pmax_q32 = U32_MAX

static const struct wred_vector {
	const char *name;
	struct lle_wred_params p;
	u32 q;
	bool ect;
	enum lle_wred_verdict below;
	u64 p_q32;
} wred_vectors[] = {
	/* q < K_min: p = 0 */
	{ "empty", { WRED_CURVE, .ecn = true }, 0, true, LLE_WRED_MARK, 0 },
	{ "K_min - 1", { WRED_CURVE, .ecn = true }, 99999, true,
	  LLE_WRED_MARK, 0 },
	/* p(K_min) = 0 / 300000 * P_max = 0 */
	{ "K_min", { WRED_CURVE, .ecn = true }, 100000, true,
	  LLE_WRED_MARK, 0 },
	/* 858993459 / 300000 = 2863.31 */
	{ "K_min + 1", { WRED_CURVE, .ecn = true }, 100001, true,
	  LLE_WRED_MARK, 2863 },
	/* 75000 / 300000 * 858993459 = 214748364.75 */
	{ "a quarter of the way", { WRED_CURVE, .ecn = true }, 175000, true,
	  LLE_WRED_MARK, 214748364 },
	/* half: 429496729.5 */
	{ "half way", { WRED_CURVE, .ecn = true }, 250000, true,
	  LLE_WRED_MARK, 429496729 },
	/* 299999 / 300000 * 858993459 = 858993459 - 2863.31 */
	{ "K_max - 1", { WRED_CURVE, .ecn = true }, 399999, true,
	  LLE_WRED_MARK, 858990595 },
	/* from K_max on p = 1 */
	{ "K_max", { WRED_CURVE, .ecn = true }, 400000, true,
	  LLE_WRED_MARK, Q32 },
	{ "far above K_max", { WRED_CURVE, .ecn = true }, U32_MAX, true,
	  LLE_WRED_MARK, Q32 },
	/* Not-ECT: dropped where others are marked */
	{ "half way, not ECT", { WRED_CURVE, .ecn = true }, 250000, false,
	  LLE_WRED_DROP, 429496729 },
	{ "half way, no ECN", { WRED_CURVE }, 250000, true,
	  LLE_WRED_DROP, 429496729 },
	{ "K_min, no ECN", { WRED_CURVE }, 100000, false, LLE_WRED_DROP, 0 },
	{ "K_max, no ECN", { WRED_CURVE }, 400000, false, LLE_WRED_DROP, Q32 },
	/* no slope to divide by */
	{ "step, 1 below", { WRED_STEP, .ecn = true }, 64999, true,
	  LLE_WRED_MARK, 0 },
	{ "step", { WRED_STEP, .ecn = true }, 65000, true,
	  LLE_WRED_MARK, Q32 },
	{ "K_min = K_max = 0: always", { .ecn = true }, 0, true,
	  LLE_WRED_MARK, Q32 },
	{ "P_max 0, K_max - 1", { .kmin_bytes = 1, .kmax_bytes = 10,
	  .ecn = true }, 9, true, LLE_WRED_MARK, 0 },
	{ "P_max 0, K_max", { .kmin_bytes = 1, .kmax_bytes = 10,
	  .ecn = true }, 10, true, LLE_WRED_MARK, Q32 },
	/* largest product: (2^32 - 2) / (2^32 - 1) * (2^32 - 1) */
	{ "no overflow", { .kmin_bytes = 0, .kmax_bytes = U32_MAX,
	  .pmax_q32 = U32_MAX, .ecn = true }, U32_MAX - 1, true,
	  LLE_WRED_MARK, Q32 - 2 },

	/* all are dropped above buf_max */
	{ "buf_max", { WRED_CURVE, .ecn = true, .bufmax_bytes = 1000000 },
	  1000000, true, LLE_WRED_MARK, Q32 },
	{ "buf_max + 1", { WRED_CURVE, .ecn = true, .bufmax_bytes = 1000000 },
	  1000001, true, LLE_WRED_DROP_BUFMAX, Q32 },
	{ "buf_max + 1, not ECT, below K",
	  { WRED_CURVE, .ecn = true, .bufmax_bytes = 1000000,
	    .nonect_bytes = 2000000 },
	  1000001, false, LLE_WRED_DROP_BUFMAX, Q32 },
	{ "buf_max = K_max, at both",
	  { WRED_CURVE, .ecn = true, .bufmax_bytes = 400000 },
	  400000, true, LLE_WRED_MARK, Q32 },

	/* equation 3: dropped iff q >= K, without the curve */
	{ "not ECT, K - 1", { WRED_CURVE, .ecn = true,
	  .nonect_bytes = 50000 }, 49999, false, LLE_WRED_DROP_NONECT, 0 },
	{ "not ECT, K", { WRED_CURVE, .ecn = true, .nonect_bytes = 50000 },
	  50000, false, LLE_WRED_DROP_NONECT, Q32 },
	{ "not ECT, K + 1", { WRED_CURVE, .ecn = true, .nonect_bytes = 50000 },
	  50001, false, LLE_WRED_DROP_NONECT, Q32 },
	{ "not ECT, over K_max, below K",
	  { WRED_CURVE, .ecn = true, .nonect_bytes = 500000 },
	  499999, false, LLE_WRED_DROP_NONECT, 0 },
	{ "not ECT, at K over K_max",
	  { WRED_CURVE, .ecn = true, .nonect_bytes = 500000 },
	  500000, false, LLE_WRED_DROP_NONECT, Q32 },
	{ "not ECT, K without ECN",
	  { WRED_CURVE, .nonect_bytes = 50000 }, 50000, false,
	  LLE_WRED_DROP_NONECT, Q32 },
	/* equation 3: K is only for Not-ECT */
	{ "ECT at K", { WRED_CURVE, .ecn = true, .nonect_bytes = 50000 },
	  50000, true, LLE_WRED_MARK, 0 },
	{ "ECT over K, half way",
	  { WRED_CURVE, .ecn = true, .nonect_bytes = 50000 },
	  250000, true, LLE_WRED_MARK, 429496729 },

	/* dequeue: ECN capable packets pass on arrival */
	{ "dequeue, ECT, K_max", { WRED_CURVE, .ecn = true, .dequeue = true },
	  400000, true, LLE_WRED_PASS, Q32 },
	{ "dequeue, not ECT, half way",
	  { WRED_CURVE, .ecn = true, .dequeue = true },
	  250000, false, LLE_WRED_DROP, 429496729 },
	{ "dequeue, buf_max + 1",
	  { WRED_CURVE, .ecn = true, .dequeue = true, .bufmax_bytes = 1000000 },
	  1000001, true, LLE_WRED_DROP_BUFMAX, Q32 },

	/* lossless: never dropped */
	{ "lossless, ECT, half way",
	  { WRED_CURVE, .ecn = true, .nodrop = true },
	  250000, true, LLE_WRED_MARK, 429496729 },
	{ "lossless, ECT, K_max",
	  { WRED_CURVE, .ecn = true, .nodrop = true },
	  400000, true, LLE_WRED_MARK, Q32 },
	{ "lossless, not ECT, K_max",
	  { WRED_CURVE, .ecn = true, .nodrop = true },
	  400000, false, LLE_WRED_PASS, Q32 },
	{ "lossless, no ECN, K_max", { WRED_CURVE, .nodrop = true },
	  400000, true, LLE_WRED_PASS, Q32 },
	{ "lossless, not ECT, over K and buf_max",
	  { WRED_CURVE, .ecn = true, .nodrop = true, .nonect_bytes = 1,
	    .bufmax_bytes = 400000 }, 999999, false, LLE_WRED_PASS, Q32 },
	{ "lossless, ECT, over buf_max",
	  { WRED_CURVE, .ecn = true, .nodrop = true,
	    .bufmax_bytes = 400000 }, 999999, true, LLE_WRED_MARK, Q32 },
};

/* Least of K_min, K and buf_max */
static const struct {
	struct lle_wred_params p;
	u32 idle_bytes;
} wred_idle_vectors[] = {
	{ { WRED_CURVE }, 100000 },
	{ { WRED_CURVE, .nonect_bytes = 50000 }, 50000 },
	{ { WRED_CURVE, .nonect_bytes = 100001 }, 100000 },
	{ { WRED_CURVE, .nonect_bytes = 50000, .bufmax_bytes = 400000 },
	  50000 },
	{ { WRED_CURVE, .bufmax_bytes = 30000 }, 30000 },
	{ { WRED_CURVE, .nonect_bytes = 50000, .bufmax_bytes = 30000 },
	  30000 },
	{ { .kmin_bytes = 0, .kmax_bytes = 10 }, 0 },
};

/* Queue lengths; marks of 150000: (q - 100000) / 300000 * 0.2 = (q - 100000) / 10 */
#define WRED_PACKETS	150000

static const struct {
	u32 q;
	u32 marks;
} wred_frequency_vectors[] = {
	{ 101500, 150 }, { 107500, 750 }, { 115000, 1500 },
	{ 130000, 3000 }, { 160000, 6000 }, { 190000, 9000 },
	{ 220000, 12000 }, { 250000, 15000 }, { 280000, 18000 },
	{ 310000, 21000 }, { 340000, 24000 }, { 370000, 27000 },
	{ 399990, 29999 },
};

/* Chi-square in 1/1000, exceeded with a probability of 0.001: 1 and 13 degrees of freedom */
#define CHI2_1		10828
#define CHI2_ALL	34528

#endif /* LLE_VECTORS_WRED_H */
