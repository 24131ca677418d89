/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_FRAME_H
#define LLE_CORE_FRAME_H

#include "../core.h"

extern const u8 lle_macc_addr[6];

/**
 * struct lle_pfc - content of a PFC frame, in host byte order
 * @enable: bit p: @quanta[p] is valid; other classes keep their state
 * @quanta: pause time of each class in quanta of 512 bit times; 0 resumes
 */
struct lle_pfc {
	u8 enable;
	u16 quanta[LLE_NUM_PRIO];
};

/* Type of a MAC control frame */
enum lle_frame_verdict {
	LLE_FRAME_PFC,
	LLE_FRAME_LINK_PAUSE,	/* 802.3x PAUSE of the whole link */
	LLE_FRAME_MALFORMED,	/* truncated, or unknown address or opcode */
};

/**
 * lle_frame_parse() - read a MAC control frame
 * @data: the frame from its destination address on; not trusted
 * @len: readable bytes at @data
 * @pfc: result, written only with LLE_FRAME_PFC
 * Context: any, no locking.
 * Return: enum lle_frame_verdict.
 * Source: IEEE 802.3 31B.3, 31D.3; IEEE 802.1Q 36.1.3.
 */
enum lle_frame_verdict lle_frame_parse(const u8 *data, size_t len,
				       struct lle_pfc *pfc);

/**
 * lle_frame_encode() - write a PFC frame
 * @frame: result
 * @src: address of the sending port, 6 bytes
 * @pfc: content; quanta of disabled classes are sent as 0
 * Context: any, no locking.
 */
void lle_frame_encode(struct lle_pfc_frame *frame, const u8 *src,
		      const struct lle_pfc *pfc);

#endif /* LLE_CORE_FRAME_H */
