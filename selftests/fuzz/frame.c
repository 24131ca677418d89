// SPDX-License-Identifier: GPL-2.0
/* Any bytes as a frame: a decoded PFC frame is encoded as it was. */
#include "fuzz.h"

#include "../../kmod/core/pfc/frame.c"

static u16 be16_at(const u8 *data, size_t at)
{
	return data[at] << 8 | data[at + 1];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const u8 macc[6] = LLE_MACC_ADDR;
	struct lle_pfc pfc, again, untouched;
	enum lle_frame_verdict verdict;
	struct lle_pfc_frame frame;
	unsigned int p;

	memset(&untouched, 0xa5, sizeof(untouched));
	pfc = untouched;
	verdict = lle_frame_parse(data, size, &pfc);
	check(verdict <= LLE_FRAME_MALFORMED);
	if (verdict == LLE_FRAME_MALFORMED) {
		check(!memcmp(&pfc, &untouched, sizeof(pfc)));
		return 0;
	}

	check(size >= 18 && !memcmp(data, macc, 6));
	check(be16_at(data, 12) == 0x8808);
	if (verdict == LLE_FRAME_LINK_PAUSE) {
		check(be16_at(data, 14) == 0x0001);
		check(!memcmp(&pfc, &untouched, sizeof(pfc)));
		return 0;
	}

	check(size >= 34 && be16_at(data, 14) == 0x0101);
	check(pfc.enable == data[17]);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		check(!(pfc.enable >> p & 1) ||
		      pfc.quanta[p] == be16_at(data, 18 + 2 * p));

	lle_frame_encode(&frame, data + 6, &pfc);
	check(!memcmp(&frame, data, 16));
	check(lle_frame_parse((u8 *)&frame, sizeof(frame), &again) ==
	      LLE_FRAME_PFC);
	check(again.enable == pfc.enable);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		check(again.quanta[p] ==
		      (pfc.enable >> p & 1 ? pfc.quanta[p] : 0));
	return 0;
}
