/* SPDX-License-Identifier: GPL-2.0 */
/* IEEE 802.1Q 37.3: strict classes first; others share by percent, sum 100. */
#ifndef LLE_VECTORS_ETS_H
#define LLE_VECTORS_ETS_H

#define ETS_FRAME	1518

#define ETS_IDENTITY	{ 0, 1, 2, 3, 4, 5, 6, 7 }

/* Parameters as tc sets them */
static const struct ets_show_vector {
	const char *name;
	struct lle_sched_params p;
	struct lle_ets ets;
} ets_show_vectors[] = {
	{ "the default: two strict classes, six of two frames each",
	  { .bands = 8, .strict = 2,
	    .prios = { 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01 },
	    .quantum_bytes = { 0, 0, 3028, 3028, 3028, 3028, 3028, 3028 } },
	  { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 17, 17, 17, 17, 16, 16 }, 0x3f } },
	{ "a strict class each, the highest first",
	  { .bands = 8, .strict = 8,
	    .prios = { 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01 } },
	  { ETS_IDENTITY } },
	{ "one strict band is class 0",
	  { .bands = 1, .strict = 1, .prios = { 0xff } },
	  { { } } },
	{ "three bands are classes 2, 1, 0",
	  { .bands = 3, .strict = 1, .prios = { 0x80, 0x08, 0x77 },
	    .quantum_bytes = { 0, 3000, 1000 } },
	  { { 0, 0, 0, 1, 0, 0, 0, 2 }, { 25, 75 }, 0x03 } },
	{ "thirds: one of them has the percent that is left",
	  { .bands = 3, .prios = { 0x01, 0x02, 0xfc },
	    .quantum_bytes = { 1514, 1514, 1514 } },
	  { { 2, 1, 0, 0, 0, 0, 0, 0 }, { 34, 33, 33 }, 0x07 } },
	{ "the largest remainders are rounded up",
	  /* of 1000: 2.4, 31.7, 65.9 percent */
	  { .bands = 3, .prios = { 0x01, 0x02, 0xfc },
	    .quantum_bytes = { 240, 3170, 6590 } },
	  { { 2, 1, 0, 0, 0, 0, 0, 0 }, { 66, 32, 2 }, 0x07 } },
	{ "less than half a percent is 0",
	  { .bands = 2, .prios = { 0x0f, 0xf0 },
	    .quantum_bytes = { 64, 1 << 24 } },
	  { { 1, 1, 1, 1, 0, 0, 0, 0 }, { 100, 0 }, 0x03 } },
	{ "the largest quanta there are",
	  { .bands = 8,
	    .prios = { 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01 },
	    .quantum_bytes = { 1 << 24, 1 << 24, 1 << 24, 1 << 24,
			       1 << 24, 1 << 24, 1 << 24, 1 << 24 } },
	  { ETS_IDENTITY, { 13, 13, 13, 13, 12, 12, 12, 12 }, 0xff } },
};

static const struct ets_set_vector {
	const char *name;
	struct lle_ets ets;
	bool done;
	struct lle_sched_params p;
} ets_set_vectors[] = {
	{ "all strict",
	  { ETS_IDENTITY }, true,
	  { .bands = 8, .strict = 8,
	    .prios = { 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01 } } },
	{ "all in one class",
	  { { } }, true,
	  { .bands = 8, .strict = 8, .prios = { [7] = 0xff } } },
	{ "the smallest share gets a frame a round",
	  /* 1518 / 20, rounded up: 76 bytes per percent */
	  { { 0, 0, 0, 1, 0, 0, 0, 7 }, { 20, 80 }, 0x03 }, true,
	  { .bands = 8, .strict = 6,
	    .prios = { [0] = 0x80, [6] = 0x08, [7] = 0x77 },
	    .quantum_bytes = { [6] = 80 * 76, [7] = 20 * 76 } } },
	{ "one class that has it all",
	  { { }, { 100 }, 0x01 }, true,
	  { .bands = 8, .strict = 7, .prios = { [7] = 0xff },
	    .quantum_bytes = { [7] = 1600 } } },
	{ "the same shares, another map: the quanta stay",
	  { { 1, 1, 1, 1, 0, 0, 0, 2 }, { 25, 75 }, 0x03 }, true,
	  { .bands = 8, .strict = 6,
	    .prios = { [5] = 0x80, [6] = 0x0f, [7] = 0x70 },
	    .quantum_bytes = { [6] = 3001, [7] = 1000 } } },
	{ "nothing changes: not even the number of bands",
	  { { 0, 0, 0, 1, 0, 0, 0, 2 }, { 25, 75 }, 0x03 }, true,
	  { .bands = 3, .strict = 1, .prios = { 0x80, 0x08, 0x77 },
	    .quantum_bytes = { 0, 3001, 1000 } } },
	{ "shares of 99 percent",
	  { ETS_IDENTITY, { 25, 74 }, 0x03 } },
	{ "shares of 101 percent",
	  { ETS_IDENTITY, { 26, 75 }, 0x03 } },
	{ "shares of 356 percent, which is 100 in a byte",
	  { ETS_IDENTITY, { 100, 100, 156 }, 0x07 } },
	{ "a share of 0",
	  { ETS_IDENTITY, { 0, 100 }, 0x03 } },
	{ "a strict class with a share",
	  { ETS_IDENTITY, { 25, 50, 25 }, 0x03 } },
	{ "strict below a share",
	  { ETS_IDENTITY, { 0, 50, 50 }, 0x06 } },
	{ "strict between shares",
	  { ETS_IDENTITY, { 50, 0, 50 }, 0x05 } },
	{ "no such class",
	  { { 0, 8 } } },
};

#endif /* LLE_VECTORS_ETS_H */
