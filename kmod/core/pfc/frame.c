// SPDX-License-Identifier: GPL-2.0
/* PFC frames: IEEE 802.1Q clause 36, IEEE 802.3 annexes 31B and 31D. */
#include "frame.h"

const u8 lle_macc_addr[6] = LLE_MACC_ADDR;

static_assert(sizeof(struct lle_pfc_frame) == LLE_PFC_FRAME_LEN);
static_assert(offsetof(struct lle_pfc_frame, pad) == LLE_PFC_FRAME_MIN);

enum lle_frame_verdict lle_frame_parse(const u8 *data, size_t len,
				       struct lle_pfc *pfc)
{
	/* no member needs an alignment */
	const struct lle_pfc_frame *f = (const void *)data;
	unsigned int p;

	if (len < offsetof(struct lle_pfc_frame, quanta) ||
	    f->ethertype != cpu_to_be16(LLE_ETH_P_MAC_CONTROL) ||
	    memcmp(f->dst, lle_macc_addr, sizeof(f->dst)))
		return LLE_FRAME_MALFORMED;

	if (f->opcode == cpu_to_be16(LLE_MACC_OP_PAUSE))
		return LLE_FRAME_LINK_PAUSE;

	if (f->opcode != cpu_to_be16(LLE_MACC_OP_PFC) ||
	    len < LLE_PFC_FRAME_MIN)
		return LLE_FRAME_MALFORMED;

	/* the upper octet of the vector is reserved: ignored on receipt */
	pfc->enable = be16_to_cpu(f->class_enable) & 0xff;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		pfc->quanta[p] = be16_to_cpu(f->quanta[p]);

	return LLE_FRAME_PFC;
}

void lle_frame_encode(struct lle_pfc_frame *frame, const u8 *src,
		      const struct lle_pfc *pfc)
{
	unsigned int p;

	memset(frame, 0, sizeof(*frame));
	memcpy(frame->dst, lle_macc_addr, sizeof(frame->dst));
	memcpy(frame->src, src, sizeof(frame->src));
	frame->ethertype = cpu_to_be16(LLE_ETH_P_MAC_CONTROL);
	frame->opcode = cpu_to_be16(LLE_MACC_OP_PFC);
	frame->class_enable = cpu_to_be16(pfc->enable);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (pfc->enable & BIT(p))
			frame->quanta[p] = cpu_to_be16(pfc->quanta[p]);
}
