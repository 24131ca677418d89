/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_VECTORS_PAUSE_H
#define LLE_VECTORS_PAUSE_H

/*
 * A refresh at half of the pause may wait for a frame, so half of the pause must
 * last for (frame + 60 + 2 * overhead) bytes. A quantum is 64 bytes.
 */
static const struct {
	u32 frame_bytes;
	u32 overhead_bytes;
	u32 quanta;
} pause_min_vectors[] = {
	/* 2 * 1626 / 64 = 50.8 */
	{ 1518, 24, 51 },
	/* 2 * 1578 / 64 = 49.3 */
	{ 1518, 0, 50 },
	/* 2 * 9126 / 64 = 285.2 */
	{ 9018, 24, 286 },
	/* 2 * 1600 / 64 = 50 */
	{ 1540, 0, 50 },
	/* 2 * (65553 + 60 + 512) / 64 = 2066.4 */
	{ 65553, 256, 2067 },
};

/* IEEE 802.3 31B.2, 802.1Q 36.1.3.2: 512 bit times: n * 64 * 10^9 / R ns at R bytes/s */
static const struct {
	u32 quanta;
	u64 rate;
	u64 ns;
} pause_quanta_vectors[] = {
	{ 0, 12500000000ULL, 0 },
	/* 100 Gbit/s: 5.12 ns; 25: 128; the longest 335539.2 */
	{ 1, 12500000000ULL, 5 },
	{ 24, 12500000000ULL, 122 },
	{ 25, 12500000000ULL, 128 },
	{ 65535, 12500000000ULL, 335539 },
	/* 40: 12.8 ns, 838.848 us. 10: 51.2 ns, 3.355392 ms */
	{ 1, 5000000000ULL, 12 },
	{ 65535, 5000000000ULL, 838848 },
	{ 1, 1250000000ULL, 51 },
	{ 65535, 1250000000ULL, 3355392 },
	/* 1 Gbit/s: 512 ns, 33.55392 ms. 100 and 10 Mbit/s */
	{ 1, 125000000ULL, 512 },
	{ 65535, 125000000ULL, 33553920 },
	{ 65535, 12500000ULL, 335539200 },
	{ 65535, 1250000ULL, 3355392000ULL },
	/* 25 Gbit/s: 20.48 ns. 400: 1.28 ns, 83884.8 */
	{ 1, 3125000000ULL, 20 },
	{ 1, 50000000000ULL, 1 },
	{ 65535, 50000000000ULL, 83884 },
	/* 1 Tbit/s: 0.512 ns, 33553.92. 1000 B/s: 64 ms, 4194.24 s */
	{ 1, 125000000000ULL, 0 },
	{ 2, 125000000000ULL, 1 },
	{ 65535, 125000000000ULL, 33553 },
	{ 1, 1000, 64000000 },
	{ 65535, 1000, 4194240000000ULL },
};

/* 1 Gbit/s: 512 ns per quantum */
#define PAUSE_RATE	125000000ULL

/*
 * enable 0: only time passes. paused: state afterwards. next: first expiry, 0 for
 * none. ended: classes that may send again, by lle_pause_rx_frame().
 */
static const struct pause_step {
	const char *name;
	u64 now_ns;
	struct lle_pfc pfc;
	u8 obey;
	u8 ended;
	u8 paused;
	u64 next_ns;
} pause_rx_vectors[] = {
	{ "nothing is paused", 1000, { 0 }, 0xff, 0, 0, 0 },
	/* now + 100 * 512 */
	{ "pause of class 3, 100 quanta", 1000,
	  { 0x08, { 0, 0, 0, 100 } }, 0xff, 0, 0x08, 52200 },
	{ "1 ns before its end", 52199, { 0 }, 0xff, 0, 0x08, 52200 },
	{ "at its end", 52200, { 0 }, 0xff, 0, 0, 0 },
	/* reloads without adding: 61000 + 51200 */
	{ "pause again", 60000,
	  { 0x08, { 0, 0, 0, 100 } }, 0xff, 0, 0x08, 111200 },
	{ "reload", 61000,
	  { 0x08, { 0, 0, 0, 100 } }, 0xff, 0, 0x08, 112200 },
	/* shortens, too: 62000 + 512 */
	{ "reload with less", 62000,
	  { 0x08, { 0, 0, 0, 1 } }, 0xff, 0, 0x08, 62512 },
	/* other classes keep their state; 0 resumes */
	{ "pause of 5, the rest of the frame says nothing", 62100,
	  { 0x20, { 9, 9, 9, 0, 9, 2, 9, 9 } }, 0xff, 0, 0x28, 62512 },
	{ "resume of 3", 62200, { 0x08, { 0 } }, 0xff, 0x08, 0x20, 63124 },
	{ "resume of 3 again", 62300, { 0x08, { 0 } }, 0xff, 0, 0x20, 63124 },
	/* a new one after the end of a pause: 70000 + 512 */
	{ "5 has expired, and is paused again", 70000,
	  { 0x20, { 0, 0, 0, 0, 0, 1 } }, 0xff, 0, 0x20, 70512 },
	{ "5 expires; seen by a frame for another class", 80000,
	  { 0x01, { 0 } }, 0xff, 0x20, 0, 0 },
	/* exactly at the end of another one: new */
	{ "pause of 0", 90000, { 0x01, { 1 } }, 0xff, 0, 0x01, 90512 },
	{ "pause of 0 as it ends", 90512, { 0x01, { 1 } }, 0xff, 0, 0x01,
	  91024 },
	{ "resume of 0", 90600, { 0x01, { 0 } }, 0xff, 0x01, 0, 0 },
	/* 7 is the longest: 100000 + 65535 * 512 */
	{ "all but 2, resume of 2", 100000,
	  { 0xff, { 10, 20, 0, 40, 50, 60, 70, 65535 } }, 0xff, 0, 0xfb,
	  105120 },
	{ "0 and 1 have expired", 110240, { 0 }, 0xff, 0, 0xf8, 120480 },
	{ "resume of all", 110300, { 0xff, { 0 } }, 0xff, 0xf8, 0, 0 },
	/* without PFC: counted, not obeyed; resumes are */
	{ "pause of 1 and 2, 2 has no PFC", 200000,
	  { 0x06, { 0, 1, 1 } }, 0xfb, 0, 0x02, 200512 },
	{ "resume of both", 200100, { 0x06, { 0 } }, 0xfb, 0x02, 0, 0 },
	{ "pause of 1", 300000, { 0x02, { 0, 100 } }, 0xff, 0, 0x02, 351200 },
	{ "1 has no PFC any more: not reloaded", 300100,
	  { 0x02, { 0, 100 } }, 0xfd, 0, 0x02, 351200 },
	{ "but resumed", 300200, { 0x02, { 0 } }, 0xfd, 0x02, 0, 0 },
};

/*
 * Durations after all steps, ns:
 * 0: 512 + 88 + 10 * 512					= 5720
 * 1: 20 * 512 + 100 + 200					= 10540
 * 3: 51200 + (62200 - 60000) + (110300 - 100000)		= 63700
 * 4: 110300 - 100000						= 10300
 * 5: 2 * 512 + 512 + 10300					= 11836
 * 6, 7: 10300
 */
static const struct {
	u64 pauses;
	u64 resumes;
	u64 transitions;
	u64 duration_ns;
} pause_rx_counters[LLE_NUM_PRIO] = {
	{ 3, 3, 3, 5720 },
	{ 4, 3, 3, 10540 },
	{ 1, 3, 0, 0 },
	{ 5, 3, 3, 63700 },
	{ 1, 1, 1, 10300 },
	{ 3, 1, 3, 11836 },
	{ 1, 1, 1, 10300 },
	{ 1, 1, 1, 10300 },
};

/*
 * Frames sent: 1000 quanta = 512000 ns at 1 Gbit/s, refresh due after 256000. due:
 * a frame must be sent, with enable and quanta (of the classes in want).
 */
#define PAUSE_TX_QUANTA		1000

static const struct pause_tx_step {
	const char *name;
	u64 now_ns;
	u8 want;
	bool due;
	u8 enable;
} pause_tx_vectors[] = {
	{ "nothing to say", 5000, 0x00, false },
	{ "3 crosses XOFF", 10000, 0x08, true, 0x08 },
	{ "3 stays", 10001, 0x08, false },
	{ "1 ns before the refresh", 265999, 0x08, false },
	{ "refresh", 266000, 0x08, true, 0x08 },
	/* refreshed together from here on */
	{ "4 crosses XOFF: 3 is said again", 300000, 0x18, true, 0x18 },
	{ "1 ns before the refresh of both", 555999, 0x18, false },
	{ "refresh of both, 44 us late", 600000, 0x18, true, 0x18 },
	{ "3 resumes, 4 is said again", 610000, 0x10, true, 0x18 },
	{ "4 alone", 865999, 0x10, false },
	{ "4 alone, refresh", 866000, 0x10, true, 0x10 },
	/* resumed and paused before a frame left */
	{ "4 still", 870000, 0x10, false },
	{ "0 and 7, too", 880000, 0x91, true, 0x91 },
	{ "all resume", 890000, 0x00, true, 0x91 },
	{ "nothing to refresh, ever", 99000000, 0x00, false },
	{ "1", 99000001, 0x02, true, 0x02 },
	{ "2 instead of 1", 99000002, 0x04, true, 0x06 },
	{ "none", 99000003, 0x00, true, 0x04 },
};

/* per class, from the column enable above */
static const struct {
	u64 pauses;
	u64 resumes;
} pause_tx_counters[LLE_NUM_PRIO] = {
	{ 1, 1 }, { 1, 1 }, { 1, 1 }, { 4, 1 }, { 5, 1 }, { 0, 0 }, { 0, 0 },
	{ 1, 1 },
};

#endif /* LLE_VECTORS_PAUSE_H */
