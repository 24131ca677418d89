// SPDX-License-Identifier: GPL-2.0
/* Any bytes as a congestion notification: a valid one is encoded as it was. */
#include "fuzz.h"

#include "../../kmod/core/notification/cn.c"

/* Without reserved bits; after the addresses and the type, up to the IDs. */
static const u8 meant[] = {
	0xf0, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xe0, 0x00, 0x80, 0xff, 0xff, 0xff, 0xff, 0xff,
};

#define MEANT_AT	14
#define COUNT_AT	27
#define NAMES_AT	(MEANT_AT + sizeof(meant))

static void clean(u8 *data)
{
	unsigned int n;

	for (n = 0; n < sizeof(meant); n++)
		data[MEANT_AT + n] &= meant[n];
}

static bool is_one(const u8 *data, size_t size)
{
	static const u8 macc[6] = LLE_MACC_ADDR;

	return size >= NAMES_AT && !memcmp(data, macc, 6) && data[12] == 0x88 &&
	       data[13] == 0xb6 && data[MEANT_AT] >> 4 == LLE_CN_VERSION &&
	       data[COUNT_AT] <= LLE_CN_NAMES &&
	       size >= NAMES_AT + 4 * data[COUNT_AT];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lle_cn_frame frame, want;
	struct lle_cn cn, again;
	unsigned int bytes;

	memset(&cn, 0xa5, sizeof(cn));
	again = cn;
	check(lle_cn_parse(data, size, &cn) == is_one(data, size));
	if (!is_one(data, size)) {
		check(!memcmp(&cn, &again, sizeof(cn)));
		return 0;
	}

	bytes = lle_cn_bytes(cn.count);
	check(bytes <= size && bytes == NAMES_AT + 4 * data[COUNT_AT]);
	memcpy(&want, data, bytes);
	clean((u8 *)&want);
	lle_cn_encode(&frame, data + 6, &cn);
	check(!memcmp(&frame, &want, bytes));
	check(lle_cn_parse((u8 *)&frame, bytes, &again));
	check(!memcmp(&cn, &again, sizeof(cn)));
	return 0;
}
