/* SPDX-License-Identifier: GPL-2.0 */
/* From messages to structs. Whatever the bytes are, they are only read. */
#ifndef LLE_CLIENT_DECODE_H
#define LLE_CLIENT_DECODE_H

#include <linux/netlink.h>

#include "client.h"

/*
 * Return: 0, or -EBADMSG: an attribute is missing, is of another length, or has a
 * value that cannot be. Attributes that are not known are ignored. A struct may be
 * longer than it is here, or shorter, which leaves its end 0.
 */
int lle_nl_decode_switch(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_port(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_history(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_watchdog(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_queue(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_congestion(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_path(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_deadlock(struct nlmsghdr *nlh, void *result);

/* Also -EOPNOTSUPP: an event that is not known. */
int lle_nl_decode_event(struct nlmsghdr *nlh, struct lle_nl_event *e);

#endif /* LLE_CLIENT_DECODE_H */
