/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_WIRE_SHARED_H
#define LLE_WIRE_SHARED_H

/*
 * Memory that all parts of a network share: see part.c. If parts are on several
 * machines, lab/mpi stands in for each remote part.
 */
#include <linux/types.h>

#define WIRE_PARTS	16
#define WIRE_RING	(8U << 20)
#define WIRE_NOTE	(~0U)

/* Published by a part */
struct wire_shared_part {
	__u32 seq;	/* barriers that it has come to */
	__u32 wakes;	/* wake-ups it has made; sleepers wait for a change */
	/* frames not yet sent arrive then plus the lookahead, or later */
	__u64 clock_ns;
	__u64 lookahead_ns;	/* minimum delay of its wires; constant */
	/*
	 * unless it receives a frame, it sends none before this time, and its
	 * sent frames do not arrive before; by parity of the barrier's number
	 */
	__u64 idle_ns[2];
	__u8 unused[88];	/* cache lines that no other part writes */
	/*
	 * by another part's number, less one: it sleeps until @clock_ns is as
	 * late; 0: it does not. Set by that part, cleared by this one
	 */
	__u64 wanted_ns[WIRE_PARTS];
};

/* A place in a ring, bytes since the start; own cache lines */
struct wire_place {
	__u64 at;
	__u8 unused[120];
};

/* The sender writes at @head, the receiver reads at @tail. */
struct wire_ring {
	struct wire_place head;
	struct wire_place tail;
	__u8 data[WIRE_RING];
};

/* @part: by number of the part, less one; @ring: from each, to each part */
struct wire_shared {
	struct wire_shared_part part[WIRE_PARTS];
	struct wire_ring ring[];
};

/* A frame in a ring */
struct wire_frame {
	__u64 arrival_ns;	/* when it arrives */
	__u32 end;	/* receiving end; %WIRE_NOTE: processes */
	__u32 bytes;	/* of struct wire_cb; for processes: place */
	__u32 len;	/* of data; the next frame is 8-byte aligned */
	__u16 zeros;	/* zeros that the frame has after its data */
	__u16 prio;	/* as of struct wire_cb */
};

/* Bytes of a frame in a ring */
static inline __u32 wire_frame_size(const struct wire_frame *f)
{
	return sizeof(*f) + ((f->len + 7U) & ~7U);
}

/* The ring from one part to another; numbers are from 1. */
static inline struct wire_ring *wire_ring_of(struct wire_shared *shared, unsigned int parts,
					     unsigned int from, unsigned int to)
{
	return &shared->ring[(from - 1) * parts + to - 1];
}

/* Writes data to a ring, @at bytes since its start. */
static inline void wire_ring_write(struct wire_ring *ring, __u64 at, const void *data,
				   __u32 len)
{
	__u32 from = at % WIRE_RING, room = WIRE_RING - from;
	__u32 first = len < room ? len : room;

	memcpy(ring->data + from, data, first);
	memcpy(ring->data, (const char *)data + first, len - first);
}

/* Reads data of a ring, @at bytes since its start. */
static inline void wire_ring_read(const struct wire_ring *ring, __u64 at, void *data,
				  __u32 len)
{
	__u32 from = at % WIRE_RING, room = WIRE_RING - from;
	__u32 first = len < room ? len : room;

	memcpy(data, ring->data + from, first);
	memcpy((char *)data + first, ring->data, len - first);
}

#endif /* LLE_WIRE_SHARED_H */
