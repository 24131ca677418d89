/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CN_H
#define LLE_CORE_CN_H

#include "../core.h"

/**
 * struct lle_cn - a congestion notification: what a port wants its neighbour to hold
 * @sw: number of the switch that sends it
 * @ifindex: of the port
 * @seq: greater than that of the one before
 * @prio: the priority
 * @fb: F_b' as quantized
 * @class_held: nothing is to be sent that was named lately
 * @count: number of names
 * @name: destinations, as of struct lle_flow, which are not to be sent
 */
struct lle_cn {
	u32 sw;
	u32 ifindex;
	u32 seq;
	u8 prio;
	u8 fb;
	bool class_held;
	u8 count;
	u32 name[LLE_CN_NAMES];
};

/**
 * lle_cn_bytes() - bytes of a frame
 * @count: number of names
 */
static inline unsigned int lle_cn_bytes(unsigned int count)
{
	return offsetof(struct lle_cn_frame, name) + 4 * count;
}

/**
 * lle_cn_encode() - write a frame
 * @frame: where to; lle_cn_bytes() of it
 * @src: address of the port
 * @cn: what it says
 */
void lle_cn_encode(struct lle_cn_frame *frame, const u8 *src,
		   const struct lle_cn *cn);

/**
 * lle_cn_parse() - read a frame
 * @data: from its Ethernet header on; hostile
 * @len: how many bytes of it there are
 * @cn: set to what it says
 *
 * Return: false: it is none that is understood.
 */
bool lle_cn_parse(const u8 *data, unsigned int len, struct lle_cn *cn);

#endif /* LLE_CORE_CN_H */
