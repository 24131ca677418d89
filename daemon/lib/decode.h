/* SPDX-License-Identifier: GPL-2.0 */
/* Hostile input: messages may have any content. */
#ifndef LLE_CLIENT_DECODE_H
#define LLE_CLIENT_DECODE_H

#include <linux/netlink.h>

#include "client.h"

/*
 * Return: 0, or -EBADMSG: an attribute is missing, malformed or has an
 * impossible value. Unknown attributes are ignored. An absent counter is 0.
 */
int lle_nl_decode_switch(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_port(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_history(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_watchdog(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_queue(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_congestion(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_path(struct nlmsghdr *nlh, void *result);
int lle_nl_decode_deadlock(struct nlmsghdr *nlh, void *result);

/* Also -EOPNOTSUPP: unknown event. */
int lle_nl_decode_event(struct nlmsghdr *nlh, struct lle_nl_event *e);

#endif /* LLE_CLIENT_DECODE_H */
