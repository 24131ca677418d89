/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CN_H
#define LLE_CORE_CN_H

#include "../core.h"

/**
 * struct lle_cn - congestion notification: destinations to be held
 * @sw: sending switch
 * @ifindex: sending port
 * @seq: sequence number, increasing
 * @prio: priority
 * @fb: quantized F_b'
 * @class_held: hold all recently listed destinations, too
 * @count: number of @name
 * @name: destinations, as in struct lle_flow
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

static inline unsigned int lle_cn_bytes(unsigned int count)
{
	return offsetof(struct lle_cn_frame, name) + 4 * count;
}

/**
 * lle_cn_encode() - write a frame
 * @frame: result, lle_cn_bytes() long
 * @src: MAC address of the port
 * @cn: contents
 */
void lle_cn_encode(struct lle_cn_frame *frame, const u8 *src,
		   const struct lle_cn *cn);

/**
 * lle_cn_parse() - read a frame
 * @data: from the Ethernet header on; not trusted
 * @len: readable bytes
 * @cn: result
 * Return: false if it is not a valid notification.
 */
bool lle_cn_parse(const u8 *data, unsigned int len, struct lle_cn *cn);

#endif /* LLE_CORE_CN_H */
