// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notification: a CNM of 802.1Q without Qoffset and Qdelta, and with
 * a list of destinations instead of the start of a packet.
 */
#include "cn.h"

static_assert(sizeof(struct lle_cn_frame) == 32 + 4 * LLE_CN_NAMES);

void lle_cn_encode(struct lle_cn_frame *frame, const u8 *src,
		   const struct lle_cn *cn)
{
	static const u8 dst[] = LLE_MACC_ADDR;
	unsigned int n;

	memcpy(frame->dst, dst, sizeof(frame->dst));
	memcpy(frame->src, src, sizeof(frame->src));
	frame->ethertype = cpu_to_be16(LLE_ETH_P_CN);
	frame->version_fb = cpu_to_be16(LLE_CN_VERSION << 12 | cn->fb);
	frame->sw = cpu_to_be32(cn->sw);
	frame->ifindex = cpu_to_be32(cn->ifindex);
	frame->prio = cpu_to_be16(cn->prio << 13);
	frame->flags_count = cpu_to_be16((cn->class_held ? LLE_CN_CLASS_HELD : 0) |
					 cn->count);
	frame->seq = cpu_to_be32(cn->seq);
	for (n = 0; n < cn->count; n++)
		frame->name[n] = cpu_to_be32(cn->name[n]);
}

bool lle_cn_parse(const u8 *data, unsigned int len, struct lle_cn *cn)
{
	const struct lle_cn_frame *frame = (const void *)data;
	static const u8 dst[] = LLE_MACC_ADDR;
	unsigned int n, count;

	if (len < lle_cn_bytes(0) || memcmp(frame->dst, dst, sizeof(dst)) ||
	    frame->ethertype != cpu_to_be16(LLE_ETH_P_CN) ||
	    be16_to_cpu(frame->version_fb) >> 12 != LLE_CN_VERSION)
		return false;
	count = be16_to_cpu(frame->flags_count) & 0xff;
	if (count > LLE_CN_NAMES || len < lle_cn_bytes(count))
		return false;

	cn->sw = be32_to_cpu(frame->sw);
	cn->ifindex = be32_to_cpu(frame->ifindex);
	cn->seq = be32_to_cpu(frame->seq);
	cn->prio = be16_to_cpu(frame->prio) >> 13;
	cn->fb = be16_to_cpu(frame->version_fb) & 63;
	cn->class_held = be16_to_cpu(frame->flags_count) & LLE_CN_CLASS_HELD;
	cn->count = count;
	for (n = 0; n < count; n++)
		cn->name[n] = be32_to_cpu(frame->name[n]);
	return true;
}
