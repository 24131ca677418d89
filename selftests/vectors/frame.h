/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MAC control frames: IEEE 802.3 31.4.1 (address, type 88-08, opcode), 31B.3
 * (PAUSE, opcode 00-01), 31D.3 (PFC, opcode 01-01: priority_enable_vector,
 * time[0..7]), IEEE 802.1Q 36.1.3. Numbers are in network byte order.
 */
#ifndef LLE_VECTORS_FRAME_H
#define LLE_VECTORS_FRAME_H

struct frame_vector {
	const char *name;
	u32 len;
	u8 data[64];
	enum lle_frame_verdict verdict;
	struct lle_pfc pfc;
};

#define MACC	0x01, 0x80, 0xc2, 0x00, 0x00, 0x01
#define SRC	0x02, 0x11, 0x22, 0x33, 0x44, 0x55
#define ZERO16	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

static const struct frame_vector frame_vectors[] = {
	/* 64 bytes with FCS */
	{ "pause of class 3 for the longest time", 60,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x08,
	    0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0 },
	  LLE_FRAME_PFC, { 0x08, { 0, 0, 0, 65535 } } },
	/* time 0 resumes */
	{ "resume of class 3", 60,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_PFC, { 0x08, { 0 } } },
	/* 31D.3: time[n] is the n-th pair of octets, high octet first */
	{ "each class its own time", 60,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0xff,
	    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
	    0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0xfe, 0xff },
	  LLE_FRAME_PFC,
	  { 0xff, { 1, 515, 1029, 1543, 2057, 2571, 3085, 65279 } } },
	/* 31D.3: times of other classes are ignored */
	{ "times of classes that are not enabled", 60,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x81,
	    0x12, 0x34, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff,
	    0x43, 0x21 },
	  LLE_FRAME_PFC, { 0x81, { 0x1234, 0, 0, 0, 0, 0, 0, 0x4321 } } },
	/* 31D.3: the upper octet is reserved: sent as 0, ignored on receipt, as 802.3 requires */
	{ "reserved octet of the vector set", 60,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0xff, 0x01, 0x00, 0x02 },
	  LLE_FRAME_PFC, { 0x01, { 2 } } },
	{ "no class enabled", 60,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x00, ZERO16 },
	  LLE_FRAME_PFC, { 0 } },
	/* complete without pad: 14 of header, 2 of opcode, 2 of vector, 16 of times */
	{ "shortest with all of its content", 34,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x80,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x07 },
	  LLE_FRAME_PFC, { 0x80, { 0, 0, 0, 0, 0, 0, 0, 7 } } },
	{ "one byte short of it", 33,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x80, ZERO16 },
	  LLE_FRAME_MALFORMED },
	{ "ends after the vector", 18,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x80 },
	  LLE_FRAME_MALFORMED },
	{ "ends after the opcode", 16,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01 }, LLE_FRAME_MALFORMED },
	{ "ends after the type", 14,
	  { MACC, SRC, 0x88, 0x08 }, LLE_FRAME_MALFORMED },
	{ "nothing at all", 0, { 0 }, LLE_FRAME_MALFORMED },
	/* 31B.3: opcode 00-01, pause_time: of the link */
	{ "802.3x pause", 60,
	  { MACC, SRC, 0x88, 0x08, 0x00, 0x01, 0xff, 0xff },
	  LLE_FRAME_LINK_PAUSE },
	{ "802.3x pause, shortest with its time", 18,
	  { MACC, SRC, 0x88, 0x08, 0x00, 0x01, 0x00, 0x01 },
	  LLE_FRAME_LINK_PAUSE },
	{ "802.3x pause without its time", 17,
	  { MACC, SRC, 0x88, 0x08, 0x00, 0x01, 0x00 },
	  LLE_FRAME_MALFORMED },
	{ "802.3x pause to another address", 60,
	  { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x02, SRC,
	    0x88, 0x08, 0x00, 0x01, 0xff, 0xff }, LLE_FRAME_MALFORMED },
	/* 31A: 00-02 is EPON's gate */
	{ "opcode 00-02", 60,
	  { MACC, SRC, 0x88, 0x08, 0x00, 0x02, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
	{ "opcode 01-00", 60,
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x00, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
	{ "opcode 00-00", 60,
	  { MACC, SRC, 0x88, 0x08, 0x00, 0x00, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
	/* PFC has only 01-80-C2-00-00-01 */
	{ "to the neighbouring reserved address", 60,
	  { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x00, SRC,
	    0x88, 0x08, 0x01, 0x01, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
	{ "address differs in its first byte", 60,
	  { 0x03, 0x80, 0xc2, 0x00, 0x00, 0x01, SRC,
	    0x88, 0x08, 0x01, 0x01, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
	{ "to all", 60,
	  { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, SRC,
	    0x88, 0x08, 0x01, 0x01, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
	/* 802.3 31.4.1.3: 88-08 */
	{ "type 88-09, slow protocols", 60,
	  { MACC, SRC, 0x88, 0x09, 0x01, 0x01, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
	{ "type with its bytes swapped", 60,
	  { MACC, SRC, 0x08, 0x88, 0x01, 0x01, 0x00, 0x08, ZERO16 },
	  LLE_FRAME_MALFORMED },
};

/* 31D.3 octet by octet, then a pad of 26 zeros */
static const struct {
	const char *name;
	struct lle_pfc pfc;
	u8 data[60];
} frame_encode_vectors[] = {
	{ "pause of classes 0 and 7, times of others are not sent",
	  { 0x81, { 0x0102, 9, 9, 9, 9, 9, 9, 0xfffe } },
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x81,
	    0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe } },
	{ "resume of class 4",
	  { 0x10, { 0 } },
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x10 } },
	{ "pause of 3, resume of 5",
	  { 0x28, { 0, 0, 0, 0x8001, 0, 0, 0, 0 } },
	  { MACC, SRC, 0x88, 0x08, 0x01, 0x01, 0x00, 0x28,
	    0, 0, 0, 0, 0, 0, 0x80, 0x01 } },
};

#endif /* LLE_VECTORS_FRAME_H */
