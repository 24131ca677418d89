/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_FUZZ_DEADLOCK_H
#define LLE_FUZZ_DEADLOCK_H

#include "fuzz.h"

#define PORTS		4
#define FABRIC		0x7

/* Small numbers, so that events collide. */
static struct lle_dl_id some_id(struct fuzz *f)
{
	u8 byte = fuzz_get(f, 1);

	return (struct lle_dl_id) {
		.sw = 5 + byte % 4,
		.port = (byte >> 2) % (PORTS + 1),
		.seq = byte >> 5,
	};
}

/* NULL: the parser refuses it. */
static const struct lle_dl_msg *received(struct lle_dl_msg *msg)
{
	struct lle_dl_pad pad;

	lle_dl_wire_encode(&pad, msg);
	return lle_dl_wire_parse((u8 *)&pad, msg) ? msg : NULL;
}

#endif /* LLE_FUZZ_DEADLOCK_H */
