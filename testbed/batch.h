/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TB_BATCH_H
#define LLE_TB_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include <linux/netlink.h>

struct nl_sock;

/* Limits of the requests in one system call. */
#define TB_BATCH_BYTES	32768
#define TB_BATCH_NUM	512

/* Object of a request, for a message; @of, @at: node or device, or NULL */
struct tb_doing {
	const char *what;
	const char *of;
	const char *at;
};

/* Requests to one network namespace. @used: offset of the last one, bytes */
struct tb_batch {
	struct nl_sock *sk;
	uint32_t seq;
	unsigned int num;
	size_t used;
	struct tb_doing doing[TB_BATCH_NUM];
	char buf[TB_BATCH_BYTES] __attribute__((aligned(NLMSG_ALIGNTO)));
};

void tb_batch_catch_signals(void);
int tb_batch_interrupted(void);
int tb_batch_open(struct tb_batch *b);
struct nlmsghdr *tb_batch_add(struct tb_batch *b, uint16_t type, uint16_t flags,
			      const void *head, size_t len,
			      const struct tb_doing *doing);
int tb_batch_flush(struct tb_batch *b);
void tb_batch_close(struct tb_batch *b);

#endif /* LLE_TB_BATCH_H */
