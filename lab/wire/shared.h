/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_WIRE_SHARED_H
#define LLE_WIRE_SHARED_H

/*
 * Memory that all parts of a network share: part.c says how they use it. If parts are
 * on several machines, lab/mpi has a part in this memory for each that is elsewhere.
 */
#include <linux/types.h>

#define WIRE_PARTS	16
#define WIRE_RING	(8U << 20)
#define WIRE_TOLD	(~0U)

/**
 * struct wire_shared_part - what a part tells all others
 * @seq: barriers that it has come to
 * @wakes: how often it has woken others; they sleep until this changes
 * @clock_ns: what it still sends does not arrive before this time and the lookahead
 * @lookahead_ns: least delay of a wire between it and another part that it has; does not
 *	change in a run
 * @idle_ns: it sends nothing before this time, and what it has sent does not arrive
 *	earlier, if no other part sends it a frame; by parity of the barrier's number
 * @unused: up to two cache lines, which no other part writes
 * @wanted_ns: by number of another part, less one: that one sleeps until @clock_ns is as
 *	late; 0: it does not. The other one sets this, the part itself clears it
 */
struct wire_shared_part {
	__u32 seq;
	__u32 wakes;
	__u64 clock_ns;
	__u64 lookahead_ns;
	__u64 idle_ns[2];
	__u8 unused[88];
	__u64 wanted_ns[WIRE_PARTS];
};

/**
 * struct wire_place - a place in a ring
 * @at: bytes since the start
 * @unused: up to two cache lines, as only one part writes it
 */
struct wire_place {
	__u64 at;
	__u8 unused[120];
};

/**
 * struct wire_ring - frames from one part to another
 * @head: where the sender writes
 * @tail: where the receiver reads
 * @data: struct wire_frame, each with its data; in a ring
 */
struct wire_ring {
	struct wire_place head;
	struct wire_place tail;
	__u8 data[WIRE_RING];
};

/**
 * struct wire_shared - the memory that all parts share
 * @part: by number of the part, less one
 * @ring: from each part, to each part
 */
struct wire_shared {
	struct wire_shared_part part[WIRE_PARTS];
	struct wire_ring ring[];
};

/**
 * struct wire_frame - a frame in a ring
 * @arrival_ns: when it arrives
 * @end: number of the end that receives it; %WIRE_TOLD: it is for processes
 * @bytes: as of struct wire_cb; for processes, place of the data
 * @len: bytes of data that follow; the next frame begins at a multiple of 8
 * @zeros: zeros that the frame has after its data
 * @prio: as of struct wire_cb
 */
struct wire_frame {
	__u64 arrival_ns;
	__u32 end;
	__u32 bytes;
	__u32 len;
	__u16 zeros;
	__u16 prio;
};

/* Bytes of a frame in a ring */
static inline __u32 wire_frame_size(const struct wire_frame *f)
{
	return sizeof(*f) + ((f->len + 7U) & ~7U);
}

/* The ring from one part to another, of so many parts; all numbers are from 1. */
static inline struct wire_ring *wire_ring_of(struct wire_shared *shared, unsigned int parts,
					     unsigned int from, unsigned int to)
{
	return &shared->ring[(from - 1) * parts + to - 1];
}

/* Write data to a ring, at so many bytes since its start. */
static inline void wire_ring_write(struct wire_ring *ring, __u64 at, const void *data,
				   __u32 len)
{
	__u32 from = at % WIRE_RING, room = WIRE_RING - from;
	__u32 first = len < room ? len : room;

	memcpy(ring->data + from, data, first);
	memcpy(ring->data, (const char *)data + first, len - first);
}

/* Read data of a ring, at so many bytes since its start. */
static inline void wire_ring_read(const struct wire_ring *ring, __u64 at, void *data,
				  __u32 len)
{
	__u32 from = at % WIRE_RING, room = WIRE_RING - from;
	__u32 first = len < room ? len : room;

	memcpy(data, ring->data + from, first);
	memcpy((char *)data + first, ring->data, len - first);
}

#endif /* LLE_WIRE_SHARED_H */
