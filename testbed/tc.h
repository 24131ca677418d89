/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tc plugin of the lossless qdisc is linked into this program, for one
 * grammar of options and one set of counter names. tc_abi.c and json.c have the
 * functions of tc that it needs; the rest of this program uses them, too.
 */
#ifndef LLE_TB_TC_H
#define LLE_TB_TC_H

#include "../daemon/tc/tc_abi.h"

extern struct qdisc_util lossless_qdisc_util;

/* Bytes of a message to the kernel; the longest needs a quarter. */
#define TB_MSG_MAX	4096

/* qdisc.c */
struct tb_topo;
struct tb_link;
int tb_qdisc_put(struct nlmsghdr *n, const struct tb_topo *t,
		 const struct tb_link *l, unsigned int side);

#endif /* LLE_TB_TC_H */
