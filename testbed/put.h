/* SPDX-License-Identifier: GPL-2.0 */
/* Adds attributes to a request, by the type of their value. */
#ifndef LLE_TB_PUT_H
#define LLE_TB_PUT_H

#include <string.h>

#include "tc.h"

static inline void tb_put(struct nlmsghdr *n, int type, const void *data,
			  int len)
{
	addattr_l(n, TB_MSG_MAX, type, data, len);
}

static inline void tb_put_text(struct nlmsghdr *n, int type, const char *text)
{
	tb_put(n, type, text, strlen(text) + 1);
}

static inline void tb_put_u8(struct nlmsghdr *n, int type, __u8 value)
{
	tb_put(n, type, &value, sizeof(value));
}

static inline void tb_put_u16(struct nlmsghdr *n, int type, __u16 value)
{
	tb_put(n, type, &value, sizeof(value));
}

static inline void tb_put_u32(struct nlmsghdr *n, int type, __u32 value)
{
	tb_put(n, type, &value, sizeof(value));
}

static inline struct rtattr *tb_nest(struct nlmsghdr *n, int type)
{
	return addattr_nest(n, TB_MSG_MAX, type | NLA_F_NESTED);
}

#endif /* LLE_TB_PUT_H */
