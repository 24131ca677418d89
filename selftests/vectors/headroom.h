/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headroom by hand. From XOFF until no new frame begins at the peer, its link
 * carries w = rate * (2 * delay + reaction) + (piece + n * overhead) + (60 +
 * overhead) + burst bytes: m whole frames of the largest size and a rest r, which
 * is one more frame without its overhead, if it exceeds the overhead. Two pieces
 * of n frames are added: one begins at the end of w, one caused XOFF:
 *
 *	m * frame + max(0, r - overhead) + piece + piece
 *
 * Usually a piece is a frame. Terms: 802.1Q 36.2 and Annex O.
 */
#ifndef LLE_VECTORS_HEADROOM_H
#define LLE_VECTORS_HEADROOM_H

#define FRAME(n) .frame_bytes = (n), .piece_bytes = (n), .piece_frames = 1

static const struct {
	struct lle_sb_headroom h;
	u64 bytes;
} sb_headroom_vectors[] = {
	/* back to back, no delay: 1542 + 84 = 1626 = 1 * 1542 + 84; 1518 + 60 + 1518 + 1518 */
	{ { .rate = 125000000, FRAME(1518), .overhead_bytes = 24 }, 4614 },
	/* without overhead: 1518 + 60 = 1 * 1518 + 60 */
	{ { .rate = 125000000, FRAME(1518) }, 4614 },
	/*
	 * 10 Gbit/s, 100 m (500 ns), 614 ns: 1.25 * 1614 = 2017.5; 2017 + 1626 = 3643
	 * = 2 * 1542 + 559; 3036 + 535 + 1518 + 1518
	 */
	{ { .rate = 1250000000, .delay_ns = 500, .reaction_ns = 614,
	    FRAME(1518), .overhead_bytes = 24 }, 6607 },
	/* 10 Gbit/s, 1167 ns: 1458.75; 1458 + 1626 = 3084 = 2 * 1542 + 0; 3036 + 1518 + 1518 */
	{ { .rate = 1250000000, .reaction_ns = 1167,
	    FRAME(1518), .overhead_bytes = 24 }, 6072 },
	/* 1 ns more: 1460 + 1626 = 3084 + 2: a rest below the overhead adds nothing */
	{ { .rate = 1250000000, .reaction_ns = 1168,
	    FRAME(1518), .overhead_bytes = 24 }, 6072 },
	/* 1186 ns: 1482.5; 1482 + 1626 = 3084 + 24; 1187: 1483 + 1626 = 3084 + 25 */
	{ { .rate = 1250000000, .reaction_ns = 1186,
	    FRAME(1518), .overhead_bytes = 24 }, 6072 },
	{ { .rate = 1250000000, .reaction_ns = 1187,
	    FRAME(1518), .overhead_bytes = 24 }, 6073 },
	/* overhead 256: 1774 + 316 + 1400 = 3490 = 1 * 1774 + 1716; 1518 + 1460 + 1518 + 1518 */
	{ { .rate = 1000000000, .reaction_ns = 1400,
	    FRAME(1518), .overhead_bytes = 256 }, 6014 },
	/* 1774 + 316 + 1500 = 3590 = 2 * 1774 + 42; 3036 + 2 * 1518 */
	{ { .rate = 1000000000, .reaction_ns = 1500,
	    FRAME(1518), .overhead_bytes = 256 }, 6072 },
	/*
	 * 1 Gbit/s, 1 us, 100 us, burst 32768: 0.125 * 102000 = 12750; 12750 + 1626
	 * + 32768 = 47144 = 30 * 1542 + 884; 45540 + 860 + 1518 + 1518
	 */
	{ { .rate = 125000000, .delay_ns = 1000, .reaction_ns = 100000,
	    FRAME(1518), .overhead_bytes = 24,
	    .burst_bytes = 32768 }, 49436 },
	/*
	 * 100 Gbit/s, 1000 m (5 us), 2017 ns: 12.5 * 12017 = 150212.5; 150212 + 9046
	 * + 84 = 159342 = 17 * 9046 + 5560; 153374 + 5536 + 9022 + 9022
	 */
	{ { .rate = 12500000000ULL, .delay_ns = 5000, .reaction_ns = 2017,
	    FRAME(9022), .overhead_bytes = 24 }, 176954 },
	/*
	 * 100 Gbit/s, 100 us, GSO packets of 45 segments, sent whole: 12.5 * 100000
	 * + 45 * 1542 + 84 + 32768 = 1352242 = 876 * 1542 + 1450; (876 + 45 + 45) * 1518 + 1426
	 */
	{ { .rate = 12500000000ULL, .reaction_ns = 100000,
	    .frame_bytes = 1518, .piece_bytes = 45 * 1518,
	    .piece_frames = 45, .overhead_bytes = 24,
	    .burst_bytes = 32768 }, 1467814 },
	/* too large: 50 * 10^9 * 0.1 = 5 * 10^9 */
	{ { .rate = 50000000000ULL, .delay_ns = 50000000,
	    FRAME(1518), .overhead_bytes = 24 }, U32_MAX },
	/* largest options: no overflow */
	{ { .rate = 125000000000ULL, .delay_ns = 1000000000,
	    .reaction_ns = U32_MAX, FRAME(65535 + 18),
	    .overhead_bytes = 256, .burst_bytes = U32_MAX },
	  U32_MAX },
};

#endif /* LLE_VECTORS_HEADROOM_H */
