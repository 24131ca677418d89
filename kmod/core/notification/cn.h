/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_CN_H
#define LLE_CORE_CN_H

#include "../core.h"

/**
 * struct lle_cn - congestion notification: destinations to be held
 * @sw: number of the sending switch
 * @ifindex: ifindex of the sending port
 * @seq: sequence number, greater than that of the one before
 * @prio: priority
 * @fb: quantized F_b'
 * @class_held: hold all recently listed destinations, too
 * @count: number of destinations
 * @name: destinations to be held, numbers of struct lle_flow
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
 * lle_cn_bytes() - compute the length of a frame in bytes
 * @count: number of destinations
 */
static inline unsigned int lle_cn_bytes(unsigned int count)
{
	return offsetof(struct lle_cn_frame, name) + 4 * count;
}

/**
 * lle_cn_encode() - write a frame
 * @frame: result; lle_cn_bytes() of it are written
 * @src: MAC address of the port
 * @cn: its content
 */
void lle_cn_encode(struct lle_cn_frame *frame, const u8 *src,
		   const struct lle_cn *cn);

/**
 * lle_cn_parse() - read a frame
 * @data: the frame from its Ethernet header on; not trusted
 * @len: bytes that may be read at @data
 * @cn: result
 *
 * Return: false: it is not a valid notification.
 */
bool lle_cn_parse(const u8 *data, unsigned int len, struct lle_cn *cn);

#endif /* LLE_CORE_CN_H */
