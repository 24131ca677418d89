/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A frame takes (max(len, 60) + overhead) / rate; n frames back to back end at
 * floor(n * that), in ns. 60: IEEE 802.3 4A.2.3.2.4, minFrameSize 64 with FCS.
 * Overhead 24: 8 preamble, 4 FCS, 12 gap.
 */
#ifndef LLE_VECTORS_LINK_H
#define LLE_VECTORS_LINK_H

#define RATE_10M	1250000ULL		/* bytes/s */
#define RATE_100M	12500000ULL
#define RATE_1G		125000000ULL
#define RATE_10G	1250000000ULL
#define RATE_25G	3125000000ULL
#define RATE_100G	12500000000ULL
#define RATE_400G	50000000000ULL
#define RATE_1T		125000000000ULL

static const struct {
	u64 rate;
	u32 overhead;
	u32 len;
	u32 n;
	u64 free_ns;
} link_gap_vectors[] = {
	/* 1500 / 12.5 = 120 ns */
	{ RATE_100G, 0, 1500, 1, 120 },
	{ RATE_100G, 0, 1500, 2, 240 },
	{ RATE_100G, 0, 1500, 1000000, 120000000 },
	/* 1524 / 12.5 = 121.92 ns; 2: 243.84; 25: 3048 */
	{ RATE_100G, 24, 1500, 1, 121 },
	{ RATE_100G, 24, 1500, 2, 243 },
	{ RATE_100G, 24, 1500, 24, 2926 },
	{ RATE_100G, 24, 1500, 25, 3048 },
	{ RATE_100G, 24, 1500, 1000000, 121920000 },
	/* 64 / 50 = 1.28 ns; 3: 3.84; 4: 5.12; 25: 32 */
	{ RATE_400G, 0, 64, 1, 1 },
	{ RATE_400G, 0, 64, 3, 3 },
	{ RATE_400G, 0, 64, 4, 5 },
	{ RATE_400G, 0, 64, 25, 32 },
	/* 88 / 50 = 1.76 ns; 2: 3.52; 25: 44; 10^6: 1.76 ms */
	{ RATE_400G, 24, 64, 1, 1 },
	{ RATE_400G, 24, 64, 2, 3 },
	{ RATE_400G, 24, 64, 25, 44 },
	{ RATE_400G, 24, 64, 1000000, 1760000 },
	/* 84 / 125 = 0.672 ns; 2: 1.344; 125: 84 */
	{ RATE_1T, 24, 60, 1, 0 },
	{ RATE_1T, 24, 60, 2, 1 },
	{ RATE_1T, 24, 60, 125, 84 },
	/* 800 ns per byte: 1542 bytes are 1.2336 ms */
	{ RATE_10M, 24, 1518, 1, 1233600 },
	{ RATE_10M, 24, 1518, 1000, 1233600000 },
	/* padding to 60: 84 bytes are 67.2 us, 85 are 68 us */
	{ RATE_10M, 24, 0, 1, 67200 },
	{ RATE_10M, 24, 14, 1, 67200 },
	{ RATE_10M, 24, 59, 1, 67200 },
	{ RATE_10M, 24, 60, 1, 67200 },
	{ RATE_10M, 24, 61, 1, 68000 },
	/* the slowest rate */
	{ 1000, 0, 1500, 1, 1500000000 },
	/* 1500 / 0.999999937 = 1500.0000945000060; 10582 * 0.0000945000060 = 0.99999906 */
	{ 999999937, 0, 1500, 10582, 15873000 },
	{ 999999937, 0, 1500, 10583, 15874501 },
};

/*
 * 1 Gbit/s (8 ns per byte), overhead 24, frames of 1000 bytes: 8192 ns each.
 * Burst 32768 bytes = 32 frames = 262144 ns of credit.
 */
#define LINK_FRAME	1000
#define LINK_BURST	32768
#define LINK_CREDIT	262144

enum link_op {
	LINK_READY,	/* sends; value: end of frame */
	LINK_BUSY,	/* a frame waits; value: end of frame */
	LINK_IDLE,
};

static const struct link_step {
	u64 now_ns;
	enum link_op op;
	u64 free_ns;
} link_late_vectors[] = {
	{ 0, LINK_READY, 8192 },
	/* one frame at a time: busy until exactly 8192 */
	{ 0, LINK_BUSY, 8192 },
	{ 8191, LINK_BUSY, 8192 },
	{ 8192, LINK_READY, 16384 },
	{ 16384, LINK_READY, 24576 },
	{ 24576, LINK_IDLE },
	/* the time from 24576 to 1000000 expires */
	{ 1000000, LINK_READY, 1008192 },
	{ 1000001, LINK_BUSY, 1008192 },
	{ 1008192, LINK_READY, 1016384 },
	{ 1016000, LINK_BUSY, 1016384 },
	/* 3616 late: the frame still starts at 1016384 */
	{ 1020000, LINK_READY, 1024576 },
	{ 1021000, LINK_BUSY, 1024576 },
	/* 35424 late: five frames could have started */
	{ 1060000, LINK_READY, 1032768 },
	{ 1060000, LINK_READY, 1040960 },
	{ 1060000, LINK_READY, 1049152 },
	{ 1060000, LINK_READY, 1057344 },
	{ 1060000, LINK_READY, 1065536 },
	{ 1060000, LINK_BUSY, 1065536 },
	/* 80000 late: two frames, then empty; the rest expires */
	{ 1145536, LINK_READY, 1073728 },
	{ 1145536, LINK_READY, 1081920 },
	{ 1145536, LINK_IDLE },
	{ 1145600, LINK_READY, 1153792 },
	{ 1145600, LINK_BUSY, 1153792 },
	/* a waiting frame was withdrawn: 90000 idle earn 0 */
	{ 1153792, LINK_IDLE },
	{ 1243792, LINK_READY, 1251984 },
	{ 1243792, LINK_BUSY, 1251984 },
	/* late by the credit: no time is lost */
	{ 1251984 + LINK_CREDIT, LINK_READY, 1260176 },
};

/* Later: as late by the credit. 2000000 - 262144 = 1737856. */
#define LINK_LATE_NS		2000000
#define LINK_LATE_FIRST_NS	(1737856 + 8192)
#define LINK_LATE_LAST_NS	2008192
/* 32 of credit, and the due one */
#define LINK_LATE_FRAMES	33

#endif /* LLE_VECTORS_LINK_H */
