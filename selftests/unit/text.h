/* SPDX-License-Identifier: GPL-2.0 */
/* Messages as text */
#ifndef LLE_TEXT_H
#define LLE_TEXT_H

#include "../../kmod/core/deadlock/wire.h"

#define TEXT	1024

/* Appends to @text, as far as there is room. Returns its new length. */
#define put_text(text, at, ...)						\
	min((at) + snprintf((text) + (at), TEXT - (at), __VA_ARGS__), TEXT - 1)

static inline int put_id(char *text, int at, struct lle_dl_id id)
{
	return put_text(text, at, "%u.%u.%u", id.sw, id.port, id.seq);
}

#endif /* LLE_TEXT_H */
