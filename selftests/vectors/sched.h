/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ets(8), IEEE 802.1Q 37.3; Shreedhar and Varghese, "Efficient Fair Queuing using
 * Deficit Round Robin", section 3: a turn adds a quantum, packets are sent while
 * the deficit covers them, an empty band keeps no deficit.
 *
 * State zero: the first band after the strict ones has the turn, but no quantum,
 * so the band after it begins.
 */
#ifndef LLE_VECTORS_SCHED_H
#define LLE_VECTORS_SCHED_H

struct sched_step {
	u8 ready;
	u32 head[LLE_NUM_PRIO];
	u8 prio;
};

#define SCHED_STEPS	24

static const struct sched_vector {
	const char *name;
	struct lle_sched_params p;
	struct sched_step steps[SCHED_STEPS];
} sched_vectors[] = {
	{ "strict bands in their order",
	  { .bands = 3, .strict = 3, .prios = { 0x80, 0x01, 0x7e } },
	  { { 0xff, { 1, 1, 1, 1, 1, 1, 1, 1 }, 7 },
	    { 0xff, { 1, 1, 1, 1, 1, 1, 1, 1 }, 7 },
	    { 0x7f, { 1, 1, 1, 1, 1, 1, 1, 1 }, 0 },
	    { 0x7e, { 1, 1, 1, 1, 1, 1, 1, 1 }, 1 },
	    { 0xfe, { 1, 1, 1, 1, 1, 1, 1, 1 }, 7 } } },

	{ "priorities of a strict band take turns, whatever their sizes",
	  { .bands = 1, .strict = 1, .prios = { 0xff } },
	  { { 0x09, { 9000, 0, 0, 60 }, 3 },
	    { 0x09, { 9000, 0, 0, 60 }, 0 },
	    { 0x09, { 9000, 0, 0, 60 }, 3 },
	    /* 5 follows 3; then 0 */
	    { 0x29, { 9000, 0, 0, 60, 0, 60 }, 5 },
	    { 0x29, { 9000, 0, 0, 60, 0, 60 }, 0 },
	    { 0x80, { 0, 0, 0, 0, 0, 0, 0, 60 }, 7 },
	    { 0x80, { 0, 0, 0, 0, 0, 0, 0, 60 }, 7 },
	    { 0x81, { 60, 0, 0, 0, 0, 0, 0, 60 }, 0 } } },

	{ "a paused queue does not stop its band",
	  { .bands = 1, .prios = { 0xff }, .quantum_bytes = { 60 } },
	  { { 0x03, { 60, 60 }, 1 }, { 0x03, { 60, 60 }, 0 },
	    { 0x01, { 60, 60 }, 0 }, { 0x01, { 60, 60 }, 0 },
	    { 0x03, { 60, 60 }, 1 }, { 0x03, { 60, 60 }, 0 } } },

	/*
	 * Packets of 1000. Band 1: 3000. Band 0: 1500, one packet, 500 left; band 1;
	 * band 0: 2000, two packets, 0 left
	 */
	{ "quanta of 1.5 and 3 packets",
	  { .bands = 2, .prios = { 0x01, 0xfe },
	    .quantum_bytes = { 1500, 3000 } },
	  { { 3, { 1000, 1000 }, 1 }, { 3, { 1000, 1000 }, 1 },
	    { 3, { 1000, 1000 }, 1 }, { 3, { 1000, 1000 }, 0 },
	    { 3, { 1000, 1000 }, 1 }, { 3, { 1000, 1000 }, 1 },
	    { 3, { 1000, 1000 }, 1 }, { 3, { 1000, 1000 }, 0 },
	    { 3, { 1000, 1000 }, 0 }, { 3, { 1000, 1000 }, 1 },
	    { 3, { 1000, 1000 }, 1 }, { 3, { 1000, 1000 }, 1 },
	    { 3, { 1000, 1000 }, 0 }, { 3, { 1000, 1000 }, 1 } } },

	/* the exact deficit leaves, a byte more waits */
	{ "deficit to the byte",
	  { .bands = 2, .prios = { 0x01, 0xfe },
	    .quantum_bytes = { 1500, 1500 } },
	  { { 3, { 1500, 1500 }, 1 }, { 3, { 1500, 1500 }, 0 },
	    { 3, { 1500, 1501 }, 0 }, { 3, { 1500, 1501 }, 1 },
	    /* band 1 has 1499 left of 3000 */
	    { 3, { 1501, 1499 }, 1 }, { 3, { 1501, 1500 }, 1 },
	    { 3, { 1501, 1500 }, 0 } } },

	/*
	 * 24 turns of 64 are 1536, the first sum above 1500; 36 are left, then 23 more
	 * turns. Both bands in step, band 1 a turn ahead
	 */
	{ "quantum smaller than a packet",
	  { .bands = 2, .prios = { 0x01, 0xfe }, .quantum_bytes = { 64, 64 } },
	  { { 3, { 1500, 1500 }, 1 }, { 3, { 1500, 1500 }, 0 },
	    { 3, { 1500, 1500 }, 1 }, { 3, { 1500, 1500 }, 0 },
	    { 3, { 1500, 1500 }, 1 }, { 3, { 1500, 1500 }, 0 } } },
	{ "quantum smaller than a packet, one band",
	  { .bands = 2, .prios = { 0x01, 0xfe }, .quantum_bytes = { 1, 64 } },
	  { { 1, { 9022 }, 0 }, { 1, { 9022 }, 0 }, { 2, { 0, 9022 }, 1 } } },

	/* band 1 sends 1000 of 1500; the 500 left expire. A packet of 1501 needs two quanta. */
	{ "no credit for a band that returns",
	  { .bands = 2, .prios = { 0x01, 0xfe },
	    .quantum_bytes = { 1500, 1500 } },
	  { { 3, { 1000, 1000 }, 1 },
	    { 1, { 1000 }, 0 },			/* 500 left */
	    { 1, { 1000 }, 0 },			/* + 1500 - 1000: 1000 left */
	    { 3, { 1000, 1501 }, 0 },		/* 0 left; band 1: 1500 */
	    { 3, { 1000, 1501 }, 0 },		/* 500 left; band 1: 3000 */
	    { 3, { 1000, 1501 }, 1 } } },

	/* strict packets keep the deficit: band 2 has 500 of 1500, sent after them */
	{ "strict band before round robin",
	  { .bands = 3, .strict = 1, .prios = { 0x80, 0x01, 0x7e },
	    .quantum_bytes = { 0, 1500, 1500 } },
	  { { 3, { 1000, 1000 }, 1 },
	    { 0x83, { 1000, 500, 0, 0, 0, 0, 0, 9000 }, 7 },
	    { 0x83, { 1000, 500, 0, 0, 0, 0, 0, 9000 }, 7 },
	    { 3, { 1000, 500 }, 1 },
	    { 3, { 1000, 500 }, 0 },		/* 500 left; band 2: 1500 */
	    { 3, { 1000, 500 }, 1 }, { 3, { 1000, 500 }, 1 },
	    { 3, { 1000, 500 }, 1 },
	    { 3, { 1000, 500 }, 0 } } },

	/* a turn alternates the priorities of a band */
	{ "priorities of a round robin band take turns",
	  { .bands = 2, .prios = { 0x03, 0xfc },
	    .quantum_bytes = { 400, 200 } },
	  { { 7, { 100, 100, 100 }, 2 }, { 7, { 100, 100, 100 }, 2 },
	    { 7, { 100, 100, 100 }, 1 }, { 7, { 100, 100, 100 }, 0 },
	    { 7, { 100, 100, 100 }, 1 }, { 7, { 100, 100, 100 }, 0 },
	    { 7, { 100, 100, 100 }, 2 }, { 7, { 100, 100, 100 }, 2 },
	    { 7, { 100, 100, 100 }, 1 } } },

	{ "empty band",
	  { .bands = 3, .prios = { 0x01, 0, 0xfe },
	    .quantum_bytes = { 100, 100, 100 } },
	  { { 3, { 100, 100 }, 1 }, { 3, { 100, 100 }, 0 },
	    { 3, { 100, 100 }, 1 }, { 3, { 100, 100 }, 0 } } },
};

#endif /* LLE_VECTORS_SCHED_H */
